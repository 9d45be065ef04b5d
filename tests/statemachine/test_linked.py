"""641a.2(c), 641a.12(d)-(e), PROG-7: linked meters at a table; what it tells the floor and what it hears."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from sabot.statemachine import linked
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Setup, SetupError, meter_terms
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    AnnounceHit,
    ClaimHit,
    ConfirmGrant,
    ContributeToLink,
    DarkenSpots,
    FreezeHit,
    LockWagers,
    OpenSpots,
    PayWager,
    RefuseWager,
    RequireRole,
    ReverseFromLink,
    SetMeter,
    SilenceMeter,
    WithdrawGrant,
)
from sabot.statemachine.vocabulary.events import (
    GrantTakenBack,
    HitGranted,
    Key,
    MeterLinkChanged,
    MeterLinkRefused,
    Resumed,
    WagerSensed,
)

from .shift import Shift
from .tables import law, optional_wagers, options, table_setup

LINKS = {"prog5": "pit", "hand_bonus": "vault"}
ROYAL, QUADS, LOW = "As Ks Qs Js Ts", "9s 9h 9d 9c 2h", "2d 4h 6s 8c Jd 3c"
BET: dict[str, int | None] = {"ante": 1000, "prog5": 100}


def setup_of(chapter: str = "pa641a", links: dict[str, str] | None = None, **changes: Any) -> Setup:
    chosen = links or {"prog5": "pit"}
    own = meter_terms(law(chapter), options(chapter), optional_wagers(chapter))
    meters = {name: terms for name, terms in own.items() if name not in chosen}
    return table_setup(chapter, links=chosen, meters=meters, **changes)


class Linked(Shift):
    """A shift at a table with linked meters, and the words of its floor."""

    most = 2_000

    said_by_floor = 0

    @classmethod
    def opened(cls, chapter: str = "pa641a", *, is_open: bool = True, **changes: Any) -> Linked:
        shift = cls(setup=setup_of(chapter, **changes))
        shift.open_table()
        if is_open:
            shift.link()
        return shift

    def link(self, why: str = "", link: str = "pit", config: int = 3) -> None:
        self.send(MeterLinkChanged, link=link, config=config, why=why)

    def hear(self, kind: Any, **fields: Any) -> None:
        self.said_by_floor += 1
        self.send(kind, number=self.said_by_floor, **fields)

    def grant(self, seat: int = 2, cents: int = 1_000_000, *more: int, **changes: Any) -> None:
        named = {"link": "pit", "level": "mega", "round": 1, "wager": "prog5", "row": "royal_flush"}
        seats = (seat, *more)
        fields = {
            "grant": 71 + self.said_by_floor,
            "seats": seats,
            "cents": cents * len(seats),
            "each": cents,
        }
        self.hear(HitGranted, **{**named, **fields, **changes})

    def hit(self, seat2: str = ROYAL, **hands: str) -> Linked:
        """A round in which seat 2 has a hit, up to its turn to be paid."""
        self.bet(2, **BET)
        for name in hands:
            if name.startswith("seat"):
                self.bet(int(name[4:]), **BET)
        self.lock()
        self.deal(seat2=seat2, **{"dealer": LOW, **hands})
        self.reveal({})
        self.mark()
        while self.phase is Phase.SETTLING:
            self.ok()
        return self

    @property
    def claims(self) -> list[Any]:
        return self.table.state.books.linked.claims


def effect(shift: Shift, kind: Any) -> Any:
    (found,) = shift.said(kind)
    return found


# ---------------------------------------------------------------- the set-up


def test_641a_2c_a_linked_meter_has_no_account_at_the_table() -> None:
    table = Table(setup_of())

    assert not any(name.startswith("prog5") for name in table.state.books.ledger.balances)
    assert "prog5" not in table.rooms.shares.meters()
    assert table.law.links == {"prog5": "pit"}


def test_641a_2c_a_link_is_of_a_meter_that_is_offered() -> None:
    with pytest.raises(SetupError, match="the meter prog4 belongs to no wager on offer"):
        Table(table_setup("pa641a", offers=frozenset({"aces_up"}), links={"prog4": "pit"}, meters={}))


def test_641a_2c_a_snapshot_from_before_there_were_links_is_gone_on_from() -> None:
    shift = Shift("pa641a")
    shift.open_table()
    taken: Any = json.loads(json.dumps(shift.table.snapshot()))
    del taken["setup"]["links"], taken["state"]["linked"]

    assert Table.restore(shift.setup, taken).state.play.phase is Phase.BETS_OPEN


# ---------------------------------------------------------------- PROG-7: spots


def test_prog_7_linked_spots_are_shut_until_the_floor_is_heard() -> None:
    shift = Linked.opened(is_open=False)

    assert (2, "prog5") not in shift.table.rooms.display.open_spots()
    assert (2, "prog4") in shift.table.rooms.display.open_spots()
    assert shift.prompt[0] == "BETS, LINK DOWN"
    shift.mark()
    shift.link()
    assert [each.spots for each in shift.said(OpenSpots)] == [tuple((seat, "prog5") for seat in range(1, 8))]
    assert shift.prompt[0] == "BETS OPEN"
    assert shift.said(SilenceMeter) == [SilenceMeter(meter="prog5", why="", cite="641a.2(c)")]


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("the floor is silent", "LINK DOWN"),
        ("the link stands still", "LINK STOPPED"),
        ("its amount is old", "AMOUNT OLD"),
        ("the floor has no such link", "NO SUCH LINK"),
    ],
)
def test_prog_7_displays_say_why_linked_spots_are_shut(why: str, words: str) -> None:
    shift = Linked.opened()
    shift.mark()
    shift.link(why)

    assert effect(shift, LockWagers).spots == tuple((seat, "prog5") for seat in range(1, 8))
    assert shift.prompt[0] == f"BETS, {words}"
    assert effect(shift, SilenceMeter).why == words
    shift.mark()
    shift.link(why, config=4)
    assert shift.said(SilenceMeter) == []


def test_prog_7_what_lies_on_a_spot_that_is_shut_goes_back_and_the_table_plays_on() -> None:
    shift = Linked.opened()
    shift.bet(2, **BET)
    shift.mark()
    shift.link("the floor is silent")
    assert effect(shift, DarkenSpots).spots == ((2, "prog5"),)
    shift.send(WagerSensed, seat=4, wager="prog5", cents=100)
    assert effect(shift, RefuseWager).why == "the floor is silent"
    shift.mark()
    shift.lock()

    assert [(each.seat, each.wager, each.why) for each in shift.said(RefuseWager)] == [
        (2, "prog5", "the floor is silent")
    ]
    assert shift.said(ContributeToLink) == []
    assert shift.table.state.play.current.bets == {2: {"ante": 1000}}


def test_prog_7_after_a_start_the_links_are_shut_until_they_are_heard_again() -> None:
    shift = Linked.opened()
    shift.send(Resumed, down_s=3.0)

    assert shift.table.state.books.linked.links["pit"].why == linked.NOT_HEARD
    assert shift.prompt[0] == "BETS, LINK DOWN"
    shift.send(MeterLinkChanged, link="other", config=1)
    assert shift.why == "no meter of this table is linked to other"


# ---------------------------------------------------------------- 641a.12(d)(3): contributions


def test_641a_12d3_at_lock_the_accepted_wagers_contribute_to_their_link() -> None:
    shift = Linked.opened(links=LINKS)
    shift.link(link="vault", config=8)
    shift.bet(2, **BET, prog4=100)
    shift.bet(5, **BET)
    before = dict(shift.table.state.books.ledger.balances)
    shift.mark()
    shift.lock()

    told = effect(shift, ContributeToLink)
    assert (told.link, told.number, told.config) == ("pit", 1, 3)
    assert told.spots == ((2, "prog5", 100), (5, "prog5", 100))
    moved = {
        name
        for name, units in shift.table.state.books.ledger.balances.items()
        if units != before.get(name, 0)
    }
    assert {name.partition(".")[0] for name in moved} == {"players", "prog4"}


def test_prog_7_a_round_under_way_keeps_its_wagers_when_the_link_is_lost() -> None:
    shift = Linked.opened()
    shift.bet(2, **BET)
    shift.lock()
    shift.mark()
    shift.link("the floor is silent")

    assert shift.said(ReverseFromLink) == []
    assert shift.table.state.play.current.bets == {2: BET}


def test_prog_7_the_link_is_lost_and_comes_back_in_each_phase_of_a_round() -> None:
    shift = Linked.opened()
    seen = set()

    def lose() -> None:
        before = shift.table.state.play.phase
        seen.add(before)
        shift.link("the floor is silent")
        assert not shift.table.rooms.faults.held
        assert (before is Phase.BETS_OPEN) == shift.prompt[0].startswith("BETS, ")
        assert shift.table.state.play.phase is before
        shift.link()

    lose()
    shift.bet(2, **BET)
    lose()
    shift.press(Key.LOCK)
    lose()
    shift.count_chips()
    lose()
    shift.deal(seat2=ROYAL, dealer=LOW)
    lose()
    shift.reveal({})
    lose()
    while shift.phase is Phase.SETTLING:
        shift.ok()
    lose()
    shift.grant()
    lose()
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    lose()

    assert seen >= {Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.DEALING, Phase.SETTLING, Phase.VALIDATING}
    assert [
        type(each) for each in shift.effects if isinstance(each, (ContributeToLink, ReverseFromLink))
    ] == [ContributeToLink]
    assert not shift.table.state.play.current.void


def test_641a_8b_a_wager_without_a_chip_is_taken_back_and_one_more_contributes() -> None:
    shift = Linked.opened()
    shift.bet(2, **BET)
    shift.bet(5, ante=1000)
    shift.press(Key.LOCK)
    shift.mark()
    shift.count_chips(2)
    shift.floor("CHIP MISMATCH", "5 prog5 up")
    assert effect(shift, ContributeToLink).spots == ((5, "prog5", 100),)
    assert shift.is_in(Phase.DEALING)
    other = Linked.opened()
    other.bet(2, **BET)
    other.bet(5, **BET)
    other.press(Key.LOCK)
    other.mark()
    other.count_chips(1)
    other.floor("CHIP MISMATCH", "5 prog5 down")
    assert effect(other, ReverseFromLink).spots == ((5, "prog5"),)
    assert [(each.seat, each.wager) for each in other.table.state.books.linked.placed] == [(2, "prog5")]


def test_641a_13c_a_void_takes_back_what_contributed_and_its_undoing_gives_it_again() -> None:
    shift = Linked.opened()
    shift.bet(2, **BET)
    shift.bet(5, **BET)
    shift.lock()
    shift.deal()
    shift.mark()
    shift.wrong_number()
    back = effect(shift, ReverseFromLink)
    assert (back.link, back.number, back.spots) == ("pit", 1, ((2, "prog5"), (5, "prog5")))
    assert back.cause.startswith("641a.13")
    shift.mark()
    shift.floor("UNDO VOID")

    assert effect(shift, ContributeToLink).spots == ((2, "prog5", 100), (5, "prog5", 100))
    shift.mark()
    shift.wrong_number()
    assert effect(shift, ReverseFromLink).spots == ((2, "prog5"), (5, "prog5"))


# ---------------------------------------------------------------- 641a.12(d)(4): a hit


def test_641a_12d4_a_hit_is_claimed_at_its_turn_and_paid_what_the_floor_grants() -> None:
    shift = Linked.opened().hit()

    claimed = effect(shift, ClaimHit)
    assert (claimed.link, claimed.number, claimed.wager, claimed.row, claimed.seats) == (
        ("pit", 1, "prog5", "royal_flush", (2,))
    )
    assert shift.said(FreezeHit) == []
    assert shift.prompt == ("HIT SEAT 2 WAITS", "FOR THE AMOUNT")
    shift.floor("VALIDATE HIT")
    assert shift.why == "the floor has not granted the amount yet"
    shift.mark()
    shift.grant(cents=1_234_567)
    assert effect(shift, FreezeHit).cents == 1_234_567
    assert shift.prompt == ("HIT SEAT 2 LIGHT ON?", "FLOOR: VALIDATE HIT")
    shift.floor("VALIDATE HIT", person="f7")
    assert effect(shift, ConfirmGrant) == ConfirmGrant(grant=71, by="f7", cite="641a.11(c)(5)(iii)")
    shift.ok()
    paid = (
        effect(shift, PayWager) if len(shift.said(PayWager)) == 1 else shift.said(PayWager, wager="prog5")[0]
    )
    assert (paid.paid, paid.from_tray) == (1_234_567, False)
    shift.floor("DOCUMENTS DONE")
    shift.clear()
    line = next(line for line in shift.record.lines if line.wager == "prog5")
    assert line.paid == 1_234_567
    assert [hit.cents for hit in shift.record.hits] == [1_234_567]
    assert shift.claims == []
    assert shift.said(SetMeter, meter="prog5") == []
    assert shift.table.state.books.day.hits == 1


def test_641a_12d4_two_hits_of_a_round_are_claimed_each_at_its_own_turn() -> None:
    shift = Linked.opened().hit(seat5="Ah Kh Qh Jh Th")
    assert effect(shift, ClaimHit).seats == (5,)
    shift.mark()
    shift.grant(5, 900)
    shift.floor("VALIDATE HIT")
    while shift.phase is Phase.SETTLING:
        shift.ok()

    assert effect(shift, ClaimHit).seats == (2,)
    shift.grant(2, 700)
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    assert {
        line.seat: line.paid for line in shift.table.state.play.current.lines if line.wager == "prog5"
    } == {
        5: 900,
        2: 700,
    }


def test_641a_12g2_a_jackpot_on_the_dealers_hand_is_claimed_once_for_all_who_share_it() -> None:
    shift = Linked.opened(links={"hand_bonus": "vault"})
    shift.link(link="vault")
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
        shift.account(seat, hand_bonus_dealer=100)
    shift.lock()
    shift.deal(dealer="As Ks Qs Js Ts 2d")
    shift.reveal({})
    shift.mark()
    while shift.phase is Phase.SETTLING:
        shift.ok()
    claimed = effect(shift, ClaimHit)
    assert (claimed.wager, set(claimed.seats)) == ("hand_bonus_dealer", {2, 5})
    shift.grant(
        claimed.seats[0], 5_000, claimed.seats[1], link="vault", wager="hand_bonus_dealer", row=claimed.row
    )
    shift.floor("VALIDATE HIT")
    shift.settle_all()

    assert len(shift.said(ClaimHit)) == 1
    assert {each.seat for each in shift.said(FreezeHit, cents=5_000)} == {2, 5}
    assert [each.grant for each in shift.said(ConfirmGrant)] == [71]


def test_prog_6_what_the_floor_says_counts_once() -> None:
    shift = Linked.opened().hit()
    shift.grant()
    shift.said_by_floor = 0
    shift.grant()

    assert shift.why == "message 1 of the floor was heard before"
    assert len(shift.said(FreezeHit)) == 1


def test_prog_6_a_refused_claim_is_told_and_left_to_the_floor() -> None:
    shift = Linked.opened().hit()
    shift.hear(
        MeterLinkRefused, message="claim", link="pit", round=1, wager="prog5", seats=(2,), why="no such wager"
    )
    assert shift.prompt == ("HIT SEAT 2 REFUSED", "FLOOR: LEAVE HIT?")
    assert "no such wager" in shift.said(RequireRole)[-1].why
    shift.floor("VALIDATE HIT")
    assert shift.why == "the floor refuses: no such wager"


# ---------------------------------------------------------------- the link is down


def test_prog_7_a_hit_waits_with_its_cards_and_the_floor_may_leave_it_to_its_console() -> None:
    shift = Linked.opened().hit()
    shift.link("the floor is silent")
    assert shift.prompt == ("HIT SEAT 2 WAITS", "LINK DOWN: FLOOR")
    shift.floor("LEAVE HIT TO FLOOR", person="f7")
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    shift.clear()
    assert next(line.paid for line in shift.record.lines if line.wager == "prog5") is None
    assert [each.by for each in shift.claims] == ["f7"]
    shift.mark()
    shift.grant(cents=5_000, by_hand=True)

    assert effect(shift, ConfirmGrant).by == "f7"
    assert shift.claims == []
    assert any(
        "5000 cents granted by hand at the floor" in note.words for note in shift.table.state.books.notes
    )


def test_prog_7_a_hit_left_to_the_floor_is_booked_in_its_round_when_it_is_heard_in_time() -> None:
    shift = Linked.opened().hit()
    shift.floor("LEAVE HIT TO FLOOR")
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    shift.grant(cents=5_000, by_hand=True)
    shift.clear()

    assert next(line.paid for line in shift.record.lines if line.wager == "prog5") == 5_000
    assert [hit.cents for hit in shift.record.hits] == [5_000]
    assert shift.claims == []


def test_prog_7_nothing_is_left_to_the_floor_that_does_not_wait() -> None:
    shift = Linked.opened().hit()
    shift.grant()
    shift.unlock()
    shift.press(Key.FLOOR)
    assert "LEAVE HIT TO FLOOR" not in shift.titles()
    assert not shift.table.rooms.actions.can("leave_hit")


# ---------------------------------------------------------------- voids, corrections, restarts


def test_641a_13_a_void_withdraws_a_hit_that_was_granted_and_one_whose_grant_comes_later() -> None:
    shift = Linked.opened().hit()
    shift.mark()
    shift.wrong_number()
    assert shift.said(WithdrawGrant) == []
    assert effect(shift, ReverseFromLink).spots == ((2, "prog5"),)
    shift.grant()
    assert effect(shift, WithdrawGrant).grant == 71
    assert shift.claims == []
    other = Linked.opened().hit()
    other.grant()
    other.mark()
    other.wrong_number()

    kinds = [
        type(each)
        for each in other.effects[other._mark :]
        if isinstance(each, (WithdrawGrant, ReverseFromLink))
    ]
    assert kinds == [WithdrawGrant, ReverseFromLink]


def test_641a_13_a_void_after_a_linked_hit_was_paid_holds_the_table() -> None:
    shift = Linked.opened().hit()
    shift.grant()
    shift.floor("VALIDATE HIT")
    shift.ok()
    shift.mark()
    shift.wrong_number()

    assert [held.kind for held in shift.table.rooms.faults.holding()] == ["hit_paid"]
    assert effect(shift, WithdrawGrant).by == "floor"


def test_policy_a_hit_that_another_outcome_does_not_have_is_withdrawn() -> None:
    shift = Linked.opened().hit()
    shift.mark()
    line = next(line for line in shift.table.state.play.current.lines if line.wager == "prog5")
    shift.table.state.play.current.lines = [
        each for each in shift.table.state.play.current.lines if each != line
    ]
    shift.table.rooms.linked_hits.take_outcome()
    (gone,) = shift.claims
    assert gone.none == "no hit after all"
    shift.table.state.play.current.lines.append(line)
    assert shift.table.rooms.linked_hits.claim(line)
    assert [each.is_said for each in shift.claims] == [True, False]  # a turn is granted once
    assert shift.said(ClaimHit) == []
    shift.grant()
    assert effect(shift, WithdrawGrant).grant == 71
    assert effect(shift, ClaimHit).seats == (2,)
    assert [each.is_said for each in shift.claims] == [True]


def test_policy_a_hit_that_stands_in_another_outcome_too_is_claimed_no_second_time() -> None:
    shift = Linked.opened().hit()
    shift.grant(cents=5_000)
    shift.mark()
    shift.table.rooms.linked_hits.take_outcome()

    assert [(each.none, each.each) for each in shift.claims] == [("", 5_000)]
    assert shift.said(ClaimHit) == []
    assert shift.said(WithdrawGrant) == []


def test_policy_an_amount_is_announced_at_its_own_seats_turn_alone() -> None:
    shift = Linked.opened().hit()
    shift.mark()
    (claim,) = shift.claims
    shift.table.rooms.linked_hits._freeze(dataclasses.replace(claim, seats=[5], grant=9, each=900))
    assert shift.said(FreezeHit) == []

    shift.grant()
    shift.floor("VALIDATE HIT")
    assert shift.phase is not Phase.VALIDATING
    shift.mark()
    shift.table.rooms.linked_hits._freeze(claim)
    assert shift.said(FreezeHit) == []


def test_prog_7_of_two_hits_the_one_that_was_left_to_the_floor_is_booked() -> None:
    shift = Linked.opened().hit(seat5="Ah Kh Qh Jh Th")
    shift.grant(5, 900)
    shift.floor("VALIDATE HIT")
    while shift.phase is Phase.SETTLING:
        shift.ok()
    shift.floor("LEAVE HIT TO FLOOR")
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    shift.grant(2, 700, by_hand=True)

    assert {hit.seat: hit.cents for hit in shift.table.state.play.current.hits} == {5: 900, 2: 700}


def test_prog_6_a_refusal_of_another_round_leaves_the_hit_that_waits() -> None:
    shift = Linked.opened().hit()
    before = shift.prompt
    shift.hear(
        MeterLinkRefused,
        message="claim",
        link="pit",
        round=99,
        wager="prog5",
        seats=(2,),
        why="no such round",
    )

    assert [each.refused for each in shift.claims] == [""]
    assert shift.prompt == before


def test_policy_a_claim_that_was_never_told_is_forgotten() -> None:
    shift = Linked.opened().hit()
    line = next(line for line in shift.table.state.play.current.lines if line.wager == "prog5")
    shift.table.rooms.linked_hits.withdraw(shift.claims[0], "no hit")
    shift.table.rooms.linked_hits.claim(line)
    shift.table.rooms.linked_hits.withdraw(shift.claims[1], "no hit")

    assert [each.is_said for each in shift.claims] == [True]


def test_policy_a_round_taken_over_tells_a_hit_that_was_paid_by_hand() -> None:
    shift = Linked.opened().hit()
    shift.send(Resumed, down_s=3.0)
    shift.floor("TAKE OVER", "kept")
    shift.mark()
    shift.floor("HIT PAID BY HAND", "2 prog5 royal_flush", person="f7")
    assert shift.said(ClaimHit) == []
    shift.grant(cents=5_000)

    assert effect(shift, ConfirmGrant).by == "f7"
    assert [hit.cents for hit in shift.table.state.play.current.hits] == [5_000]
    assert next(line.paid for line in shift.table.state.play.current.lines if line.wager == "prog5") == 5_000


def test_policy_a_hit_that_only_people_know_of_is_claimed_when_they_say_so() -> None:
    shift = Linked.opened()
    shift.bet(2, **BET)
    shift.lock()
    shift.send(Resumed, down_s=3.0)
    shift.floor("TAKE OVER", "kept")
    shift.mark()
    shift.floor("HIT PAID BY HAND", "2 prog5 royal_flush")
    assert effect(shift, ClaimHit).seats == (2,)
    assert next(line.paid for line in shift.table.state.play.current.lines if line.wager == "prog5") is None


def test_policy_a_granted_hit_that_was_paid_by_hand_is_validated_at_once() -> None:
    shift = Linked.opened().hit()
    shift.grant(cents=5_000)
    shift.send(Resumed, down_s=3.0)
    shift.floor("TAKE OVER", "kept")
    shift.mark()
    shift.floor("HIT PAID BY HAND", "2 prog5 royal_flush")

    assert effect(shift, ConfirmGrant).grant == 71
    assert [hit.cents for hit in shift.table.state.play.current.hits] == [5_000]


def test_policy_a_round_taken_over_with_its_shares_reversed_had_no_wager_and_no_hit() -> None:
    shift = Linked.opened().hit()
    shift.grant()
    shift.send(Resumed, down_s=3.0)
    shift.mark()
    shift.floor("TAKE OVER", "reversed")

    assert effect(shift, WithdrawGrant).grant == 71
    assert effect(shift, ReverseFromLink).spots == ((2, "prog5"),)


@pytest.mark.parametrize(("how", "kind"), [("paid", ConfirmGrant), ("none", WithdrawGrant)])
def test_prog_6_of_a_grant_whose_round_is_over_the_floorperson_says_whether_it_was_paid(
    how: str, kind: Any
) -> None:
    shift = Linked.opened()
    shift.grant(round=99, cents=5_000)
    assert shift.said(RequireRole)[-1].why == "hit of round 99: paid?"
    shift.mark()
    shift.floor("LATE HIT PAID?", f"71 {how}", person="f7")

    assert (effect(shift, kind).grant, effect(shift, kind).by) == (71, "f7")
    assert shift.claims == []
    assert shift.table.rooms.linked_hits.unsettled() == []


def test_641a_2c_a_table_without_linked_meters_takes_nothing_from_a_floor() -> None:
    shift = Shift("pa641a")
    shift.send(GrantTakenBack, number=1, grant=7, cause="no")
    assert shift.why == "no meter of this table is linked"


def test_policy_a_grant_that_people_took_back_at_the_floor_is_told_at_the_table() -> None:
    shift = Linked.opened().hit()
    shift.grant()
    shift.hear(GrantTakenBack, grant=71, cause="no such hand")
    assert shift.prompt == ("HIT SEAT 2 REFUSED", "FLOOR: LEAVE HIT?")
    assert next(line.paid for line in shift.table.state.play.current.lines if line.wager == "prog5") is None
    other = Linked.opened()
    other.grant(round=99)
    other.hear(GrantTakenBack, grant=71, cause="no such hand")
    assert other.claims == []
    assert other.said(RequireRole)[-1].why == "grant 71 taken back at the floor: no such hand"


def test_policy_a_linked_table_goes_on_from_its_snapshot() -> None:
    shift = Linked.opened().hit()
    taken: Any = json.loads(json.dumps(shift.table.snapshot()))
    shift.table = Table.restore(shift.setup, taken)
    shift.mark()
    shift.grant(cents=4_321)

    assert effect(shift, FreezeHit).cents == 4_321
    assert AnnounceHit(meter="prog5", table="T2").cents == 0


def test_md_2c_a_table_of_maryland_is_linked_by_the_same_reading() -> None:
    shift = Linked(setup=table_setup("md4cp", links={"progressive": "pit"}, meters={}))
    shift.open_table()
    shift.link()
    shift.bet(2, ante=1000, progressive=100)
    shift.mark()
    shift.lock()

    told = effect(shift, ContributeToLink)
    assert (told.spots, told.cite) == (((2, "progressive", 100),), "ch.2.C")
