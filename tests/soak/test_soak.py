"""A short form of the soak; and that it sees, names and cuts down what is planted."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.ledger import Ledger
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RefuseInput, RequireRole
from sabot.statemachine.vocabulary.events import Role
from tests.statemachine.walk.audit_telling import RefusalAuditor
from tests.statemachine.walk.auditor import Auditor, BrokenError
from tests.statemachine.walk.marked import LeakError
from tests.statemachine.walk.random_shift import Step
from tests.statemachine.walk.setups import WAYS

from . import run
from .count import Bar, Count, kept
from .looks import LeakAuditor, RestoredAuditor, SketchAuditor
from .plan import ROUNDS, WALKED_OF, plan
from .run import main, soak
from .shift import Played, Rehearsal, play, shift_of
from .shrink import shrunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sabot.statemachine.state.ledger import Fed
    from sabot.statemachine.state.setup import Setup
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

# A short form: of each chapter and method some; `make soak` takes every way in turn.
SHORT, TURN = 8, 3
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("way", WAYS[::TURN], ids=str)
def test_a_shift_of_each_way_of_dealing_breaks_nothing(way: object) -> None:
    seed = next(seed for seed in range(len(WAYS)) if plan(seed).way == way)

    played = play(plan(seed), SHORT)

    assert played.broken is None
    assert played.rounds >= 1


def test_641a_7d7_an_account_wager_that_went_back_with_its_ante_was_in_no_round() -> None:
    assert play(plan(98), 8).broken is None


def test_683a_13e_a_jam_of_the_shuffler_says_nothing_of_another_fault_that_was_tested() -> None:
    assert play(plan(85), 8).broken is None


@pytest.mark.parametrize("seed", [8, 35])
def test_641a_7b_a_hand_was_turned_before_its_player_left(seed: int) -> None:
    """The second opinion asks when he left; and a wrong stack that the floor counts is known to nobody (V18)."""
    assert play(plan(seed)).broken is None


@pytest.mark.parametrize("campaign", ["soak", "chaos"])
def test_a_campaign_runs_as_its_page_says(campaign: str) -> None:
    """From the shell nobody sets the paths that pytest sets."""
    command = [sys.executable, "-m", f"tests.{campaign}.run", "--help"]
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("seed", [0, 7, 26, 44])
def test_every_costly_look(seed: int) -> None:
    planned = plan(seed)._replace(walked=False, refusals=True, reckoned=seed == 0)

    assert play(planned._replace(restored=True), 3).broken is None
    walked = play(planned._replace(restored=False, walked=True), 3)
    assert (walked.broken, walked.walked) == (None, walked.rounds)


def test_one_round_in_a_hundred_is_walked_and_every_way_is() -> None:
    walked = [plan(seed) for seed in range(100 * WALKED_OF) if plan(seed).walked]

    assert abs(len(walked) - 100) < 5
    assert {each.way for each in walked} == set(WAYS)


# ---------------------------------------------------------------- what is planted is found


def lose_a_cent(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a lock takes in is a cent short: the accounts do not sum to zero."""
    take_in = Ledger.take_in

    def short(self: Ledger, number: int, fed_by: Mapping[int, Fed]) -> None:
        take_in(self, number, fed_by)
        for target, *_ in next(iter(fed_by.values())).sums[:1]:
            self.balances[target] -= 1

    monkeypatch.setattr(Ledger, "take_in", short)


def spoiled() -> int:
    """A seed whose shift shows it."""
    return next(seed for seed in range(1, 900, len(WAYS)) if play(plan(seed)).broken)


def test_what_is_planted_is_found_and_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    lose_a_cent(monkeypatch)
    seed = spoiled()

    played = play(plan(seed), keep_events=True)

    assert played.broken is not None
    assert (played.broken.who, played.broken.seed) == ("MeterAuditor", seed)
    rehearsal = Rehearsal(plan(seed))
    left = shrunk(rehearsal, played.heard, played.broken)
    assert len(left) < len(played.heard)
    again = rehearsal.objects(left)
    assert again is not None
    assert again.words == played.broken.words
    assert all(
        rehearsal.objects(left[:place] + left[place + 1 :]) is None for place in range(0, len(left), 9)
    )


def test_a_seed_that_breaks_is_played_again_by_one_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lose_a_cent(monkeypatch)
    seed = spoiled()

    assert main(["--seed", str(seed)]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("BROKEN at step") for line in lines)
    assert json.loads(lines[-1])["event"]


def objection(look: Auditor, steps: Iterable[Step]) -> str:
    """What an auditor says of the first step that it does not like."""
    for event, effects in steps:
        try:
            look.see(event, effects)
        except (BrokenError, LeakError) as error:
            return str(error)
    return ""


@pytest.mark.parametrize("look", [SketchAuditor, RefusalAuditor])
def test_a_refusal_that_changes_something_is_seen(
    look: type[Auditor], monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = Table.handle

    def counting(self: Table, event: Event) -> list[Effect]:
        effects = handle(self, event)
        if any(isinstance(effect, RefuseInput) for effect in effects):
            self.state.layout.boxes[99] = "somebody"
        return effects

    shift = shift_of(plan(0)._replace(noise=0.3))
    assert not objection(look(shift.table), islice(shift.steps(), 100))
    monkeypatch.setattr(Table, "handle", counting)
    assert "was refused" in objection(look(shift.table), islice(shift.steps(), 300))


def test_a_card_that_leaves_is_seen() -> None:
    shift = shift_of(plan(0)._replace(walked=True))
    look = LeakAuditor(shift.table, shift)

    def telling() -> Iterator[Step]:
        for event, effects in shift.rounds(ROUNDS):
            said = (
                [RequireRole(cite="", role=Role.FLOOR, why=f"{shift.world.out[-1]}")]
                if shift.world.out
                else []
            )
            yield Step(event, [*effects, *said])

    assert "effects" in objection(look, telling())


def test_a_restart_that_forgets_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    restore = Table.restore

    def forgetful(setup: Setup, kept: Mapping[str, object]) -> Table:
        table = restore(setup, kept)
        table.state.books.rounds += 1
        return table

    monkeypatch.setattr(Table, "restore", staticmethod(forgetful))
    shift = shift_of(plan(0))
    assert "after" in objection(RestoredAuditor(shift.table), shift.rounds(ROUNDS))


# ---------------------------------------------------------------- the run


def short_play(seed: int) -> Played:
    """A shift of a few rounds, for tests of the run around it."""
    return play(plan(seed), 4)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_play", short_play)
    state = tmp_path / "soak.json"
    assert main(["--rounds", "1", "--jobs", "1", "--state", str(state)]) == 0
    first = kept(state)
    assert first is not None
    assert first.next == 1

    assert main(["--rounds", str(first.rounds + 1), "--jobs", "2", "--state", str(state)]) == 0

    again, whole = kept(state), Count()
    soak(whole, first.rounds + 1, 1, None)
    assert again is not None
    assert (again.counts, again.ways, again.next) == (whole.counts, whole.ways, whole.next)


def test_a_run_names_what_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lose_a_cent(monkeypatch)
    monkeypatch.setattr(run, "_play", short_play)

    assert main(["--rounds", "60", "--jobs", "1", "--state", str(tmp_path / "soak.json")]) == 1

    assert "python -m tests.soak.run --seed " in capsys.readouterr().out


def test_the_bar_says_how_much_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    count = Count(next=8, seconds=60.0, counts={"rounds": 250})

    Bar(1_000).show(count, now_s=99.0)

    assert capsys.readouterr().err == (
        "[#######                       ] 250 of 1,000 rounds, 4 a second, 3 min left, seeds to 7, 0 broken\r"
    )
