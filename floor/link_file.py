"""A link's configuration file: read strictly, so that what was signed is what is in force."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from sabot.config.loader import CHAPTER_IDS
from sabot.config.reader import AMOUNT, Section, cents_of, toml_of
from sabot.config.table_file import LONGEST_NAME
from sabot.floor.link_plan import LevelTerms, LinkTerms

_NAME = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{LONGEST_NAME - 1}}}")
_DIGEST = re.compile("[0-9a-f]{64}")
_TABLE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 _-]{{0,{LONGEST_NAME - 1}}}")


def read_terms(text: str, file: str) -> LinkTerms:
    """Return the terms of a configuration; raise ConfigError at the first slip."""
    root = Section(file, "", toml_of(text.encode(), file))
    law = _law(root)
    terms = LinkTerms(
        link=_name(root, "link", _NAME),
        # The names of the program's chapters are known here; those of a folder only where the folder is.
        chapter=root.text("chapter") if law else root.choice("chapter", frozenset(CHAPTER_IDS)),
        meter=root.text("meter"),
        paytable=root.text("paytable", "only"),
        wagers=tuple(_wagers(root)),
        tables=tuple(_tables(root)),
        begins=_moment(root, "begins"),
        levels={name: _level(part) for name, part in root.section("level").sections()},
        readings=root.texts("readings"),
        law=law,
    )
    root.finish()
    return terms


def is_table(name: str) -> bool:
    """Return whether a table may be called so."""
    return _TABLE.fullmatch(name) is not None


def _law(root: Section) -> str:
    """Return the digest of a folder of chapters, nothing where the chapter is one of the program."""
    digest = root.text("law", "")
    if digest and not _DIGEST.fullmatch(digest):
        raise root.wrong("law", digest, "the digest of a folder of chapters, 64 small hexadecimal digits")
    return digest


def _name(root: Section, key: str, form: re.Pattern[str]) -> str:
    name = root.text(key)
    if not form.fullmatch(name):
        raise root.wrong(key, name, f"1 to {LONGEST_NAME} small letters, digits and -")
    return name


def _tables(root: Section) -> tuple[str, ...]:
    names = root.words("tables")
    for name in names:
        if not is_table(name):
            raise root.wrong("tables", name, f"names of 1 to {LONGEST_NAME} letters, digits, blanks, _ and -")
    return names


def _moment(root: Section, key: str) -> str:
    """Return a moment by UTC; the file must name its zone, for nobody signs a time without one."""
    value = root.data[key] if key in root else root.text(key)
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise root.wrong(key, value, "a moment with its zone, such as 2026-11-20T06:00:00Z")
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _level(part: Section) -> LevelTerms:
    return LevelTerms(
        base=part.cents("base"),
        reset=part.cents("reset"),
        rate=part.percent("rate"),
        reserve_rate=part.percent("reserve_rate"),
        limit=part.cents("limit") if "limit" in part else None,
        threshold=part.cents("threshold"),
    )


def _wagers(root: Section) -> Iterator[int]:
    for text in root.words("wagers", optional=True):
        cents = cents_of(text)
        if cents is None:
            raise root.wrong("wagers", text, AMOUNT)
        yield cents
