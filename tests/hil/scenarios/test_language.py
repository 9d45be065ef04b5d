"""The language of the floor: what is written wrongly is told with its place and the nearest right word."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.language import needs, parse
from sabot.hil.scenarios.observation_verbs import ENDS, shows
from sabot.hil.scenarios.steps import STEPS
from sabot.hil.scenarios.verbs import MEASURES, VERBS
from sabot.hil.scenarios.word_checks import Place
from sabot.hil.simulators.device_kinds import KINDS, RunningSimulator
from sabot.hil.table.world import SimulatedLines

DOCS = Path(__file__).resolve().parents[3] / "docs"
HERE = Place("floor/a.toml: scenario 'b', step line 3", "pa641a", "manual_shoe")


@pytest.mark.parametrize("example", [verb.usage for verb in VERBS.values() if "WORDS" not in verb.usage])
def test_every_example_of_the_list_of_verbs_can_be_written(example: str) -> None:
    for number, words in enumerate(example.split(" | ")):
        line = words if not number else f"{example.partition(':')[0]}: {words}"
        at = HERE._replace(method="hand") if line.startswith("see shuffler") else HERE
        assert str(parse(line, at, 1)) == line


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("se display: HELD", "'se display' is no verb; the nearest is 'see display'"),
        ("see display HELD", "is no verb"),
        ("key: LOK", "'LOK' is no key; the nearest is 'LOCK'"),
        ("key:", "its words are missing"),
        ("chips: seat 1 anti 2500", "'anti' is no wager; the nearest is 'ante'"),
        ("chips: seat 8 ante 2500", "'8' is no seat"),
        ("chips: seat 1 ante", "is not how it is written"),
        ("chips: seat 1 ante 2500.00", "is not how it is written"),
        ("shoe: drow Ah", "'drow' is no action of shoe; the nearest is 'draw'"),
        ("shoe: jam", "'jam' is no action of shoe"),
        ("pull cable: lines", "'lines' is no device with a cable"),
        ("pull cable: sho", "'sho' is no device with a cable; the nearest is 'shoe'"),
        ("power: off", "'off' is no word about power"),
        ("floor: VERIFY CARD", "'VERIFY CARD' is no title of the list; the nearest is 'VERIFY CARDS'"),
        ("menu: RELEASE", "'RELEASE' is no title of the list"),
        ("people: sign of", "'sign of' is no deed of people; the nearest is 'sign on'"),
        ("people: register green", "'green' is no word after 'register'"),
        ("see line: lock_opn = 0", "'lock_opn' is no line; the nearest is 'lock_open'"),
        ("see line: lock_open = 2", "is not how it is written"),
        ("see pads: lockd all", "is not how it is written"),
        ("see pads: lit seat 1 plai", "'plai' is no wager; the nearest is 'play'"),
        ("measure: key to log", "'key to log' is no measurement; the nearest is 'key to lock'"),
        ("cards: Ah Kx", "is not how it is written"),
        ("lines: hold dor", "'dor' is no line; the nearest is 'door'"),
    ],
)
def test_what_is_written_wrongly_is_told_with_place_and_nearest_word(line: str, told: str) -> None:
    with pytest.raises(ScenarioError) as wrong:
        parse(line, HERE, 3)
    assert told in str(wrong.value)
    assert HERE.where in str(wrong.value)


def test_a_deadline_is_part_of_a_step_and_not_of_its_words() -> None:
    step = parse("see display: HELD within 2.5 s", HERE, 1)
    assert (step.words, step.within_s) == ("HELD", 2.5)
    assert parse("see display: within reach", HERE, 1).within_s is None


def test_a_device_that_the_method_has_not_is_an_error() -> None:
    with pytest.raises(ScenarioError, match="'shoe' is no device of hand"):
        parse("shoe: draw Ah", HERE._replace(method="hand"), 1)


def test_a_step_says_which_features_of_a_rig_it_needs() -> None:
    assert needs(parse("pull cable: shoe", HERE, 1)) == {"unplug"}
    assert needs(parse("pull cable: pads", HERE, 1)) == {"usb-unplug"}
    assert needs(parse("power: cut", HERE, 1)) == {"power"}
    assert needs(parse("follow to: BETS OPEN", HERE, 1)) == set()


def test_every_verb_does_something_and_every_measurement_has_two_ends() -> None:
    assert set(STEPS) == set(VERBS)
    assert set(ENDS) == set(MEASURES)


def test_a_slash_parts_the_two_lines_of_the_display() -> None:
    lines = ("CARD 1 TO", "DEALER")
    assert shows(lines, "CARD 1 TO / DEALER")
    assert shows(lines, "DEALER")
    assert not shows(lines, "DEALER / CARD 1 TO")


# ---------------------------------------------------------------- the vocabulary is that of the table


def test_the_titles_are_those_of_the_lists_in_the_pages() -> None:
    page = (DOCS / "table.md").read_text(encoding="utf-8")
    assert set(known.MENU) == _titles(page, "menu")
    assert set(known.FLOOR) == _titles(page, "floor") | {"BACK IN SERVICE"}


def _titles(page: str, rows: str) -> set[str]:
    table = page.partition(f"<!-- rows: {rows} -->")[2].partition("<!-- end of rows -->")[0]
    return set(re.findall(r"^\| ([A-Z][A-Z ]+\??) \|", table, re.MULTILINE))


def test_the_actions_are_those_of_the_simulators(tmp_path: Path) -> None:
    for name, kind in KINDS.items():
        if name in ("lines", "sabot-pads"):
            continue
        assert set(known.ACTIONS[_ours(name)]) == _serial_actions(kind.start, kind.choices), name
    pads = KINDS["sabot-pads"]
    running = pads.start(tmp_path / "p.sock", 1, {each.name: each.default for each in pads.choices})
    try:
        assert set(known.ACTIONS["pads"]) == set(running.actions())
    finally:
        running.close()


def _ours(name: str) -> str:
    return {"escpos": "display", "alpha": "sign"}.get(name, name)


def _serial_actions(start: object, choices: object) -> set[str]:
    async def actions() -> set[str]:
        running: RunningSimulator = start(None, 1, {each.name: each.default for each in choices})  # type: ignore[operator, attr-defined]
        found = set(running.actions())
        running.close()
        return found

    return asyncio.run(actions())


def test_the_lines_are_those_of_the_table(tmp_path: Path) -> None:
    pins: Mapping[str, int] = {name: number for number, name in enumerate(known.LINES)}
    lines = SimulatedLines(tmp_path / "g.sock", pins, [], list(known.OUTPUTS))
    try:
        assert set(known.LINE_ACTIONS) <= set(lines._actions)
    finally:
        lines.close()
