"""`sabot device wire`: a simulated board, and a technician who presses what is asked and says what is seen."""

import argparse
import asyncio
import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from calling import sabot
from sabot.config.errors import ConfigError
from sabot.drivers.lines.plan import INPUTS, OUTPUTS
from sabot.drivers.options import defaults
from sabot.drivers.registry import load
from sabot.firmware.devices import wire_lines
from sabot.firmware.devices.single_driver import OneKey, SingleDriverHost
from sabot.firmware.devices.table_section import with_section, write_section
from sabot.firmware.devices.wire_actions import walk_keys
from sabot.firmware.devices.wire_actions import wire_lines as walk
from sabot.firmware.devices.wire_person import Gone
from sabot.firmware.devices.wiring import kept_beside
from sabot.firmware.errors import CommandError
from sabot.hil.simulators import gpio
from sabot.hil.simulators.gpio.chip import Chip
from sabot.statemachine.vocabulary.events import Key, KeyPressed

TABLES = Path(__file__).resolve().parents[2] / "config" / "tables"
USUAL = {name: int(value) for name, value in defaults(load("lines").schema).items() if type(value) is int}
CLOSED_AT_REST = ("door", "lock_at_rest")


@dataclass
class Technician:
    """Presses, looks and answers; ``pins`` are how the table is really wired."""

    pins: dict[str, int] = field(default_factory=lambda: dict(USUAL))
    stops_at: str = ""
    presses_with: dict[str, str] = field(default_factory=dict)
    answers: dict[str, list[str]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    facts: list[dict[str, object]] = field(default_factory=list)
    energised: list[int] = field(default_factory=list)
    typing: list[str] = field(default_factory=list)
    moving: list[tuple[int, int]] = field(default_factory=list)

    def tell(self, words: str, **facts: object) -> None:
        self.told.append(words)
        self.facts.append(facts)
        line = str(facts.get("line", ""))
        if "Enter when that is so" in words:
            for each in CLOSED_AT_REST:
                gpio.BOARD_CHIP.drive(self.pins[each], 0)
            self.typing.append("")
        elif "Enter when it is on" in words:
            self.typing.append("")
        elif "done" in facts:
            self._asked(line)
        elif words.endswith("y or n?"):
            self.energised.append(int(str(facts["pin"])))
            self.typing.append("y")
        elif words.endswith("i: the other way round"):
            pin = self.energised[-1]
            assert gpio.BOARD_CHIP.level(pin) == 0  # it was for a moment only
            self.typing.append("y" if pin == self.pins[line] else "n")

    def _asked(self, line: str) -> None:
        if line == self.stops_at:
            self.typing.append("q")
        elif self.answers.get(line):
            self.typing.append(self.answers[line].pop(0))
        elif self.pins[line] < 0:
            self.typing.append("s")
        elif line in OUTPUTS:
            self.typing.append(str(self.pins[line]))
        else:
            self._press(self.presses_with.pop(line, line))

    def _press(self, line: str) -> None:
        """Held for a while and let go, as bytes of a bouncing hand are not: the chip settles."""
        lines = [line, "lock_at_rest"] if line == "key_lock" and self.pins["lock_at_rest"] >= 0 else [line]
        for moment in (1, 0):
            for each in lines:
                self.moving.append((self.pins[each], int((each in CLOSED_AT_REST) == bool(moment))))
            self.moving += [(-1, 0)] * 6

    def typed(self) -> str | None:
        while self.moving:
            pin, level = self.moving.pop(0)
            if pin < 0:
                return None
            gpio.BOARD_CHIP.drive(pin, level)
        answer = self.typing.pop(0) if self.typing else None
        if answer == "gone":
            raise Gone
        return answer


@pytest.fixture(autouse=True)
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SABOT_GPIO_MODULE", "sabot.hil.simulators.gpio")
    monkeypatch.setattr(wire_lines, "LOOK_S", 0.0)
    monkeypatch.setattr(gpio, "BOARD_CHIP", Chip())
    gpio.reset()
    yield
    gpio.reset()


def example(folder: Path, *swaps: tuple[str, str]) -> Path:
    text = (TABLES / "pa683a-hand.toml").read_text(encoding="utf-8")
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    path = folder / "table.toml"
    path.write_text(text.replace('submission = "', f'submission = "{TABLES}/'), encoding="utf-8")
    return path


def wired(person: Technician, table: Path, **said: object) -> int:
    usual = {"table": table, "port": None, "module": "", "again": False, "only_print": False, "json": False}
    return asyncio.run(walk(argparse.Namespace(**usual | said), person, shown_s=0.0))


def lines_of(table: Path) -> dict[str, object]:
    found: dict[str, object] = tomllib.loads(table.read_text(encoding="utf-8"))["device"]["lines"]
    return found


def test_every_line_is_found_by_pressing_and_looking_and_written_among_all_that_stood_there(
    tmp_path: Path,
) -> None:
    table = example(tmp_path, ("[device.lines]", "[device.lines]  # on the board\nkey_ok = 22  # a slip"))
    others = table.read_text(encoding="utf-8").splitlines()
    swapped = USUAL | {"key_ok": USUAL["door"], "door": USUAL["key_ok"], "hit": 27, "key_menu": 2}

    assert wired(Technician(swapped), table) == 0

    assert lines_of(table) == {"driver": "lines", **swapped}
    left = [line for line in others if line not in table.read_text(encoding="utf-8").splitlines()]
    assert left == ["key_ok = 22  # a slip"]
    assert "key_ok = 21  # a slip" in table.read_text(encoding="utf-8").splitlines()
    assert not kept_beside(table, "lines").exists()
    assert sabot("check", str(table)).code == 0


def test_nothing_is_energised_without_a_yes_and_what_may_be_the_lock_is_said_to_be(tmp_path: Path) -> None:
    person = Technician(USUAL | {"lock_open": 24, "healthy": 23}, answers={"lock_open": ["", "24"]})

    assert wired(person, example(tmp_path)) == 0

    asked = [words for words in person.told if words.endswith("y or n?")]
    assert [("lock relay" in words) for words in asked] == [True, True, False, False, False]
    driven = [pin for _, pin, level in gpio.BOARD_CHIP.history if level]
    assert set(driven) <= set(person.energised)
    assert not any(gpio.BOARD_CHIP.level(pin) for pin in set(driven))


def test_a_no_leaves_a_pin_alone(tmp_path: Path) -> None:
    class Careful(Technician):
        def tell(self, words: str, **facts: object) -> None:
            super().tell(words, **facts)
            if words.endswith("y or n?"):
                self.typing[-1] = "n"
                self.stops_at = "lock_open"

    assert wired(Careful(), example(tmp_path)) == 1
    assert not [pin for _, pin, level in gpio.BOARD_CHIP.history if level]


@pytest.mark.parametrize("stop", ["key_right", "door", "lock_open", "call"])
def test_a_walk_that_was_stopped_goes_on_and_loses_nothing(tmp_path: Path, stop: str) -> None:
    table = example(tmp_path)
    before = table.read_text(encoding="utf-8")
    assert wired(Technician(stops_at=stop), table) == 1
    assert table.read_text(encoding="utf-8") == before

    second = Technician()
    assert wired(second, table) == 0

    assert lines_of(table) == {"driver": "lines", **USUAL}
    asked = [str(facts["line"]) for facts in second.facts if "done" in facts]
    assert asked[0] == stop
    assert len(asked) < len(INPUTS)


def test_again_begins_anew(tmp_path: Path) -> None:
    table = example(tmp_path)
    wired(Technician(stops_at="door"), table)
    second = Technician()

    assert wired(second, table, again=True) == 0
    assert next(facts["done"] for facts in second.facts if "done" in facts) == 0


def test_a_machine_without_lines_is_told_so_and_nothing_else(tmp_path: Path) -> None:
    answer = sabot("device", "wire", "--table", str(tmp_path / "table.toml"), "--module", "no_such_gpio")

    assert answer.code == 2
    assert "E-LINE-003 gpio: the GPIO library 'no_such_gpio' cannot be loaded" in answer.err


def test_a_person_who_goes_away_is_a_walk_that_was_stopped(tmp_path: Path) -> None:
    table = example(tmp_path)

    assert wired(Technician(answers={"key_menu": ["gone"]}), table) == 1
    assert "key_fold" in json.loads(kept_beside(table, "lines").read_text())["pins"]


def test_a_pin_that_is_taken_is_refused_and_asked_again(tmp_path: Path) -> None:
    table = example(tmp_path)
    person = Technician(presses_with={"key_back": "key_ok"}, answers={"hit": ["5", "14", "40", "0"]})

    assert wired(person, table) == 0

    assert lines_of(table) == {"driver": "lines", **USUAL}
    codes = [facts["error"] for facts in person.facts if "error" in facts]
    assert codes == ["E-LINE-001", "E-LINE-001", "E-LINE-009", "E-LINE-010", "E-LINE-009"]
    assert 5 not in person.energised


def test_two_pins_that_move_together_are_said_and_asked_again(tmp_path: Path) -> None:
    class TwoFingers(Technician):
        def _press(self, line: str) -> None:
            super()._press(line)
            if line == "key_one" and not any("together" in words for words in self.told):
                self.moving = [
                    (self.pins["key_two"], level) if pin < 0 and index in (1, 8) else (pin, level)
                    for index, (pin, level) in enumerate(self.moving)
                    for level in [int(index == 8) if index in (1, 8) else level]
                ]

    person = TwoFingers()
    assert wired(person, example(tmp_path)) == 0
    assert any("pins 9 and 10 moved together" in words for words in person.told)


def test_back_asks_for_the_line_before_once_more(tmp_path: Path) -> None:
    person = Technician(answers={"key_ok": ["b"]})

    assert wired(person, example(tmp_path)) == 0
    asked = [str(facts["line"]) for facts in person.facts if "done" in facts]
    assert asked[asked.index("key_lock") :][:4] == ["key_lock", "key_ok", "key_lock", "key_ok"]


def test_what_was_not_found_is_said_and_written_as_not_wired(tmp_path: Path) -> None:
    table = example(tmp_path)
    missing = ("cover", "hit", "lock_at_rest", "key_three")
    person = Technician(USUAL | dict.fromkeys(missing, -1))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "CLOSED_AT_REST", ("door",))
        assert wired(person, table) == 1

    assert lines_of(table) == {"driver": "lines", **USUAL} | dict.fromkeys(missing, -1)
    assert person.facts[-1]["not_found"] == ["key_three", "lock_at_rest", "cover", "hit"]
    assert person.told[-1].startswith("not found, and written as -1: key_three, lock_at_rest")


def test_contacts_wired_the_other_way_round_are_written_so(tmp_path: Path) -> None:
    table = example(tmp_path)

    class Rewired(Technician):
        def tell(self, words: str, **facts: object) -> None:
            super().tell(words, **facts)
            if "Enter when that is so" in words:
                gpio.BOARD_CHIP.drive(self.pins["key_ok"], 0)
            if words.endswith("i: the other way round") and facts["line"] in ("hit", "lock_open"):
                self.typing[-1] = "i"
                self.stops_at = "lock_open" if facts["line"] == "lock_open" else ""

        def _press(self, line: str) -> None:
            super()._press(line)
            if line == "key_ok":
                self.moving = [(pin, 1 - level if pin >= 0 else level) for pin, level in self.moving]

    first = Rewired()
    assert wired(first, table) == 1
    assert any("opens wagers at a dead controller" in words for words in first.told)

    class Second(Rewired):
        def tell(self, words: str, **facts: object) -> None:
            super().tell(words, **facts)
            if facts.get("line") == "lock_open" and words.endswith("i: the other way round"):
                self.typing[-1], self.stops_at = "y", ""

    assert wired(Second(), table) == 0
    assert lines_of(table) == {"driver": "lines", **USUAL, "inverted": "hit key_ok"}


def test_it_can_be_printed_and_left_alone(tmp_path: Path) -> None:
    table = example(tmp_path)
    before = table.read_text(encoding="utf-8")
    person = Technician()

    assert wired(person, table, only_print=True) == 0
    assert table.read_text(encoding="utf-8") == before
    printed = tomllib.loads(str(next(facts["section"] for facts in person.facts if "section" in facts)))
    assert printed["device"]["lines"] == {"driver": "lines", **USUAL}


def test_a_file_that_is_not_there_yet_begins_with_the_part(tmp_path: Path) -> None:
    assert wired(Technician(), tmp_path / "new.toml") == 0
    assert lines_of(tmp_path / "new.toml") == {"driver": "lines", **USUAL}


def test_a_part_of_another_driver_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="E-CLI-003"):
        wired(Technician(), example(tmp_path), port="display")


def test_what_somebody_bent_is_not_believed(tmp_path: Path) -> None:
    table = example(tmp_path)
    for bent in ("{", '{"pins": {"key_ok": 5, "key_back": 5}, "inverted": []}', '{"pins": {"lamp": 5}}'):
        kept_beside(table, "lines").write_text(bent)
        with pytest.raises(CommandError, match="E-CLI-014"):
            wired(Technician(), table)


def test_a_part_that_cannot_be_changed_line_by_line_is_printed_and_the_file_left(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text('device = { lines = { driver = "lines" } }\n')
    person = Technician()

    with pytest.raises(CommandError, match="E-CLI-013"):
        wired(person, table)
    assert table.read_text() == 'device = { lines = { driver = "lines" } }\n'
    assert any("section" in facts for facts in person.facts)


TEXTS = {
    "none": ("", '[device.lines]\ndriver = "lines"\nhit = 3\n'),
    "another": ("a = 1\n[b]\nc = 2\n", 'a = 1\n[b]\nc = 2\n\n[device.lines]\ndriver = "lines"\nhit = 3\n'),
    "there": (
        '[device.lines]\ndriver="lines"\nhit=1 # x\n\n# of the next\n[z]\n',
        '[device.lines]\ndriver="lines"\nhit = 3 # x\n\n# of the next\n[z]\n',
    ),
    "quoted": ('[ device . "lines" ]\nhit = -1\n', '[ device . "lines" ]\nhit = 3\n'),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_part_is_changed_in_its_place(text: str) -> None:
    before, after = TEXTS[text]

    assert with_section(before, "lines", "lines", {"hit": 3}) == after


def test_a_file_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="E-CONF-011"):
        write_section(path, "lines", "lines", {"hit": 3})
    assert path.read_bytes() == b"\xff"


# ---------------------------------------------------------------- a board that names its keys by itself


class Panel:
    """A driver of somebody else: its keys are events."""

    name = "panel"

    def __init__(self, *, is_up: bool = True) -> None:
        self._is_up = is_up

    def status(self) -> argparse.Namespace:
        return argparse.Namespace(is_up=self._is_up, why="no cable")

    async def test(self, say: object) -> bool:
        assert callable(say)
        say("lamp 1 burns")
        return True


@pytest.mark.parametrize(
    ("says", "code"), [({}, 0), ({Key.FOLD: ""}, 0), ({Key.FOLD: Key.OK}, 1), (None, 1)], ids=str
)
def test_a_board_of_its_own_has_each_key_and_lamp_proved(says: dict[Key, str] | None, code: int) -> None:
    host = SingleDriverHost(OneKey(None))

    class Presser(Technician):
        def tell(self, words: str, **facts: object) -> None:
            self.told.append(words)
            if "press " in words:
                key = Key(str(facts["key"]))
                said = (says or {}).get(key, key)
                if said:
                    host.post(KeyPressed(at=0.0, source="panel", key=Key(said)))
                else:
                    self.typing.append("s")

    person = Presser()
    assert asyncio.run(walk_keys(Panel(is_up=says is not None), host, person)) == code  # type: ignore[arg-type]
    if says is not None:
        assert "  lamp 1 burns" in person.told


# ---------------------------------------------------------------- as a process


def test_a_program_that_says_nothing_more_leaves_the_walk_kept_and_the_pins_at_rest(tmp_path: Path) -> None:
    table = example(tmp_path)
    done = sabot("device", "wire", "--table", str(table), "--json", stdin="\ns\ns\n")

    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 1, done.err
    assert told[-1]["left"][0] == "key_back"
    known = dict.fromkeys(("key_lock", "lock_at_rest", "key_ok"), -1)
    assert json.loads(kept_beside(table, "lines").read_text())["pins"] == known
