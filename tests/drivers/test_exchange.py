"""Questions and their one end each; the deadline is the loop's, the device a function."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from sabot.drivers.convention import Statistics
from sabot.drivers.errors import LinkError
from sabot.drivers.exchange import PAST_MOST, Exchanges

from .waiting import until

SOON_S, LATER_S = 0.02, 5.0


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


class Asked:
    """What was sent, and a switch for the line."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_up = True
        self.statistics = Statistics()
        self.exchanges: Exchanges[str] = Exchanges(self.send, self.statistics, "shoe")

    def send(self, data: bytes) -> bool:
        if self.is_up:
            self.sent.append(data)
        return self.is_up

    def ask(self, word: str, deadline_s: float = LATER_S, tries: int = 3) -> "asyncio.Task[str]":
        def accepts(message: str) -> bool:
            return message.startswith(word)

        question = self.exchanges.ask(word.encode(), accepts, deadline_s=deadline_s, tries=tries)
        return asyncio.get_running_loop().create_task(question)


def test_the_answer_goes_to_its_question_and_other_messages_to_nobody() -> None:
    async def work() -> None:
        asked = Asked()
        question = asked.ask("lock")
        await until(lambda: asked.sent)

        assert not asked.exchanges.offer("card")
        assert asked.exchanges.offer("lock done")
        assert not asked.exchanges.offer("lock done")

        assert await question == "lock done"
        assert asked.sent == [b"lock"]
        assert asked.statistics == Statistics()

    run(work())


def test_no_answer_is_asked_again_so_often_and_then_an_error_with_the_figures() -> None:
    async def work() -> None:
        asked = Asked()
        with pytest.raises(LinkError) as caught:
            await asked.ask("lock", SOON_S, tries=4)

        assert caught.value.kind.code == "E-LINK-003"
        assert "asked 4 times" in str(caught.value)
        assert asked.sent == [b"lock"] * 4
        assert asked.statistics.retries == 3

    run(work())


def test_an_answer_to_the_second_try_is_an_answer() -> None:
    async def work() -> None:
        asked = Asked()
        question = asked.ask("lock", SOON_S, tries=100)
        await until(lambda: len(asked.sent) == 2)

        assert asked.exchanges.offer("lock done")
        assert await question == "lock done"
        assert asked.exchanges.offer("lock done") is False  # the answer to the first try, late
        assert asked.statistics.late_answers == 1
        assert asked.exchanges.offer("lock done") is False  # more answers than tries: not counted
        assert asked.statistics.late_answers == 1

    run(work())


def test_one_question_at_a_time_in_the_order_of_asking() -> None:
    async def work() -> None:
        asked = Asked()
        first, second = asked.ask("one"), asked.ask("two")
        await until(lambda: asked.sent)
        assert not asked.exchanges.offer("two early")
        asked.exchanges.offer("one")
        await until(lambda: len(asked.sent) == 2)
        asked.exchanges.offer("two")

        assert (await first, await second) == ("one", "two")
        assert asked.sent == [b"one", b"two"]

    run(work())


def test_a_line_that_goes_down_ends_the_question_that_is_open_and_those_that_wait() -> None:
    async def work() -> None:
        asked = Asked()
        first, second = asked.ask("one"), asked.ask("two")
        await until(lambda: asked.sent)
        asked.is_up = False
        asked.exchanges.abandon("unplugged")

        for question in (first, second):
            with pytest.raises(LinkError) as caught:
                await question
            assert caught.value.kind.code == "E-LINK-006"
        assert asked.sent == [b"one"]
        asked.is_up = True
        assert not asked.exchanges.offer("one")  # an answer of the old line is no late answer of this one
        assert asked.statistics.late_answers == 0

    run(work())


def test_what_an_old_line_owed_is_not_waited_for_on_the_next() -> None:
    async def work() -> None:
        asked = Asked()
        for word in ("one", "two"):
            with pytest.raises(LinkError):
                await asked.ask(word, 0.001, tries=1)
        asked.exchanges.offer("one")
        assert asked.statistics.late_answers == 1

        asked.exchanges.abandon("unplugged")

        asked.exchanges.offer("two")
        assert asked.statistics.late_answers == 1

    run(work())


def test_a_question_that_is_cancelled_makes_room_for_the_next() -> None:
    async def work() -> None:
        asked = Asked()
        question = asked.ask("one")
        await until(lambda: asked.sent)
        question.cancel()
        await asyncio.gather(question, return_exceptions=True)
        other = asked.ask("two")
        await until(lambda: len(asked.sent) == 2)
        assert not asked.exchanges.offer("one")
        assert asked.statistics.late_answers == 1
        asked.exchanges.offer("two")
        assert await other == "two"

    run(work())


def test_what_is_kept_of_questions_that_failed_is_bounded() -> None:
    async def work() -> None:
        asked = Asked()
        for turn in range(3 * PAST_MOST):
            with pytest.raises(LinkError):
                await asked.ask(f"q{turn}.", 0.001, tries=1)
        assert len(asked.exchanges._past) == PAST_MOST

    run(work())
