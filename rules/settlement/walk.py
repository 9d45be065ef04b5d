"""The walk of a settlement: seat by seat from the dealer's right, wagers in the chapter's order.

Before the walk an irregularity may have voided the round: then every stake goes back, or, where the chapter
says so, those of the contest go back and the optional wagers are settled. The walk asks the steps of each
wager and decides nothing about money itself.
"""

# Theory of operation. A round is settled in one walk: seats from the dealer's right, in a seat first the
# contest, then the optional wagers in the chapter's order. The order is money. The first winner of a meter
# takes it, the next takes the seed (reading T1); a payout limit is used up as the walk comes by (L2); so
# nothing here may be sorted, settled side by side, or left for later. What a round is *not* settled by is
# decided before the first seat: a void gives every stake back, a void contest those of the contest. The
# result is a list of lines, one for each stake and each bonus, and whoever carries it out keeps to its order.

from collections.abc import Callable, Iterator

from sabot.rules.chapter import GOES_ON, VOID, VOID_CONTEST, Chapter, Fate, IrregularityRule, Wager
from sabot.rules.round import Options, Outcome, Round, Seat
from sabot.rules.settlement.declared import Declared, DeclaredSettlement
from sabot.rules.settlement.house import House
from sabot.rules.settlement.round_settlement import RoundSettlement, missing
from sabot.rules.settlement.steps import ContestStep, EnvyStep, SettlementStep, contest_tables, step_for

Settle = Callable[[RoundSettlement, Seat], None]


class Settlement:
    """A house with its steps: settles round after round under the same choices."""

    def __init__(self, chapter: Chapter, options: Options) -> None:
        self.chapter = chapter
        self.house = House(chapter, options)
        self.order = self._order()
        self._steps: dict[str, tuple[SettlementStep, ...]] = {}
        self._optional_steps: dict[tuple[bool, frozenset[str]], tuple[Settle, ...]] = {}
        self._contest: ContestStep | None = None

    def _order(self) -> tuple[str, ...]:
        """Return the optional wagers in the order the dealer settles them."""
        order = [name for name in self.chapter.order if name not in self.chapter.contest.wagers]
        swap = self.chapter.swap
        if swap and swap.holds(self.house.readings):
            # Which of two wagers on one meter draws first is a reading
            # (G1), and the only one that moves the order.
            first, second = (order.index(name) for name in swap.instead)
            order[first], order[second] = order[second], order[first]
        return tuple(order)

    @property
    def contest(self) -> ContestStep:
        """The step of the contest, made when first wanted: a round may do without its paytable."""
        if self._contest is None:
            self._contest = ContestStep(self.house)
        return self._contest

    def steps(self, name: str) -> tuple[SettlementStep, ...]:
        """Return the steps of one optional wager, made when first wanted."""
        if name not in self._steps:
            self._steps[name] = tuple(self._make_steps(name))
        return self._steps[name]

    def _make_steps(self, name: str) -> Iterator[SettlementStep]:
        wager = self.chapter.wagers[name]
        assert wager.settles is not None  # the loader admits no optional wager without a settlement
        yield step_for(self.house, wager, wager.settles)
        if wager.envy:
            yield EnvyStep(self.house, wager, wager.envy)

    def verify(self, round_: Round) -> None:
        """Raise when a wager has no paytable to be settled by, or a hand that is turned up no cards."""
        placed = {name for seat in round_.seats for name in seat.stakes}
        # Only of what was placed: a table that nobody bet on needs no letter.
        for paytable in self._paytables_of(placed):
            self.house.letter(self.chapter.paytables[paytable])

        fate, _ = self.fate(round_)
        for seat in round_.seats:
            if seat.cards is None and fate is not VOID and self._needs_cards(seat, fate):
                raise missing(f"seat {seat.number} cards", f"seat {seat.number}")

    def _needs_cards(self, seat: Seat, fate: Fate) -> bool:
        """Return whether a hand is turned up: not where none of its wagers is alive."""
        wagers = self.chapter.wagers
        if fate is GOES_ON and not seat.folded:
            return True
        return any(self.house.keeps_after_fold(wagers[name]) for name in seat.stakes)

    def _paytables_of(self, placed: set[str]) -> Iterator[str]:
        if self.chapter.contest.opening in placed:
            yield from contest_tables(self.chapter.contest.results)
        for wager in (self.chapter.wagers[name] for name in placed):
            if wager.settles:
                yield wager.settles.paytable
            if wager.bonus_card:
                yield wager.bonus_card.paytable

    def fate(self, round_: Round) -> tuple[Fate, IrregularityRule | None]:
        """Return the effect of the round's irregularity on it."""
        found = self.chapter.irregularities.get(round_.irregularity)
        # A round that does not say when is taken as the case that the chapter names.
        if found is None or (found.only_when and round_.when not in ("", found.only_when)):
            return GOES_ON, found
        return found.fate, found

    def settle(self, round_: Round, declared: Declared | None = None) -> Outcome:
        """Return the outcome of a round, by its cards or by what the dealer declared."""
        settling = (
            DeclaredSettlement(self.house, round_, declared)
            if declared
            else RoundSettlement(self.house, round_)
        )
        fate, found = self.fate(round_)
        settling.declare(fate)
        cite = found.cite if found else ""
        for seat in settling.seats:
            self._settle_seat(settling, seat, fate, cite)
        # In a round that is void no hand is turned, so none has a name.
        is_settled = fate is GOES_ON or (
            fate is VOID_CONTEST and any(self._optional(settling, seat) for seat in settling.seats)
        )
        return Outcome(
            settle_order=tuple(seat.number for seat in settling.seats),
            void=cite if fate is not GOES_ON else None,
            lines=tuple(settling.lines),
            meters=settling.meters,
            hands=self._hands(settling) if is_settled else {},
            readings=settling.noted,
        )

    def _optional(self, settling: RoundSettlement, seat: Seat) -> list[str]:
        wagers = self.chapter.wagers
        return [name for name in self.order if settling.is_alive(seat, wagers[name])]

    def _settle_seat(self, settling: RoundSettlement, seat: Seat, fate: Fate, cite: str) -> None:
        if fate is VOID:
            self._give_back(settling, seat, self.chapter.order, cite)
            return
        # After the void: in a void round a seat that was left is treated like any other (reading F10).
        if settling.counts_as_abandoned(seat):
            for name in self.chapter.order:
                if name in seat.stakes:
                    settling.write(seat, name, "lose", self.chapter.abandoned_cite)
            return
        if fate is VOID_CONTEST:
            self._give_back(settling, seat, self.chapter.contest.wagers, cite)
        elif self.chapter.contest.opening in seat.stakes:
            (self.contest.settle_folded if seat.folded else self.contest.settle)(settling, seat)
        for settle in self._optional_steps_of(seat):
            settle(settling, seat)
        if settling.drawn:
            self._note_swap(settling, seat)

    def _optional_steps_of(self, seat: Seat) -> tuple[Settle, ...]:
        """Return the functions that settle a seat's optional wagers, shared by seats with the same wagers."""
        # Seats of one table bet alike, and what settles them does not depend on the amounts.
        key = (seat.folded, frozenset(seat.stakes))
        found = self._optional_steps.get(key)
        if found is None:
            steps = [step for name in self.order if name in seat.stakes for step in self.steps(name)]
            found = tuple(step.settle_folded if seat.folded else step.settle for step in steps)
            self._optional_steps[key] = found
        return found

    def _note_swap(self, settling: RoundSettlement, seat: Seat) -> None:
        swap = self.chapter.swap
        if swap and all((seat.number, name) in settling.drawn for name in swap.instead):
            settling.note(swap.reading)

    def _give_back(self, settling: RoundSettlement, seat: Seat, names: tuple[str, ...], cite: str) -> None:
        """Give stakes back, also those that a fold had forfeited where reading V1 says so."""
        wagers = self.chapter.wagers
        for name in (name for name in names if name in seat.stakes):
            if seat.folded and self._stays_forfeited(settling, wagers[name]):
                settling.write(seat, name, "forfeit", self._forfeit_cite(seat, name))
            else:
                settling.write(seat, name, "returned", cite)

    def _stays_forfeited(self, settling: RoundSettlement, wager: Wager) -> bool:
        """Return whether a fold before the round was void still costs this wager, by readings V1 and F1."""
        kept = self.house.readings["void_forfeits"] == "kept"
        if kept and wager.on_fold and wager.on_fold.reading:
            settling.note(wager.on_fold.reading)
        return not self.house.keeps_after_fold(wager) and settling.answer("void_forfeits") == "kept"

    def _forfeit_cite(self, seat: Seat, name: str) -> str:
        fold = self.chapter.wagers[name].on_fold
        return fold.cite if fold else self.chapter.contest.forfeit_cites[seat.raises]

    def _hands(self, settling: RoundSettlement) -> dict[str, str]:
        hands: dict[str, str] = {}
        name = self.house.contest_ranking.name
        if self.chapter.contest.against_dealer and "dealer" in settling.round.places:
            qualifies = self.contest.dealer_qualifies(settling)
            hands["dealer"] = name(settling.dealer_score()) + ("" if qualifies else " (does not qualify)")
        shared = [place for place in self.chapter.contest.cards if place != "own"]
        # Without a shared place that belongs to them hands have no name.
        if all(place in settling.round.places for place in shared):
            hands |= {
                f"seat{seat.number}": name(settling.score(seat))
                for seat in settling.seats
                if seat.cards is not None
            }
        return hands | settling.told()


# ------------------------------------------------------------ settlements kept for the next round

# Rounds of one table share their options, and preparing a house costs more than settling a round.
_MOST_KEPT = 256


class KeptSettlements:
    """The last few hundred different choices of an operator, each with its settlement."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Settlement] = {}

    def __call__(self, chapter: Chapter, options: Options) -> Settlement:
        """Return the settlement of these choices, made when it is not there."""
        # Options hold mappings, which cannot be hashed, so their ``repr`` is the key.
        key = (chapter.id, repr(options))
        # Moved to the end, so that the first one is always the one that was not asked for longest.
        settlement = self._kept.pop(key, None) or Settlement(chapter, options)
        self._kept[key] = settlement
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return settlement
