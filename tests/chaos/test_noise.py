"""Ten megabytes of noise into every wire of the running program; it locks, and goes on."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import NamedTuple

import pytest

from sabot.hil.table.hands import Hands
from tests.chaos.console_abuse import ABUSES
from tests.chaos.people import bring_home
from tests.chaos.stage import Stage
from tests.chaos.truth import verify_stopped

MB = 1_000_000
NOISE_BYTES, AT_ONCE = 10 * MB, MB
MOST_MORE_MB = 24.0
# Words for a lag: what a dealer takes for an answer at once, on a machine that may be ten times as slow.
LONGEST_LAG_MS = 2000.0


class Noise(NamedTuple):
    """What is done to one wire, again and again."""

    device: str
    what: str
    turns: int
    more: dict[str, object]


FLOODED = ("shoe", "shuffler", "sign", "display", "pads")
STORMS = (("key_ok",), ("key_ok", "key_back", "key_left", "key_menu", "key_floor", "key_switch", "door"))
EDGES = 5000


class Thrower(threading.Thread):
    """Makes noise from a connection of its own, while somebody plays."""

    def __init__(self, stage: Stage, noise: Noise) -> None:
        super().__init__(name=f"noise {noise.device}", daemon=True)
        self.noise, self._root = noise, stage.root
        self.thrown = 0

    def run(self) -> None:
        hands = Hands(self._root)
        hands._socket.settimeout(300.0)
        for turn in range(self.noise.turns):
            answer = hands._ask(device=self.noise.device, rough=self.noise.what, seed=turn, **self.noise.more)
            self.thrown += answer.get("sent", answer.get("edges", 0))
        hands.close()


def begin_round(stage: Stage) -> None:
    stage.crew.follow_to("BETS OPEN")
    stage.crew.bet(0, 2500)
    stage.crew.hands.wait_display("1 SEATS")


def assert_in_order(stage: Stage, before_mb: float) -> None:
    assert stage.is_running
    assert stage.starts == 1
    assert stage.resident_mb - before_mb < MOST_MORE_MB
    assert stage.figures()["loop_lag_ms"] < LONGEST_LAG_MS
    assert stage.traces() == []


def test_noise_on_any_wire_never_keeps_the_table_from_its_lock(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa641a", "manual_shoe") as stage:
        before_mb = stage.resident_mb
        for device in FLOODED:
            begin_round(stage)
            noise = Thrower(stage, Noise(device, "flood", NOISE_BYTES // AT_ONCE, {"bytes": AT_ONCE}))
            noise.start()
            stage.lock()
            noise.join(300)
            assert noise.thrown >= NOISE_BYTES
            bring_home(stage)
            assert_in_order(stage, before_mb)
    records = verify_stopped(stage.root).records
    assert [record["bets"] for record in records] == [{"1": {"ante": 2500}}] * len(FLOODED)


@pytest.mark.parametrize("lines", STORMS, ids="-".join)
def test_a_storm_of_edges_never_keeps_the_table_from_its_lock(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with Stage(tmp_path / "state", "pa641a", "manual_shoe") as stage:
        before_mb = stage.resident_mb
        begin_round(stage)
        storm = Thrower(stage, Noise("lines", "storm", 10, {"lines": lines, "edges": EDGES}))
        storm.start()
        stage.lock()
        storm.join(300)
        assert storm.thrown == 10 * EDGES
        assert stage.crew.hands.see("lines")["lock_open"] == 0
        assert_in_order(stage, before_mb)
    verify_stopped(stage.root)


def test_no_abuse_of_the_console_keeps_the_table_from_its_lock(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "manual_shoe") as stage:
        before_mb = stage.resident_mb
        for name, at_work in ABUSES.items():
            begin_round(stage)
            with at_work(stage.root / "console.sock", NOISE_BYTES) as abuse:
                stage.lock()
                stage.crew.follow_to("BETS OPEN")
                abuse.join(300)
            assert not abuse.is_alive(), name
            assert stage.console("status").end == "done"
            assert_in_order(stage, before_mb)
            assert stage.holds() == []
    assert len(verify_stopped(stage.root).records) == len(ABUSES)
