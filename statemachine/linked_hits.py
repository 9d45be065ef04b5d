"""Hits on linked meters: claimed at a seat's turn, granted by the floor, validated by the floorperson.

At a seat's turn to be paid the table claims (641a.12(d)(4)). The amount comes back as an event, frozen, and
the floorperson validates it like any other. What is heard is numbered, and a number counts once. While the
floor is not heard a hit waits; the floorperson may leave it to the floor's own console, and then it is booked
when its amount is heard.
"""

# The life of a claim. It is said once for a turn (``ClaimHit``). The floor grants an amount (``HitGranted``)
# or says why not. At the table the floorperson validates the hit (``ConfirmGrant``), or leaves it to the
# floor's console: then the table books the amount when it is heard, perhaps rounds later. Another outcome or
# a void withdraws it (``WithdrawGrant``). A claim whose grant is still on its way cannot be withdrawn yet, so
# the withdrawal waits for the grant, and a new claim for the same turn waits behind both.

from dataclasses import dataclass

from sabot.rules.round import Line
from sabot.statemachine import hits
from sabot.statemachine.action import ANY_PHASE, CLAIM, Action, Refused, phases
from sabot.statemachine.hits import Shares
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters, Spot
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.books import HitClaim, MoneyBooks
from sabot.statemachine.state.parts import TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Hit, Play
from sabot.statemachine.vocabulary.effects import ClaimHit, ConfirmGrant, FreezeHit, WithdrawGrant
from sabot.statemachine.vocabulary.events import GrantTakenBack, HitGranted, MeterLinkRefused, Role

PAID, NONE = "paid", "none"


@dataclass(slots=True, eq=False, repr=False)
class LinkedHits:
    """Claim hits of linked meters, hear what was granted, and tell the floor what became of it."""

    law: Law
    out: Outbox
    crew: TableCrew
    books: MoneyBooks
    play: Play
    calling: Calling
    shares: Shares
    linked_meters: LinkedMeters

    # ---------------------------------------------------------------- claims

    def is_share(self, line: Line) -> bool:
        """Return whether a line is paid from a linked meter."""
        return line.wager in self.law.links and self.shares.share_payout(line) is not None

    def _claims(self) -> list[HitClaim]:
        """Return the claims of this round that stand."""
        number = self.books.rounds
        return [each for each in self.books.linked.claims if each.round == number and not each.none]

    def _claim_of(self, seat: int, wager: str) -> HitClaim | None:
        return next((each for each in self._claims() if each.wager == wager and seat in each.seats), None)

    def granted(self, seat: int, wager: str) -> int | None:
        """Return the amount that a seat was granted for its hit, or None where nothing was heard."""
        claim = self._claim_of(seat, wager)
        return claim.each if claim is not None and claim.grant else None

    def claim(self, line: Line) -> bool:
        """Claim a hit at its seat's turn; return whether its amount has to be waited for."""
        if not self.is_share(line):
            return False
        found = self._claim_of(line.seat, line.wager)
        # Once a turn: the claim stands until it is withdrawn, however often the seat is looked at.
        if found is None:
            self._say_claim(line.wager, line.row or "", self._sharers(line))
            return True
        return not found.grant

    def _say_claim(self, wager: str, row: str, seats: list[int]) -> HitClaim:
        """Make a claim, and tell it unless an earlier one for the same turn has still to be withdrawn."""
        linked = self.books.linked
        # A claim that was withdrawn may be granted yet: a second one for the turn waits for that answer.
        is_free = not any(
            each.wager == wager and set(each.seats) & set(seats) and each.none and not each.grant
            for each in linked.claims
            if each.round == self.books.rounds
        )
        made = HitClaim(self.law.links[wager], self.books.rounds, wager, row, seats, is_said=is_free)
        linked.claims.append(made)
        if is_free:
            self._emit_claim(made)
        return made

    def _emit_claim(self, each: HitClaim) -> None:
        self.out.emit(
            ClaimHit(
                link=each.link,
                number=each.round,
                wager=each.wager,
                row=each.row,
                seats=tuple(each.seats),
                cite=self.law.cite(hits.HIT_SECTION),
            )
        )

    def _sharers(self, line: Line) -> list[int]:
        """Return the seats that share a jackpot on the dealer's hand (641a.12(g)(2)), else the seat alone."""
        settles = self.law.chapter.wagers[line.wager].settles
        if settles is None or not settles.shared:
            return [line.seat]
        same = (line.wager, "win", line.row)
        return [each.seat for each in self.play.current.lines if (each.wager, each.result, each.row) == same]

    def take_outcome(self) -> None:
        """Hold claims against an outcome: withdraw those that are no hits now, put amounts to the others."""
        if not self.law.links:
            return
        round_ = self.play.current
        found = {(line.seat, line.wager): line.row for line in round_.lines if self.is_share(line)}
        for each in self._claims():
            # Another row is another hit; of a shared one every sharer must still have it.
            if any(found.get((seat, each.wager)) != each.row for seat in each.seats):
                self.withdraw(each, round_.void or "no hit after all")
        self._put_amounts()

    def _put_amounts(self) -> None:
        """Put the floor's grants into the round's lines; a share that was not granted yet has no amount."""
        round_ = self.play.current
        round_.put_lines(
            [
                line._replace(paid=self.granted(line.seat, line.wager)) if self.is_share(line) else line
                for line in round_.lines
            ]
        )

    def withdraw(self, each: HitClaim, cause: str) -> None:
        """Take a claim back, now or when its grant is heard."""
        each.none = cause
        # A claim that was said and not yet granted waits here for its grant: only that can be given back.
        if each.grant or not each.is_said:
            self._tell_withdrawn(each)

    def _tell_withdrawn(self, each: HitClaim) -> None:
        linked = self.books.linked
        # Out first: what waited for this turn is free now.
        linked.claims.remove(each)
        if each.grant:
            by = each.by or self.crew.floor or self.crew.dealer
            self.out.emit(
                WithdrawGrant(grant=each.grant, by=by, cause=each.none, cite=self.law.cite(hits.HIT_SECTION))
            )
        for waiting in linked.claims:
            if not waiting.is_said and not waiting.none:
                waiting.is_said = True
                self._emit_claim(waiting)

    def was_paid(self) -> bool:
        """Return whether a hit of this round was validated or left to the floor, and so may be paid."""
        return any(each.by for each in self._claims())

    def waits(self) -> HitClaim | None:
        """Return the claim that the settlement waits for: neither granted nor left to the floor."""
        if not self.books.linked.claims:
            return None
        return next((each for each in self._claims() if not each.grant and not each.by), None)

    def verify_heard(self, _value: str) -> None:
        """Raise while an amount is waited for."""
        claim_ = self.waits()
        if claim_ is not None:
            raise Refused(claim_.refused or "the floor has not granted the amount yet")

    def validated(self, line: Line, by: str) -> None:
        """Tell the floor that a hit was validated, unless it was left to the floor."""
        if not self.is_share(line):
            return
        found = self._claim_of(line.seat, line.wager)
        assert found is not None  # its amount was heard, or it was left to the floor
        if not found.by:
            found.by = by
            self._confirm(found)

    def _confirm(self, each: HitClaim) -> None:
        self.out.emit(ConfirmGrant(grant=each.grant, by=each.by, cite=self.law.cite(hits.HIT_SECTION)))

    def close_round(self) -> None:
        """Forget the hits of a round that ends, but for those still to be granted or confirmed."""
        linked = self.books.linked
        linked.claims = [each for each in linked.claims if not (each.grant and each.by)]

    # ---------------------------------------------------------------- what is heard

    def _take_number(self, number: int) -> None:
        linked = self.books.linked
        if not self.law.links:
            raise Refused("no meter of this table is linked")
        # The carrier may bring a message twice, after a lost link or a restart; it counts once.
        if number <= linked.heard:
            raise Refused(f"message {number} of the floor was heard before")
        linked.heard = number

    def on_granted(self, event: HitGranted) -> None:
        """Take the amount of a hit: freeze it where its seat waits, book it where people paid meanwhile."""
        self._take_number(event.number)
        key = event.link, event.round, event.wager, event.row, set(event.seats)
        for each in self.books.linked.claims:
            if not each.grant and key == (each.link, each.round, each.wager, each.row, set(each.seats)):
                break
        else:
            # The floor may grant by hand, for a table that could not
            # be heard: such a hit was never claimed here.
            each = HitClaim(event.link, event.round, event.wager, event.row, list(event.seats))
            self.books.linked.claims.append(each)
        each.grant, each.each, each.refused = event.grant, event.each, ""
        by = "by hand at the floor" if event.by_hand else "by the floor"
        seats = ", ".join(map(str, event.seats))
        whose = f"round {event.round} seat {seats} {event.wager}"
        self.out.note(
            f"{whose}: {event.each} cents granted {by}, grant {event.grant}", self.law.cite(hits.HIT_SECTION)
        )
        self._use(each)

    def _use(self, each: HitClaim) -> None:
        is_of_now = self.play.round is not None and each.round == self.books.rounds
        # In the order of what was decided first: withdrawn here, left
        # to the floor, of a round that is over, awaited.
        if each.none:
            self._tell_withdrawn(each)
        elif each.by:
            self._confirm(each)
            if is_of_now:
                self._book(each)
            else:
                self.books.linked.claims.remove(each)
        elif not is_of_now or self._claim_of(each.seats[0], each.wager) is not each:
            self.calling.call(
                Role.FLOOR, f"hit of round {each.round}: paid?", self.law.cite(hits.HIT_SECTION)
            )
        else:
            self._put_amounts()
            self._freeze(each)

    def _freeze(self, each: HitClaim) -> None:
        """Announce the hit of the seat whose turn it is; of those that share each at its own turn."""
        round_ = self.play.current
        # Not its turn yet: it is announced when its seat comes.
        if self.play.phase is not Phase.VALIDATING:
            return
        seat = round_.order[round_.settled]
        if seat in each.seats:
            round_.freeze(Hit(seat, each.wager, each.row, each.each, needs_documents=True))
            cite = self.law.cite(hits.HIT_SECTION)
            self.out.emit(FreezeHit(seat=seat, wager=each.wager, row=each.row, cents=each.each, cite=cite))

    def _book(self, each: HitClaim) -> None:
        """Book the amount of a hit that people have paid meanwhile into the round that it belongs to."""
        self._put_amounts()
        for hit in self.play.current.hits:
            if hit.wager == each.wager and hit.seat in each.seats:
                hit.cents = each.each

    def on_refused(self, event: MeterLinkRefused) -> None:
        """Note that the floor refuses a claim or a contribution, and call a floorperson to look."""
        self._take_number(event.number)
        words = f"the floor refuses {event.message} of round {event.round}: {event.why}"
        self.out.note(words, self.linked_meters.cite())
        about = event.round, event.wager, list(event.seats)
        for each in self.books.linked.claims:
            if not each.grant and (each.round, each.wager, each.seats) == about:
                each.refused = f"the floor refuses: {event.why}"
        self.calling.call(Role.FLOOR, words, self.linked_meters.cite())

    def on_taken_back(self, event: GrantTakenBack) -> None:
        """Take back a grant that people took back at the floor: a hit that waits for it is refused."""
        self._take_number(event.number)
        words = f"grant {event.grant} taken back at the floor: {event.cause}"
        self.out.note(words, self.law.cite(hits.HIT_SECTION))
        for each in [each for each in self.books.linked.claims if each.grant == event.grant]:
            each.grant, each.each, each.refused = 0, 0, words
            # Nothing waits for it any more: it was withdrawn here too, or its round is over.
            if each.none or self.play.round is None or each.round != self.books.rounds:
                self.books.linked.claims.remove(each)
        if self.play.round is not None:
            self._put_amounts()
        self.calling.call(Role.FLOOR, words, self.law.cite(hits.HIT_SECTION))

    # ---------------------------------------------------------------- by the floor

    def leave(self, spot: Spot, row: str, by: str) -> int:
        """Leave a hit to the floor's own console; return its amount as far as that is known."""
        found = self._claim_of(*spot) or self._say_claim(spot[1], row, [spot[0]])
        if found.grant and not found.by:
            found.by = by
            self._confirm(found)
        found.by = by
        return found.each

    def leave_hit(self, _value: str) -> None:
        """Leave a hit to the floor's console, where it is finished by hand.

        The table books it when it hears the amount.
        """
        by = self.crew.person(Role.FLOOR)
        while (each := self.waits()) is not None:
            each.by = by
            seats = ", ".join(map(str, each.seats))
            self.out.note(
                f"seat {seats} {each.wager}: left to the floor's console", self.law.cite(hits.HIT_SECTION), by
            )

    def take_back_all(self, cause: str) -> None:
        """Take back all claims and contributions of the round: there was no wager on a linked meter."""
        for each in self._claims():
            self.withdraw(each, cause)
        self.linked_meters.take_back(cause)

    def waiting_lines(self, line: Line) -> tuple[str, str, str]:
        """Return the lines that say that a hit waits, and what for."""
        claim_ = self.waits()
        if claim_ is not None and claim_.refused:
            return f"HIT SEAT {line.seat} REFUSED", "FLOOR: LEAVE HIT?", line.cite
        words = self.linked_meters.shut_words()
        second = f"{words}: FLOOR" if words else "FOR THE AMOUNT"
        return f"HIT SEAT {line.seat} WAITS", second, line.cite

    def does_wait(self) -> bool:
        """Return whether a hit waits for its amount."""
        return self.waits() is not None

    def verify_wait(self, _value: str) -> None:
        """Raise where no hit waits."""
        if not self.does_wait():
            raise Refused("no hit waits for the floor's amount")

    def unsettled(self) -> list[str]:
        """Return the grants of rounds that are over, where nobody has said whether they were paid."""
        now = self.books.rounds if self.play.round is not None else 0
        open_ = [
            each for each in self.books.linked.claims if each.grant and not each.by and each.round != now
        ]
        return [f"{each.grant} {how}" for each in open_ for how in (PAID, NONE)]

    def settle_grant(self, value: str) -> None:
        """Take the floor's word whether a grant that came after its round was paid."""
        number, how = value.split()
        each = next(each for each in self.books.linked.claims if each.grant == int(number))
        each.by = self.crew.person(Role.FLOOR)
        if how == NONE:
            self.withdraw(each, "not paid")
            return
        self._confirm(each)
        self.books.linked.claims.remove(each)

    def grant_words(self, value: str) -> str:
        """Return a grant as a list shows it."""
        number, how = value.split()
        each = next(each for each in self.books.linked.claims if each.grant == int(number))
        return f"R{each.round} S{each.seats[0]} {how.upper()}"


ACTIONS = (
    Action(
        "leave_hit",
        "LEAVE HIT TO FLOOR",
        Role.FLOOR,
        phases(Phase.VALIDATING),
        "11(c)(5)(iii)",
        LinkedHits.leave_hit,
        LinkedHits.verify_wait,
        when=LinkedHits.does_wait,
        needs=CLAIM,
    ),
    Action(
        "settle_grant",
        "LATE HIT PAID?",
        Role.FLOOR,
        ANY_PHASE,
        "11(c)(5)(iii)",
        LinkedHits.settle_grant,
        values=LinkedHits.unsettled,
        say=LinkedHits.grant_words,
        when=lambda room: bool(room.unsettled()),
        while_held=True,
        needs=CLAIM,
    ),
)
