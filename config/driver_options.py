"""The options of a driver, checked against the schema that the driver brings with it.

The loader knows no driver, least of all a third party's, and yet a slip in its options must be found before
the table opens: so the schema is data, and is held with the strictness and the errors of every other key.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from sabot.config.errors import ConfigError
from sabot.config.reader import Section, Toml

Value = str | int | float | bool
WORDS = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}


class OptionShape(Protocol):
    """An option as the loader sees it; ``default`` None means that it must be given."""

    @property
    def name(self) -> str:
        """The key of the option."""

    @property
    def default(self) -> Value | None:
        """The value where none is given."""

    @property
    def type(self) -> type:
        """The type of its values."""

    @property
    def low(self) -> float | None:
        """The least value."""

    @property
    def high(self) -> float | None:
        """The greatest value."""

    @property
    def choices(self) -> tuple[Value, ...]:
        """The only values allowed; empty where the bounds decide."""


def read_options(section: Section, schema: Sequence[OptionShape]) -> dict[str, Value]:
    """Return all options of a driver, defaults filled in; raise ConfigError where one cannot be."""
    values = {option.name: _value(section, option) for option in schema}
    section.finish()
    return values


def _value(section: Section, option: OptionShape) -> Value:
    if option.name not in section:
        if option.default is None:
            raise section.missing(option.name)
        return option.default
    value = section.data[option.name]
    # Writing 2 for 2.0 is no slip.
    if option.type is float and type(value) is int:
        value = float(value)
    if not _is_good(value, option):
        raise _refused(section, option, value)
    assert isinstance(value, Value)
    return value


def _refused(section: Section, option: OptionShape, value: object) -> ConfigError:
    """Return the error for a value: for a word that is no choice the nearest one, else the bound."""
    if isinstance(value, str) and option.choices and option.type is str:
        return section.no_choice(option.name, value, map(str, option.choices))
    return section.wrong(option.name, value, bound_of(option))


def _is_good(value: object, option: OptionShape) -> bool:
    # By its exact type: ``true`` is an int to Python, and would pass for 1.
    if type(value) is not option.type:
        return False
    if option.choices:
        return value in option.choices
    if isinstance(value, (int, float)):
        return (option.low is None or value >= option.low) and (option.high is None or value <= option.high)
    return True


def bound_of(option: OptionShape) -> str:
    """Return the bounds of an option in words."""
    if option.choices:
        return f"one of {', '.join(str(choice) for choice in option.choices)}"
    least = "" if option.low is None else f" from {option.low:g}"
    most = "" if option.high is None else f" to {option.high:g}"
    return f"{WORDS[option.type]}{least}{most}"


def options_of_words(words: Iterable[str], schema: Sequence[OptionShape], place: str) -> dict[str, Value]:
    """Return the options of a command line, each ``name=value``, read as strictly as those of a file."""
    types = {option.name: option.type for option in schema}
    data = dict(_pair(word, types, place) for word in words)
    return read_options(Section(place, "", data), schema)


def _pair(word: str, types: Mapping[str, type], place: str) -> tuple[str, object]:
    name, sign, text = word.partition("=")
    if not sign:
        raise ConfigError("E-CONF-004", place, key=name, value="", bound="given as name=value")
    return name, text if types.get(name) is str else _parsed(text)


def _parsed(text: str) -> object:
    """Return a value as a TOML file would have it; a word without quotes is a text."""
    try:
        parsed: Toml = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    # A word with a line break could bring keys of its own.
    return parsed["value"] if len(parsed) == 1 else text
