"""The reading shoe on a real pseudo-terminal: cards, locks, errors, hot unplug, and a line that is bad."""

import asyncio
import random
from pathlib import Path

import pytest

from sabot.drivers.angel_eye import KIND
from sabot.drivers.angel_eye.messages import LOCK, UNLOCK
from sabot.drivers.options import Value
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.angel_eye_wire import report
from sabot.hil.simulators.lossy import Lossy
from sabot.rules.cards import NAMES, PACK_SIZE
from sabot.statemachine.vocabulary.effects import FreeShoe, HaltShoe, LightSeat
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    CardsMissed,
    DeviceFaulted,
    DeviceRetested,
    LinkLost,
    LinkRestored,
)
from tests.drivers.waiting import until
from tests.drivers.wired_host import Bench, Paper, at_work, run

QUICK: dict[str, Value] = {"deadline_s": 0.3, "poll_s": 0.2}


def cards(paper: Paper) -> list[str]:
    return [NAMES[each.card.card] if each.card else "?" for each in paper.said(CardDrawn)]


def places(paper: Paper) -> list[str]:
    """The cards as the table enters them: one that nobody read for each report that never came."""
    found: list[str] = []
    for each in paper.events:
        if isinstance(each, CardDrawn):
            found += ["?"] * each.missed + [NAMES[each.card.card] if each.card else "?"]
        elif isinstance(each, CardsMissed):
            found += ["?"] * each.count
    return found


def _is_the_card(told: str, drawn: str) -> bool:
    return told in ("?", drawn)


def faults(paper: Paper) -> list[tuple[str, str]]:
    return [(each.fault, each.detail) for each in paper.said(DeviceFaulted)]


async def locked(bench: Bench, *, is_so: bool = True) -> None:
    bench.driver.perform(HaltShoe() if is_so else FreeShoe())
    await until(lambda: bench.driver.locked is is_so)


def test_cards_are_events_with_the_time_of_the_read_and_hidden_from_every_word(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(copies=3)
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("As")
            shoe.draw("Td", target=0x03)
            drawn = await bench.paper.has(CardDrawn, 2)
            assert cards(bench.paper) == ["As", "Td"]
            assert drawn[0].at <= drawn[1].at
            assert "Secret(**)" in repr(drawn[0])
            assert bench.driver.status().state["cards"] == 2
            assert bench.driver.status().identity.authenticated is False
            assert "cannot authenticate" in bench.driver.status().identity.capabilities
            assert faults(bench.paper) == []

    run(work)


def test_a_halt_is_a_lock_that_was_acknowledged_and_a_release_an_unlock(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            assert bench.driver.status().state["lock"] == "not known"
            await locked(bench)
            assert shoe.is_locked
            await locked(bench, is_so=False)
            assert not shoe.is_locked
            bench.driver.perform(LightSeat(seat=1))
            assert faults(bench.paper) == []
        assert shoe.is_locked  # no controller, no cards
        assert bench.driver.status().why == "stopped"

    run(work)


def test_a_halt_goes_out_at_once_while_another_question_is_open(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"deadline_s": 0.5, "poll_s": 0.2}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.is_mute = True
            await until(lambda: bench.paper.sent().count(b"GP00") >= 2)
            before = len(bench.paper.wire)
            bench.driver.perform(HaltShoe())
            assert b"LK02" in bench.paper.wire[before][1]
            assert not shoe.is_locked
            shoe.is_mute = False
            await until(lambda: bench.driver.locked)
            assert shoe.is_locked

    run(work)


def test_a_lock_that_was_refused_is_a_fault_and_is_tried_again(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            shoe.refusals += [6, 6]
            bench.driver.perform(HaltShoe())
            await bench.paper.has(DeviceFaulted)
            assert faults(bench.paper) == [("device", "the shoe refused to be locked: unknown command")]
            await until(lambda: bench.driver.locked)

    run(work)


def test_a_busy_shoe_is_asked_again_and_is_no_fault(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.refusals += [8, 0x31, 9]
            await locked(bench)
            assert (shoe.is_locked, faults(bench.paper)) == (True, [])
            assert bench.driver.statistics.refused >= 1

    run(work)


def test_a_card_out_of_a_shoe_that_lied_about_its_lock_is_a_fault_and_still_a_card(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        shoe.lies_about_lock = True
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench)
            shoe.draw("2c")
            await bench.paper.has(CardDrawn)
            assert [kind for kind, _ in faults(bench.paper)] == ["contradiction"]
            assert cards(bench.paper) == ["2c"]

    run(work)


def test_a_lock_changed_by_other_hands_is_a_fault_and_is_made_good(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench)
            shoe.is_locked = False
            shoe.say(b"L", b"\x01")
            await bench.paper.has(DeviceFaulted)
            await until(lambda: bench.driver.locked and shoe.is_locked)
            ((kind, words),) = faults(bench.paper)
            assert kind == "contradiction"
            assert words.startswith("the lock of the shoe was changed by other hands")
            shoe.say(b"L", b"\x07")
            await until(lambda: "not known" in bench.driver.notice)

    run(work)


@pytest.mark.parametrize(
    ("game", "kinds"), [("none", ["card_out_of_turn"]), ("baccarat", []), ("unknown", [])]
)
def test_a_card_outside_play_is_a_card_and_a_fault_only_where_the_shoe_has_no_game(
    tmp_path: Path, game: str, kinds: list[str]
) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        shoe.is_in_setting = True
        async with at_work(KIND, shoe, tmp_path / "shoe", {"shoe_game": game}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("9h")
            await bench.paper.has(CardDrawn)
            assert cards(bench.paper) == ["9h"]
            assert [kind for kind, _ in faults(bench.paper)] == kinds

    run(work)


def test_forty_cards_out_of_a_shoe_that_deals_baccarat_are_forty_cards(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(game=True, copies=2)
        dealt = [name for number, name in enumerate(NAMES) if number < 40]
        async with at_work(KIND, shoe, tmp_path / "shoe", {"shoe_game": "baccarat"}) as bench:
            await bench.paper.has(LinkRestored)
            for name in dealt:
                shoe.draw(name)
            await bench.paper.has(CardDrawn, 40)
            assert (cards(bench.paper), faults(bench.paper)) == (dealt, [])

    run(work)


def test_a_game_of_its_own_is_a_fault_where_the_profile_says_there_is_none(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"shoe_game": "none"}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.say(b"G", b"\x01")
            shoe.fail(0x02)
            await bench.paper.has(DeviceFaulted, 2)
            assert [kind for kind, _ in faults(bench.paper)] == ["device", "device"]

    run(work)


@pytest.mark.parametrize("error", [0x41, 0x46])
def test_a_card_that_cannot_be_read_is_a_card_nobody_knows(tmp_path: Path, error: int) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(copies=3)
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.fail(error)
            await bench.paper.has(CardDrawn)
            assert (cards(bench.paper), faults(bench.paper)) == (["?"], [])
            # Released by a person: the shoe comes out of its error, then out of its lock.
            await locked(bench, is_so=False)
            assert (shoe.error, shoe.is_locked) == (0, False)
            shoe.draw("As")
            await bench.paper.has(CardDrawn, 2)
            assert cards(bench.paper) == ["?", "As"]

    run(work)


def test_an_error_that_comes_while_the_shoe_is_being_freed_is_cleared_before_it_is_free(
    tmp_path: Path,
) -> None:
    """Found by the rig: the next card left a shoe that was free and in error, and was none of the round."""

    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK | {"poll_s": 60.0}) as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench)
            # An answer may be under way after a halt, so that the order to free waits.
            bench.driver.perform(HaltShoe())
            bench.driver.perform(FreeShoe())
            await asyncio.sleep(0.05)
            assert b"LK01" not in bench.paper.sent()
            shoe.fail(0x46)
            await bench.paper.has(CardDrawn)
            bench.driver.perform(HaltShoe())
            await locked(bench, is_so=False)
            assert (shoe.error, shoe.is_locked) == (0, False)
            shoe.draw("As")
            await bench.paper.has(CardDrawn, 2)
            assert faults(bench.paper) == []

    run(work)


def test_a_shoe_that_keeps_its_error_is_not_freed_until_it_is_gone(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench)
            shoe.fail(0x46)
            await bench.paper.has(CardDrawn)
            shoe.refusals += [7, 7]
            bench.driver.perform(FreeShoe())
            await bench.paper.has(DeviceFaulted)
            assert faults(bench.paper) == [("device", "the shoe refused to be freed: unknown type")]
            assert b"LK01" not in bench.paper.sent()
            # It is asked again at the next look.
            await until(lambda: bench.driver.locked is False)
            assert (shoe.error, shoe.is_locked) == (0, False)

    run(work)


def test_where_the_card_stays_in_the_shoe_it_is_only_a_fault(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"cannot_read_is_card": False}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw_unread()
            await bench.paper.has(DeviceFaulted)
            assert faults(bench.paper) == [("unreadable_card", "cannot read a card")]
            assert cards(bench.paper) == []

    run(work)


def test_a_byte_that_no_deck_has_is_a_card_nobody_knows(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.say(b"D", b"\x11\x5e")
            await bench.paper.has(CardDrawn)
            assert cards(bench.paper) == ["?"]

    run(work)


@pytest.mark.parametrize("error", [0x07, 0x47, 0x42])
def test_a_slow_dealer_and_a_game_of_its_own_hold_nothing(tmp_path: Path, error: int) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            shoe.fail(error)
            await until(lambda: bench.driver.notice)
            if error & 0x40:
                await until(lambda: not shoe.error)
            assert faults(bench.paper) == []

    run(work)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(0x03, "device"), (0x44, "contradiction"), (0x45, "contradiction"), (0x4F, "device")],
)
def test_other_errors_are_faults_and_a_retest_clears_the_shoe(tmp_path: Path, error: int, kind: str) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.fail(error)
            await bench.paper.has(DeviceFaulted)
            assert faults(bench.paper)[0][0] == kind
            bench.driver.retest(kind)
            (retested,) = await bench.paper.has(DeviceRetested)
            assert (retested.fault, retested.good) == (kind, True)
            assert not shoe.error & 0x40

    run(work)


def test_a_retest_says_in_which_error_the_shoe_stays(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.fail(0x44)
            await bench.paper.has(DeviceFaulted)
            shoe.refusals += [7]
            bench.driver.retest("contradiction")
            (retested,) = await bench.paper.has(DeviceRetested)
            assert not retested.good
            assert retested.detail.startswith("the shoe stays in error: a card was run backwards at the exit")

    run(work)


def test_a_retest_of_a_shoe_that_is_not_there_is_not_good(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            shoe.is_mute = True
            bench.driver.retest("device")
            (retested,) = await bench.paper.has(DeviceRetested)
            assert not retested.good

    run(work)


def test_a_card_that_was_missed_counts_when_it_is_sent_again(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("As")
            shoe.again()
            shoe.again(under_new_number=True)
            shoe.draw_lost("Kd")
            shoe.again()
            shoe.again()
            shoe.draw("2c")
            await bench.paper.has(CardDrawn, 3)
            assert (cards(bench.paper), faults(bench.paper)) == (["As", "Kd", "2c"], [])

    run(work)


@pytest.mark.parametrize(("gap_is_fault", "entered"), [(True, ["As", "?", "2c"]), (False, ["As", "2c"])])
def test_a_card_whose_report_was_lost_is_a_card_nobody_read(
    tmp_path: Path, gap_is_fault: bool, entered: list[str]
) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"gap_is_fault": gap_is_fault}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("As")
            shoe.draw_lost("Kd")
            shoe.draw("2c")
            await bench.paper.has(CardDrawn, 2)
            assert (places(bench.paper), faults(bench.paper)) == (entered, [])
            assert gap_is_fault or "1 report(s)" in bench.driver.notice

    run(work)


def test_the_first_report_of_all_is_missed_too(tmp_path: Path) -> None:
    """The second card was recorded as the first, and nothing was held."""

    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench, is_so=False)
            await until(lambda: bench.driver.codec.knows_next)
            shoe.draw_lost("As")
            shoe.draw("Kd")
            await bench.paper.has(CardDrawn)
            assert (places(bench.paper), faults(bench.paper)) == (["?", "Kd"], [])

    run(work)


def test_a_report_that_is_none_of_a_card_shows_what_never_came(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("As")
            shoe.draw_lost("Kd")
            shoe.draw_lost("2c")
            shoe.say(b"C")
            (missed,) = await bench.paper.has(CardsMissed)
            assert (missed.device, missed.count, faults(bench.paper)) == ("shoe", 2, [])
            shoe.draw("3h")
            await bench.paper.has(CardDrawn, 2)
            assert places(bench.paper) == ["As", "?", "?", "3h"]

    run(work)


@pytest.mark.parametrize("gap_is_fault", [True, False])
def test_numbers_that_do_not_follow_one_another_say_nothing_of_cards(
    tmp_path: Path, gap_is_fault: bool
) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"gap_is_fault": gap_is_fault}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.draw("As")
            shoe.sequence -= 1
            shoe.draw("Kd")
            await bench.paper.has(CardDrawn, 2)
            assert places(bench.paper) == ["As", "Kd"]
            words = "the numbers of the shoe's reports do not follow one another"
            assert faults(bench.paper) == [("contradiction", words)] * gap_is_fault
            assert gap_is_fault or bench.driver.notice == words

    run(work)


OTHER_SENSE: dict[str, int] = {"free_value": 2, "locked_value": 1}


def sensed(options: dict[str, int]) -> AngelEyeShoe:
    return AngelEyeShoe(free_value=options.get("free_value", 1), locked_value=options.get("locked_value", 2))


@pytest.mark.parametrize("is_in_one_read", [True, False])
@pytest.mark.parametrize("options", [{}, OTHER_SENSE])
def test_the_sense_of_the_lock_is_the_profiles_in_one_read_with_the_answer_or_not(
    tmp_path: Path, is_in_one_read: bool, options: dict[str, int]
) -> None:
    async def work() -> None:
        shoe = sensed(options)
        shoe.tells_lock_with_answer = is_in_one_read
        async with at_work(KIND, shoe, tmp_path / "shoe", {**options}) as bench:
            await bench.paper.has(LinkRestored)
            for is_so in (True, False, True):
                await locked(bench, is_so=is_so)
                await until(lambda: bench.driver.telling.lock_changes)
            await asyncio.sleep(0.2)
            assert faults(bench.paper) == []

    run(work)


@pytest.mark.parametrize("is_in_one_read", [True, False])
def test_a_shoe_of_the_other_sense_is_told_as_such_and_not_locked_without_end(
    tmp_path: Path, is_in_one_read: bool
) -> None:
    async def work() -> None:
        shoe = sensed(OTHER_SENSE)
        shoe.tells_every_lock = True
        shoe.tells_lock_with_answer = is_in_one_read
        async with at_work(KIND, shoe, tmp_path / "shoe", {"poll_s": 60.0}) as bench:
            await bench.paper.has(LinkRestored)
            bench.driver.perform(HaltShoe())
            await until(lambda: len(faults(bench.paper)) == 2)
            await asyncio.sleep(0.5)
            assert bench.paper.sent().count(b"LK02") <= 4
            assert faults(bench.paper)[-1] == (
                "contradiction",
                "acknowledged as locked, and L says 1: see free_value and locked_value",
            )
            assert shoe.is_locked

    run(work)


def test_a_shoe_that_starts_anew_is_a_fault_and_is_locked_again(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench)
            shoe.start_in_a_frame("As")
            await bench.paper.has(DeviceFaulted)
            await until(lambda: shoe.is_locked)
            assert [kind for kind, _ in faults(bench.paper)] == ["contradiction"]
            assert cards(bench.paper) == []

    run(work)


def test_notes_hold_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            shoe.say(b"C")
            await until(lambda: bench.driver.notice == "the cut card was seen")
            shoe.say(b"P")
            await until(lambda: bench.driver.notice == "it stands by")
            bench.driver.telling.error = 0x14
            await bench.driver._trusted(UNLOCK)
            assert bench.driver.telling.error == 0x14, "an order that was taken clears no error"
            shoe.say(b"e", b"\x01")
            await until(lambda: bench.driver.notice == "its error was cleared")
            assert bench.driver.telling.error == 0
            assert (faults(bench.paper), bench.driver.status().state["cut_cards"]) == ([], 1)
            shoe.say(b"M", b"\x01\x01")
            await bench.paper.has(DeviceFaulted)

    run(work)


def test_what_a_shoe_says_before_it_is_greeted_holds_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        shoe.is_mute = True
        async with at_work(KIND, shoe, tmp_path / "shoe", {"deadline_s": 1.0}) as bench:
            await until(bench.paper.sent)
            shoe.start()
            shoe.say(b"M", b"\x01\x01")
            await until(lambda: bench.driver.statistics.frames_in >= 3)
            shoe.is_mute = False
            await bench.paper.has(LinkRestored)
            assert faults(bench.paper) == []

    run(work)


def test_reports_are_acknowledged_where_the_profile_wants_it(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"acknowledge_reports": True}) as bench:
            await bench.paper.has(LinkRestored)
            frame = shoe.draw("As")
            await until(lambda: shoe.acks == 1)
            shoe.send(frame)
            await until(lambda: shoe.acks == 2)
            assert cards(bench.paper) == ["As"]

    run(work)


def test_unplugged_and_back_under_another_name_it_is_as_it_was_ordered(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            bench.driver.perform(FreeShoe())
            await until(lambda: bench.driver.locked is False)
            name = bench.port.terminal
            bench.port.unplug()
            (lost,) = await bench.paper.has(LinkLost)
            assert "unplugged" in lost.reason or "failed" in lost.reason
            bench.driver.perform(HaltShoe())
            bench.port.plug_in()
            assert bench.port.terminal != name
            await bench.paper.has(LinkRestored, 2)
            # Its state was asserted before it counted as back.
            assert shoe.is_locked
            assert bench.driver.status().is_up
            shoe.is_locked = False
            shoe.draw("As")
            await bench.paper.has(CardDrawn)
            assert len(bench.paper.said(LinkLost)) == 1

    run(work)


def test_a_shoe_that_says_nothing_is_one_lost_link_and_comes_back(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"deadline_s": 0.05, "poll_s": 0.2}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.is_mute = True
            (lost,) = await bench.paper.has(LinkLost)
            assert lost.reason == "no answer within 0.05 s, asked 3 times"
            assert bench.driver.statistics.retries == 2
            opened = bench.driver.status().statistics.opened
            await until(lambda: bench.driver.status().statistics.opened > opened + 1)
            assert len(bench.paper.said(LinkLost)) == 1
            said: list[str] = []
            assert not await bench.driver.test(said.append)
            assert "not there" in said[0]
            shoe.is_mute = False
            await bench.paper.has(LinkRestored, 2)

    run(work)


@pytest.mark.parametrize(
    ("before", "freed"),
    [(False, "good"), (None, "good"), (True, "not while the table has halted the shoe")],
)
def test_the_technicians_test_walks_the_lock_and_frees_no_shoe_that_is_halted(
    tmp_path: Path, before: bool | None, freed: str
) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            if before is not None:
                await locked(bench, is_so=before)
            said: list[str] = []
            assert await bench.driver.test(said.append)
            assert said[:3] == ["is it there: good", "lock: good", f"free: {freed}"]
            told = [] if before else ["its lock: the shoe reported that it changed"]
            assert said[3:] == told
            await until(lambda: bench.driver.locked is before)
            assert shoe.is_locked is bool(before)
            shoe.refusals += [6, 6, 6, 6, 6]
            assert not await bench.driver.test(said.append)
            assert said[3 + len(told)].endswith("unknown command")
            shoe.refusals.clear()
            shoe.is_mute = True
            assert not await bench.driver.test(said.append)

    run(work)


def test_the_technicians_test_frees_no_shoe_that_is_in_error(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            shoe.fail(0x44)
            await bench.paper.has(DeviceFaulted)
            said: list[str] = []
            assert not await bench.driver.test(said.append)
            assert said[2] == "free: not while it is in error"
            assert b"LK01" not in bench.paper.sent()

    run(work)


def test_a_shoe_that_acknowledges_its_lock_and_makes_none_fails_the_technicians_test(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            shoe.lies_about_lock = True
            said: list[str] = []
            assert not await bench.driver.test(said.append)
            assert said[1:3] == ["lock: good", "free: good"]
            assert "no change was reported" in said[3]

    run(work)


def test_a_shoe_that_is_halted_while_it_is_being_freed_is_never_freed_again(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        options: dict[str, Value] = {"deadline_s": 0.2, "poll_s": 60.0, "tries": 5}
        async with at_work(KIND, shoe, tmp_path / "shoe", options) as bench:
            await bench.paper.has(LinkRestored)
            shoe.say(b"P")
            await until(lambda: bench.driver.codec.knows_next)
            shoe.is_mute = True
            bench.driver.perform(FreeShoe())
            await until(lambda: bench.paper.sent().count(b"LK01") == 2)
            bench.driver.perform(HaltShoe())
            await until(lambda: bench.paper.sent().count(b"LK02") >= 2)
            shoe.is_mute = False
            await until(lambda: bench.driver.locked)
            assert bench.paper.sent().count(b"LK01") == 2
            assert shoe.is_locked

    run(work)


def test_an_order_while_the_answers_settle_counts_before_anything_is_sent(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"deadline_s": 0.3, "poll_s": 60.0}) as bench:
            await bench.paper.has(LinkRestored)
            for effect in (HaltShoe(), FreeShoe(), HaltShoe(), FreeShoe(), HaltShoe()):
                bench.driver.perform(effect)
                await asyncio.sleep(0.02)
            await until(lambda: bench.driver.locked)
            assert b"LK01" not in bench.paper.sent()
            assert shoe.is_locked

    run(work)


@pytest.mark.parametrize("first", [True, False])
def test_a_second_answer_to_one_order_is_not_taken_for_the_answer_to_the_next(
    tmp_path: Path, first: bool
) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        options: dict[str, Value] = {"deadline_s": 0.2, "poll_s": 60.0, "tries": 20}
        async with at_work(KIND, shoe, tmp_path / "shoe", options) as bench:
            await bench.paper.has(LinkRestored)
            await locked(bench, is_so=first)
            shoe.is_mute = True
            shoe.send(b"\x06")
            late = bench.driver.statistics.frames_in
            bench.driver.perform(FreeShoe() if first else HaltShoe())
            await until(lambda: bench.driver.statistics.frames_in > late)
            await until(lambda: bench.driver.statistics.retries)
            assert (bench.driver.locked, shoe.is_locked) == (None, first)
            shoe.is_mute = False
            await until(lambda: bench.driver.locked is not None)
            assert shoe.is_locked is not first

    run(work)


def test_a_refusal_that_lasts_is_told_once(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe()
        async with at_work(KIND, shoe, tmp_path / "shoe", {"poll_s": 0.05}) as bench:
            await bench.paper.has(LinkRestored)
            shoe.refusals += [7] * 6
            bench.driver.perform(HaltShoe())
            await until(lambda: bench.driver.locked)
            assert faults(bench.paper) == [("device", "the shoe refused to be locked: unknown type")]

    run(work)


def test_at_the_speed_of_the_real_line(tmp_path: Path) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(baud=4800, copies=2)
        dealt = [*NAMES[:12]]
        async with at_work(KIND, shoe, tmp_path / "shoe") as bench:
            await bench.paper.has(LinkRestored)
            for name in dealt:
                shoe.draw(name)
            await bench.paper.has(CardDrawn, 12)
            assert (cards(bench.paper), faults(bench.paper)) == (dealt, [])

    run(work)


LINES = [
    Lossy(seed=1, drop=0.2),
    Lossy(seed=2, drop=0.2, is_byte_at_a_time=True, delay_s=0.002),
    Lossy(seed=3, flip=0.01, noise=0.2),
    Lossy(seed=4, cut=0.2, duplicate=0.2, flip=0.005, is_byte_at_a_time=True, delay_s=0.001),
]


@pytest.mark.parametrize("line", LINES, ids=["loss", "bytes", "flips", "all"])
def test_on_a_bad_line_every_order_is_carried_out_or_the_link_is_lost(tmp_path: Path, line: Lossy) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(copies=3)
        options: dict[str, Value] = {"deadline_s": 0.4, "poll_s": 60.0, "tries": 8}
        async with at_work(KIND, shoe, tmp_path / "shoe", options, line) as bench:
            await bench.paper.has(LinkRestored)
            for number in range(8):
                wanted = number % 2 == 0
                lost = len(bench.paper.said(LinkLost))
                await _ordered(bench, shoe, wanted, lost)

    run(work)


async def _ordered(bench: Bench, shoe: AngelEyeShoe, wanted: bool, lost: int) -> None:
    """What the driver believes of the lock is so; where it cannot believe, it says that the link is lost."""
    bench.driver.perform(HaltShoe() if wanted else FreeShoe())
    await until(lambda: bench.driver.locked is wanted or len(bench.paper.said(LinkLost)) > lost, 30)
    if bench.driver.locked is wanted:
        assert shoe.is_locked is wanted
    else:
        await until(lambda: bench.driver.locked is wanted, 30)


@pytest.mark.parametrize("line", LINES, ids=["loss", "bytes", "flips", "all"])
def test_on_a_bad_line_no_card_is_wrong_without_a_fault(tmp_path: Path, line: Lossy) -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(copies=3)
        deck = list(NAMES)
        random.Random(line.seed).shuffle(deck)
        options: dict[str, Value] = {"deadline_s": 0.3, "poll_s": 60.0, "tries": 20}
        async with at_work(KIND, shoe, tmp_path / "shoe", options, line) as bench:
            await bench.paper.has(LinkRestored)
            for name in deck:
                shoe.draw(name)
                await asyncio.sleep(0)
            await until(lambda: not shoe._waiting and not bench.port._to_program._pieces, 30)
            bench.driver.perform(HaltShoe())
            await until(lambda: bench.driver.locked, 60)
            got = places(bench.paper)
            is_right = len(got) <= len(deck) and all(map(_is_the_card, got, deck))
            assert is_right or faults(bench.paper)

    run(work)


def test_commands_are_those_of_the_page() -> None:
    assert (LOCK.argument, UNLOCK.argument) == ("02", "01")
    assert PACK_SIZE == 52
    assert report(0, b"C") == b"\x05\x00C\x0340"


def test_the_port_may_be_missing_at_the_start(tmp_path: Path) -> None:
    async def work() -> None:
        paper = Paper()
        driver = KIND.make("shoe", {"port": str(tmp_path / "none")}, paper)
        await driver.start()
        (lost,) = await paper.has(LinkLost)
        assert "cannot be opened" in lost.reason
        assert not driver.status().is_up
        await driver.stop()
        assert driver.status().why == "stopped"

    run(work)
