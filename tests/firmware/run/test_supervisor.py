"""Every exception that nobody expected is heard, whatever it ends: a callback, a task, a thread, an object."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, NoReturn

import pytest

from sabot.drivers.threads import LoopDoor
from sabot.firmware.run.supervisor import FUTURES, Supervisor, of_device

STEADY_S = 0.05


class Ear:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.slips: list[tuple[str, str]] = []
        self.broken: list[tuple[str, str]] = []

    def slipped(self, error: BaseException, over: str) -> None:
        self.slips.append((type(error).__name__, over))

    def device_broke(self, device: str, error: BaseException) -> None:
        self.broken.append((device, type(error).__name__))


def hear(work: Callable[[Supervisor], Coroutine[Any, Any, None]]) -> Ear:
    ear = Ear()

    async def run() -> None:
        supervisor = Supervisor(ear)
        supervisor.watch(asyncio.get_running_loop())
        try:
            await work(supervisor)
            await asyncio.sleep(STEADY_S)
        finally:
            supervisor.unwatch()
        assert supervisor._ear not in FUTURES.handlers

    asyncio.run(run())
    return ear


def fail() -> NoReturn:
    raise ZeroDivisionError


async def fail_later() -> None:
    await asyncio.sleep(0)
    fail()


def test_a_callback_and_a_timer() -> None:
    async def work(_supervisor: Supervisor) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(fail)
        loop.call_later(0.001, fail)

    assert [name for name, _ in hear(work).slips] == ["ZeroDivisionError"] * 2


def test_what_a_future_of_a_thread_would_only_log() -> None:
    async def work(_supervisor: Supervisor) -> None:
        done: Future[None] = Future()
        done.set_result(None)
        done.add_done_callback(lambda _: fail())

    assert hear(work).slips == [("ZeroDivisionError", "a future's callback")]


def test_a_task_by_its_name() -> None:
    async def work(supervisor: Supervisor) -> None:
        supervisor.spawn(fail_later(), "counting sheep")

    assert hear(work).slips == [("ZeroDivisionError", "the task counting sheep")]


def test_what_a_caller_waits_for_is_his_and_a_cancelled_task_is_none() -> None:
    async def work(supervisor: Supervisor) -> None:
        with pytest.raises(ZeroDivisionError):
            await supervisor.spawn(fail_later(), "expected", ZeroDivisionError)
        supervisor.spawn(asyncio.sleep(60), "patience").cancel()

    assert hear(work).slips == []


def test_a_thread_by_its_name() -> None:
    async def work(_supervisor: Supervisor) -> None:
        threading.Thread(target=fail, name="weaver").start()

    assert hear(work).slips == [("ZeroDivisionError", "the thread weaver")]


def test_an_object_on_its_way_out() -> None:
    class Bad:
        def __del__(self) -> None:
            fail()

    async def work(_supervisor: Supervisor) -> None:
        Bad()
        gc.collect()

    assert [over for _, over in hear(work).slips] == ["the end of an object"]


def test_a_task_that_nobody_owns() -> None:
    async def work(_supervisor: Supervisor) -> None:
        asyncio.get_running_loop().create_task(fail_later())
        await asyncio.sleep(STEADY_S)
        gc.collect()

    assert [name for name, _ in hear(work).slips] == ["ZeroDivisionError"]


def test_a_driver_is_known_by_what_it_left_to_the_loop() -> None:
    async def work(_supervisor: Supervisor) -> None:
        loop = asyncio.get_running_loop()
        of_device("shoe", loop.call_soon, fail)
        of_device("pads", loop.call_later, 0.001, fail)

    assert sorted(hear(work).broken) == [("pads", "ZeroDivisionError"), ("shoe", "ZeroDivisionError")]


def test_a_driver_is_known_by_what_its_thread_lets_in() -> None:
    async def work(_supervisor: Supervisor) -> None:
        door = of_device("lines", LoopDoor, asyncio.get_running_loop())
        threading.Thread(target=door.post, args=(fail,)).start()
        threading.Thread(target=door.broke, args=(OSError(),)).start()

    ear = hear(work)

    assert sorted(ear.broken) == [("lines", "OSError"), ("lines", "ZeroDivisionError")]
    assert ear.slips == []


def test_a_console_that_the_kernel_gave_up_is_no_slip() -> None:
    async def work(_supervisor: Supervisor) -> None:
        facts = {"message": "Fatal error", "exception": BrokenPipeError(), "transport": object()}
        asyncio.get_running_loop().call_exception_handler(facts)

    assert hear(work).slips == []


def test_words_without_an_exception_are_one() -> None:
    async def work(_supervisor: Supervisor) -> None:
        asyncio.get_running_loop().call_exception_handler({"message": "something odd"})

    assert hear(work).slips == [("RuntimeError", "something odd")]


def test_before_there_is_a_loop_nothing_is_stopped() -> None:
    class Ear:
        def slipped(self, error: BaseException, over: str) -> None:
            raise AssertionError(over) from error

        def device_broke(self, device: str, error: BaseException) -> None:
            raise AssertionError(device) from error

    supervisor = Supervisor(Ear())
    supervisor._from_elsewhere(KeyError("early"), "a thread")
    supervisor._loop = asyncio.new_event_loop()
    supervisor._loop.close()
    supervisor._from_elsewhere(KeyError("late"), "a thread")
