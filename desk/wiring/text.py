"""The wiring of a table as text for a terminal, and as JSON for other programs."""

import json
from collections.abc import Iterator

from sabot.desk.wiring.sheet import CIRCUITS, INVERTED, Sheet

NOT_FOR_PLAY = "NOT FOR PLAY: the devices of this table are simulated"


def text(sheet: Sheet) -> str:
    """Return the wiring, a line for each pin that has one, then the cables."""
    return "\n".join(_text(sheet))


def _text(sheet: Sheet) -> Iterator[str]:
    yield f"{sheet.table}: pins of the header, and cables"
    if sheet.is_simulated:
        yield NOT_FOR_PLAY
    yield ""
    yield "pin  chip    line          circuit"
    for each in sheet.lines:
        turned = f"; {INVERTED}" if each.is_inverted else ""
        yield f"{each.pin:>3}  GPIO{each.chip:<3} {each.name:<13} {CIRCUITS[each.circuit]}{turned}"
        yield f"{'':<13}{each.words}"
    yield ""
    for spare in sheet.spares:
        yield f"{spare.pin:>3}  {spare.words}"
    yield ""
    yield "cable to     driver         port"
    for cable in sheet.cables:
        yield f"{cable.device:<12} {cable.driver:<14} {cable.port}"


def as_json(sheet: Sheet) -> str:
    """Return the wiring as one JSON object."""
    return json.dumps(
        {
            "table": sheet.table,
            "simulated": sheet.is_simulated,
            "pull": sheet.pull,
            "lines": [each._asdict() for each in sheet.lines],
            "spare": [each._asdict() for each in sheet.spares],
            "cables": [each._asdict() for each in sheet.cables],
        },
        indent=2,
    )
