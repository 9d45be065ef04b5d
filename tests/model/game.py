"""One round while it is settled: its boxes in settle order, its meters, its limits, its lines.

A `Post` is one wager of one box that waits for its line. Money rules that all chapters share are
here: odds "to" and "for", fractions dropped, stakes of unknown value, and the aggregate limit.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from .hands import Card, Ranked, best_four, parse

Json = dict[str, Any]

BASE_WAGERS = {
    "pa641a": ("ante", "play"),
    "md4cp": ("ante", "play"),
    "pa679a": ("ante", "play"),
    "pa682a": ("ante", "raise"),
    "pa683a": ("ante", "raise1", "raise2", "raise3"),
}


@dataclass(frozen=True)
class Box:
    """One betting position; its second wagers stand among the others."""

    seat: int
    player: str
    wagers: dict[str, int | None]
    cards: tuple[Card, ...]
    fourth: Card | None
    folded: bool
    abandoned: bool

    @property
    def name(self) -> str:
        return f"seat{self.seat}"

    @property
    def raises(self) -> int:
        return sum(wager.startswith("raise") for wager in self.wagers)


def box_of(chapter: str, seat: Json) -> Box:
    decision = seat.get("decision", {})
    wagers = dict(seat["wagers"])
    if "play" in decision:
        wagers[BASE_WAGERS[chapter][1]] = decision["play"]
    for number, cents in enumerate(decision.get("raises", []), start=1):
        wagers[f"raise{number}"] = cents
    return Box(
        seat=seat["seat"],
        player=str(seat.get("player", seat["seat"])),
        wagers=wagers,
        cards=parse_all(seat.get("cards", [])),
        fourth=parse(seat["fourth"]) if "fourth" in seat else None,
        folded=decision.get("fold", False),
        abandoned=seat.get("abandoned", False),
    )


def parse_all(cards: str | list[str]) -> tuple[Card, ...]:
    """The cards of a place; a place of one card may hold it without a list."""
    return tuple(parse(card) for card in ([cards] if isinstance(cards, str) else cards))


class Game:
    """The state of one settlement."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.chapter: str = record["chapter"]
        self.options: Json = record.get("options", {})
        boxes = [box_of(self.chapter, seat) for seat in record["seats"]]
        self.boxes = sorted(boxes, key=lambda box: box.seat, reverse=True)
        self.dealer = self.place("dealer")
        self.meters: dict[str, dict[str, int]] = copy.deepcopy(record.get("meters", {}))
        self.lines: list[Json] = []
        self.paid_under_limit: dict[str, int] = {}
        self.dealer_jackpot_share: int | None = None

    def place(self, name: str) -> tuple[Card, ...]:
        return parse_all(self.record.get(name, []))

    def reading(self, name: str) -> str:
        """The alternative that was chosen for a reading, else an empty text: the default."""
        chosen: str = self.options.get("readings", {}).get(name, "")
        return chosen

    def letter(self, wager: str) -> str:
        letter: str = self.options["paytables"][wager]
        return letter

    @property
    def tiebreak(self) -> str:
        return self.reading("tiebreak")

    @property
    def wheel(self) -> bool:
        """R2 is no question in 683a: its paragraph (a) names A-2-3-4-5."""
        return self.chapter == "pa683a" or self.reading("wheel5") != "no"

    @property
    def unit(self) -> int:
        unit: int = self.options.get("progressive_unit", 100)
        return unit

    def four_card_hands(self, box: Box) -> tuple[Ranked, Ranked]:
        """The best four of the player's five and of the dealer's six cards."""
        return best_four(box.cards, self.tiebreak), best_four(self.dealer, self.tiebreak)

    def post(self, box: Box, wager: str, cite: str) -> Post:
        stake = box.wagers[wager]
        return Post(self, box, wager, cite, stake=stake, base=stake)

    def bonus(self, box: Box, wager: str, base: int | None, cite: str) -> Post:
        """A payment with no stake of its own, reckoned on another wager (`base`)."""
        return Post(self, box, wager, cite, stake=None if base is None else 0, base=base)

    def draw(self, meter: str, level: str, percent: int, resets: dict[str, int]) -> int:
        """Take a percentage from a meter; all of it resets the meter (T1, T8)."""
        on_meter = self.meters[meter][level]
        amount = on_meter * percent // 100
        self.meters[meter][level] = resets[level] if percent == 100 else on_meter - amount
        return amount

    def within_limit(self, player: str, amount: int) -> int:
        """Cut a payment to what the player's aggregate limit leaves (L2 to L4)."""
        if "payout_limit" not in self.options:
            return amount
        limit: int = self.options["payout_limit"]
        used = self.paid_under_limit.get(player, 0)
        allowed = min(amount, limit - used)
        self.paid_under_limit[player] = used + allowed
        return allowed


def times(stake: int, odds: str) -> int:
    """Winnings at "3 to 2" or "9 for 1"; a fraction of a cent is dropped (P13)."""
    number, _, per = odds.split()
    return stake * int(number) // int(per)


@dataclass(frozen=True)
class Post:
    """A wager, or a bonus without a stake, on its way to its line."""

    game: Game
    box: Box
    wager: str
    cite: str
    stake: int | None
    base: int | None

    def lose(self, row: str | None = None) -> None:
        self._write("lose", row, 0, 0, None)

    def forfeit(self) -> None:
        self._write("forfeit", None, 0, 0, None)

    def returned(self) -> None:
        self._write("returned", None, 0, self.stake, None)

    def push(self, row: str) -> None:
        self._write("push", row, 0, self.stake, "push")

    def win(self, odds: str, row: str, *, limited: bool = False, house_keeps: bool = False) -> None:
        paid = 0 if self.base is None else times(self.base, odds)
        if limited and self.base is not None:
            paid = self.game.within_limit(self.box.player, paid)
        back = 0 if house_keeps or " for " in odds else self.stake
        self._write("win", row, paid, back, odds)

    def win_amount(self, cents: int, odds: str, row: str, *, house_keeps: bool = True) -> None:
        """A meter, an envy bonus or a Super Royal: an amount whatever the stake."""
        self._write("win", row, cents, 0 if house_keeps else self.stake, odds)

    def settle_by(self, odds: dict[str, str], row: str | None, *, limited: bool = False) -> None:
        """Pay by a table whose rows are all odds; a hand without a row loses."""
        if row is None or row not in odds:
            self.lose()
        elif odds[row] == "push":
            self.push(row)
        elif odds[row] == "loss":
            self.lose(row)
        else:
            self.win(odds[row], row, limited=limited)

    def _write(
        self,
        result: str,
        row: str | None,
        paid: int,
        back: int | None,
        odds: str | None,
    ) -> None:
        line: Json = {"seat": self.box.seat, "wager": self.wager, "result": result}
        line |= {"row": row, "cite": self.cite}
        if self.stake is None:
            line |= {"stake": None, "paid": None, "back": None, "net": None, "odds": odds}
        else:
            back = back or 0
            net = paid + back - self.stake
            line |= {"stake": self.stake, "paid": paid, "back": back, "net": net}
        self.game.lines.append(line)
