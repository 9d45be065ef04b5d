"""Devices that keep to nothing: they stall, babble, start anew in the middle, double what they say."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.hands import NoHands
from sabot.hil.conformance.kit import Setting
from sabot.hil.conformance.record import NOT_TRIED, PASSED, TO_FIX, Record
from sabot.hil.conformance.run import run_checks
from tests.drivers.angel_eye.foreign_shoe import ForeignShoe
from tests.drivers.foreign_ends import ForeignSign

from .virtual import HONEST, kit_for, run_whole

# What no run of a kit may take, whatever is on the other end: by the clock of the page.
LONGEST_S = 3600.0
# After so many messages it goes wrong; a sign says few.
EVENTS, FEW = 40, 4


class Unruly:
    """An honest device whose bytes go through something; it never speaks to who does not read."""

    def __init__(self, convention: str, spoil: Callable[["Unruly", bytes], bytes]) -> None:
        self.kit = kit_for(convention, HONEST[convention])
        self.inner: Any = self.kit.line
        self.spoil, self.said = spoil, 0
        self.patience = FEW if convention == "alpha" else EVENTS
        self.kit.line = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def read(self, until: float) -> bytes:
        data = self.inner.read(until)
        self.said += bool(data)
        return self.spoil(self, data)


def stalls(line: Unruly, data: bytes) -> bytes:
    """Half a message, and nothing more."""
    return (
        data if line.said < line.patience else data[: len(data) // 2] if line.said == line.patience else b""
    )


def babbles(line: Unruly, data: bytes) -> bytes:
    """From some message on it never stops, whoever asks whatever."""
    if line.said < line.patience:
        return data
    line.inner.clock.now_s += 0.001
    return data + bytes((line.said * each) % 256 for each in range(64))


def echoes(_line: Unruly, data: bytes) -> bytes:
    """Each piece twice."""
    return data + data


def starts_anew(line: Unruly, data: bytes) -> bytes:
    """Every so-manieth message is cut off by a start."""
    if data and line.said % line.patience == 0:
        for name in ("reboot", "restart", "start"):
            if name in line.inner.actions():
                line.inner.actions()[name][1]("As" if name == "reboot" else "")
                break
        return data[: len(data) // 2]
    return data


@pytest.mark.parametrize("spoil", [stalls, babbles, echoes, starts_anew])
@pytest.mark.parametrize("convention", list(KINDS))
def test_every_run_ends_in_time_with_a_judgement_and_no_traceback(
    convention: str, spoil: Callable[[Unruly, bytes], bytes]
) -> None:
    line = Unruly(convention, spoil)
    began = line.inner.now()
    results = list(run_checks(line.kit, KINDS[convention].checks, lambda *_: None))

    assert len(results) == len(KINDS[convention].checks)
    assert line.inner.now() - began < LONGEST_S
    assert not [each.words for each in results if "nothing can be made" in each.words]
    # A display says nothing, so nothing of it can be spoiled; what comes twice at once harms nobody.
    is_harmless = convention == "escpos" or spoil is echoes
    assert is_harmless or Record(convention, "", "", "", results=results).verdict == TO_FIX


@pytest.mark.parametrize("digits", [1, 2])
def test_a_shoe_that_somebody_else_built_from_the_page_gets_its_certificate(digits: int) -> None:
    shoe = ForeignShoe()
    shoe.digits = digits
    kit = kit_for("angel-eye", lambda _: shoe, Setting(options={"refusal_bytes": digits}))

    results = run_whole(kit, "angel-eye")

    assert [(each.name, each.words) for each in results if each.outcome != PASSED] == []


def test_a_sign_that_somebody_else_built_is_right_in_all_but_what_eyes_must_see() -> None:
    results = run_whole(kit_for("alpha", lambda _: ForeignSign(), hands=NoHands()), "alpha")

    assert [each.name for each in results if each.outcome == NOT_TRIED] == ["sign.shown", "sign.back"]
    assert {each.outcome for each in results} == {PASSED, NOT_TRIED}
