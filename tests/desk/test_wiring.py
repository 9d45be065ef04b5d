"""`sabot wiring`: the pins of the drawing are the driver's, and no other."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from calling import Answer
from sabot.cli import main
from sabot.config.table_file import Device
from sabot.desk.wiring.picture import picture
from sabot.desk.wiring.sheet import (
    CIRCUITS,
    CLOSES,
    GROUND,
    INVERTED,
    KEY,
    NOT_FOR_PLAY,
    OPENS,
    PIN_OF,
    PINS,
    POWER_3V3,
    POWER_5V,
    RELAY,
    WiringSheet,
    chip_number,
    printed,
    sheet_of,
    text,
)
from sabot.drivers.lines.plan import INPUTS, OUTPUTS, RESERVED, make_plan
from sabot.drivers.options import Value

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "config" / "tables" / "pa641a-manual_shoe.toml"


def wiring(*words: str, capsys: pytest.CaptureFixture[str]) -> Answer:
    code = main(["wiring", *words])
    said = capsys.readouterr()
    return Answer(code, said.out, said.err)


def sheet(options: dict[str, Value] | None = None, *, is_simulated: bool = False) -> WiringSheet:
    pads = Device("pads", "sabot-pads", {"pin_serial": ""})
    return sheet_of("T", (Device("keys", "lines", options or {}), pads), is_simulated=is_simulated)


# Read off the board makers' own pages: pin of the header, number of the chip.
KNOWN = {
    3: 2,
    5: 3,
    7: 4,
    8: 14,
    10: 15,
    11: 17,
    12: 18,
    13: 27,
    15: 22,
    16: 23,
    18: 24,
    19: 10,
    21: 9,
    22: 25,
}
KNOWN |= {
    23: 11,
    24: 8,
    26: 7,
    27: 0,
    28: 1,
    29: 5,
    31: 6,
    32: 12,
    33: 13,
    35: 19,
    36: 16,
    37: 26,
    38: 20,
    40: 21,
}


def test_each_of_forty_pins_is_what_the_board_has_there() -> None:
    assert {pin: chip_number(pin) for pin in PINS if chip_number(pin) is not None} == KNOWN
    assert {chip: pin for pin, chip in KNOWN.items()} == PIN_OF
    supplies = {pin: printed(pin) for pin in PINS if pin not in KNOWN}
    assert supplies == {
        **dict.fromkeys((1, 17), POWER_3V3),
        **dict.fromkeys((2, 4), POWER_5V),
        **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), GROUND),
    }


def test_the_drawn_pins_are_the_drivers() -> None:
    options: dict[str, Value] = {"key_ok": 27, "hit": -1, "inverted": "door call"}
    plan = make_plan(options, "lines")
    drawn = sheet(options)

    assert {(each.name, each.chip) for each in drawn.lines} == {
        (each.name, each.pin) for each in (*plan.inputs, *plan.outputs)
    }
    assert all(PIN_OF[each.chip] == each.pin for each in drawn.lines)
    assert {each.name for each in drawn.lines if each.is_inverted} == {"door", "call"}
    assert sorted([each.pin for each in drawn.lines] + [each.pin for each in drawn.spares]) == list(PINS)


def test_each_line_has_the_circuit_that_it_rests_in() -> None:
    circuits = {each.name: each.circuit for each in sheet().lines}

    assert {name for name, circuit in circuits.items() if circuit == RELAY} == set(OUTPUTS)
    assert {name for name, circuit in circuits.items() if circuit == OPENS} == {"lock_at_rest", "door"}
    assert {name for name, circuit in circuits.items() if circuit == CLOSES} == {"key_switch", "cover"}
    assert {name for name, circuit in circuits.items() if circuit == KEY} == {
        name for name in INPUTS if name.startswith("key_") and name != "key_switch"
    }


def test_reserved_pins_are_to_be_left_and_others_are_free() -> None:
    spare = {each.pin: each.words for each in sheet().spares}

    assert {PIN_OF[chip] for chip in RESERVED} == {pin for pin, words in spare.items() if "leave it" in words}
    assert spare[13] == "GPIO27, free"
    assert spare[39] == "ground"


def test_a_table_without_lines_of_the_board_has_cables_alone() -> None:
    drawn = sheet_of("T", (Device("shoe", "angel-eye", {"port": "/dev/ttyS1"}),), is_simulated=False)

    assert drawn.lines == ()
    assert [each.port for each in drawn.cables] == ["/dev/ttyS1"]
    assert "/dev/ttyS1" in picture(drawn)


def test_a_line_that_is_wired_the_other_way_says_so_and_a_simulated_table_is_not_for_play() -> None:
    drawn = sheet({"inverted": "healthy"}, is_simulated=True)

    assert text(drawn).count(INVERTED) == 1
    assert INVERTED in picture(drawn)
    assert NOT_FOR_PLAY in text(drawn)
    assert NOT_FOR_PLAY in picture(drawn)
    assert NOT_FOR_PLAY not in picture(sheet())


def test_the_command_tells_draws_and_answers_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = wiring(str(EXAMPLE), capsys=capsys)
    assert told.code == 0
    assert " 16  GPIO23  lock_open     " + CIRCUITS[RELAY] in told.out

    found = json.loads(wiring("--json", str(EXAMPLE), capsys=capsys).out)
    assert [each["pin"] for each in found["lines"] if each["name"] == "door"] == [40]
    assert {each["device"] for each in found["cables"]} == {"pads", "display", "shoe"}

    drawn = tmp_path / "wiring.svg"
    assert "21 lines, 3 cables" in wiring(str(EXAMPLE), "-o", str(drawn), capsys=capsys).out
    words = [each.text for each in ET.parse(drawn).getroot().iter("{http://www.w3.org/2000/svg}text")]
    assert {"lock_open", "GPIO23", "16", "transistor"} <= set(words)


def test_a_drawing_that_cannot_be_written_is_an_error_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = wiring(str(EXAMPLE), "-o", str(tmp_path / "no" / "w.svg"), capsys=capsys)

    assert refused.code == 2
    assert "E-CLI-005" in refused.err
