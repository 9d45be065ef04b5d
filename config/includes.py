"""A file and the parts that it includes, as one: each value stands once, and everybody knows where.

The tables of a pit differ in a name, a folder and a few ports; what they have in common is one part that
each includes. What a file says itself goes before what it includes, and a later part before an earlier
one. A value that is wrong is named with the file and the line where it stands, not with the file that was
asked for. No part is taken from outside the folder of the first file, which is what `sabot verify` covers.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from sabot.config.reader import Section, Toml, file_near, text_of, toml_of
from sabot.rules.frozen import frozen

INCLUDE = "include"
MOST_PARTS = 20
KeyPath = tuple[str, ...]

# As much of TOML as tells where a key stands: headers, and keys that are bare, quoted or dotted.
_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_NAME = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


@frozen
class Merged:
    """A file with all its parts: what they say together, where each key stands, and the files' bytes."""

    data: Toml
    files: Mapping[str, bytes]
    origins: Mapping[KeyPath, str] = field(default_factory=dict)

    def section(self, file: str) -> Section:
        """Return the whole as a table to be read; its errors name the place in the part where it stands."""
        return Section(file, "", self.data, origins=self.origins if len(self.files) > 1 else None)


def read_merged(path: Path) -> Merged:
    """Return a file and what it includes."""
    reader = _MergedReader(path.parent)
    data = reader.read(path, ())
    return Merged(data, reader.files, reader.origins)


class _MergedReader:
    """One file being read with its parts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.files: dict[str, bytes] = {}
        self.origins: dict[KeyPath, str] = {}

    def read(self, path: Path, above: tuple[Path, ...]) -> Toml:
        text = text_of(path)
        data = toml_of(text.encode(), str(path))
        if above or INCLUDE in data:  # a file that stands alone has no need of its lines
            lines = _lines_of(text)
            own = {key: f"{path}, line {line}" for key, line in lines.items()}
        else:
            own = {}
        section = Section(str(path), "", data, origins=own)
        names = section.words(INCLUDE) if isinstance(data.get(INCLUDE), list) else _single(section)
        # Counted over all of them, for parts may include parts.
        if len(self.files) > MOST_PARTS:
            raise section.wrong(INCLUDE, names, f"no more than {MOST_PARTS} parts in all")
        # The bytes that were read: the digest is of what the table
        # is played by, whatever is on the medium later.
        self.files[str(path)] = text.encode()
        below: Toml = {}
        for name in names:
            part = self._part(section, path, name, (*above, path.resolve()))
            # Over the parts before it: of two that say the same key the later counts.
            below = _over(part, below)
        # After its parts: where both say a key this file's counts, and errors name its line.
        self.origins |= own
        return _over({key: value for key, value in data.items() if key != INCLUDE}, below)

    def _part(self, section: Section, path: Path, name: str, above: tuple[Path, ...]) -> Toml:
        part = path.parent / name
        # Resolved first, so that neither ``..`` nor a link leads
        # out of the folder that `sabot verify` covers.
        if not part.resolve().is_relative_to(self.folder):
            raise section.fail("E-CONF-017", key=INCLUDE, name=name, folder=self.folder)
        if part.resolve() in above:
            raise section.fail("E-CONF-018", key=INCLUDE, name=name)
        if not part.is_file():
            raise section.fail("E-CONF-019", key=INCLUDE, file=part, near=file_near(part))
        return self.read(part, above)


def _single(section: Section) -> tuple[str, ...]:
    # One part may be named without brackets.
    return (section.text(INCLUDE),) if INCLUDE in section else ()


def _over(upper: Toml, lower: Toml) -> Toml:
    """Return two files as one: a table is merged with the one below it, any other value replaces it."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        merged[key] = _over(value, below) if isinstance(value, dict) and isinstance(below, dict) else value
    return merged


def _lines_of(text: str) -> dict[KeyPath, int]:
    """Return the line in which each table and each key stands."""
    # ``tomllib`` tells no lines, so the text is looked through once more. This is for errors alone: a key
    # that is written in a way not foreseen here is told by its file, without a line.
    found: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _names(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            path = (*table, *_names(key[1]))
            for length in range(len(table) + 1, len(path) + 1):
                found.setdefault(path[:length], number)
    return found


def _names(text: str) -> KeyPath:
    return tuple(name.strip("\"'") for name in _NAME.findall(text))


def as_toml(data: Toml) -> str:
    """Return the merged file as it would be written by hand, for a person to read."""
    lines: list[str] = []
    _write(lines, (), data)
    return "\n".join(lines).strip() + "\n"


def _write(lines: list[str], path: KeyPath, data: Toml) -> None:
    plain = {key: value for key, value in data.items() if not isinstance(value, dict)}
    if path and (plain or not data):
        lines += ["", f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in data.items():
        if isinstance(value, dict):
            _write(lines, (*path, key), value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else _value(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = "".join(_ESCAPED.get(sign, sign) for sign in value)
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):  # within a list
        return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
    return str(value)


# What a text in quotes may not hold as it is.
_ESCAPED = {'"': '\\"', "\\": "\\\\"} | {chr(code): f"\\u{code:04x}" for code in (*range(32), 127)}
