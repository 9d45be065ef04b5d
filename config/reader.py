"""Strict reading of TOML: a key that nobody asked for is an error, and so is a value out of its bounds.

A ``Section`` is one table of a file together with its place in it. The getters check type and bound where
the value is read, and remember which keys were asked for; ``finish`` then refuses whatever is left over,
naming the nearest key that would have been understood. So the list of known keys is written nowhere but in
the code that uses them.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from sabot.config.errors import ConfigError

Toml = dict[str, object]


def read_toml(path: Path) -> Toml:
    """The content of a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # no such file, no text, no TOML, or no name of a file
        raise ConfigError("E-CONF-001", str(path), why=str(error)) from error


class Section:
    """One table of a configuration file, at its place."""

    def __init__(self, file: str, path: str, data: Toml) -> None:
        self.file = file
        self.path = path
        self.data = data
        self._asked: set[str] = set()
        self._children: dict[str, Section] = {}

    @property
    def place(self) -> str:
        """Where this table stands, for an error."""
        return f"{self.file} [{self.path}]" if self.path else self.file

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self.data

    def fail(self, code: str, **facts: object) -> ConfigError:
        """An error at this place."""
        return ConfigError(code, self.place, **facts)

    def wrong(self, key: str, value: object, bound: str) -> ConfigError:
        """A value of the wrong type or out of its bounds."""
        return self.fail("E-CONF-004", key=key, value=value, bound=bound)

    def _get(self, key: str) -> object:
        if key not in self:
            raise self.fail("E-CONF-003", key=key)
        return self.data[key]

    def text(self, key: str, default: str | None = None) -> str:
        """A string that is not empty."""
        if default is not None and key not in self:
            return default
        value = self._get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, value, "a text that is not empty")
        return value

    def choice(self, key: str, known: frozenset[str], default: str | None = None) -> str:
        """One of the known words (or the default, where the key is absent)."""
        if default is not None and key not in self:
            return default
        value = self.text(key)
        if value not in known:
            raise self.fail("E-CONF-008", key=key, value=value, known=" ".join(sorted(known)))
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        if key not in self:
            return default
        value = self.data[key]
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number within its bounds."""
        if default is not None and key not in self:
            return default
        value = self._get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return value

    def words(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        """A list of texts that is not empty and has none of them twice."""
        if optional and key not in self:
            return ()
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value or [0]):
            raise self.wrong(key, value, "a list of texts, at least one")
        if len(set(value)) < len(value):
            raise self.wrong(key, value, "a list with nothing twice")
        return tuple(value)

    def cells(self, key: str, count: int) -> tuple[str, ...]:
        """A list of texts, one for each column."""
        value = self._get(key)
        if (
            not isinstance(value, list)
            or len(value) != count
            or not all(isinstance(cell, str) for cell in value)
        ):
            raise self.wrong(key, value, f"a list of {count} texts, one a letter")
        return tuple(value)

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts (none where the key is absent)."""
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
        return self._children.setdefault(path, Section(self.file, path, data))

    def section(self, key: str) -> "Section":
        """A table inside this one."""
        path = f"{self.path}.{key}" if self.path else key
        return self._child(key, self._get(key), path)

    def maybe(self, key: str) -> "Section | None":
        """A table inside this one, or None where it is absent."""
        return self.section(key) if key in self else None

    def sections(self) -> Iterator[tuple[str, "Section"]]:
        """Every table inside this one, by name, in the order of the file."""
        for key in self.data:
            yield key, self.section(key)

    def list_of(self, key: str) -> list["Section"]:
        """A table or a list of tables, as a list."""
        value = self._get(key)
        path = f"{self.path}.{key}" if self.path else key
        items = value if isinstance(value, list) else [value]
        return [self._child(key, item, f"{path}[{place}]") for place, item in enumerate(items)]

    def finish(self) -> None:
        """Refuse every key, here and below, that nobody asked for."""
        for key in self.data:
            if key not in self._asked:
                from difflib import get_close_matches  # noqa: PLC0415 - only where somebody erred: 170 kB

                near = get_close_matches(key, self._asked, 1, 0.0) or [""]
                raise self.fail("E-CONF-002", key=key, nearest=near[0])
        for child in self._children.values():
            child.finish()
