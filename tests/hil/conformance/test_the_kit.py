"""The kit itself: gates, limits, records, and hands that are asked."""

import io
import json
import os
from collections.abc import Callable, Iterator
from typing import TextIO

import pytest

from sabot.drivers.errors import ERRORS, LinkError
from sabot.hil.conformance.certificate import line_of, verdict_of
from sabot.hil.conformance.hands import Act, CheckPerson, NoHands, NotTriedError, words_in
from sabot.hil.conformance.kit import Kit, NotClaimedError, Setting, WrongError, middle
from sabot.hil.conformance.record import (
    NOT_CLAIMED,
    NOT_TRIED,
    PASSED,
    WRONG,
    CheckResult,
    Measure,
    Record,
    digest_of,
)
from sabot.hil.conformance.run import ConformanceCheck, run_checks

from .virtual import Clock, VirtualLine


class Silent(VirtualLine):
    """A wire on which nothing ever comes."""

    def send(self, data: bytes) -> None:
        self.sent = data

    def read(self, until: float) -> bytes:
        self.clock.now_s = max(self.now(), until)
        return b""


class Cut(Silent):
    """A wire that is broken until it is opened anew."""

    def read(self, until: float) -> bytes:
        if not self.reopened:
            raise OSError(5, "gone")
        return super().read(until)


class Lost(Cut):
    """A wire that is gone for good."""

    def reopen(self) -> None:
        raise LinkError(ERRORS["E-LINK-001"], "PORT", why="gone")


class Plain(Kit):
    def begin(self) -> None:
        """Nothing is left behind."""

    def pump(self, until: float) -> None:
        self.read(until)


def bench(line: Silent | None = None, **setting: float) -> Plain:
    return Plain(line or Silent(Clock()), NoHands(), Setting(**setting))  # type: ignore[arg-type]


def check(name: str, run: Callable[[Plain], None], *, is_gate: bool = False) -> ConformanceCheck:
    return ConformanceCheck(name, f"does {name}", "alpha.md#the-frame", run, is_gate=is_gate)


def wrong(_kit: Plain) -> None:
    raise WrongError("it does not")


def unclaimed(_kit: Plain) -> None:
    raise NotClaimedError("it cannot")


def untried(kit: Plain) -> None:
    kit.act(Act("Lay a chip on spot {spot}."), spot=3)


def right(_kit: Plain) -> None:
    return None


def outcomes(kit: Plain, *checks: ConformanceCheck) -> dict[str, str]:
    return {each.name: each.outcome for each in run_checks(kit, checks, lambda *_: None)}


class Standstills:
    """How long the machine stood still: in a check of its own, and nothing before it."""

    def __init__(self, *in_checks_s: float) -> None:
        self._left = [each for in_check_s in in_checks_s for each in (0.0, in_check_s)]

    def __call__(self) -> float:
        return self._left.pop(0)


def test_nothing_is_wrong_that_a_machine_without_time_may_have_done() -> None:
    kit = bench()
    kit.stood_still_s = Standstills(0.049, 0.051, 0.051)
    rows = [check("a", wrong), check("b", wrong), check("c", right)]

    first, second, third = run_checks(kit, rows, lambda *_: None)

    assert (first.outcome, second.outcome, third.outcome) == (WRONG, NOT_TRIED, PASSED)
    assert second.words == "the machine was too busy to judge, it stood still for 0.05 s: it does not"
    assert kit.wrong == ["a"]


def test_behind_a_gate_that_a_busy_machine_left_undecided_nothing_is_tried() -> None:
    kit = bench()
    kit.stood_still_s = Standstills(1.0)
    rows = [check("a", wrong, is_gate=True), check("b", right)]

    assert outcomes(kit, *rows) == {"a": NOT_TRIED, "b": NOT_TRIED}


def test_each_check_has_its_own_outcome() -> None:
    rows = [
        check("a", right),
        check("b", wrong),
        check("c", unclaimed),
        check("d", untried),
        check("e", right),
    ]

    assert outcomes(bench(), *rows) == {
        "a": PASSED,
        "b": WRONG,
        "c": NOT_CLAIMED,
        "d": NOT_TRIED,
        "e": PASSED,
    }


def test_behind_a_gate_that_is_wrong_nothing_is_tried_and_the_gate_is_named() -> None:
    rows = (check("a", wrong, is_gate=True), check("b", right), check("c", wrong))

    results = list(run_checks(bench(), rows, lambda *_: None))

    assert [each.outcome for each in results] == [WRONG, NOT_TRIED, NOT_TRIED]
    assert results[1].words == "a comes first"


def test_a_gate_that_is_not_claimed_lets_the_rest_through() -> None:
    assert outcomes(bench(), check("a", unclaimed, is_gate=True), check("b", right))["b"] == PASSED


@pytest.mark.parametrize(
    ("taken_s", "slack", "outcome"),
    [(0.05, 1.0, PASSED), (0.051, 1.0, WRONG), (0.4, 10.0, PASSED), (0.6, 10.0, WRONG), (0.01, 10.0, WRONG)],
)
def test_a_time_outside_its_limits_is_wrong(taken_s: float, slack: float, outcome: str) -> None:
    row = check("a", lambda kit: kit.measure("answer", taken_s, least_s=0.02, most_s=0.05))

    (result,) = run_checks(bench(slack=slack), [row], lambda *_: None)

    assert result.outcome == outcome
    assert (result.words == "") == (outcome == PASSED)
    assert "answer" in line_of(result) or outcome == WRONG


def test_a_wire_that_breaks_off_is_told_and_opened_anew_for_the_next_check() -> None:
    line = Cut(Clock())
    kit = bench(line)
    kit.revive = lambda: None  # type: ignore[method-assign]
    (result,) = run_checks(kit, [check("a", lambda kit: kit.wait(1.0))], lambda *_: None)
    assert (result.outcome, result.words) == (WRONG, "the wire broke off: [Errno 5] gone")

    again = bench(line)
    again.is_cut = kit.is_cut
    assert outcomes(again, check("b", lambda kit: kit.wait(1.0))) == {"b": PASSED}
    assert line.reopened == 1


def test_a_device_that_never_comes_back_ends_the_run_at_the_check_that_lost_it() -> None:
    rows = (check("a", lambda kit: kit.revive()), check("b", right))

    results = list(run_checks(bench(Lost(Clock())), rows, lambda *_: None))

    assert [each.outcome for each in results] == [WRONG, NOT_TRIED]
    assert results[0].words.startswith("the device did not come back: E-LINK-001")


def test_a_cable_pulled_while_a_person_works_is_no_error() -> None:
    line = Cut(Clock())
    kit = bench(line)

    kit.idle()
    kit.idle()
    kit.revive()

    assert line.reopened == 1
    kit.wait(0.1)


def test_what_was_on_the_wire_is_kept_where_something_is_wrong() -> None:
    def says(kit: Plain) -> None:
        kit.send(b"\x01\x02")
        kit.demand(False, "no answer")

    (result,) = run_checks(bench(), [check("a", says)], lambda *_: None)

    assert [line.split()[1:] for line in result.wire] == [["H>", "0102"]]


def test_the_median_is_one_of_the_values() -> None:
    assert middle([3.0, 1.0, 2.0, 9.0]) == 3.0


# ---------------------------------------------------------------- the record


def a_record(*outcomes: str) -> Record:
    results = [
        CheckResult(f"x.{number}", "does it", "alpha.md#the-frame", outcome, "why")
        for number, outcome in enumerate(outcomes)
    ]
    results[0].measures.append(Measure("answer", 12.5, "ms", None, 50.0))
    return Record(
        "alpha", "docs/alpha.md", "PORT", "2026-01-01T00:00:00+00:00", {"maker": "M"}, {"kit": "k"}, results
    )


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((PASSED,), "certificate"),
        ((PASSED, NOT_CLAIMED), "certificate"),
        ((NOT_CLAIMED,), "incomplete"),
        ((PASSED, NOT_TRIED), "incomplete"),
        ((PASSED, NOT_TRIED, WRONG), "to fix"),
    ],
)
def test_a_skip_is_never_a_pass(outcomes: tuple[str, ...], verdict: str) -> None:
    record = a_record(*outcomes)

    assert record.verdict == verdict
    text = verdict_of(record)
    assert ("NO CERTIFICATE" not in text) == (verdict == "certificate")
    assert record.digest in text
    assert "device maker" in text


def test_what_is_wrong_is_told_with_its_section() -> None:
    text = verdict_of(a_record(WRONG, NOT_TRIED))

    assert "x.0: why\n      see docs/alpha.md#the-frame" in text
    assert "1 not tried" in text


def test_the_digest_is_over_everything_that_is_written() -> None:
    facts = json.loads(a_record(PASSED).as_json())

    assert digest_of(facts) == facts["digest"]
    facts["results"][0]["measures"][0]["value"] = 12.4
    assert digest_of(facts) != facts["digest"]


# ---------------------------------------------------------------- a person


@pytest.fixture
def terminal() -> Iterator[Callable[[str], CheckPerson]]:
    made: list[TextIO] = []

    def person(typed: str) -> CheckPerson:
        out, into = os.pipe()
        os.write(into, typed.encode())
        os.close(into)
        made.append(os.fdopen(out))
        return CheckPerson(made[-1], io.StringIO())

    yield person
    for each in made:
        each.close()


def nothing() -> None:
    return None


def test_a_person_says_when_it_is_done_and_when_it_cannot_be(terminal: Callable[[str], CheckPerson]) -> None:
    terminal("\n").do(Act("Pull the cable."), nothing)
    with pytest.raises(NotTriedError, match="could not be done: Pull the cable"):
        terminal("no\n").do(Act("Pull the cable."), nothing)
    with pytest.raises(NotTriedError, match="nobody answers"):
        terminal("").do(Act("Pull the cable."), nothing)


@pytest.mark.parametrize(("typed", "card"), [("as\n", "As"), ("TD\n", "Td"), ("held\n", "")])
def test_a_person_says_which_card_was_drawn(
    terminal: Callable[[str], CheckPerson], typed: str, card: str
) -> None:
    assert terminal(typed).draw("2c", nothing) == card


def test_a_person_may_have_drawn_none(terminal: Callable[[str], CheckPerson]) -> None:
    with pytest.raises(NotTriedError):
        terminal("no\n").draw("2c", nothing)


@pytest.mark.parametrize(("typed", "seen"), [("yes\n", True), ("y\n", True), ("no\n", False), ("\n", False)])
def test_a_person_says_what_is_seen(terminal: Callable[[str], CheckPerson], typed: str, seen: bool) -> None:
    assert terminal(typed).sees("Does it burn?", "", nothing) is seen


def test_a_person_who_did_not_look_has_seen_nothing(terminal: Callable[[str], CheckPerson]) -> None:
    with pytest.raises(NotTriedError, match="nobody looked"):
        terminal("skip\n").sees("Does it burn?", "", nothing)


def test_what_a_simulator_shows_is_read_line_below_line_as_it_stands() -> None:
    shows = {"lines": ['A "\\" B', "\u00fc"], "cursor": "no cursor", "level": 4}

    assert "\n".join(words_in(shows)) == 'lines\nA "\\" B\n\u00fc\ncursor\nno cursor\nlevel'


def test_the_conversation_goes_on_while_a_person_works() -> None:
    out, into = os.pipe()
    calls: list[int] = []

    def idle() -> None:
        calls.append(1)
        if len(calls) == 3:
            os.write(into, b"\n")

    with os.fdopen(out) as stdin:
        CheckPerson(stdin, io.StringIO()).do(Act("Draw a card."), idle)
    os.close(into)
    assert len(calls) >= 3
