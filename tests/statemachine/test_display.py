"""What the dealer reads, sees lit and may place: two lines that fit, one lamp, the spots that are open."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from sabot.rules.settlement.declared import BONUS_CARD, MAGIC_CARD
from sabot.statemachine import cures, display
from sabot.statemachine.action import Action
from sabot.statemachine.contest import DEALER
from sabot.statemachine.labels import (
    HELD_LINES,
    WIDTH,
    fit,
    place_words,
    question_words,
    row_words,
    wager_words,
)
from sabot.statemachine.prompts.after_deal import AFTER_DEAL
from sabot.statemachine.prompts.before_round import BEFORE_ROUND
from sabot.statemachine.prompts.deal import DEAL
from sabot.statemachine.reveal_questions import HAND, NO_ROW, QUALIFIES, TOO_LOW, WINS
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import LightSeat, OpenSpots, ShowPrompt
from sabot.statemachine.vocabulary.events import Key, Role, RoleUnlocked
from sabot.statemachine.vocabulary.fault_kinds import FAULTS, FaultRow

from .life import at
from .shift import Shift
from .tables import CHAPTERS, WAYS, Way, law, optional_wagers

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


@pytest.fixture
def uncut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every line that is shown, as it was before it would have been cut."""
    shown: list[str] = []

    def keep(text: str) -> str:
        shown.append(text)
        return fit(text)

    monkeypatch.setattr(display, "fit", keep)
    return shown


def fits(lines: list[str]) -> bool:
    return all(0 < len(line) <= WIDTH and line == line.encode("ascii", "replace").decode() for line in lines)


# ---------------------------------------------------------------- nothing is ever cut


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_policy_no_line_of_a_whole_shift_is_cut(way: Way, uncut: list[str]) -> None:
    shift = Shift(way.chapter, method=way.method, knowledge=way.knowledge)
    shift.open_table()
    chapter = law(way.chapter)
    optional = {
        name: 100 if chapter.wagers[name].device == "progressive" else 12_345
        for name in optional_wagers(way.chapter)
        if chapter.wagers[name].device != "account"
    }
    for seat in (1, 3, 6):
        shift.bet(seat, ante=123_450, **optional)
        if way.chapter == "pa641a":
            shift.account(seat, hand_bonus_player=500, hand_bonus_dealer=500)
    shift.lock()
    shift.deal()
    shift.reveal({3: "fold"}, otherwise=1)
    shift.settle_all()
    shift.next_round()
    assert [line for line in uncut if not fits([line])] == []


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_policy_no_line_of_any_list_in_any_phase_is_cut(phase: Phase, uncut: list[str]) -> None:
    shift = at(phase)
    for key in (Key.MENU, Key.FLOOR):
        for role in Role:
            shift.send(RoleUnlocked, role=role, person="p")
        shift.press(key)
        for place in range(len(shift.titles())):
            shift.press(Key.OK) if _has_values(shift, place) else None
            shift.press(*(Key.RIGHT,) * 9, *(Key.LEFT,) * 9)
            shift.press(
                Key.BACK
            ) if shift.table.state.entry.menu and shift.table.state.entry.menu.action else None
            shift.press(Key.RIGHT)
        if shift.table.state.entry.menu:
            shift.press(Key.BACK)
    assert shift.is_in(phase)
    assert [line for line in uncut if not fits([line])] == []


def _has_values(shift: Shift, place: int) -> bool:
    menu = shift.table.state.entry.menu
    assert menu is not None
    menu.cursor = place
    action: Action = shift.table.rooms.actions.named(menu.actions[place])
    return action.values is not None and bool(action.values())


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row.kind)
def test_policy_each_fault_has_two_lines_that_fit(row: FaultRow) -> None:
    why = HELD_LINES[row.kind]
    assert len(f"HELD: {why}") <= WIDTH
    shift = at(Phase.DEALING)
    shift.table.state.devices.out_of_order.append("shoe")
    shift.table.rooms.faults.hold(row.kind, "shoe", "why")
    shift.press(Key.OK)
    first, second = shift.prompt
    assert first == f"HELD: {why}"
    assert second.partition(": ")[0] in ("TECH", "FLOOR")
    (held,) = shift.table.state.trouble.holds
    for step in shift.table.rooms.cures.steps(held):
        assert len(f"{cures.CALLED[step.by]}: {step.short}") <= WIDTH


@each_chapter
def test_policy_each_row_wager_and_question_of_a_chapter_fits_and_is_told_from_the_others(
    chapter: str,
) -> None:
    spec = law(chapter)
    tables = [
        *spec.paytables.values(),
        *(each for envy in spec.envy.values() for each in envy.by_unit.values()),
    ]
    for table in tables:
        rows = [row.name for sheet in table.sheets for row in sheet.rows]
        words = [row_words(table.name, row) for row in dict.fromkeys(rows)]
        assert fits(words)
        assert len(set(words)) == len(words)
    for ranking in spec.rankings.values():
        answers = (*ranking.order, NO_ROW, QUALIFIES, TOO_LOW, "yes", "ties")
        assert fits([row_words(key, row) for key in (DEALER, HAND, WINS) for row in answers])
    names = [wager_words(name, spec) for name in spec.wagers]
    assert len(set(names)) == len(names)
    keys = [DEALER, WINS, HAND, *spec.wagers, *spec.envy, *spec.paytables]
    keys += [f"{name}:{BONUS_CARD}" for name, wager in spec.wagers.items() if wager.bonus_card]
    keys += [f"{name}:{MAGIC_CARD}" for name, wager in spec.wagers.items() if wager.extras]
    asked = [question_words(key, 0 if key == DEALER else 7, spec) for key in keys]
    assert fits(asked)


@each_chapter
def test_policy_each_place_of_a_layout_fits_with_room_for_face_up(chapter: str) -> None:
    for place in (*law(chapter).hands.places, "seat7:fourth", "seat7", "discard"):
        assert len(place_words(place)) + len(" FACE UP") <= WIDTH + len(" FACE UP")
    assert len(place_words("dealer") + " FACE UP") <= WIDTH


def test_policy_what_is_too_long_for_a_display_is_cut_and_made_plain() -> None:
    assert fit("ÄÖ€ and a text that is far too long") == "??? and a text that "


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("pair_bonus:bonus_card", "NO"),
        ("aces_up", "NONE OF THESE"),
        (HAND, "NO PAIR OR BETTER"),
        (WINS, "DEALER"),
    ],
)
def test_policy_the_last_row_of_a_question_is_none_of_them(key: str, words: str) -> None:
    assert row_words(key, NO_ROW) == words


def test_policy_every_phase_has_a_prompt() -> None:
    assert Counter([*BEFORE_ROUND, *DEAL, *AFTER_DEAL]) == Counter(Phase)


# ---------------------------------------------------------------- every prompt has its paragraph


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_policy_every_prompt_is_cited(phase: Phase) -> None:
    shift = at(phase)
    shown = next(effect for effect in reversed(shift.effects) if isinstance(effect, ShowPrompt))
    assert shown.cite.startswith("641a.") or shown.cite == "our policy"


@each_chapter
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe"])
def test_x_8_a_step_cites_the_section_of_the_method_by_which_it_is_dealt(chapter: str, method: str) -> None:
    shift = Shift(chapter, method=method)
    number = {"manual_shoe": "8", "hand": "9", "auto_shoe": "10"}[method]
    prefix = f"ch.{number}." if chapter == "md4cp" else f"{law(chapter).cite}.{number}("
    for section in ("8(b)", "8(e)", "8(f)", "8(h)"):
        assert shift.table.law.cite(section).startswith(prefix)


# ---------------------------------------------------------------- told once, and only what is new


def test_policy_nothing_is_said_twice() -> None:
    shift = at(Phase.BETS_OPEN)
    shift.bet(2, ante=1000)
    assert shift.prompt == ("BETS OPEN", "1 SEATS  LOCK=END")
    shift.mark()
    shift.bet(2, ante=2000)
    assert shift.effects[shift.effects.__len__() :] == shift.last == []


def test_policy_one_lamp_is_lit_and_it_goes_out() -> None:
    shift = at(Phase.SETTLING)
    seats = [effect.seat for effect in shift.effects if isinstance(effect, LightSeat)]
    assert seats[-1] == 5
    shift.settle_all()
    seats = [effect.seat for effect in shift.effects if isinstance(effect, LightSeat)]
    assert seats[-1] == 0
    assert all(one != other for one, other in pairwise(seats))


def test_policy_spots_are_opened_and_locked_by_difference() -> None:
    shift = at(Phase.DECIDING)
    shift.answer(2)
    assert [effect.spots for effect in shift.said(OpenSpots)] == [((5, "play"),)]
