"""The options of a driver as its package declares them, so that nobody has to read its source for a name."""

from collections.abc import Iterator

from sabot.config.driver_options import bound_of
from sabot.drivers.options import Option, Value
from sabot.firmware.integrity.drivers import load

MUST = "must be given"


def options_of(driver: str) -> list[dict[str, Value | None]]:
    """Each option: name, default (None where it must be given), what it may be, what it means."""
    return [
        {"name": each.name, "default": each.default, "bound": bound_of(each), "words": each.words}
        for each in load(driver).schema
    ]


def options_text(driver: str) -> str:
    """The same for a person; the call is that of ``--option NAME=VALUE``."""
    kind = load(driver)
    return "\n".join([f"{kind.name}: {kind.title}", *_lines(kind.schema)])


def _lines(schema: tuple[Option, ...]) -> Iterator[str]:
    rows = [(each.name, _default(each), f"{each.words} ({bound_of(each)})") for each in schema]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)] if rows else [0, 0]
    for name, default, words in rows:
        yield f"  {name:<{wide[0]}}  {default:<{wide[1]}}  {words}"


def _default(option: Option) -> str:
    if option.default is None:
        return MUST
    return str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
