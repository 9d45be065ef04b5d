"""The simulators speak as the pages say: the kit finds nothing, and leaves nothing out."""

from collections.abc import Callable

import pytest

from sabot.drivers.registry import load
from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.hands import NoHands
from sabot.hil.conformance.kit import Setting
from sabot.hil.conformance.record import NOT_CLAIMED, NOT_TRIED, PASSED, CheckResult, Record
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.angel_eye_wire import ShoeOrder
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.machine import MIXING_S

from .broken_link import with_machine
from .virtual import HONEST, SETTINGS, Clock, kit_for, run_whole


def names(results: list[CheckResult], outcome: str) -> set[str]:
    return {each.name for each in results if each.outcome == outcome}


def words(results: list[CheckResult]) -> list[tuple[str, str]]:
    return [(each.name, each.words) for each in results if each.outcome != PASSED]


def verdict(results: list[CheckResult]) -> str:
    return Record("", "", "", "", results=results).verdict


@pytest.mark.parametrize("convention", KINDS)
def test_a_simulator_gets_a_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention]), convention)

    assert words(results) == []
    assert verdict(results) == "certificate"
    assert len(results) == len(KINDS[convention].checks)


@pytest.mark.parametrize("convention", ["sabot-link", "sabot-accounts", "sabot-pads"])
def test_without_authentication_the_proof_is_not_part_of_the_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], Setting(is_authenticated=False)), convention)

    prefix = "pads" if convention == "sabot-pads" else "link"
    assert names(results, NOT_CLAIMED) == {f"{prefix}.{name}" for name in ("enrolled", "proof", "forged")} | (
        {"link.replay", "link.stranger"} if prefix == "link" else set()
    )
    assert verdict(results) == "certificate"


@pytest.mark.parametrize("convention", ["sabot-link", "sabot-pads"])
def test_a_key_that_nobody_has_compared_is_not_tried(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], Setting()), convention)

    (untried,) = (each for each in results if each.outcome == NOT_TRIED)
    assert untried.name.endswith(".enrolled")
    assert "fingerprint" in untried.words
    assert verdict(results) == "incomplete"


@pytest.mark.parametrize("convention", KINDS)
def test_without_hands_nothing_is_wrong_and_there_is_no_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], hands=NoHands()), convention)

    assert verdict(results) == "incomplete"
    untried = [each for each in results if each.outcome == NOT_TRIED]
    assert len(untried) >= 2
    assert all("--person" in each.words or "link.shuffle" in each.words for each in untried)


def test_a_shuffler_that_counts_and_reads_nothing_is_certified_for_that() -> None:
    who = Who(kind=1, capabilities=1 | 4)
    make = lambda _: SabotLinkDevice(who, Machine(speed=20.0))  # noqa: E731

    results = run_whole(kit_for("sabot-link", make), "sabot-link")

    assert names(results, NOT_CLAIMED) == {
        "link.digest",
        "link.stack",
        "link.hides",
        "link.stub",
        "link.face-up",
        "link.sure",
        "link.deck",
        "link.exit",
        "link.cards",
        "link.given",
        "link.loose",
    }
    assert verdict(results) == "certificate"


class FastClock(Machine):
    """Its milliseconds are as short as the page lets them be, nearly."""

    def state(self, now: float) -> dict[str, int]:
        return {**super().state(now), "time": int((now - self.began) * 1090)}


def test_a_clock_that_is_a_little_fast_is_certified() -> None:
    results = run_whole(kit_for("sabot-link", with_machine(FastClock)), "sabot-link")

    assert words(results) == []
    assert verdict(results) == "certificate"


def test_pads_without_values_are_certified_for_that() -> None:
    results = run_whole(
        kit_for("sabot-pads", lambda clock: Pad(Build(spots=4, has_values=False), now=lambda: clock.now_s)),
        "sabot-pads",
    )

    assert names(results, NOT_CLAIMED) == {"pads.changed"}
    assert verdict(results) == "certificate"


@pytest.mark.parametrize("wraps", [True, False])
def test_a_display_is_certified_wherever_its_cursor_goes_and_for_what_is_named(wraps: bool) -> None:
    make = lambda _: EscposDisplay(wraps=wraps)  # noqa: E731

    results = run_whole(kit_for("escpos", make, Setting(options={"brightness": 2})), "escpos")

    assert names(results, NOT_CLAIMED) == {"display.high", "display.there"}
    assert verdict(results) == "certificate"


class SlowShoe(AngelEyeShoe):
    """It answers after so many seconds."""

    def __init__(self, clock: Clock, late_s: float) -> None:
        super().__init__()
        self.clock, self.late_s = clock, late_s

    def received(self, data: bytes) -> None:
        self.clock.now_s += self.late_s
        super().received(data)


@pytest.mark.parametrize(("deadline_s", "found"), [(1.0, "to fix"), (2.0, "certificate")])
def test_a_shoe_is_judged_by_the_deadline_that_its_table_will_have(deadline_s: float, found: str) -> None:
    setting = Setting(options={"deadline_s": deadline_s})

    results = run_whole(kit_for("angel-eye", lambda clock: SlowShoe(clock, 1.5), setting), "angel-eye")

    assert verdict(results) == found


class BusyShoe(AngelEyeShoe):
    """Every third command finds it busy."""

    heard = 0
    code = 8

    def _obey(self, order: ShoeOrder) -> None:
        self.heard += 1
        if order.is_good and self.heard % 3 == 0:
            self.send(bytes((0x15, self.code)))
        else:
            super()._obey(order)


class BusyInADigit(BusyShoe):
    """The same, told by the digit of the number."""

    code = ord("8")


@pytest.mark.parametrize("shoe", [BusyShoe, BusyInADigit])
@pytest.mark.parametrize(("tries", "found"), [(1, "to fix"), (2, "certificate")])
def test_a_shoe_that_is_busy_is_asked_as_often_as_its_table_will(
    shoe: type[BusyShoe], tries: int, found: str
) -> None:
    setting = Setting(options={"tries": tries})

    results = run_whole(kit_for("angel-eye", lambda _: shoe(), setting), "angel-eye")

    assert verdict(results) == found, words(results)


class SlowMachine(Machine):
    """Slow, and never quite sure: one for which the table file makes allowance."""

    def after(self, delay_s: float, do: Callable[[float], None], now: float) -> None:
        super().after(300.0 * self.speed if delay_s == MIXING_S else delay_s, do, now)

    def _do_dispense(self, values: dict[str, int], now: float) -> None:
        super()._do_dispense(values, now)
        _, turn, do = self.agenda.pop()
        self.agenda.append((now + 12.0, turn, do))

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"confidence": 75} if name == "CARD_READ" else {}))


ALLOWANCE = {"cycle_s": 400.0, "stack_s": 20.0, "confidence": 70}


@pytest.mark.parametrize("missing", ["", *ALLOWANCE])
def test_a_shuffler_is_judged_by_the_times_and_the_bound_that_its_table_will_have(missing: str) -> None:
    options = {name: value for name, value in ALLOWANCE.items() if name != missing}
    setting = SETTINGS["sabot-link"]._replace(options=options)
    slow = lambda _: SabotLinkDevice(Who(), SlowMachine(speed=20.0))  # noqa: E731

    results = run_whole(kit_for("sabot-link", slow, setting), "sabot-link")

    assert verdict(results) == ("to fix" if missing else "certificate"), words(results)


OF_THE_HOST = {
    "sabot-link": "port duty authenticated identities color_a color_b busy_s taken_s load_s maker model serial firmware",
    "sabot-accounts": "port wagers seats beside authenticated maker model serial firmware",
    "sabot-pads": "port spots seats sensing authenticated expect_s pin_maker pin_model pin_serial pin_firmware",
    "angel-eye": "port shoe_game gap_is_fault cannot_read_is_card poll_s",
    "alpha": "port meters format read_back check_s tries",
    "escpos": "port presence_s refresh_s scroll_s",
}


@pytest.mark.parametrize("convention", KINDS)
def test_what_a_driver_can_be_told_of_a_device_the_kit_can_be_told_in_the_same_words(convention: str) -> None:
    schema = {each.name: each for each in load(convention).schema}
    choices = {each.name: each for each in KINDS[convention].choices}

    assert choices.keys() == schema.keys() - set(OF_THE_HOST[convention].split())
    for name, choice in choices.items():
        option = schema[name]
        assert (choice.default, choice.low, choice.high) == (option.default, option.low, option.high), name
        assert tuple(choice.choices) == tuple(option.choices), name
