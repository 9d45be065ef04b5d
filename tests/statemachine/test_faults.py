"""Faults: latched over every phase, lifted by a good test and the right role, each policy switchable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    ClearFault,
    Dispense,
    FreeShoe,
    HaltShoe,
    Hold,
    LockWagers,
    OpenSpots,
    RaiseFault,
    RemoveDeck,
    RequireRole,
    ReturnWager,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    Key,
    LinkLost,
    LinkRestored,
    Role,
    RoleLocked,
    Secret,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDispensed,
)
from sabot.statemachine.vocabulary.fault_kinds import FAULTS, OURS, POLICY

from .life import at as life_at
from .shift import NotOfferedError, Shift, locked, opened

if TYPE_CHECKING:
    from collections.abc import Callable

REPORTED = [row for row in FAULTS if row.kind not in OURS]
in_every_phase = pytest.mark.parametrize(
    "phase", ["closed", "inspecting", "spread", "shuffling", "bets_open", "dealing", "deciding", "settling"]
)


def at(phase: str) -> Shift:
    """A table in a phase."""
    shift = Shift()
    steps: list[tuple[str, Callable[[], object]]] = [
        ("inspecting", shift.receive),
        ("spread", shift.verify_cards),
        ("shuffling", shift.wash),
        ("bets_open", shift.get_ready),
        ("dealing", lambda: (shift.bet(2, ante=1000), shift.lock())),
        ("deciding", shift.deal),
        ("settling", shift.reveal),
    ]
    if phase == "closed":
        return shift
    for name, step in steps:
        step()
        if name == phase:
            break
    assert shift.phase.value == phase
    return shift


def retest(shift: Shift, device: str, fault: str = "all", *, good: bool = True) -> None:
    shift.send(DeviceRetested, device=device, fault=fault, good=good)


def kinds(shift: Shift) -> list[str]:
    return [held.kind for held in shift.table.state.trouble.holds]


# ---------------------------------------------------------------- latched


@in_every_phase
def test_policy_a_fault_locks_wagers_and_halts_the_shoe_first_of_all_in_any_phase(phase: str) -> None:
    shift = at(phase)
    effects = shift.send(LinkLost, device="pad 3", reason="no answer")
    first = [type(effect) for effect in effects]
    assert set(first[:2]) <= {LockWagers, HaltShoe}
    assert HaltShoe in first[:3]
    assert shift.phase.value == phase
    (held,) = [effect for effect in effects if isinstance(effect, Hold)]
    assert held.why == "device not heard: no answer"
    assert held.role is Role.FLOOR
    assert held.cite == POLICY
    assert shift.prompt == ("HELD: DEVICE SILENT", "FLOOR: PLUG IT IN")


@in_every_phase
def test_policy_a_held_table_stands_where_it_stood_when_it_is_released(phase: str) -> None:
    shift = at(phase)
    prompt = shift.prompt if shift.effects else None
    shift.send(LinkLost, device="sign", reason="silent")
    for key in (Key.OK, Key.LOCK, Key.ONE, Key.BACK, Key.PLUS):
        shift.press(key)
        assert shift.why.startswith("held: silent (our policy), floor releases")
    shift.send(LinkRestored, device="sign")
    assert shift.prompt == ("HELD: DEVICE SILENT", "FLOOR: RELEASE")
    shift.mark()
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    assert shift.phase.value == phase
    assert [effect.by for effect in shift.said(ClearFault)] == ["floor"]
    assert shift.said(FreeShoe)
    if prompt:
        assert shift.prompt == prompt


@pytest.mark.parametrize("row", REPORTED, ids=lambda row: row.kind)
def test_policy_each_kind_goes_by_its_own_row(row: Any) -> None:
    shift = at("dealing")
    shift.mark()
    shift.send(DeviceFaulted, device="shoe", fault=row.kind, detail="as reported")
    assert kinds(shift) == [row.kind]
    assert [each.role for each in shift.said(RequireRole)] == [row.role]
    (raised,) = shift.said(RaiseFault)
    assert raised.cite == (POLICY if row.section == "-" else f"641a.{row.section}")
    person = shift.floor if row.role is Role.FLOOR else shift.technician
    if row.needs_retest:
        person("RELEASE")
        assert kinds(shift) == [row.kind]
        retest(shift, "shoe", row.kind, good=False)
        person("RELEASE")
        assert kinds(shift) == [row.kind]
        retest(shift, "shoe", row.kind)
    wrong = shift.technician if row.role is Role.FLOOR else shift.floor
    wrong("RELEASE")
    assert kinds(shift) == [row.kind]
    person("RELEASE")
    assert kinds(shift) == []


@pytest.mark.parametrize("fault", [*sorted(OURS), "lamp burnt out"])
def test_policy_what_no_device_can_say_is_a_fault_of_the_device(fault: str) -> None:
    shift = at("dealing")
    shift.send(DeviceFaulted, device="shoe", fault=fault)
    assert kinds(shift) == ["device"]
    assert shift.table.state.trouble.holds[0].why == fault


def test_policy_the_same_fault_again_takes_back_its_good_test() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="pad", reason="first")
    retest(shift, "pad")
    shift.send(LinkLost, device="pad", reason="second")
    assert kinds(shift) == ["lost_link"]
    shift.floor("RELEASE")
    assert [held.why for held in shift.table.state.trouble.holds] == ["second"]


def test_policy_a_test_of_one_fault_is_no_test_of_another() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="shoe", reason="silent")
    shift.send(DeviceJammed, device="shoe", cause="stuck")
    retest(shift, "shoe", "device")
    assert [held.retested for held in shift.table.state.trouble.holds] == [False, True]
    retest(shift, "pad")
    assert shift.why == "pad has no fault"


def test_policy_faults_are_released_one_by_one_and_the_oldest_is_shown() -> None:
    shift = at("dealing")
    shift.send(DeviceFaulted, device="lamp", fault="burnt")
    shift.send(LinkLost, device="sign", reason="silent")
    assert shift.prompt == ("HELD: DEVICE FAULT", "TECH: LOOK, RETEST")
    shift.send(LinkRestored, device="sign")
    shift.floor("RELEASE", "2 lost_link sign")
    assert kinds(shift) == ["device"]
    retest(shift, "lamp")
    shift.technician("RELEASE", "1 device lamp")
    assert kinds(shift) == []


def test_policy_the_release_list_says_which_fault_in_words_that_fit() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(LinkLost, device="a device with a long name", reason="silent")
    for device in ("sign", "a device with a long name"):
        shift.send(LinkRestored, device=device)
    shift.unlock()
    shift.press(Key.FLOOR, Key.OK)
    assert shift.prompt == ("RELEASE", "1 DEVICE SILENT SIGN")
    shift.press(Key.RIGHT)
    assert shift.prompt == ("RELEASE", "2 DEVICE SILENT")


def test_policy_a_release_that_names_no_fault_is_refused() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="sign", reason="silent")
    shift.unlock()
    for value in ("2 lost_link sign", "0 lost_link sign"):
        with pytest.raises(Refused):
            shift.table.rooms.actions.verify("release", value)


def test_policy_a_dealers_word_clears_nothing() -> None:
    shift = at("dealing")
    shift.send(DeviceFaulted, device="shoe", fault="unreadable_card")
    for key in Key:
        shift.press(key)
    assert kinds(shift) == ["unreadable_card"]
    with pytest.raises(NotOfferedError):
        shift.menu("RELEASE")


def test_policy_a_key_turned_back_ends_what_it_gave() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(LinkRestored, device="sign")
    shift.unlock()
    shift.press(Key.FLOOR)
    shift.send(RoleLocked, role=Role.FLOOR)
    assert shift.table.state.entry.menu is None
    shift.press(Key.OK)
    assert kinds(shift) == ["lost_link"]


def test_policy_a_fault_survives_snapshot_and_restart() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="sign", reason="silent")
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    assert kinds(shift) == ["lost_link"]
    shift.ok()
    assert shift.why.startswith("held")


def test_policy_a_list_that_was_open_does_not_hide_a_fault() -> None:
    shift = at("dealing")
    shift.press(Key.MENU)
    shift.send(LinkLost, device="sign", reason="silent")
    assert shift.prompt[0] == "HELD: DEVICE SILENT"


# ---------------------------------------------------------------- every policy may be switched off

NO = dict.fromkeys(Policies.__dataclass_fields__, False)
SWITCHED: list[tuple[str, str, Callable[[Shift], object]]] = [
    ("unreadable_card", "manual_shoe", lambda shift: shift.send(CardDrawn, card=None)),
    ("lost_link", "manual_shoe", lambda shift: shift.send(LinkLost, device="shoe", reason="silent")),
    ("sort_mode", "manual_shoe", lambda shift: shift.send(DeviceModeChanged, device="shoe", mode="sort")),
    (
        "not_emptied",
        "manual_shoe",
        lambda shift: shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=36),
    ),
    ("short_stack", "auto_shoe", lambda shift: shift.send(StackDispensed, count=4)),
    ("deck_color", "manual_shoe", lambda shift: shift.send(DeviceFaulted, device="shoe", fault="deck_color")),
    (
        "composition",
        "manual_shoe",
        lambda shift: [shift.send(CardDrawn, card=Secret(7)) for _ in range(2)],
    ),
    (
        "contradiction",
        "auto_shoe",
        lambda shift: shift.send(StackDispensed, count=5, cards=(Secret(1),)),
    ),
]


@pytest.mark.parametrize(("policy", "method", "act"), SWITCHED, ids=[each[0] for each in SWITCHED])
def test_policy_each_may_be_switched_off(policy: str, method: str, act: Callable[[Shift], object]) -> None:
    shift = locked(method=method)
    act(shift)
    assert kinds(shift) == [policy]
    shift = locked(method=method, policies=replace(Policies(), **{policy: False}))
    act(shift)
    assert kinds(shift) == []
    assert {each[0] for each in SWITCHED} == set(Policies.__dataclass_fields__)


@pytest.mark.parametrize("kind", [row.kind for row in FAULTS if not row.policy and row.kind not in OURS])
def test_law_what_the_law_says_cannot_be_switched_off(kind: str) -> None:
    shift = locked(policies=Policies(**NO))
    shift.send(DeviceFaulted, device="shoe", fault=kind)
    assert kinds(shift) == [kind]


# ---------------------------------------------------------------- 13(e): the shuffler


def test_641a_13e_a_jam_before_play_is_retested_and_the_cards_are_reshuffled() -> None:
    shift = at("shuffling")
    shift.in_shuffler.clear()
    shift.send(ShufflerStopped, deck="A", cause="jam")
    assert shift.prompt == ("HELD: SHUFFLER STOP", "FLOOR: CLEAR, RETEST")
    shift.shuffler_done("A")
    shift.floor("RELEASE")
    assert kinds(shift) == ["shuffler_jam"]
    retest(shift, "shuffler")
    shift.mark()
    shift.floor("RELEASE")
    assert kinds(shift) == []


def test_641a_13e_what_the_device_shuffled_before_the_release_must_be_shuffled_again() -> None:
    shift = at("shuffling")
    shift.in_shuffler.clear()
    shift.send(ShufflerStopped, deck="A", cause="jam")
    retest(shift, "shuffler")
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    shift.get_ready()


def test_641a_13e_while_the_other_deck_is_on_the_felt_the_round_goes_on() -> None:
    """V15: held when the round is over."""
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.mark()
    shift.send(ShufflerStopped, deck="A", cause="jam")
    assert [each.fault for each in shift.said(RaiseFault)] == ["shuffler_jam"]
    assert not shift.said(HaltShoe)
    assert not shift.said(Hold)
    shift.deal()
    shift.reveal()
    shift.settle_all()
    assert shift.is_in(Phase.CLEARING)
    shift.mark()
    shift.clear()
    assert shift.said(HaltShoe)
    assert [each.why for each in shift.said(Hold)] == ["shuffler stopped: jam"]
    assert shift.prompt[0] == "HELD: SHUFFLER STOP"
    retest(shift, "shuffler")
    shift.floor("RELEASE")
    shift.in_shuffler = ["A"]
    shift.get_ready()


def test_641a_5b_a_wrong_count_of_the_other_deck_lets_the_round_go_on() -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.shuffler_done("A", count=51)
    assert kinds(shift) == ["deck_removed"]
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")
    shift.register()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: CHANGE DECK")
    shift.floor("CHANGE DECK", "A")
    shift.floor("RELEASE")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()


def test_641a_13e_a_shuffler_that_stops_on_a_deck_nobody_knows_is_held_too() -> None:
    shift = opened()
    shift.send(ShufflerStopped, deck="B", cause="jam")
    assert kinds(shift) == ["shuffler_jam"]


# ---------------------------------------------------------------- sort mode: a token after the last sort


def test_policy_after_a_sort_only_a_shuffle_begun_in_play_mode_counts() -> None:
    shift = at("shuffling")
    shift.in_shuffler.clear()
    shift.send(DeviceModeChanged, device="shuffler", mode="sort")
    assert shift.prompt == ("HELD: NOT PLAY MODE", "FLOOR: SET TO PLAY")
    shift.send(ShuffleStarted, deck="A")
    shift.shuffler_done("A")
    assert not shift.table.state.stock.decks["A"].ready
    shift.send(DeviceModeChanged, device="shuffler", mode="play")
    shift.shuffler_done("A")
    assert shift.why == "the device was in sort or verify mode: shuffle again"
    shift.floor("RELEASE")
    shift.shuffler_done("A")
    assert shift.is_in(Phase.BETS_OPEN)


def test_policy_a_sort_of_the_shuffler_does_not_touch_the_deck_in_the_shoe() -> None:
    shift = opened(decks=2)
    shift.send(DeviceModeChanged, device="shuffler", mode="verify")
    decks = shift.table.state.stock.decks
    assert (decks["A"].ready, decks["B"].ready) == (True, False)


def test_policy_a_sort_in_the_shoe_makes_its_deck_unplayable_until_it_is_reshuffled() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.send(DeviceModeChanged, device="shoe", mode="service")
    shift.send(DeviceModeChanged, device="shoe", mode="play")
    shift.floor("RELEASE")
    assert shift.prompt == ("DECK A NOT READY", "FLOOR: RESHUFFLE")
    shift.lock()
    assert shift.why == "no deck is ready"
    shift.floor("RESHUFFLE")
    shift.get_ready()
    shift.lock()
    assert shift.is_in(Phase.DEALING)


def test_policy_a_device_that_only_says_it_plays_says_nothing_new() -> None:
    shift = opened()
    shift.mark()
    shift.send(DeviceModeChanged, device="shuffler", mode="play")
    assert kinds(shift) == []
    shift.send(DeviceModeChanged, device="shuffler", mode="sort")
    shift.send(DeviceModeChanged, device="shuffler", mode="verify")
    assert shift.table.state.devices.sorting == ["shuffler"]


# ---------------------------------------------------------------- not emptied, wrong decks


def test_policy_a_device_that_kept_cards_holds_until_it_is_empty_and_a_technician_says_so() -> None:
    shift = opened()
    shift.send(DeviceEmptied, device="shuffler", cards_in=52, cards_out=36)
    assert shift.table.state.trouble.holds[0].why == "16 card(s) not accounted for"
    shift.technician("RELEASE")
    assert kinds(shift) == ["not_emptied"]
    shift.send(DeviceEmptied, device="shuffler", cards_in=36, cards_out=36)
    shift.floor("RELEASE")
    assert kinds(shift) == ["not_emptied"]
    shift.technician("RELEASE")
    assert kinds(shift) == []


def test_policy_a_device_that_tests_itself_well_does_not_account_for_the_cards_that_it_kept() -> None:
    """Its test passed, the release was taken, and three cards were still inside."""
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=49)
    assert shift.prompt == ("HELD: CARDS LEFT IN", "TECH: EMPTY, RELEASE")
    shift.send(DeviceRetested, device="shoe", fault="not_emptied", good=True)
    shift.technician("RELEASE")
    assert kinds(shift) == ["not_emptied"]
    assert shift.why == "not_emptied: empty the shoe first"
    shift.send(DeviceEmptied, device="shoe", cards_in=3, cards_out=2)
    assert shift.table.state.trouble.holds[0].why == "1 card(s) not accounted for"
    shift.send(DeviceEmptied, device="shoe", cards_in=1, cards_out=1)
    shift.technician("RELEASE")
    assert shift.prompt == ("DECK A NOT READY", "FLOOR: RESHUFFLE")


def test_policy_an_emptied_device_is_no_news() -> None:
    shift = opened()
    shift.send(DeviceEmptied, device="shuffler", cards_in=52, cards_out=52)
    assert kinds(shift) == []


@pytest.mark.parametrize(
    ("knowledge", "method"), [(Knowledge.EACH_CARD, "manual_shoe"), (Knowledge.STACK, "auto_shoe")]
)
def test_policy_a_card_that_the_deck_has_already_given_proves_the_deck_bad(
    knowledge: Knowledge, method: str
) -> None:
    shift = locked(method=method, knowledge=knowledge)
    shift.stack()
    shift.draw()
    shift.pack[shift.out] = shift.pack[0]
    shift.draw()
    assert kinds(shift) == ["composition"]
    assert shift.prompt == ("HELD: WRONG CARD", "FLOOR: VOID ROUND")
    assert shift.table.state.trouble.holds[0].device == "deck A"
    shift.mark()
    shift.floor("RELEASE")
    assert kinds(shift) == ["composition"]
    shift.floor("VOID ROUND", person="f2")
    assert [(each.why, each.cite) for each in shift.said(VoidRound)] == [
        ("a card came twice out of one deck", "our policy")
    ]
    assert [each.deck for each in shift.said(RemoveDeck)] == ["A"]
    assert {(each.seat, each.cents) for each in shift.said(ReturnWager)} == {(2, 1000)}
    shift.clear()
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.floor("RELEASE", "1 composition deck A")
    shift.floor("RELEASE", "1 deck_removed deck A")
    assert kinds(shift) == []
    assert ("void: a card came twice out of one deck", "f2") in [(n.words, n.by) for n in shift.record.notes]


def test_policy_a_deck_that_was_tested_good_after_all_is_played_on() -> None:
    shift = locked()
    shift.send(CardDrawn, card=Secret(7))
    shift.send(CardDrawn, card=Secret(7))
    retest(shift, "deck A")
    shift.floor("RELEASE")
    assert kinds(shift) == []
    shift.stack()
    where = shift.pack.index(7)
    shift.pack[where], shift.pack[51], shift.out = shift.pack[51], 7, 2
    shift.deal()
    shift.answer_all()
    shift.ok()
    assert shift.is_in(Phase.DECLARING)


def test_policy_a_card_that_no_deck_has_proves_the_deck_bad_too() -> None:
    shift = locked()
    shift.send(CardDrawn, card=Secret(52))
    assert [held.why for held in shift.table.state.trouble.holds] == ["a card that no deck has"]
    assert shift.table.state.play.current.seen == [None]


def test_policy_a_card_with_the_back_of_the_other_deck_may_be_voided_too() -> None:
    shift = locked(decks=2)
    shift.send(DeviceFaulted, device="shoe", fault="deck_color", detail="blue back")
    shift.mark()
    shift.floor("VOID ROUND")
    assert [each.deck for each in shift.said(RemoveDeck)] == ["A"]
    assert kinds(shift) == ["deck_color", "deck_removed"]


@pytest.mark.parametrize("method", ["manual_shoe", "auto_shoe"])
def test_policy_the_floor_voids_nothing_for_a_lost_sign_or_a_shoe_drawn_by_hand(method: str) -> None:
    shift = locked(method=method)
    if method == "auto_shoe":
        shift.deal()
    shift.send(LinkLost, device="shoe", reason="silent")
    with pytest.raises(NotOfferedError):
        shift.floor("VOID ROUND")
    shift.unlock()
    with pytest.raises(Refused, match="nothing that holds the round voids it"):
        shift.table.rooms.actions.verify("void_round")


def test_policy_a_round_that_nothing_holds_is_not_voided() -> None:
    shift = locked()
    shift.unlock()
    assert not shift.table.rooms.actions.can("void_round")


# ---------------------------------------------------------------- halted and freed


def test_policy_a_shoe_that_was_halted_is_ordered_anew() -> None:
    shift = locked(method="auto_shoe")
    assert [each.count for each in shift.said(Dispense)] == [5]
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(LinkRestored, device="sign")
    shift.mark()
    shift.floor("RELEASE")
    assert [type(each) for each in shift.last if isinstance(each, FreeShoe | Dispense)] == [
        FreeShoe,
        Dispense,
    ]
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_policy_spots_open_again_with_the_release() -> None:
    shift = opened()
    spots = shift.said(OpenSpots)[-1].spots
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(LinkRestored, device="sign")
    shift.mark()
    shift.floor("RELEASE")
    assert shift.said(OpenSpots)[-1].spots == spots


def test_policy_an_out_of_turn_card_holds_the_table() -> None:
    shift = opened()
    shift.send(CardDrawn, card=Secret(3))
    assert shift.prompt == ("HELD: STRAY CARD", "FLOOR: IS NEXT CARD")
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None


# ---------------------------------------------------------------- what a held view says


def test_policy_held_says_why_by_which_paragraph_who_releases_it_and_how() -> None:
    shift = at("dealing")
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.send(DeviceFaulted, device="shoe", fault="unreadable_card", detail="smudged")
    held = shift.table.rooms.views.view(Role.FLOOR)["held"]
    assert held == [
        {
            "kind": "shuffler_jam",
            "device": "shuffler",
            "why": "jam",
            "cite": "641a.13(e)",
            "releases": "floor",
            "how": "clear, retest, release",
            "steps": [
                "take the cards out of the shuffler and clear it",
                "FLOOR: RETEST, by a floorperson",
                "FLOOR: RELEASE, by a floorperson",
            ],
            "retested": False,
            "holds_now": False,
        },
        {
            "kind": "unreadable_card",
            "device": "shoe",
            "why": "smudged",
            "cite": "641a.13(a)",
            "releases": "floor",
            "how": "look, release",
            "steps": [
                "look at the card that was dealt last: nobody read it",
                "FLOOR: RELEASE, by a floorperson",
            ],
            "retested": False,
            "holds_now": True,
        },
    ]


def test_policy_the_day_counts_its_faults_and_unlocks() -> None:
    shift = at("dealing")
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(LinkLost, device="sign", reason="still silent")
    assert shift.table.state.books.day.faults == 1
    assert shift.table.state.books.day.unlocks == 2


def test_policy_a_report_of_a_shuffle_nobody_asked_for_contradicts() -> None:
    shift = opened()
    shift.send(ShuffleCompleted, deck="A", count=52)
    assert kinds(shift) == ["contradiction"]


# ---------------------------------------------------------------- once, and never lost


@pytest.mark.parametrize("phase", ["bets_open", "deciding"])
def test_policy_a_hold_locks_the_wagers_once(phase: str) -> None:
    shift = life_at(Phase(phase))
    shift.send(LinkLost, device="pad", reason="dead")
    assert [type(effect) for effect in shift.last[:2]] == [LockWagers, HaltShoe]
    assert [each.spots for each in shift.said(LockWagers)] == [()]


def test_policy_two_faults_of_one_event_lock_once() -> None:
    shift = life_at(Phase.DEALING)
    shift.send(LinkLost, device="pad", reason="dead")
    shift.mark()
    shift.send(CardDrawn, card=None)
    assert len(shift.said(RaiseFault)) == 2
    assert len(shift.said(LockWagers)) == 1
    assert isinstance(shift.last[0], LockWagers)


def test_policy_a_deck_of_the_same_name_that_is_bad_too_must_be_tested_itself() -> None:
    shift = life_at(Phase.BETS_OPEN)
    shift.send(DeviceFaulted, device="deck A", fault="composition")
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.unlock()
    assert shift.table.rooms.actions.can("release", "1 composition deck A")
    shift.send(DeviceFaulted, device="deck A", fault="composition")
    assert not shift.table.rooms.actions.can("release", "1 composition deck A")
    shift.send(DeviceRetested, device="deck A", fault="composition", good=True)
    assert shift.table.rooms.actions.can("release", "1 composition deck A")


def test_policy_a_good_test_of_what_is_not_tested_does_not_ask_for_the_release() -> None:
    shift = life_at(Phase.BETS_OPEN)
    shift.menu("OUT OF ORDER", "shoe")
    shift.send(DeviceRetested, device="shoe", fault="all", good=True)
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: COVER OR SIGN")


def test_641a_13e_a_shuffler_that_stopped_is_not_told_to_shuffle_before_its_release() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(ShufflerStopped, deck="B", cause="jam")
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.mark()
    shift.clear()
    assert not shift.said(StartShuffle)
    assert shift.prompt[0] == "HELD: SHUFFLER STOP"
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]


def test_policy_each_hold_says_how_it_is_lifted() -> None:
    shift = life_at(Phase.DECIDING)
    shift.send(LinkLost, device="pad", reason="dead")
    assert [(each.role, each.how) for each in shift.said(Hold)] == [
        (Role.FLOOR, "plug it in, retest, release")
    ]


@pytest.mark.parametrize("how", ["by count", "by stub", "by reading"])
def test_641a_5b_a_deck_that_is_removed_and_replaced_is_removed_once(how: str) -> None:
    shift = life_at(Phase.STUB_WRONG if how == "by stub" else Phase.DEALING)
    if how == "by stub":
        shift.press(Key.FOLD)
        shift.clear()
    elif how == "by reading":
        shift.send(DeviceFaulted, device="deck A", fault="composition")
        shift.floor("VOID ROUND")
        shift.clear()
    else:
        shift.deal()
        shift.reveal()
        shift.settle_all()
        shift.clear()
        shift.shuffler_done("A", count=51)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    assert [each.deck for each in shift.said(RemoveDeck)] == ["A"]


def test_one_machine_is_tested_once_whichever_name_its_fault_has() -> None:
    """A packet shoe that shuffles has one test; two devices have one each."""
    for one_machine in (True, False):
        shift = life_at(Phase.BETS_OPEN, one_machine=one_machine)
        shift.send(ShufflerStopped, deck="B", cause="jam")
        shift.send(DeviceRetested, device="shoe", fault="all", good=True)

        held = [each for each in shift.table.state.trouble.holds if each.device == "shuffler"]
        assert [each.retested for each in held] == [one_machine]
        assert bool(shift.why) != one_machine


@pytest.mark.parametrize("one_machine", [True, False])
@pytest.mark.parametrize("fault", ["device", "short_stack"])
def test_641a_13f_the_one_machine_that_stopped_is_told_to_shuffle_when_it_is_released(
    fault: str, one_machine: bool
) -> None:
    """What stands still refuses to shuffle, and its refusal would be a second fault."""
    shift = opened(method="auto_shoe", one_machine=one_machine)
    shift.quick_shuffler = False
    shift.bet(2, ante=1000)
    shift.lock()
    if fault == "device":
        shift.send(DeviceJammed, device="shoe", cause="card stuck")
    else:
        shift.send(DeviceFaulted, device="shoe", fault=fault, detail="not enough cards")
    shift.mark()
    shift.clear()
    assert bool(shift.said(StartShuffle)) is not one_machine
    shift.send(DeviceRetested, device="shoe", fault=fault, good=True)
    shift.mark()
    (shift.technician if fault == "device" else shift.floor)("RELEASE")
    assert bool(shift.said(StartShuffle)) is one_machine


def test_641a_13e_while_one_deck_is_inspected_the_other_is_shuffled_anew_after_a_jam() -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play((2,))
    shift.register()
    shift.floor("CHANGE DECK", "B")
    assert shift.is_in(Phase.INSPECTING)
    shift.send(ShufflerStopped, deck="A", cause="jam")
    retest(shift, "shuffler")
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]


def test_policy_what_is_no_safe_direction_is_refused_while_a_table_is_held() -> None:
    shift = opened()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.ok()
    assert shift.why.startswith("held: silent")
    assert shift.why.endswith("floor releases")


@pytest.mark.parametrize(
    ("again", "retested"),
    [
        ((LinkRestored, {}), "lost_link"),
        ((DeviceModeChanged, {"mode": "play"}), "sort_mode"),
        ((DeviceEmptied, {"cards_in": 36, "cards_out": 36}), "not_emptied"),
    ],
)
def test_policy_a_device_that_is_well_again_in_one_thing_is_not_in_another(
    again: tuple[Callable[..., Any], dict[str, Any]], retested: str
) -> None:
    shift = opened()
    shift.send(LinkLost, device="shuffler", reason="silent")
    shift.send(DeviceModeChanged, device="shuffler", mode="sort")
    shift.send(DeviceEmptied, device="shuffler", cards_in=52, cards_out=36)
    kind, fields = again
    shift.send(kind, device="shuffler", **fields)
    assert [held.kind for held in shift.table.state.trouble.holds if held.retested] == [retested]


@pytest.mark.parametrize("key", [Key.RIGHT, Key.PLUS, Key.ONE])
def test_641a_13_only_ok_says_that_the_wagers_of_a_void_round_are_back(key: Key) -> None:
    shift = locked()
    shift.deal()
    shift.wrong_number()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.press(key)
    assert shift.why.startswith("held: silent")
    assert shift.is_in(Phase.RETURNING)
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


def test_641a_13e_another_fault_keeps_no_deck_from_being_shuffled_anew() -> None:
    shift = at("shuffling")
    shift.in_shuffler.clear()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(ShufflerStopped, deck="A", cause="jam")
    retest(shift, "shuffler")
    shift.mark()
    shift.floor("RELEASE", "2 shuffler_jam shuffler")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    assert kinds(shift) == ["lost_link"]


@pytest.mark.parametrize(("rounds", "waiting"), [(1, "A"), (2, "B")])
def test_641a_13e_the_deck_that_is_not_in_play_is_shuffled_anew_whichever_it_is(
    rounds: int, waiting: str
) -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    for _ in range(rounds):
        if shift.in_shuffler:
            shift.shuffler_done()
        shift.play((2,))
    shift.send(ShufflerStopped, deck=waiting, cause="jam")
    retest(shift, "shuffler")
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == [waiting]


def test_policy_a_deck_in_the_shoe_is_not_made_ready_by_a_report_of_the_shuffler() -> None:
    shift = opened()
    shift.send(DeviceModeChanged, device="shoe", mode="service")
    shift.send(DeviceModeChanged, device="shoe", mode="play")
    shift.floor("RELEASE")
    shift.send(ShuffleStarted, deck="A")
    shift.send(ShuffleCompleted, deck="A", count=52)
    assert kinds(shift) == ["contradiction"]
    assert not shift.table.state.stock.decks["A"].ready


def test_policy_a_retest_that_stays_bad_says_what_is_left_and_a_good_one_leaves_the_reason() -> None:
    shift = Shift()
    shift.open_table()
    words = "seat 1 ante: its sensor cannot tell"
    shift.send(DeviceFaulted, device="pads", fault="contradiction", detail=words)
    left = "seat 4 ante: was in doubt and has chips on it (lift the chips)"
    (held,) = shift.table.state.trouble.holds
    for good, detail in ((False, left), (False, ""), (True, "")):
        shift.send(DeviceRetested, device="pads", fault="contradiction", good=good, detail=detail)
        assert (held.why, held.retested) == (left, good)
