"""Stations, accounts and draws of a wagering system: the works behind the link, with real times.

What must survive a loss of power is kept in fields that ``lose_power`` does not touch. It can be told to lie.
"""

# Theory of operation. A wager is asked for by a hand on a station (`asked`, money set aside, a ticket) and
# stands when the table has answered that ticket (`standing`). Bets are open, closed, or taken in: `take`
# makes exactly the standing stakes those of a round, frees the others, and draws under seals. Credits are a
# list in which a number is a place, so that the same order books nothing and another one under its number is
# refused. Works that take a moment (`after`) are done when the line's clock comes to them (`run`).

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sabot.hil.simulators.sabot_accounts.draws import Draw, Source
from sabot.hil.simulators.sabot_link.on_line import Works
from sabot.hil.simulators.sabot_link.wire import Fields

OK, FAULTED, UNABLE, NONSENSE, OTHERWISE = 0, 6, 7, 8, 11
CLOSED, OPEN, TAKEN = 0, 1, 2
NO_SOURCE, NO_ACCOUNTS = 20, 21
WORK_S, TEST_S = 0.04, 0.2
FIRST_ACCOUNT, RICH = 0xACC00000, 1_000_000
Spot = tuple[int, int]


@dataclass
class Placed:
    """A stake that a station asked for, or that stands there."""

    cents: int
    account: int
    ticket: int = 0


@dataclass
class Booked:
    """A credit, as it was ordered."""

    order: dict[str, int]
    account: int
    total: int
    is_told: bool = False


@dataclass
class SystemLies:
    """The misdeeds of a system that lies or stumbles."""

    late: bool = False
    twice: bool = False
    told_twice: bool = False
    seal: bool = False
    short: bool = False
    other_account: bool = False
    same_ticket: bool = False
    forgets: bool = False
    mute: bool = False


@dataclass
class System(Works):
    """The works of a wagering system."""

    random: Callable[[int], bytes]
    stations: int = 7
    wagers: int = 2
    lies: SystemLies = field(default_factory=SystemLies)
    wants_identities: bool = False
    wants_whole: bool = False
    cause_remains: bool = False

    def __post_init__(self) -> None:
        self.begin()
        self.source = Source(self.random, self.stations)
        self.balances: dict[int, int] = {}
        self.seated: dict[int, int] = {}
        self.standing: dict[Spot, Placed] = {}
        self.asked: dict[Spot, Placed] = {}
        self.dark: set[Spot] = set()
        self.shown: dict[Spot, str] = {}
        self.credits: list[Booked] = []
        self.phase = CLOSED
        self.round = self.ticket = self.total = 0
        self.began = 0.0
        self.questions: Mapping[str, tuple[str, Callable[[float], Fields]]] = {
            "QUERY": ("STANDING", self.state),
            "COUNT": ("STAKES", self.count),
        }
        self.commands: Mapping[str, Callable[[Fields, float], int]] = {
            "OPEN_BETS": self.open,
            "CLOSE_BETS": self.close,
            "TAKE": self.take,
            "ANSWER": self.answer,
            "CREDIT": self.credit,
            "UNSEAL": self.unseal,
            "DARK": self.darken,
            "RETEST": self.retest,
            "CLEAR_FAULT": self.clear,
        }

    # ---------------------------------------------------------------- what the link calls

    def command(self, name: str, values: Fields, now: float) -> int:
        """Carry out a command, and return the code of its RESULT."""
        return self.commands[name](values, now)

    def no_host(self) -> None:
        """Take no more bets: nobody is heard."""
        if self.phase == OPEN:
            self.phase = CLOSED

    def state(self, now: float) -> Fields:
        """Return the fields of STANDING."""
        return {
            "phase": self.phase,
            "round": self.round,
            "stations": self.stations,
            "wagers": self.wagers,
            "placed": len(self.standing),
            "cents": sum(each.cents for each in self.standing.values()),
            "credits": len(self.credits),
            "total": self.total,
            "draw": self.source.last,
            "fault": self.fault,
            "time": int((now - self.began) * 1000) % 2**32,
        }

    def count(self, _now: float) -> Fields:
        """Void what has no answer, and return every wager that stands."""
        for spot in list(self.asked):
            self._void(spot)
        rows = b"".join(
            bytes(spot) + each.cents.to_bytes(4, "big") + each.account.to_bytes(4, "big")
            for spot, each in sorted(self.standing.items())
        )
        return {"round": self.round if self.phase == TAKEN else 0, "stakes": rows}

    # ---------------------------------------------------------------- players

    def sit(self, seat: int, cents: int) -> int:
        """Sit somebody down with a new account, and return the account."""
        account = FIRST_ACCOUNT + len(self.balances) + 1
        self.seated[seat] = account
        self.balances[account] = cents
        return account

    def place(self, seat: int, wager: int, cents: int, now: float) -> str:
        """Lay a hand on a station; return why it has no effect, or an empty string."""
        spot = (seat, wager)
        if not (1 <= seat <= self.stations and 1 <= wager <= self.wagers):
            return "there is no such station"
        why = self._why_dark(spot, cents)
        if why and not self.lies.late:
            return why
        account = self.seated.get(seat) or self.sit(seat, RICH)
        needed = cents - self._aside(spot)
        if needed > self.balances[account]:
            return "the account has not enough"
        # More than before is set aside when it is asked for; what is less is given back when it was accepted.
        self.balances[account] -= max(0, needed)
        self.ticket += 0 if self.lies.same_ticket and self.ticket else 1
        self.asked[spot] = Placed(cents, account, self.ticket)
        self.shown[spot] = "WAITS"
        self.say("WAGER", now, ticket=self.ticket, seat=seat, wager=wager, cents=cents, account=account)
        return ""

    def _why_dark(self, spot: Spot, cents: int) -> str:
        if self.phase != OPEN:
            return "no more bets"
        if spot in self.asked:
            return "what was asked has no answer yet"
        if self.fault == NO_ACCOUNTS:
            return "the accounts are not reached"
        return "" if cents or spot in self.standing else "nothing to withdraw"

    def _aside(self, spot: Spot) -> int:
        return self.standing[spot].cents if spot in self.standing else 0

    def leave(self, seat: int, now: float) -> None:
        """Withdraw everything of a player, who goes."""
        for spot in [each for each in self.standing if each[0] == seat]:
            self.place(*spot, 0, now)
        self.seated.pop(seat, None)

    # ---------------------------------------------------------------- wagers

    def open(self, _values: Fields, _now: float) -> int:
        """Open the stations; the round before is over."""
        if self.fault:
            return FAULTED
        if self.phase == TAKEN:
            self.standing.clear()
            self.shown.clear()
        self.phase = OPEN
        return OK

    def close(self, _values: Fields, _now: float) -> int:
        """Take no more bets."""
        self.no_host()
        return OK

    def answer(self, values: Fields, _now: float) -> int:
        """Take the table's word: a wager is accepted or not, or one that stands has fallen."""
        spot = (values["seat"], values["wager"])
        if not self._is_there(spot) or values["accepted"] > 1:
            return NONSENSE
        if not values["ticket"]:
            return self._fall(spot, values)
        asked = self.asked.get(spot)
        if asked is None or (asked.ticket, asked.cents) != (values["ticket"], values["cents"]):
            return OTHERWISE
        if not values["accepted"]:
            self._void(spot)
            self.shown[spot] = f"NOT ACCEPTED: {values['why']}"
            return OK
        del self.asked[spot]
        self._free(asked.account, max(0, self._aside(spot) - asked.cents))
        self._stand(spot, asked)
        return OK

    def _is_there(self, spot: Spot) -> bool:
        return 1 <= spot[0] <= self.stations and 1 <= spot[1] <= self.wagers

    def _fall(self, spot: Spot, values: Fields) -> int:
        standing = self.standing.get(spot)
        if values["accepted"] or standing is None or self.phase == TAKEN:
            return OTHERWISE
        self._free(standing.account, standing.cents)
        del self.standing[spot]
        self.shown[spot] = f"RETURNED: {values['why']}"
        return OK

    def _stand(self, spot: Spot, asked: Placed) -> None:
        if asked.cents:
            self.standing[spot] = asked
            self.shown[spot] = f"ACCEPTED {asked.cents}"
        else:
            self.standing.pop(spot, None)
            self.shown[spot] = ""

    def _void(self, spot: Spot) -> None:
        """Void what was asked, as if it had never been."""
        asked = self.asked.pop(spot)
        self._free(asked.account, max(0, asked.cents - self._aside(spot)))
        self.shown[spot] = f"ACCEPTED {self._aside(spot)}" if spot in self.standing else ""

    def _free(self, account: int, cents: int) -> None:
        self.balances[account] += cents

    def darken(self, values: Fields, _now: float) -> int:
        """Note the spots that would not stand as things are."""
        data = values["spots"]
        if len(data) % 2:
            return NONSENSE
        self.dark = {(data[at], data[at + 1]) for at in range(0, len(data), 2)}
        return OK

    def is_lit(self, spot: Spot) -> bool:
        """Return whether a station shows that its wager is accepted and in order."""
        return spot in self.standing and spot not in self.asked and spot not in self.dark

    # ---------------------------------------------------------------- the round

    def take(self, values: Fields, now: float) -> int:
        """Take these stakes into the round, or nothing."""
        stakes = _stakes_of(values["stakes"])
        if stakes is None or not values["round"]:
            return NONSENSE
        there = {spot: each.cents for spot, each in self.standing.items()}
        if self.phase == TAKEN and values["round"] == self.round:
            if stakes != there:
                return OTHERWISE
        elif not self._take_in(values["round"], stakes, there):
            return OTHERWISE
        self.after(WORK_S, self._taken_in, now)
        return OK

    def _take_in(self, round_: int, stakes: dict[Spot, int], there: dict[Spot, int]) -> bool:
        if self.phase != CLOSED or round_ <= self.round:
            return False
        if any(there.get(spot) != cents for spot, cents in stakes.items()):
            return False
        for spot in list(self.asked):
            self._void(spot)
        for spot in there.keys() - stakes.keys():
            self._free(self.standing[spot].account, self.standing[spot].cents)
            del self.standing[spot]
        self.phase, self.round = TAKEN, round_
        if self.fault != NO_SOURCE:
            self.source.draw_for(round_)
        return True

    def _taken_in(self, now: float) -> None:
        """Report the draws of the round that are still sealed, then that it is taken in."""
        draws = self.source.of(self.round)
        for draw in draws:
            if not draw.is_open:
                self.say("SEALED", now, draw=draw.number, round=draw.round, seal=draw.seal)
        if self.lies.mute:
            return
        placed = list(self.standing.values())[self.lies.short :]
        cents = sum(each.cents for each in placed)
        self.say("TAKEN_IN", now, round=self.round, count=len(placed), cents=cents, draws=len(draws))

    def unseal(self, values: Fields, now: float) -> int:
        """Open a draw of the round when it is due."""
        draw = next((each for each in self.source.of(self.round) if each.number == values["draw"]), None)
        if draw is None or self.phase != TAKEN:
            return OTHERWISE
        draw.is_open = True
        self.after(WORK_S, lambda at: self._opened(draw, at), now)
        return OK

    def _opened(self, draw: Draw, now: float) -> None:
        value = draw.value ^ 1 if self.lies.seal else draw.value
        if not self.lies.mute:
            self.say(
                "OPENED", now, draw=draw.number, round=draw.round, kind=draw.kind, value=value, salt=draw.salt
            )

    # ---------------------------------------------------------------- credits

    def credit(self, values: Fields, now: float) -> int:
        """Credit the account of a stake, once for each number."""
        order = {name: values[name] for name in ("number", "round", "seat", "wager", "kind", "cents")}
        spot = (order["seat"], order["wager"])
        if not self._is_there(spot) or order["kind"] not in (1, 2) or not order["cents"]:
            return NONSENSE
        if 0 < order["number"] <= len(self.credits):
            booked = self.credits[order["number"] - 1]
            if booked.order != order:
                return OTHERWISE
            self.after(WORK_S, lambda at: self._book(booked, at), now)
            return OK
        is_in = self.phase == TAKEN and order["round"] == self.round and spot in self.standing
        if order["number"] != len(self.credits) + 1 or not is_in:
            return OTHERWISE
        cents = order["cents"] * (2 if self.lies.twice else 1)
        self.total += cents
        booked = Booked(order, self.standing[spot].account, self.total)
        self.credits.append(booked)
        self._free(booked.account, cents)
        self.after(WORK_S, lambda at: self._book(booked, at), now)
        return OK

    def _book(self, booked: Booked, now: float) -> None:
        if self.lies.mute:
            return
        told = {name: booked.order[name] for name in ("number", "round", "cents")}
        account = booked.account + self.lies.other_account
        again, booked.is_told = int(booked.is_told), True
        self.say("CREDITED", now, **told, account=account, total=booked.total, again=again)
        if self.lies.told_twice and not again:
            self.say("CREDITED", now, **told, account=account, total=booked.total, again=0)

    # ---------------------------------------------------------------- for whoever looks

    def shows(self, now: float) -> dict[str, Any]:
        """Return the visible side: its state, and each station's words and light."""
        spots = [(seat, wager) for seat in range(1, self.stations + 1) for wager in range(1, self.wagers + 1)]
        words = {f"station_{seat}_{wager}": self._first_word((seat, wager)) for seat, wager in spots}
        lit = {f"lit_{seat}_{wager}": self.is_lit((seat, wager)) for seat, wager in spots}
        return {**self.state(now), **words, **lit}

    def _first_word(self, spot: Spot) -> str:
        return self.shown.get(spot, "").partition(" ")[0].strip(":").lower() or "dark"

    def kept(self) -> dict[str, Any]:
        """Return the books, for a table that is being put away."""
        return {"round": self.round, "ticket": self.ticket, "total": self.total, "draw": self.source.last} | {
            "credits": [[each.order, each.account, each.total] for each in self.credits]
        }

    def lay_back(self, kept: dict[str, Any]) -> None:
        """Take up the books as they were."""
        self.round, self.ticket, self.total = kept["round"], kept["ticket"], kept["total"]
        self.source.before = kept["draw"]
        self.credits = [
            Booked(order, account, total, is_told=True) for order, account, total in kept["credits"]
        ]

    # ---------------------------------------------------------------- faults and power

    def retest(self, values: Fields, now: float) -> int:
        """Test the cause again."""
        self.after(TEST_S, lambda at: self._retested(values["fault"], at), now)
        return OK

    def _retested(self, fault: int, now: float) -> None:
        self.tested = not (self.fault and self.cause_remains)
        self.say("RETESTED", now, fault=fault, good=int(self.tested))

    def clear(self, _values: Fields, now: float) -> int:
        """Clear a fault that a person has released."""
        if self.fault and not self.tested:
            return FAULTED
        if self.fault:
            self.say("FAULT", now, fault=self.fault, latched=0)
        self.fault = 0
        return OK

    def lose_power(self, now: float) -> None:
        """Lose power and have it again: what is neither money nor a draw is gone."""
        self.agenda.clear()
        self.no_host()
        for spot in list(self.asked):
            self._void(spot)
        if self.lies.forgets:
            self.standing.clear()
        self.began = now


def _stakes_of(data: bytes) -> dict[Spot, int] | None:
    """Return the stakes of TAKE; None if they are not as the page has them."""
    rows = [data[at : at + 6] for at in range(0, len(data), 6)]
    spots = [(row[0], row[1]) for row in rows]
    if len(data) % 6 or spots != sorted(set(spots)):
        return None
    return {(row[0], row[1]): int.from_bytes(row[2:], "big") for row in rows}
