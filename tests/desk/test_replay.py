import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from calling import Answer, sabot
from sabot.cli import main
from sabot.rules.cards import NAMES
from sabot.statemachine.vocabulary.codec import EFFECTS, EVENTS

SHIFTS = Path(__file__).resolve().parents[1] / "data" / "shifts"
CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
Json = dict[str, Any]
Call = Callable[..., Answer]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Call:
    """``sabot replay``, in this process."""

    def call(*words: object) -> Answer:
        code = main(["replay", *map(str, words)])
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return call


def events_of(chapter: str) -> Path:
    return SHIFTS / f"{chapter}.jsonl"


def effects_of(chapter: str) -> Path:
    return SHIFTS / f"{chapter}.effects.jsonl"


def values(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(path: Path, lines: list[Any]) -> Path:
    texts = (each if isinstance(each, str) else json.dumps(each) for each in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


TABLE = {"table": {"chapter": "pa683a", "options": {"paytables": {"main": "A"}}}}
SIGNED_ON = {"event": "DealerSignedOn", "at": 1.0, "person": "Ann"}
OK = {"event": "KeyPressed", "at": 2.0, "key": "OK"}


# ---------------------------------------------------------------- the recorded shifts


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_recorded_shift_still_has_the_effects_that_were_recorded(replay: Call, chapter: str) -> None:
    answer = replay(events_of(chapter), "--diff", effects_of(chapter))

    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("the table is now: closed; every effect is the recorded one\n")


def test_the_recorded_shifts_close_their_tables_and_have_every_way_of_knowing_cards() -> None:
    tables = [values(events_of(chapter))[0]["table"] for chapter in CHAPTERS]

    assert [each["chapter"] for each in tables] == list(CHAPTERS)
    assert {each["method"] for each in tables} == {"manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle"}
    assert {each["knowledge"] for each in tables} == {"each_card", "stack", "count_only", "none"}
    for chapter in CHAPTERS:
        assert {"effect": "ReportDay"}.items() <= next(
            each
            for each in values(effects_of(chapter))[-2] + values(effects_of(chapter))[-1]
            if each["effect"] == "ReportDay"
        ).items()


def test_the_recorded_shifts_meet_irregularities_and_hits() -> None:
    said = [
        each["effect"] for chapter in CHAPTERS for answer in values(effects_of(chapter)) for each in answer
    ]

    assert {"VoidRound", "FreezeHit", "RaiseFault", "ClearFault", "RemoveDeck", "CreditAccount"} & set(
        said
    ) >= {
        "VoidRound",
        "FreezeHit",
        "RaiseFault",
        "ClearFault",
    }


# ---------------------------------------------------------------- for people


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_round_is_a_table_with_sums_and_paragraphs(replay: Call, chapter: str) -> None:
    answer = replay(events_of(chapter))

    rounds = [each for each in values_of(replay(events_of(chapter), "--json")) if "round" in each]
    assert answer.code == 0
    assert [f"ROUND {each['round']['number']}," in answer.out for each in rounds] == [True] * len(rounds)
    assert len(rounds) > 1
    assert f"{len(rounds)} rounds; the table is now: closed" in answer.out
    assert "THE DAY\n  rounds " in answer.out
    assert "net" in answer.out


def test_a_round_says_who_dealt_what_was_hit_and_what_never_became_public(replay: Call) -> None:
    out = replay(events_of("pa641a")).out

    for words in (
        "ROUND 1, 0:00:",
        "of lot L1 (count only), dealt by manual shoe with each card, dealer dealer",
        "A♠ A♥ A♦ A♣ 2♥",
        "hit at seat 2: prog4",
        "validated by floor",
        "cards that never became public: discard 1, seat 5 5",
        "placed late  [641a.7(c)]",
        "THE ROUND IS VOID under 641a.13(d)",
    ):
        assert words in out
    assert max(map(len, out.splitlines())) <= 200


def test_a_round_finished_by_hand_lists_its_stakes_and_says_so(replay: Call) -> None:
    out = replay(events_of("pa683a")).out

    assert "finished by hand\n" in out
    assert (
        "  Ante                            $10         $0         $0   settled by hand  [our policy]\n" in out
    )
    assert (
        "  Ante                              ?          ?          ?   settled by hand  [our policy]\n" in out
    )


def test_a_text_that_would_move_the_cursor_is_made_plain(replay: Call, tmp_path: Path) -> None:
    file = written(tmp_path / "x.jsonl", [TABLE, SIGNED_ON | {"person": "\x1b[2JAnn\n"}])

    out = replay(file, "--step").out

    assert "person=?[2JAnn?" in out
    assert "\x1b" not in out


def test_a_recording_of_nothing_is_a_closed_table(replay: Call, tmp_path: Path) -> None:
    answer = replay(written(tmp_path / "x.jsonl", [TABLE]))

    assert answer == Answer(0, "0 events, 0 rounds; the table is now: closed\n", "")


# ---------------------------------------------------------------- for programs


def values_of(answer: Answer) -> list[Json]:
    return [json.loads(line) for line in answer.out.splitlines()]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_as_json_each_event_has_its_effects_and_phase_and_each_round_its_record(
    replay: Call, chapter: str
) -> None:
    told = values_of(replay(events_of(chapter), "--json"))

    events = [each for each in told if "event" in each]
    assert [each["event"]["event"] for each in events] == [
        each["event"] for each in values(events_of(chapter))[1:]
    ]
    assert [each["effects"] for each in events] == values(effects_of(chapter))
    assert events[-1]["phase"] == "closed"
    recorded = [each["effects"] for each in events]
    finished = [e["number"] for effects in recorded for e in effects if e["effect"] == "RecordRound"]
    assert [each["round"]["number"] for each in told if "round" in each] == finished


def test_a_round_follows_the_event_that_finished_it(replay: Call) -> None:
    told = values_of(replay(events_of("pa679a"), "--json"))

    for before, each in pairwise(told):
        if "round" in each:
            assert any(effect["effect"] == "RecordRound" for effect in before["effects"])


@pytest.mark.parametrize("chapter", ["pa641a", "pa679a", "pa683a"])
def test_the_events_printed_mask_their_cards(replay: Call, chapter: str) -> None:
    cards = [
        card
        for each in values_of(replay(events_of(chapter), "--json"))
        if each.get("event", {}).get("event") in ("CardDrawn", "StackDispensed")
        for card in [each["event"].get("card"), *each["event"].get("cards", ())]
    ]

    assert len(cards) > 15
    assert set(cards) == {None}


def test_folded_hands_are_in_no_line_of_the_output(replay: Call) -> None:
    shift = values(events_of("pa641a"))
    answer = replay(events_of("pa641a"), "--json")
    first = next(each["round"] for each in values_of(answer) if "round" in each)
    places = [place.partition("@")[0].rstrip("^") for place in first["plan"]]
    drawn = [each["card"] for each in shift if each.get("event") == "CardDrawn"]
    folded = [card for card, place in zip(drawn, places, strict=False) if place == "seat6"]

    assert len(folded) == 5
    assert first["folded"] == [6]
    assert "seat6" not in first["public"]
    assert first["hidden"] == {"seat6": 5}
    assert not any(f'"{card}"' in json.dumps(first) for card in folded)
    assert set(folded) <= set(NAMES)


# ---------------------------------------------------------------- comparing


def test_what_json_printed_serves_as_recorded_effects(replay: Call, tmp_path: Path) -> None:
    recorded = tmp_path / "told.jsonl"
    recorded.write_text(replay(events_of("pa683a"), "--json").out, encoding="utf-8")

    assert replay(events_of("pa683a"), "--diff", recorded).code == 0


def difference(replay: Call, tmp_path: Path, change: Callable[[list[Any]], object]) -> Answer:
    effects = values(effects_of("pa641a"))
    change(effects)
    return replay(events_of("pa641a"), "--diff", written(tmp_path / "effects.jsonl", effects))


def prompt_of(effects: list[Any], answer: int) -> Json:
    found: Json = next(each for each in effects[answer] if each["effect"] == "ShowPrompt")
    return found


def test_another_value_is_explained_field_by_field(replay: Call, tmp_path: Path) -> None:
    answer = difference(replay, tmp_path, lambda effects: prompt_of(effects, 3).update(first="INSPECT DECKS"))

    assert answer.code == 1
    assert answer.out.splitlines() == [
        "line 5, KeyPressed key=OK: effect 1 is another one",
        "  expected: ShowPrompt first='INSPECT DECKS' second='THEN OK' [641a.4(a)]",
        "  came:     ShowPrompt first='INSPECT DECK A' second='THEN OK' [641a.4(a)]",
        '  first: expected "INSPECT DECKS", came "INSPECT DECK A"',
    ]


def test_another_effect_is_explained(replay: Call, tmp_path: Path) -> None:
    def change(effects: list[Any]) -> None:
        effects[3] = [{"effect": "HaltShoe"}]

    out = difference(replay, tmp_path, change).out

    assert "  expected: HaltShoe\n  came:     ShowPrompt first='INSPECT DECK A'" in out
    assert len(out.splitlines()) == 3


def test_only_the_first_difference_is_told(replay: Call, tmp_path: Path) -> None:
    def change(effects: list[Any]) -> None:
        prompt_of(effects, 3)["first"] = "ONE"
        prompt_of(effects, 4)["first"] = "TWO"

    out = difference(replay, tmp_path, change).out

    assert "ONE" in out
    assert "TWO" not in out


def test_a_missing_effect_and_one_too_many_are_explained(replay: Call, tmp_path: Path) -> None:
    fewer = difference(replay, tmp_path, lambda effects: effects[3].clear())
    more = difference(
        replay, tmp_path, lambda effects: effects[3].append({"effect": "HaltShoe", "cite": "13(f)"})
    )

    assert fewer.code == more.code == 1
    assert "  expected: no more effects\n  came:     ShowPrompt" in fewer.out
    assert "  expected: HaltShoe [13(f)]\n  came:     no more effects\n" in more.out


def test_answers_that_are_missing_or_go_on_are_explained(replay: Call, tmp_path: Path) -> None:
    count = len(values(effects_of("pa641a")))
    shorter = difference(replay, tmp_path, lambda effects: effects.pop())
    longer = difference(replay, tmp_path, lambda effects: effects.append([]))
    longer_still = difference(replay, tmp_path, lambda effects: effects.append([{"effect": "HaltShoe"}]))

    assert shorter.code == longer.code == longer_still.code == 1
    assert shorter.out.startswith(f"line {count + 1}, RoleLocked role=floor: ")
    assert longer.out == f"the recorded effects go on after the last event, with answer {count + 1}\n"
    assert longer_still.out == longer.out


def test_an_answer_without_effects_that_is_missing_is_a_difference(replay: Call, tmp_path: Path) -> None:
    events = written(tmp_path / "events.jsonl", [TABLE, SIGNED_ON, {"event": "TimeReached", "at": 1.5}])
    effects = written(tmp_path / "effects.jsonl", values_of(replay(events, "--json"))[:1])

    answer = replay(events, "--diff", effects)

    assert answer.code == 1
    assert answer.out == "line 3, TimeReached: the recorded effects end before it\n"


def test_the_difference_as_json(replay: Call, tmp_path: Path) -> None:
    effects = values(effects_of("pa641a"))
    prompt_of(effects, 3)["first"] = "INSPECT DECKS"
    recorded = written(tmp_path / "effects.jsonl", effects)

    same = replay("--json", events_of("pa641a"), "--diff", effects_of("pa641a"))
    other = replay("--json", events_of("pa641a"), "--diff", recorded)

    assert (same.code, json.loads(same.out)) == (0, {"same": True})
    told = json.loads(other.out)
    assert other.code == 1
    assert (told["same"], told["line"], told["number"]) == (False, 5, 1)
    assert (told["expected"]["first"], told["came"]["first"]) == ("INSPECT DECKS", "INSPECT DECK A")


# ---------------------------------------------------------------- unreadable input

REFUSED: dict[str, tuple[list[Any], str, str]] = {
    "no JSON": ([TABLE, SIGNED_ON, "{"], "E-REPLAY-001 {file}:3: not JSON: ", "Correct the line"),
    "no number": (
        [TABLE, '{"at": NaN}'],
        "E-REPLAY-001 {file}:2: not JSON: NaN is not a JSON number",
        "Correct",
    ),
    "bottomless": ([TABLE, "[" * 100_000], "E-REPLAY-001 {file}:2: not JSON: nested too deeply", "Correct"),
    "nothing": ([], "E-REPLAY-002 {file}: there is no set-up before the first event", "Begin the file"),
    "no table": (
        [SIGNED_ON, TABLE],
        "E-REPLAY-002 {file}:1: there is no set-up before the first event",
        '{{"table": {{"chapter": "pa641a"}}}}',
    ),
    "a field twice": (
        [TABLE, TABLE],
        "E-REPLAY-003 {file}:2: the set-up says 'chapter' twice",
        "Take one of the two out",
    ),
    "a table later": ([TABLE, SIGNED_ON, TABLE], "E-EVENT-002 {file}:3.event: is missing", "Add it"),
    "a table that is none": (
        [{"table": 3}],
        "E-EVENT-003 {file}:1 table: is 3, expected an object",
        "docs/events.md",
    ),
    "an unknown option": (
        [{"table": {"chapter": "pa641a", "seat": 2}}],
        "E-EVENT-001 {file} table: unknown field 'seat'",
        "Correct the name",
    ),
    "a table against the law": (
        [{"table": {"chapter": "pa641a", "decks": 3}}],
        "E-TABLE-001 ",
        "Change the table's set-up",
    ),
    "an unknown chapter": ([{"table": {"chapter": "pa641"}}], "pa641", "pa641a"),
    "an unknown event": (
        [TABLE, SIGNED_ON, OK | {"event": "KeyPress"}],
        "E-EVENT-004 {file}:3: there is no event 'KeyPress'",
        "KeyPressed",
    ),
    "a wrong field": (
        [TABLE, "", OK | {"key": "ENTER"}],
        "E-EVENT-003 {file}:3.key: is a text, expected one of LOCK",
        "docs/events.md",
    ),
}


@pytest.mark.parametrize(("lines", "words", "cure"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_read_is_refused_with_line_and_cure_and_nothing_is_printed(
    replay: Call, tmp_path: Path, lines: list[Any], words: str, cure: str
) -> None:
    file = written(tmp_path / "shift.jsonl", lines)

    answer = replay(file)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("sabot replay: ")
    assert words.format(file=file) in answer.err
    assert cure.format() in answer.err
    assert answer.err.count("\n") == 1


def test_a_file_that_is_no_text_or_not_there_is_refused(replay: Call, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'{"table": "\xff"}\n')

    assert "E-REPLAY-001" in replay(tmp_path / "x").err
    assert "E-CLI-001" in replay(tmp_path / "nothing").err
    assert "E-CLI-001" in replay(tmp_path).err


REFUSED_EFFECTS: dict[str, tuple[list[Any], str]] = {
    "no JSON": (["]"], "E-REPLAY-001 {file}:1: not JSON"),
    "no list": ([[], 7], "E-EVENT-003 {file}:2: is 7, expected a list"),
    "no effects": ([{"effects": {}}], "E-EVENT-003 {file}:1: is an object, expected a list"),
    "an unknown effect": (
        [[], [{"effect": "HaltShoe"}, {"effect": "Halt"}]],
        "E-EVENT-004 {file}:2[1]: there is no effect 'Halt'",
    ),
}


@pytest.mark.parametrize(("lines", "words"), REFUSED_EFFECTS.values(), ids=REFUSED_EFFECTS.keys())
def test_recorded_effects_that_cannot_be_read_are_refused(
    replay: Call, tmp_path: Path, lines: list[Any], words: str
) -> None:
    file = written(tmp_path / "effects.jsonl", lines)

    answer = replay(events_of("pa683a"), "--diff", file)

    assert (answer.code, answer.out) == (2, "")
    assert words.format(file=file) in answer.err


def test_the_set_up_may_stand_in_several_lines(replay: Call, tmp_path: Path) -> None:
    whole = values(events_of("pa682a"))
    lines = [{"table": {name: each}} for name, each in whole[0]["table"].items()]
    file = written(tmp_path / "shift.jsonl", [*lines, *whole[1:]])

    assert replay(file, "--diff", effects_of("pa682a")).code == 0


def test_standard_input_in_a_process_is_read_the_same_way() -> None:
    good = sabot("replay", "-", "--diff", str(effects_of("pa679a")), stdin=events_of("pa679a").read_text())
    bad = sabot("replay", "-", stdin="{")

    assert (good.code, good.err) == (0, "")
    assert (bad.code, bad.out) == (2, "")
    assert "E-REPLAY-001 -:1: not JSON" in bad.err


# ---------------------------------------------------------------- step by step


def test_without_a_terminal_every_step_is_printed_and_nothing_waits(replay: Call, tmp_path: Path) -> None:
    drawn = {"event": "StackDispensed", "at": 3.0, "count": 2, "cards": ["As", "Kd"]}
    lots = {"event": "LotRegistered", "at": 1.5, "lot": "L1", "color": "red"}
    answer = replay(written(tmp_path / "x.jsonl", [TABLE, SIGNED_ON, lots, OK, drawn]), "--step")

    assert answer.code == 0
    assert "0:00:01  line 2: DealerSignedOn person=Ann" in answer.out
    assert "    │INSPECT CARDS       │\n    │THEN OK             │\n" in answer.out
    assert "└────────────────────┘  inspecting" in answer.out
    assert "line 5: StackDispensed count=2 cards=2 cards" in answer.out
    assert "As" not in answer.out
    assert answer.out.endswith("4 events, 0 rounds; the table is now: inspecting\n")


def test_a_step_says_its_effects_with_spots_and_paragraphs(replay: Call) -> None:
    out = replay(events_of("pa679a"), "--step").out

    assert "    OpenSpots spots=1 all_six, 1 ante, 1 pair_bonus, " in out
    assert "    ReportDay lines='rounds " in out
    assert "    LightSeat seat=1\n" in out


def test_steps_as_json_are_the_same_lines(replay: Call) -> None:
    assert replay(events_of("pa679a"), "--step", "--json").out == replay(events_of("pa679a"), "--json").out


class Terminal:
    """``sabot`` on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.end, inner = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-Im", "sabot", *words], stdin=inner, stdout=inner, stderr=inner, close_fds=True
        )
        os.close(inner)
        self.shown = ""

    def until(self, words: str) -> bool:
        """Read until these words are there; false when the process has ended without them."""
        while words not in self.shown:
            ready, _, _ = select.select([self.end], [], [], 60)
            assert ready, self.shown
            try:
                self.shown += os.read(self.end, 4096).decode()
            except OSError:
                return False
        self.shown = self.shown.partition(words)[2]
        return True

    def type(self, keys: bytes) -> None:
        os.write(self.end, keys)


def test_on_a_terminal_each_step_waits_for_enter(tmp_path: Path) -> None:
    terminal = Terminal("replay", "--step", str(written(tmp_path / "x.jsonl", [TABLE, SIGNED_ON, OK, OK])))

    for line in (2, 3):
        assert terminal.until(f"line {line}: ")
        assert terminal.until("Enter: the next event ")
        assert "line" not in terminal.shown
        terminal.type(b"\n")
    assert terminal.until("line 4: ")
    assert terminal.until("3 events, 0 rounds")
    assert terminal.process.wait(60) == 0


def test_the_end_of_the_input_ends_the_walk(tmp_path: Path) -> None:
    terminal = Terminal("replay", "--step", str(written(tmp_path / "x.jsonl", [TABLE, SIGNED_ON, OK])))

    assert terminal.until("Enter: the next event ")
    terminal.type(b"\x04")

    assert not terminal.until("line 3: ")
    assert terminal.process.wait(60) == 0


def test_names_of_events_and_effects_fit_the_recordings() -> None:
    for chapter in CHAPTERS:
        assert {each["event"] for each in values(events_of(chapter))[1:]} <= EVENTS.keys()
        assert {each["effect"] for answer in values(effects_of(chapter)) for each in answer} <= EFFECTS.keys()
