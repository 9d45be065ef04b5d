"""The checker on whole journals: the recorded shifts, what takes two people, a journal that begins in the middle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calling import sabot
from procedure.check import BY_TWO, Checker
from procedure.reading import entry, items
from sabot.desk.commands.replay import stream_lines
from sabot.desk.recording import read_recording
from tests.statemachine.tables import CHAPTERS

SHIFTS = Path(__file__).parents[1] / "data" / "shifts"


def recorded(chapter: str) -> list[bytes]:
    return [
        json.dumps(line).encode() for line in stream_lines(read_recording(str(SHIFTS / f"{chapter}.jsonl")))
    ]


def exported(lines: list[bytes], first: int = 1, anchor: str = "") -> list[bytes]:
    """A journal's export of a stream, without its proof."""
    header = {"sabot_journal": 1, "first": first} | ({"anchor": anchor} if anchor else {})
    setup = json.loads(lines[0])["table"]
    start = [] if anchor else [{"number": first, "kind": "start", "body": json.dumps({"setup": setup})}]
    events = [
        {"number": first + number, "kind": "event", "body": line.decode()}
        for number, line in enumerate(lines[1:], 1)
    ]
    closing = {"closing": {"last": first + len(events)}}
    return [json.dumps(each).encode() for each in (header, *start, *events, closing)]


def checked(lines: list[bytes]) -> Checker:
    checker = Checker()
    checker.check(items(lines))
    return checker


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_recorded_shifts_have_nothing_to_object_to(chapter: str) -> None:
    checker = checked(recorded(chapter))
    assert checker.rounds >= 2
    assert not [str(each) for each in checker.objections]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_journal_and_a_stream_of_one_shift_are_judged_alike(chapter: str) -> None:
    lines = recorded(chapter)
    stream, journal = checked(lines), checked(exported(lines))
    assert (stream.rounds, stream.steps) == (journal.rounds, journal.steps)
    assert {each.rule for each in journal.objections} <= {each.rule for each in stream.objections}


def test_a_journal_that_begins_in_the_middle_is_judged_from_there() -> None:
    lines = recorded("pa683a")
    ended = next(n for n, line in enumerate(lines) if b'"record"' in line)
    anchor = json.dumps({"start": json.dumps({"setup": json.loads(lines[0])["table"]})})
    checker = checked(exported([lines[0], *lines[ended + 1 :]], ended + 2, anchor))
    assert checker.rounds >= 1
    assert not [str(each) for each in checker.objections if each.rule != "dealer there"]


@pytest.mark.parametrize("kind", ["unsealed", "anchor", "restored", "cleared"])
def test_what_takes_two_people_is_objected_to_by_one(kind: str) -> None:
    for people, wrong in ((["1", "2"], 0), (["1", "1"], 1), (["1"], 1)):
        checker, by = Checker(), [{"number": each, "name": each} for each in people]
        checker.check(entry(kind, 7, json.dumps({"by": by, "cause": "x"})))
        found: list[Any] = checker.objections
        assert [(each.rule, each.entry) for each in found] == [(BY_TWO, 7)] * wrong


def test_replay_writes_the_stream_that_the_checker_reads() -> None:
    answer = sabot("replay", "--stream", str(SHIFTS / "pa683a.jsonl"))
    assert answer.code == 0
    lines = [line.encode() for line in answer.out.splitlines()]
    assert lines == recorded("pa683a")
    assert b'"sabot_stream": 1' in lines[0]
    checker = checked(lines)
    assert checker.steps == len(lines) - 1
    assert any(b'"shown": {"' in line for line in lines), "the cards that lay face up"
