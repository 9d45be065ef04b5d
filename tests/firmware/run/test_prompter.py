"""The dealer's display between the table, the key switch and the journal."""

import asyncio

import pytest

from sabot.firmware.run import prompter as room
from sabot.firmware.run.prompter import Prompter
from sabot.statemachine.vocabulary.effects import Effect, LightSeat, ShowNotice, ShowPrompt


class Paper:
    """A device that writes down what it was told."""

    def __init__(self) -> None:
        self.told: list[Effect] = []

    def perform(self, effect: Effect) -> None:
        self.told.append(effect)

    @property
    def lines(self) -> list[tuple[str, str]]:
        return [(each.first, each.second) for each in self.told if isinstance(each, ShowPrompt)]


def test_what_the_table_wants_shown_waits_while_a_pin_is_entered() -> None:
    paper = Paper()
    prompter = Prompter([paper])
    prompter.perform(ShowPrompt(first="BETS OPEN", second="0 SEATS"))
    prompter.show("PERSON+PIN: *", "OK ENTERS")
    prompter.perform(ShowPrompt(first="BETS OPEN", second="1 SEATS"))
    prompter.perform(LightSeat(seat=3))

    assert paper.lines[-1] == ("PERSON+PIN: *", "OK ENTERS")
    assert paper.told[-1] == LightSeat(seat=3)

    prompter.show_table()

    assert paper.lines[-1] == ("BETS OPEN", "1 SEATS")


def test_nothing_is_shown_twice_when_nothing_was_covered() -> None:
    paper = Paper()
    prompter = Prompter([paper])
    prompter.show_table()

    assert paper.told == []


def test_a_simulated_table_says_so_on_its_display() -> None:
    for is_simulated, first in ((True, "CLOSED NOT FOR PLAY"), (False, "CLOSED")):
        paper = Paper()
        Prompter([paper], is_simulated=is_simulated).perform(ShowPrompt(first="CLOSED", second="REGISTER"))
        assert paper.lines == [(first, "REGISTER")]
        assert len(first) <= 20


def test_policy_a_notice_stands_for_a_while_or_until_the_table_wants_something_else_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "NOTICE_S", 0.0)
    paper = Paper()

    async def work() -> None:
        prompter = Prompter([paper])
        prompter.perform(ShowPrompt(first="BETS OPEN", second="0 SEATS"))
        prompter.perform(ShowNotice(first="FOLD MEANS NOTHING", second="NOW"))
        assert paper.lines[-1] == ("FOLD MEANS NOTHING", "NOW")
        await asyncio.sleep(0.01)
        assert paper.lines[-1] == ("BETS OPEN", "0 SEATS")
        prompter.perform(ShowNotice(first="FLOOR CALLED", second=""))
        prompter.perform(ShowPrompt(first="BETS OPEN", second="1 SEATS"))
        count = len(paper.lines)
        await asyncio.sleep(0.01)
        assert len(paper.lines) == count
        prompter.show("PERSON+PIN: *", "OK ENTERS")
        prompter.perform(ShowNotice(first="FLOOR CALLED", second=""))
        assert paper.lines[-1] == ("PERSON+PIN: *", "OK ENTERS")
        prompter.show_table()
        prompter.perform(ShowNotice(first="FLOOR CALLED", second=""))
        prompter.stop()

    asyncio.run(work())
    assert paper.lines[-1] == ("FLOOR CALLED", "")
