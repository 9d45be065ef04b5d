"""Strict reading of TOML: a key that nobody asked for is an error, and so is a value out of its bounds.

A ``Section`` is one table of a file together with its place in it. The getters check type and bound where the
value is read, and remember which keys were asked for; ``finish`` then refuses whatever is left over, naming
the nearest key that would have been understood. So the list of known keys is written nowhere but in the code
that uses them.

A table file, a Rules Submission and a chapter are all TOML and lie side by side, so one is easily named where
another is wanted. A reader that went by its own keys would answer that some are missing, which leads nobody
to the slip.
"""

import codecs
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from fractions import Fraction
from pathlib import Path

from sabot.config.errors import ConfigError
from sabot.rules.errors import ALIKE, LIKE, nearest

Toml = dict[str, object]
WHOLE_PERCENT = 100
AMOUNT = 'an amount in dollars such as "$5", "$2.50" or "$50,000"'
# Thousands with all their commas or with none, cents with two digits or left out.
_MONEY = re.compile(r"\$((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?:\.[0-9]{2})?)")


def read_toml(path: Path) -> Toml:
    """Return the content of a TOML file."""
    return _parsed(text_of(path), str(path))


def toml_of(content: bytes, place: str) -> Toml:
    """Return the content of a TOML file that was read before."""
    return _parsed(decoded(content, place), place)


def _parsed(text: str, place: str) -> Toml:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError of its own
        raise ConfigError("E-CONF-012", place, why=str(error)) from error


def text_of(path: Path) -> str:
    """Return the text of a file, which must be plain UTF-8."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:  # no such file, a folder, no right, or no name of a file
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError("E-CONF-001", str(path), why=why) from error
    return decoded(content, str(path))


def decoded(content: bytes, place: str) -> str:
    """Return the text of bytes that must be plain UTF-8."""
    # Before the parser, whose words about the first key would lead nobody to a mark that is not seen.
    if content.startswith(codecs.BOM_UTF8) or content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise ConfigError("E-CONF-010", place)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError("E-CONF-011", place, line=line, byte=f"{content[error.start]:#04x}") from error


def cents_of(text: str) -> int | None:
    """Return the cents of an amount such as ``$2.50``; None where it is none."""
    found = _MONEY.fullmatch(text)
    return int(Fraction(found[1].replace(",", "")) * 100) if found else None


class Section:
    """One table of a configuration file, at its place."""

    def __init__(
        self,
        file: str,
        path: str,
        data: Toml,
        known: dict[str, set[str]] | None = None,
        origins: Mapping[tuple[str, ...], str] | None = None,
    ) -> None:
        self.file = file
        # The part and line of each key by its path, in a file of several parts; else the file alone is the
        # place.
        self.origins = origins or {}
        self.path = path
        self.data = data
        # Every key that was asked for, there or not: that is the list of known keys.
        self._asked: set[str] = set()
        self._children: dict[str, Section] = {}
        # One for all parts of a file: a key in the wrong part is told where it belongs.
        self._known: dict[str, set[str]] = {} if known is None else known
        self._known[path] = self._asked

    @property
    def place(self) -> str:
        """Return where this table stands, for an error."""
        return self.place_of("")

    def place_of(self, key: str) -> str:
        """Return where a key of this table stands: in its own part and line, where the file has parts."""
        path = tuple(self.path.split(".")) if self.path else ()
        here = self.origins.get((*path, key)) or self.origins.get(path) or self.file
        return f"{here} [{self.path}]" if self.path else here

    def __contains__(self, key: str) -> bool:
        # To ask whether a key is there is to know it: an optional key is no stranger.
        self._asked.add(key)
        return key in self.data

    def fail(self, code: str, **facts: object) -> ConfigError:
        """Return an error at this place, or at that of its key where it has one."""
        return ConfigError(code, self.place_of(str(facts.get("key", ""))), **facts)

    def wrong(self, key: str, value: object, bound: str) -> ConfigError:
        """Return the error for a value of the wrong type or out of its bounds."""
        shown = str(value) if isinstance(value, date | time) else value
        return self.fail("E-CONF-004", key=key, value=shown, bound=bound, hint=_hint(value, bound))

    def missing(self, key: str) -> ConfigError:
        """Return the error for a key that is not there, with the one that may be meant for it."""
        # Keys that nobody asked for yet may still be asked for: only a very like one is named.
        strange = [each for each in self.data if each not in self._asked]
        near = nearest(key, strange, LIKE)
        return self.fail("E-CONF-003", key=key, near=f" (is {near!r} meant for it?)" if near else "")

    def no_choice(self, key: str, value: str, known: Iterable[str]) -> ConfigError:
        """Return the error for a word that is none of those known here."""
        known = sorted(known)
        near = nearest(value, known, ALIKE)
        words = f" (did you mean {near!r}?)" if near else ""
        return self.fail("E-CONF-014", key=key, value=value, near=words, known=", ".join(known))

    def _get(self, key: str) -> object:
        if key not in self:
            raise self.missing(key)
        return self.data[key]

    def text(self, key: str, default: str | None = None, *, bound: str = "a text that is not empty") -> str:
        """Return a string that is not empty."""
        if default is not None and key not in self:
            return default
        value = self._get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, value, bound)
        return value

    def choice(self, key: str, known: frozenset[str], default: str | None = None) -> str:
        """Return one of the known words, or the default where the key is absent."""
        if default is not None and key not in self:
            return default
        value = self.text(key)
        if value not in known:
            raise self.no_choice(key, value, known)
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return true or false, or the default where the key is absent."""
        if key not in self:
            return default
        value = self.data[key]
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Return a whole number within its bounds, or the default where the key is absent."""
        if default is not None and key not in self:
            return default
        value = self._get(key)
        # ``true`` is an int to Python.
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return value

    def cents(self, key: str, *, bound: str = AMOUNT) -> int:
        """Return in cents an amount that is written as on a chip or a sign."""
        found = cents_of(self.text(key, bound=bound))
        if found is None:
            raise self.wrong(key, self.data[key], bound)
        return found

    def percent(self, key: str) -> Fraction:
        """Return an exact percentage."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= WHOLE_PERCENT:
            raise self.wrong(key, value, f"a percentage from 0 to {WHOLE_PERCENT}")
        # By its digits: 0.1 of a file is a tenth, which no float is.
        return Fraction(str(value))

    def words(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        """Return a list of texts that is not empty and has none of them twice."""
        if optional and key not in self:
            return ()
        value = self._get(key)
        # ``or [0]``: an empty list is refused like one with something else in it.
        if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value or [0]):
            raise self.wrong(key, value, "a list of texts, at least one")
        if len(set(value)) < len(value):
            raise self.wrong(key, value, "a list with nothing twice")
        return tuple(value)

    def cells(self, key: str, count: int) -> tuple[str, ...]:
        """Return a list of texts, one for each column."""
        value = self._get(key)
        if (
            not isinstance(value, list)
            or len(value) != count
            or not all(isinstance(cell, str) for cell in value)
        ):
            raise self.wrong(key, value, f"a list of {count} texts, one a letter")
        return tuple(value)

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Return a list of lists of texts, empty where the key is absent."""
        if key not in self:
            return ()
        value = self.data[key]
        good = isinstance(value, list) and all(
            isinstance(group, list) and group and all(isinstance(word, str) for word in group)
            for group in value
        )
        if not good or not isinstance(value, list):
            raise self.wrong(key, value, "a list of lists of texts")
        return tuple(tuple(group) for group in value)

    def _child(self, key: str, data: object, path: str) -> "Section":
        if not isinstance(data, dict):
            raise self.wrong(key, data, "a table")
        # The same for each who asks: what two readers took of one part is remembered together.
        return self._children.setdefault(path, Section(self.file, path, data, self._known, self.origins))

    def section(self, key: str) -> "Section":
        """Return a table inside this one."""
        path = f"{self.path}.{key}" if self.path else key
        return self._child(key, self._get(key), path)

    def maybe(self, key: str) -> "Section | None":
        """Return a table inside this one, or None where it is absent."""
        return self.section(key) if key in self else None

    def texts(self, key: str) -> dict[str, str]:
        """Return a table whose values are texts, empty where it is absent."""
        part = self.maybe(key)
        return {name: part.text(name) for name in part.data} if part else {}

    def sections(self) -> Iterator[tuple[str, "Section"]]:
        """Yield every table inside this one, by name, in the order of the file."""
        for key in self.data:
            yield key, self.section(key)

    def list_of(self, key: str) -> list["Section"]:
        """Return a table or a list of tables as a list."""
        value = self._get(key)
        path = f"{self.path}.{key}" if self.path else key
        items = value if isinstance(value, list) else [value]
        return [self._child(key, item, f"{path}[{place}]") for place, item in enumerate(items)]

    def finish(self) -> None:
        """Refuse every key, here and below, that nobody asked for."""
        for key in self.data:
            if key not in self._asked:
                raise self.fail("E-CONF-002", key=key, nearest=self._nearest(key))
        for child in self._children.values():
            child.finish()

    def _nearest(self, key: str) -> str:
        """Return the known key that may be meant: in this part first, then the same key in another part."""
        # The slip that is certain first: only a device has a driver.
        part = self.data[key]
        if isinstance(part, dict) and "driver" in part:
            return f"a device is written as [device.{key}]"
        if near := nearest(key, self._asked, ALIKE):
            return f"the nearest known key is {near!r}"
        for path, asked in self._known.items():
            if key in asked and path != self.path:
                return (
                    f"it belongs to [{path}]"
                    if path
                    else "it belongs to the top of the file, above each [part]"
                )
        return f"the known keys here are {', '.join(sorted(self._asked)) or 'none'}"


def file_near(path: Path) -> str:
    """Return a hint at the file beside this path that may be meant, empty where none is near."""
    try:
        beside = sorted(each.name for each in path.parent.glob("*.toml"))
    except OSError:
        return ""
    found = nearest(path.name, beside, ALIKE)
    return f"; {path.parent / found} is there" if found else ""


def _hint(value: object, bound: str) -> str:
    """Return how the value would be written, where it is of another kind than what is wanted."""
    # It goes by the first words of the bound, as the getters above and the options of drivers word them.
    wants_text = not bound.startswith(
        ("a whole number", "a number", "a percentage", "true", "a list", "a table")
    )
    if bound == "a table":
        return "; a part begins with its name in brackets on a line of its own"
    if isinstance(value, float) and bound.startswith("a whole number"):
        return "; it stands without a point"
    if isinstance(value, bool | int | float | date | time) and wants_text:
        dollars = ', with the dollar sign (such as "$5")' if "dollars" in bound else ""
        return f"; a text stands in quotes{dollars}"
    if isinstance(value, str) and bound.startswith(("a whole number", "a number", "a percentage", "true")):
        return "; a number, true and false stand without quotes"
    if isinstance(value, str) and bound.startswith("a list"):
        return '; a list stands in brackets, such as ["one", "two"]'
    return ""


TABLE, SUBMISSION, CHAPTER = "a table file", "a Rules Submission", "a chapter"
# The keys by which each is known, and what is done with it.
MARKS = {
    TABLE: frozenset({"table", "submission", "storage"}),
    SUBMISSION: frozenset({"chapter", "table", "dealing"}),
    CHAPTER: frozenset({"id", "rankings", "settlement"}),
}
USES = {
    TABLE: "A table file is read by `sabot check`, `sabot selftest` and `sabot run`",
    SUBMISSION: "A Rules Submission is named by `submission` of a table file, and read by"
    " `sabot chapter ID --check`",
    CHAPTER: "A chapter lies in the program or in the folder of --law, and is named by its id",
}


def verify_kind(file: str, data: Toml, wanted: str) -> None:
    """Raise E-CONF-020 where a file has the marks of another kind and not those of the one that is wanted."""
    # With the marks of the wanted kind it is taken for one, whatever else is in it: its own reader says more.
    if MARKS[wanted] <= data.keys():
        return
    for found, marks in MARKS.items():
        if marks <= data.keys():
            raise ConfigError("E-CONF-020", file, found=found, wanted=wanted, use=USES[found])
