"""A real table, the real driver and a simulated wagering system, joined by a bad line in virtual time.

Nothing is told to the table but what the driver says, and nothing to the system but what the table orders.
"""

from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.drivers.options import Value, defaults
from sabot.drivers.sabot_accounts.driver import SabotAccountsDriver
from sabot.drivers.sabot_accounts.options import SCHEMA
from sabot.drivers.sabot_accounts.talk import AccountsTalk
from sabot.hil.simulators.sabot_accounts import AccountsDevice, System
from sabot.hil.simulators.sabot_accounts.device import who
from sabot.statemachine.state.snapshot import HeldFault
from sabot.statemachine.vocabulary.events import DeviceFaulted, DrawMade, DrawSealed, Event, LinkLost
from tests.drivers.sabot_link.link_pair import Joined, Line
from tests.statemachine.shift import Shift

PUBLIC = Ed25519PrivateKey.from_private_bytes(who().secret).public_key().public_bytes_raw()
PLAYER, DEALER = "hand_bonus_player", "hand_bonus_dealer"
FULL_HOUSE = "2c 2s 2h 8d 8h"


def options(**given: Value) -> dict[str, Value]:
    return {**defaults(SCHEMA), "port": "none", "wagers": f"{PLAYER} {DEALER}", **given}


class AccountsPair(Joined[AccountsTalk, AccountsDevice]):
    """The driver's talk and a simulated system."""

    def __init__(self, line: Line | None, seed: int, **given: Value) -> None:
        def make(chance: Random) -> tuple[AccountsTalk, AccountsDevice]:
            device = AccountsDevice(who(), System(chance.randbytes), chance.randbytes)
            return AccountsTalk("accounts", options(**given), lambda: PUBLIC, chance.randbytes), device

        super().__init__(make, line, seed)

    @property
    def system(self) -> System:
        return self.device.system


class Lent:
    """What the program lends to a driver, as far as its effects need it."""

    keyring: Any = None

    def __init__(self, floor: "Floor") -> None:
        self.floor = floor

    def now(self) -> float:
        return self.floor.pair.now

    def post(self, event: Event) -> None:
        raise AssertionError(event)

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        raise AssertionError(device, direction, data)


class Driver(SabotAccountsDriver):
    """The driver without its port: what it says is carried by the pair."""

    def _carry_out(self) -> None:
        return


class Floor:
    """A table, a system, and a line between them."""

    def __init__(self, line: Line | None = None, seed: int = 1, **given: Value) -> None:
        self.pair = AccountsPair(line, seed, **given).up()
        self.driver = Driver("accounts", options(), Lent(self))
        self.driver.talk = self.pair.host
        self.shift = Shift("pa641a")
        self.done = self.heard = 0
        self.shift.open_table()
        self.rest()

    @property
    def system(self) -> System:
        return self.pair.system

    def carry(self) -> None:
        """Carry effects and events to and fro, once."""
        for effect in self.shift.effects[self.done :]:
            self.driver.perform(effect)
        self.done = len(self.shift.effects)
        self.pair.flush()
        events, self.heard = self.pair.heard[self.heard :], len(self.pair.heard)
        for event in events:
            self.shift.now = max(self.shift.now, self.pair.now)
            self.shift.handle(event)

    def rest(self, seconds: float = 1.0) -> "Floor":
        """Let time pass for all three."""
        end = self.pair.now + seconds
        while self.pair.now < end:
            self.carry()
            self.pair.run(0.02)
        self.carry()
        return self

    def ante(self, *seats: int) -> "Floor":
        for seat in seats:
            self.shift.bet(seat, ante=1000)
        return self.rest()

    def act(self, line: str, seconds: float = 1.0) -> "Floor":
        """Let a player or the system do something, as a person would type it."""
        self.pair.act(line)
        return self.rest(seconds)

    def lock(self) -> "Floor":
        self.shift.lock()
        return self.rest()

    def deal(self) -> "Floor":
        self.shift.deal(seat2=FULL_HOUSE, dealer="3s 5h 7d 9c Jd Qh")
        return self.rest()

    def reveal(self) -> "Floor":
        """All decide, what was drawn is opened, and the cards are turned."""
        self.shift.answer_all()
        self.rest()
        self.shift.reveal()
        return self.rest()

    def settle(self) -> "Floor":
        self.shift.settle_all()
        return self.rest()

    def next_round(self) -> "Floor":
        self.shift.next_round()
        return self.rest()

    def cut(self) -> "Floor":
        """The cable is out until both sides know it."""
        self.pair.is_cut = True
        return self.rest(4.0)

    def heal(self) -> "Floor":
        """The cable is back, and the floor has looked."""
        self.pair.is_cut = False
        self.rest(8.0)
        return self.release()

    def release(self) -> "Floor":
        """Test each fault again, and release it."""
        for _ in range(len(self.shift.table.state.trouble.holds)):
            self.pair.host.retest("all", self.pair.now)
            self.rest()
            held = self.shift.table.rooms.faults.held
            if held is not None:
                person = self.shift.floor if held.role.value == "floor" else self.shift.technician
                person("RELEASE")
            self.rest()
        return self

    def start_anew(self) -> None:
        """The controller loses power and comes back: its books are empty, its table is the journal's."""
        host = AccountsTalk("accounts", options(), lambda: PUBLIC, self.pair.chance.randbytes)
        self.pair.host = self.driver.talk = host
        self.pair.flying.clear()
        self.done, self.heard = len(self.shift.effects), len(self.pair.heard)
        host.opened(self.pair.now)
        self.pair.flush()

    def confirm(self) -> "Floor":
        """The floor has looked at the felt after a restart."""
        self.shift.floor("CONFIRM ROUND")
        return self.rest()

    @property
    def held(self) -> HeldFault:
        held = self.shift.table.rooms.faults.held
        assert held is not None
        return held

    @property
    def whys(self) -> list[str]:
        """Why the table is held, and of what the driver complained before."""
        complaints = [event.detail for event in self.pair.heard if isinstance(event, DeviceFaulted)]
        return [*complaints, *(held.why for held in self.shift.table.state.trouble.holds)]

    @property
    def drawn(self) -> list[type[Event]]:
        return [type(event) for event in self.pair.heard if isinstance(event, (DrawSealed, DrawMade))]

    def lost(self) -> int:
        return sum(isinstance(event, LinkLost) for event in self.pair.heard)


def wagered(**given: Any) -> Floor:
    """A table with an Ante and a hand bonus at seat 2, both standing."""
    floor = Floor(**given).ante(2)
    floor.act("sit 2 10000")
    return floor.act("place 2 1 500")
