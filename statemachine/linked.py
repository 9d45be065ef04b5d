"""Linked meters: what a table tells the floor of them, what it hears, and what waits while nobody is heard.

641a.2(c) lets a progressive run on several tables. The floor owns such a meter, so the table has no account
for it: at LOCK it tells what contributes, a void takes that back, and at a seat's turn to be paid it claims
(641a.12(d)(4)). The amount comes back as an event, frozen, and the floorperson validates it like any other.

Whatever is told is an effect of the event that it follows from, so the journal has it, and whoever carries
effects to the floor can do so long after, once each. What is heard is numbered, and a number counts once.
While the floor is not heard the spots stay shut, a round under way goes on, and a hit waits; the floorperson
may leave it to the floor's own console, and then it is booked when its amount is heard.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.rules.chapter import Chapter
from sabot.rules.round import Line
from sabot.statemachine import hits
from sabot.statemachine.action import ANY_PHASE, Action, Refused, phases
from sabot.statemachine.hits import Shares
from sabot.statemachine.late_chips import Looked
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.books import Contributed, HitClaim, MeterLink, MoneyBooks
from sabot.statemachine.state.parts import OpenWagers, TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Hit, Play
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary.effects import (
    ClaimHit,
    ConfirmGrant,
    ContributeToLink,
    FreezeHit,
    ReverseFromLink,
    SilenceMeter,
    WithdrawGrant,
)
from sabot.statemachine.vocabulary.events import (
    GrantTakenBack,
    HitGranted,
    MeterLinkChanged,
    MeterLinkRefused,
    Role,
)

Bets = Mapping[int, Mapping[str, int | None]]
Spot = tuple[int, str]
READING = "T11"
NOT_HEARD = "the floor was not heard yet"
# What has room on a line of the dealer's display, by the words of the table's end of the link.
SHORT = {
    "the link stands still": "LINK STOPPED",
    "its amount is old": "AMOUNT OLD",
    "the floor has no such link": "NO SUCH LINK",
}
DOWN = "LINK DOWN"
PAID, NONE = "paid", "none"


def unknown(setup: Setup) -> dict[str, dict[str, int]]:
    """Linked meters as settlement takes them: it says who is paid a share, the floor how much."""
    if not setup.links:
        return {}
    chapter, letters = setup.chapter, setup.options.paytables
    return {
        name: dict.fromkeys(_levels(chapter, name, letters.get(chapter.meters[name].paytable, "only")), 0)
        for name in setup.links
    }


def _levels(chapter: Chapter, meter: str, letter: str) -> list[str]:
    return list(chapter.meters[meter].levels[letter])


@dataclass(slots=True, eq=False, repr=False)
class LinkedMeters:
    """Carry contributions and hits of linked meters to the floor, and hear it."""

    law: Law
    out: Outbox
    looked: Looked
    crew: TableCrew
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    calling: Calling
    shares: Shares

    def _cite(self) -> str:
        return self.law.chapter.readings[READING].cite

    # ---------------------------------------------------------------- before the lock

    def why_shut(self, wager: str) -> str:
        """Why a wager on a linked meter does not count now.

        Empty where it does, and for every other wager.
        """
        link = self.law.links.get(wager)
        if link is None:
            return ""
        known = self.books.linked.links.get(link)
        return NOT_HEARD if known is None else known.why

    def still_open(self, spots: frozenset[Spot]) -> frozenset[Spot]:
        """Spots but for those of links that are shut (PROG-7)."""
        shut = {wager for wager in self.law.links if self.why_shut(wager)}
        return frozenset(spot for spot in spots if spot[1] not in shut) if shut else spots

    def without_shut(self, placed: Bets) -> tuple[dict[int, dict[str, int | None]], dict[Spot, str]]:
        """A bet map without wagers on links that are shut, and why each of those fell."""
        if not self.law.links:
            return {seat: dict(bets) for seat, bets in placed.items()}, {}
        why = {(seat, wager): self.why_shut(wager) for seat, bets in placed.items() for wager in bets}
        fallen = {spot: words for spot, words in why.items() if words}
        left = {
            seat: {w: cents for w, cents in bets.items() if (seat, w) not in fallen}
            for seat, bets in placed.items()
        }
        return left, fallen

    def has_shut(self, bets: Mapping[str, int | None]) -> bool:
        """Return whether any wager of a seat is on a link that is shut."""
        return any(self.why_shut(wager) for wager in self.law.links.keys() & bets.keys())

    def shut_words(self) -> str:
        """Why a link is shut, as the dealer's display has room for it; empty where all are open."""
        why = next(filter(None, (self.why_shut(wager) for wager in self.law.links)), "")
        return SHORT.get(why, DOWN) if why else ""

    # ---------------------------------------------------------------- what contributes

    def contribute(self, placed: Bets) -> None:
        """Tell each link what a round's accepted wagers contribute, at LOCK and never before (x.7(c))."""
        unit = self.law.setup.options.progressive_unit
        found = [
            Contributed(
                seat,
                wager,
                unit if cents is None else cents,
                self.books.linked.links[self.law.links[wager]].config,
            )
            for seat, bets in sorted(placed.items())
            for wager, cents in sorted(bets.items())
            if wager in self.law.links
        ]
        self._tell(found)

    def begin_round(self, placed: Bets) -> None:
        """A round is locked: what the one before gave is final."""
        if not self.law.links:
            return
        linked = self.books.linked
        linked.placed, linked.taken_back = [], []
        self.contribute(placed)

    def _tell(self, given: list[Contributed]) -> None:
        linked, number = self.books.linked, self.books.rounds
        linked.placed += given
        for link in sorted(set(self.law.links.values())):
            for config in sorted({each.config for each in given if self.law.links[each.wager] == link}):
                spots = [
                    (each.seat, each.wager, each.cents)
                    for each in given
                    if (self.law.links[each.wager], each.config) == (link, config)
                ]
                self.out.emit(
                    ContributeToLink(
                        link=link, number=number, config=config, spots=tuple(spots), cite=self._cite()
                    )
                )

    def take_back(self, cause: str, spots: set[Spot] | None = None) -> None:
        """Tell that wagers contribute nothing after all: those of a void round, or the few that are named."""
        linked = self.books.linked
        gone = [each for each in linked.placed if spots is None or (each.seat, each.wager) in spots]
        linked.placed = [each for each in linked.placed if each not in gone]
        linked.taken_back = gone
        for link in sorted({self.law.links[each.wager] for each in gone}):
            of_link = tuple((each.seat, each.wager) for each in gone if self.law.links[each.wager] == link)
            self.out.emit(
                ReverseFromLink(link=link, number=self.books.rounds, cause=cause, spots=of_link, cite=cause)
            )

    def give_again(self) -> None:
        """The void was a mistake: what it took back contributes again."""
        linked = self.books.linked
        given, linked.taken_back = linked.taken_back, []
        self._tell(given)

    # ---------------------------------------------------------------- hits

    def is_share(self, line: Line) -> bool:
        """Return whether a line is paid from a linked meter."""
        return line.wager in self.law.links and self.shares.share_payout(line) is not None

    def _claims(self) -> list[HitClaim]:
        """The claims of this round that stand."""
        number = self.books.rounds
        return [each for each in self.books.linked.claims if each.round == number and not each.none]

    def _claim_of(self, seat: int, wager: str) -> HitClaim | None:
        return next((each for each in self._claims() if each.wager == wager and seat in each.seats), None)

    def granted(self, seat: int, wager: str) -> int | None:
        """Return the amount that a seat was granted for its hit, or None where nothing was heard."""
        claim = self._claim_of(seat, wager)
        return claim.each if claim is not None and claim.grant else None

    def claim(self, line: Line) -> bool:
        """Claim a hit at its seat's turn; whether its amount has to be waited for."""
        if not self.is_share(line):
            return False
        found = self._claim_of(line.seat, line.wager)
        if found is None:
            self._say_claim(line.wager, line.row or "", self._sharers(line))
            return True
        return not found.grant

    def _say_claim(self, wager: str, row: str, seats: list[int]) -> HitClaim:
        """A claim is told once what stood in its place is withdrawn: a turn is granted once."""
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
        """The seats that divide a jackpot on the dealer's hand (641a.12(g)(2)), else the seat alone."""
        settles = self.law.chapter.wagers[line.wager].settles
        if settles is None or not settles.shared:
            return [line.seat]
        same = (line.wager, "win", line.row)
        return [each.seat for each in self.play.current.lines if (each.wager, each.result, each.row) == same]

    def take_outcome(self) -> None:
        """Hold claims against an outcome.

        A hit that is none any more is withdrawn, others have their amount.
        """
        if not self.law.links:
            return
        round_ = self.play.current
        found = {(line.seat, line.wager): line.row for line in round_.lines if self.is_share(line)}
        for each in self._claims():
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
        if each.grant or not each.is_said:
            self._tell_withdrawn(each)

    def _tell_withdrawn(self, each: HitClaim) -> None:
        linked = self.books.linked
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
        """Return whether a hit of this round was validated or left to the floor.

        Then somebody may have been paid.
        """
        return any(each.by for each in self._claims())

    def waits(self) -> HitClaim | None:
        """The claim that the settlement waits for: neither granted nor left to the floor."""
        return next((each for each in self._claims() if not each.grant and not each.by), None)

    def verify_heard(self, _value: str) -> None:
        """Raise while an amount is waited for."""
        claim_ = self.waits()
        if claim_ is not None:
            raise Refused(claim_.refused or "the floor has not granted the amount yet")

    def validated(self, line: Line, by: str) -> None:
        """Tell that a hit was validated.

        Where it was left to the floor its grant says so when it is heard.
        """
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
        """Forget the hits of a round that ends.

        But for those of which anything is still to be heard or said.
        """
        linked = self.books.linked
        linked.claims = [each for each in linked.claims if not (each.grant and each.by)]

    # ---------------------------------------------------------------- what is heard

    def forget(self) -> None:
        """After a start nobody knows how the links are: they are shut until the floor is heard."""
        for name in sorted(set(self.law.links.values())):
            known = self.books.linked.links.get(name)
            self._change(name, MeterLink(known.config if known else 0, NOT_HEARD))

    def on_changed(self, event: MeterLinkChanged) -> None:
        """A link is open, or shut, or counts under another configuration."""
        if event.link not in self.law.links.values():
            raise Refused(f"no meter of this table is linked to {event.link}")
        self._change(event.link, MeterLink(event.config, event.why))

    def _change(self, name: str, now: MeterLink) -> None:
        before, self.books.linked.links[name] = self.books.linked.links.get(name), now
        for seat in self.layout.bets:
            self.looked.changed(seat)
        if before is None or before.why != now.why:
            for meter, link in sorted(self.law.setup.links.items()):
                if link == name:
                    self.out.emit(
                        SilenceMeter(meter=meter, why=now.why and SHORT.get(now.why, DOWN), cite=self._cite())
                    )

    def _take_number(self, number: int) -> None:
        linked = self.books.linked
        if not self.law.links:
            raise Refused("no meter of this table is linked")
        if number <= linked.heard:
            raise Refused(f"message {number} of the floor was heard before")
        linked.heard = number

    def on_granted(self, event: HitGranted) -> None:
        """The amount of a hit is heard: frozen where its seat waits, booked where its round is over."""
        self._take_number(event.number)
        key = event.link, event.round, event.wager, event.row, set(event.seats)
        for each in self.books.linked.claims:
            if not each.grant and key == (each.link, each.round, each.wager, each.row, set(each.seats)):
                break
        else:
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
        if self.play.phase is not Phase.VALIDATING:
            return
        seat = round_.order[round_.settled]
        if seat in each.seats:
            round_.freeze(Hit(seat, each.wager, each.row, each.each, needs_documents=True))
            cite = self.law.cite(hits.HIT_SECTION)
            self.out.emit(FreezeHit(seat=seat, wager=each.wager, row=each.row, cents=each.each, cite=cite))

    def _book(self, each: HitClaim) -> None:
        """The amount of a hit that people have paid meanwhile, into the round that it belongs to."""
        self._put_amounts()
        for hit in self.play.current.hits:
            if hit.wager == each.wager and hit.seat in each.seats:
                hit.cents = each.each

    def on_refused(self, event: MeterLinkRefused) -> None:
        """The floor grants nothing, or takes a contribution not in: people look at it."""
        self._take_number(event.number)
        words = f"the floor refuses {event.message} of round {event.round}: {event.why}"
        self.out.note(words, self._cite())
        about = event.round, event.wager, list(event.seats)
        for each in self.books.linked.claims:
            if not each.grant and (each.round, each.wager, each.seats) == about:
                each.refused = f"the floor refuses: {event.why}"
        self.calling.call(Role.FLOOR, words, self._cite())

    def on_taken_back(self, event: GrantTakenBack) -> None:
        """People have taken a grant back at the floor.

        A hit that waits is refused, of a paid one people know.
        """
        self._take_number(event.number)
        words = f"grant {event.grant} taken back at the floor: {event.cause}"
        self.out.note(words, self.law.cite(hits.HIT_SECTION))
        for each in [each for each in self.books.linked.claims if each.grant == event.grant]:
            each.grant, each.each, each.refused = 0, 0, words
            if each.none or self.play.round is None or each.round != self.books.rounds:
                self.books.linked.claims.remove(each)
        if self.play.round is not None:
            self._put_amounts()
        self.calling.call(Role.FLOOR, words, self.law.cite(hits.HIT_SECTION))

    # ---------------------------------------------------------------- by the floor

    def leave(self, spot: Spot, row: str, by: str) -> int:
        """The floor finishes a hit by hand at its own console; what it comes to, as far as that is known."""
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
        """There was no wager on a linked meter after all, and no hit: the round's contributions go back."""
        for each in self._claims():
            self.withdraw(each, cause)
        self.take_back(cause)

    def waiting_lines(self, line: Line) -> tuple[str, str, str]:
        """That a hit waits, and what for."""
        claim_ = self.waits()
        if claim_ is not None and claim_.refused:
            return f"HIT SEAT {line.seat} REFUSED", "FLOOR: LEAVE HIT?", line.cite
        words = self.shut_words()
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
        """The grants of rounds that are over of which nobody has said whether they were paid."""
        now = self.books.rounds if self.play.round is not None else 0
        open_ = [
            each for each in self.books.linked.claims if each.grant and not each.by and each.round != now
        ]
        return [f"{each.grant} {how}" for each in open_ for how in (PAID, NONE)]

    def settle_grant(self, value: str) -> None:
        """The floor says of a grant that came after its round whether it was paid."""
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
        LinkedMeters.leave_hit,
        LinkedMeters.verify_wait,
        when=LinkedMeters.does_wait,
    ),
    Action(
        "settle_grant",
        "LATE HIT PAID?",
        Role.FLOOR,
        ANY_PHASE,
        "11(c)(5)(iii)",
        LinkedMeters.settle_grant,
        values=LinkedMeters.unsettled,
        say=LinkedMeters.grant_words,
        when=lambda room: bool(room.unsettled()),
        while_held=True,
    ),
)
