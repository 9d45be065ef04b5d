"""The options that a table file may give a driver: each with its kind, bounds and words.

The schema is data, so that the loader of the table file can check the options of a driver it has never heard
of, a third party's among them, with the same strictness and the same errors as its own keys.
"""

from typing import NamedTuple

Value = str | int | float | bool


class Option(NamedTuple):
    """One option of a driver; ``default`` None means that it must be given."""

    name: str
    default: Value | None
    words: str
    low: float | None = None
    high: float | None = None
    choices: tuple[Value, ...] = ()
    kind: type | None = None

    @property
    def type(self) -> type:
        """The type of its values: that of the default, or the one named."""
        return self.kind or type(self.default)


Schema = tuple[Option, ...]


def defaults(schema: Schema) -> dict[str, Value]:
    """Return the value of each option that has one by itself, for what the table file leaves out."""
    return {option.name: option.default for option in schema if option.default is not None}
