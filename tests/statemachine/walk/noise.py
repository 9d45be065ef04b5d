"""What may happen at any time and mostly should not: every kind of event, with fields by chance.

Half of the fields are such as the table knows (its decks, its spots, the holds that stand), the others are
of no sense at all. Nothing here asks whether the table will agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.faults import FAULTS
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.events import Event, Key, Role, Secret

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from sabot.statemachine.table import Table

    from .world import World

KEYS = tuple(Key)
ROLES = tuple(Role)
DEVICES = ("shoe", "shuffler", "pad", "keys", "table")
FAULT_KINDS = (*(row.kind for row in FAULTS), "lamp", "")
MODES = ("play", "sort", "verify", "service")


class Noise:
    """Events that nobody asked for."""

    def __init__(self, table: Table, world: World, rng: random.Random) -> None:
        self.table = table
        self.world = world
        self.rng = rng
        self._makers: tuple[tuple[Callable[[], Event], int], ...] = (
            (self._key, 30),
            (self._wager, 12),
            (self._account, 4),
            (self._card, 5),
            (self._stack, 5),
            (self._shuffle_started, 1),
            (self._shuffle_completed, 4),
            (self._shuffler_stopped, 1),
            (self._jammed, 1),
            (self._faulted, 2),
            (self._retested, 5),
            (self._mode, 1),
            (self._emptied, 1),
            (self._link, 2),
            (self._role, 6),
            (self._sign_on, 2),
            (self._lot, 1),
            (self._time, 2),
            (self._resumed, 1),
            (self._draw, 2),
            (self._sealed, 1),
            (self._accounts, 1),
            (self._delayed, 2),
        )
        self._weights = [weight for _, weight in self._makers]
        self._at = 0.0

    def next(self, at: float) -> Event:
        """Any event."""
        self._at = at
        ((maker, _),) = self.rng.choices(self._makers, self._weights)
        return maker()

    def _event(self, kind: Callable[..., Event], **fields: Any) -> Event:
        return kind(at=self._at, source=self.rng.choice(("", "wire")), **fields)

    def _deck(self) -> str:
        return self.rng.choice(
            ("A", "B", "C", self.table.state.stock.in_shuffler, self.table.state.stock.in_play)
        )

    def _seat(self) -> int:
        return self.rng.randint(0, self.table.law.setup.seat_count + 1)

    def _known_or(self, known: list[str], others: tuple[str, ...]) -> str:
        return self.rng.choice(known if known and self.rng.random() < 0.6 else others)

    # ------------------------------------------------------------ people

    def _key(self) -> Event:
        return self._event(ev.KeyPressed, key=self.rng.choice(KEYS))

    def _role(self) -> Event:
        kind = self.rng.choice((ev.RoleUnlocked, ev.RoleLocked))
        role = self.rng.choice(ROLES)
        return self._event(kind, role=role, **({"person": f"{role} 2"} if kind is ev.RoleUnlocked else {}))

    def _sign_on(self) -> Event:
        return self._event(ev.DealerSignedOn, person=f"dealer {self.rng.randint(1, 4)}")

    def _lot(self) -> Event:
        lot, color = f"N{self.rng.randint(1, 99)}", self.rng.choice(("red", "blue"))
        return self._event(ev.LotRegistered, lot=lot, color=color, preshuffled=self.rng.random() < 0.3)

    # ------------------------------------------------------------ wagers

    def _wager(self) -> Event:
        """Half of the chips of a round under way go where a wager is locked already."""
        seat, wager = self._seat(), self.rng.choice((*self.table.law.chapter.wagers, "nonsense"))
        round_ = self.table.state.play.round
        if round_ is not None and round_.bets and self.rng.random() < 0.5:
            seat = self.rng.choice(sorted(round_.bets))
            wager = self.rng.choice(sorted(round_.bets[seat]))
        cents = self.rng.choice((0, 0, 100, 500, 1_000, 77, None, 1_000_000))
        return self._event(ev.WagerSensed, seat=seat, wager=wager, cents=cents)

    def _account(self) -> Event:
        wager = self.rng.choice((*self.table.law.chapter.wagers, "nonsense"))
        cents = self.rng.choice((0, 100, 500, -5))
        return self._event(ev.AccountWager, seat=self._seat(), wager=wager, cents=cents)

    def _draw(self) -> Event:
        card = self.rng.choice((None, self.rng.randrange(PACK_SIZE)))
        lucky = self.rng.choice((None, "dealer", self.rng.randint(1, 7)))
        return self._event(ev.DrawMade, magic_card=card, lucky=lucky)

    def _sealed(self) -> Event:
        return self._event(
            ev.DrawSealed, device="accounts", draw=self.rng.randint(1, 3), seal=self.rng.choice(("5e", "0f"))
        )

    def _accounts(self) -> Event:
        """A wagering system that is heard again, or that credits what it likes."""
        if self.rng.random() < 0.5:
            return self._event(
                ev.AccountCredited, device="accounts", number=self.rng.randint(1, 9), cents=100
            )
        stake = (self._seat(), self.rng.choice((*self.table.law.chapter.wagers, "nonsense")), 100)
        stakes = self.rng.choice(((), (stake,)))
        return self._event(
            ev.AccountsRead, device="accounts", round=self.table.state.books.rounds, stakes=stakes
        )

    # ------------------------------------------------------------ cards and devices

    def _card(self) -> Event:
        if self.rng.random() < 0.5 and len(self.world.out) < PACK_SIZE:
            return self._event(ev.CardDrawn, card=self.world.draw(1)[0])
        card = self.rng.choice((None, Secret(self.world.mark(self.rng.randrange(PACK_SIZE)))))
        return self._event(ev.CardDrawn, card=card)

    def _stack(self) -> Event:
        count = self.rng.randint(1, 7)
        cards = self.world.draw(count) if self.rng.random() < 0.5 else ()
        return self._event(ev.StackDispensed, count=count, cards=cards)

    def _delayed(self) -> Event:
        return self._event(ev.StackDelayed, device="shoe", deck=self.rng.choice((self._deck(), "")))

    def _shuffle_started(self) -> Event:
        return self._event(ev.ShuffleStarted, deck=self._deck())

    def _shuffle_completed(self) -> Event:
        count = self.rng.choice((PACK_SIZE, PACK_SIZE, PACK_SIZE, None, 51, 53))
        faces = self.world.faces() if self.rng.random() < 0.3 else ()
        if faces and self.rng.random() < 0.3:
            faces = (*faces[:-1], faces[0])
        return self._event(ev.ShuffleCompleted, deck=self._deck(), count=count, composition=faces)

    def _shuffler_stopped(self) -> Event:
        return self._event(ev.ShufflerStopped, deck=self._deck(), cause="jam")

    def _jammed(self) -> Event:
        return self._event(ev.DeviceJammed, device=self.rng.choice(("shoe", "shuffler")), cause="jam")

    def _faulted(self) -> Event:
        fault = self.rng.choice(FAULT_KINDS)
        return self._event(ev.DeviceFaulted, device=self.rng.choice(DEVICES), fault=fault, detail="")

    def _retested(self) -> Event:
        holds = self.table.state.trouble.holds
        device = self._known_or([each.device for each in holds], DEVICES)
        fault = self._known_or([each.kind for each in holds], FAULT_KINDS)
        return self._event(ev.DeviceRetested, device=device, fault=fault, good=self.rng.random() < 0.7)

    def _mode(self) -> Event:
        return self._event(ev.DeviceModeChanged, device="shuffler", mode=self.rng.choice(MODES))

    def _emptied(self) -> Event:
        out = self.rng.choice((PACK_SIZE, 51, 36))
        return self._event(ev.DeviceEmptied, device="shuffler", cards_in=PACK_SIZE, cards_out=out)

    def _link(self) -> Event:
        device = self._known_or([each.device for each in self.table.state.trouble.holds], DEVICES)
        if self.rng.random() < 0.4:
            return self._event(ev.LinkLost, device=device, reason="silence")
        return self._event(ev.LinkRestored, device=device)

    # ------------------------------------------------------------ time

    def _time(self) -> Event:
        return self._event(ev.TimeReached)

    def _resumed(self) -> Event:
        return self._event(ev.Resumed, down_s=self.rng.choice((None, 1.0, 60.0)))
