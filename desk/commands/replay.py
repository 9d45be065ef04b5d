"""``sabot replay``: recorded events through the table again, and what it made of them.

The core is pure, so the same events give the same effects: what a shift did can be looked at again round by
round or event by event, and a program that would do anything else than it did is found by comparing:
the first difference is explained.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from sabot.desk.recording import Recorded, Recording, read_effects, read_recording
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.pages.replay_text import clock, display, plain, round_table, words
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.codec import effect_json, event_json, write
from sabot.statemachine.vocabulary.effects import Effect, RecordRound, ReportDay
from sabot.statemachine.vocabulary.events import Role


class DiffStep(Protocol):
    """An event and what followed from it."""

    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def event(self) -> dict[str, object]: ...  # noqa: D102
    @property
    def effects(self) -> Sequence[Effect]: ...  # noqa: D102


class Difference(NamedTuple):
    """The first effect that differs, counted from 1; 0 where one side ends before the other."""

    line: int
    event: dict[str, object] | None
    number: int
    expected: dict[str, object] | None
    came: dict[str, object] | None


def first_difference(steps: Sequence[DiffStep], expected: Sequence[Sequence[Effect]]) -> Difference | None:
    """Return the first place at which what came is not what was recorded; None if all is alike."""
    for place, (step, recorded) in enumerate(zip_longest(steps, expected), 1):
        if step is None:
            return Difference(place, None, 0, None, None)
        if recorded is None:
            return Difference(step.line, step.event, 0, None, None)
        for number, (want, came) in enumerate(zip_longest(recorded, step.effects), 1):
            if want != came:
                return Difference(step.line, step.event, number, _plain(want), _plain(came))
    return None


def _plain(effect: Effect | None) -> dict[str, object] | None:
    return None if effect is None else effect_json(effect)


def explained(found: Difference) -> Iterator[str]:
    """Yield a difference for people: where, what was expected, what came, and which fields differ."""
    if found.event is None:
        yield f"the recorded effects go on after the last event, with answer {found.line}"
        return
    if found.number == 0:
        yield f"line {found.line}, {words(found.event)}: the recorded effects end before it"
        return
    yield f"line {found.line}, {words(found.event)}: effect {found.number} is another one"
    yield f"  expected: {words(found.expected) if found.expected else 'no more effects'}"
    yield f"  came:     {words(found.came) if found.came else 'no more effects'}"
    if found.expected and found.came and found.expected["effect"] == found.came["effect"]:
        for name, want in found.expected.items():
            if want != found.came[name]:
                yield f"  {name}: expected {json.dumps(want)}, came {json.dumps(found.came[name])}"


EPILOG = """\
The first line of the file sets up the table, then follows one event a line; docs/events.md describes both.
Cards that are not public are masked in whatever is printed.

examples:
  sabot replay shift.jsonl                           every round of the shift, as a table
  sabot replay --step shift.jsonl                    event by event, Enter goes on
  sabot replay --json shift.jsonl                    an object for each event and each finished round
  sabot replay --stream shift.jsonl > stream.jsonl   an event stream, for `tools/procedure`
  sabot replay shift.jsonl --diff effects.jsonl      does the table still do what was recorded?

effects.jsonl has one list of effects for each event; what --json printed will do. Exit code 1: they differ.
"""

DONE, NO = 0, 1


class ReplayStep(NamedTuple):
    """An event and what followed from it."""

    line: int
    event: dict[str, object]
    effects: list[Effect]
    phase: str
    prompt: tuple[str, str]
    record: RoundRecord | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", metavar="EVENTS.jsonl", help="recorded events, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--stream", action="store_true", help="an event stream, as docs/events.md has it")
    parser.add_argument("--step", action="store_true", help="one event at a time, with the dealer's display")
    parser.add_argument("--diff", metavar="EFFECTS.jsonl", help="compare with recorded effects")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Run the events and print what the options ask for."""
    recording = read_recording(args.file, law_of(args))
    expected = None if args.diff is None else read_effects(args.diff)
    if args.stream:
        for line in stream_lines(recording):
            print(json.dumps(line))
        return DONE
    steps = list(_steps(recording))
    if expected is not None:
        return _compare(steps, expected, as_json=args.json)
    for step in steps:
        told = _as_json(step) if args.json else _as_text(step, recording, each_event=args.step)
        for part in told:
            print(part, flush=args.step)
        if args.step and step is not steps[-1] and not _goes_on():
            return DONE
    if not args.json:
        print(_sum(steps))
    return DONE


def _steps(recording: Recording) -> Iterator[ReplayStep]:
    table = Table(recording.setup)
    for each in recording.events:
        effects = table.handle(each.event)
        is_over = any(isinstance(effect, RecordRound) for effect in effects)
        yield _step(table, each, effects, table.rooms.recorded.last if is_over else None)


def _step(table: Table, each: Recorded, effects: list[Effect], record: RoundRecord | None) -> ReplayStep:
    prompt = table.rooms.last_told.effects["prompt"]
    lines = getattr(prompt, "first", ""), getattr(prompt, "second", "")
    return ReplayStep(each.line, event_json(each.event), effects, table.state.play.phase.value, lines, record)


def stream_lines(recording: Recording) -> Iterator[dict[str, object]]:
    """Yield the lines of an event stream: the set-up, then each event with all that could be seen of it."""
    yield {"sabot_stream": 1, "table": setup_json(recording.setup)}
    table = Table(recording.setup)
    for each in recording.events:
        effects = table.handle(each.event)
        told = [effect_json(effect) for effect in effects]
        line: dict[str, object] = {"event": event_json(each.event), "effects": told}
        if any(isinstance(effect, RecordRound) for effect in effects):
            line["record"] = write(table.rooms.recorded.last)
        if table.state.play.round is not None:
            line["shown"] = table.rooms.views.view(Role.DEALER)["public"]
        yield line


def _goes_on() -> bool:
    """Wait for Enter if somebody can press it, and return whether to go on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    try:
        input("    Enter: the next event ")
    except EOFError:
        return False
    return True


# ---------------------------------------------------------------- what is printed


def _as_json(step: ReplayStep) -> Iterator[str]:
    effects = [effect_json(each) for each in step.effects]
    yield json.dumps({"event": step.event, "effects": effects, "phase": step.phase})
    if step.record is not None:
        yield json.dumps({"round": write(step.record)})


def _as_text(step: ReplayStep, recording: Recording, *, each_event: bool) -> Iterator[str]:
    if each_event:
        at = step.event["at"]
        yield f"{clock(float(str(at)))}  line {step.line}: {words(step.event)}"
        yield from (f"    {words(effect_json(each))}" for each in step.effects)
        yield f"{display(*step.prompt)}  {step.phase.replace('_', ' ')}"
    if step.record is not None:
        yield round_table(recording.setup, step.record) + "\n"
    for effect in step.effects:
        if isinstance(effect, ReportDay):
            yield "\n".join(("THE DAY", *(f"  {plain(line)}" for line in effect.lines), ""))


def _sum(steps: list[ReplayStep]) -> str:
    rounds = sum(step.record is not None for step in steps)
    where = steps[-1].phase.replace("_", " ") if steps else "closed"
    return f"{len(steps)} events, {rounds} rounds; the table is now: {where}"


def _compare(steps: list[ReplayStep], expected: list[list[Effect]], *, as_json: bool) -> int:
    found = first_difference(steps, expected)
    if as_json:
        print(json.dumps({"same": found is None} | ({} if found is None else found._asdict())))
    elif found is None:
        print(f"{_sum(steps)}; every effect is the recorded one")
    else:
        print("\n".join(explained(found)))
    return DONE if found is None else NO
