"""Every reading of the law's ambiguities is named in its chapters, with the default first.

The table is typed in from the page of readings: id, name of the option, its answers, and the chapters that have
it. What an answer does is held where the paragraph is settled or dealt; here only that it can be given. A reading
with one answer is no option: it says how the program understands the text.
"""

from __future__ import annotations

import pytest

from sabot.rules.round import Options
from sabot.rules.settlement import House, HouseError

from .table_talk import ALL, law

OPTIONS = """
R1  aces_bonus               five four                    682a
R2  wheel5                   yes no                       641a md 679a 682a
R3  tiebreak                 poker highest_card           641a md 679a 682a
P1  ante_bonus_losing        yes no                       641a md
P2  bad_beat_play            returned kept                679a
P3  win_bonus_tie            yes no                       682a
P4  win_bonus_for            in_full less_one             682a
P5  board_pair               any aces                     683a
L1  limit_682                bonuses all                  682a
F1  fold_unlisted            alive forfeit                641a
E1  envy_folded_holder       cards_on_table never always  641a md
E2  envy_two_boxes           no yes                       641a md
M1  md_envy_c                text royal                   md
M2  md_super_royal_stake     returned kept                md
G1  hand_bonus_first         player dealer                641a
V1  void_forfeits            returned kept                641a md 679a 682a 683a
V14 stub_count_scope         both deck table              641a md 679a 682a 683a
V16 void_after_payment       void held                    641a md 679a 682a 683a
V17 exposed_other            played held                  641a md 679a 682a 683a
V18 stack_count              void held                    641a md 679a 682a 683a
T12 linked_units             one any                  md
D1  stack_bottom             last first                   641a md 679a 682a
D2  next_card                bottom top                   641a
D3  community                after interleaved            683a
D4  six_card_reshuffle       last first after_dealer      641a
D5  community_card_if_unused no yes                       679a
D18 deck_life_683            8h 4h                        683a
"""
UNDERSTOOD = """
R4  rankings_of_C          md
R5  highest_listed         641a md 679a 682a 683a
R6  highest_listed         682a
R7  as_royal_flush         641a md 679a 682a 683a
R8  three_and_a_pair       682a 683a
R9  three_of_a_kind        682a 683a
R10 two_pair_higher        682a
R11 same_hands             679a 682a
R12 not_needed             683a
R13 ace_high               683a
R14 by_list                683a
R15 best_value             641a md 682a
R16 own_row                682a
R17 or_better              679a
R18 by_paytable            641a
P6  one_to_one             679a
P7  player_paid            641a md 679a 682a
P8  stake_gone             641a md
P9  by_paytable            679a
P10 four_or_three          679a
P11 table_only             679a
P12 push                   683a
P13 cut_off                641a md 679a 682a 683a
P14 ante_only              641a md 682a
P15 each_its_own           641a 679a 682a
P16 losing_hand            641a
P17 also_without_ante      641a
P18 paytable               641a 682a
L2  settle_order           679a 682a 683a
L3  winnings               679a 682a 683a
L4  one_a_player           679a 682a 683a
L5  at_submission          679a 682a 683a
L6  both_rows              682a
F2  literal                641a md
F3  while_alive            md
F4  optional               641a md
F5  by_wager               641a md 679a 682a 683a
F6  literal                641a md 679a 682a 683a
F7  settled                641a
F8  two_cards              683a
F9  same_pass              683a
F10 only_if_said           641a md 679a 682a 683a
F11 wager                  md
E3  any_player             641a md
E4  1_and_5_dollars        641a md
E5  own_choice             641a md
E6  own_turn               641a md
E7  each                   641a md
M3  five_card              md
M4  see_E5                 md
M5  document_order         md
T1  reset_between          641a md
T2  times_the_wager        641a md
T3  literal                md
T4  included               641a md
T5  ledger_only            641a
T6  zero                   641a
T7  equal_shares           641a
T8  less_what_was_paid     641a md
T9  reversed_by_ledger     641a md
T10 independent            641a md
T11 one_link               641a md
G2  each_if_drawn          641a
G3  as_drawn               641a
G4  rank_and_suit          641a
G5  win_or_lose            641a
G6  face_down_five         641a
G7  no_money               641a
V2  chapter_by_chapter     641a md 679a 682a 683a
V3  before_last_decision   682a
V4  optional_settled       683a
V5  deal_completed         679a 682a 683a
V6  named_places           641a md 679a 682a 683a
V7  stack_filled           641a md 679a 682a 683a
V8  no_wager_effect        641a md 679a 682a 683a
V9  all_returned           641a md 679a 682a 683a
V10 same_rule              md
V11 as_meant               md
V12 losers_collected       md
V13 automated_only         641a md 679a 682a 683a
V15 other_deck             641a md 679a 682a 683a
V19 in_any_word            641a md 679a 682a 683a
V20 first_of_the_deal      641a md 679a 682a 683a
V21 after_the_last_stack   641a md 679a 682a 683a
V22 nothing_carried_out    641a md 679a 682a 683a
V23 listed_for_the_floor   641a md 679a 682a 683a
D6  after_all_have_three   679a
D7  if_placed              md
D8  top_card               682a
D9  top_of_stub            679a
D10 stacks_of_three        679a
D11 by_wager               641a md 679a 682a 683a
D12 face_down              682a
D13 from_the_hand          683a
D14 preshuffled            679a 682a 683a
D15 as_automated_shoe      682a 683a
D16 no_burn                641a md 679a 682a 683a
D17 shared                 641a md 679a 682a 683a
D19 time_of_the_table_file 641a md 679a 682a 683a
D20 deck_by_deck           641a md 679a 682a 683a
F12 with_its_ante          641a
F13 while_settled          641a md 679a 682a 683a
G8  amount_or_odds         641a md 679a 682a 683a
G9  of_one_unit            641a md
R19 not_of_equal_rank      641a md 679a 682a
"""
SHORT = {"641a": "pa641a", "md": "md4cp", "679a": "pa679a", "682a": "pa682a", "683a": "pa683a"}

Answers = dict[str, tuple[str, tuple[str, ...]]]


def listed(table: str) -> list[tuple[str, list[str], list[str]]]:
    """Each line as (id, words, chapters)."""
    lines = [line.split() for line in table.strip().splitlines()]
    return [
        (words[0], [word for word in words[1:] if word not in SHORT], [SHORT[w] for w in words if w in SHORT])
        for words in lines
    ]


def told(chapter: str) -> Answers:
    options = {words[0]: (id_, tuple(words[1:])) for id_, words, where in listed(OPTIONS) if chapter in where}
    fixed = {id_: (id_, (words[0],)) for id_, words, where in listed(UNDERSTOOD) if chapter in where}
    return options | fixed


@pytest.mark.parametrize("chapter", ALL)
def test_every_reading_is_named_with_its_answers(chapter: str) -> None:
    readings = law(chapter).readings
    assert {name: (reading.id, reading.values) for name, reading in readings.items()} == told(chapter)


@pytest.mark.parametrize("chapter", ALL)
def test_every_reading_says_where_and_what(chapter: str) -> None:
    for name, reading in law(chapter).readings.items():
        assert reading.name == name
        assert reading.cite.startswith("ch." if chapter == "md4cp" else chapter.removeprefix("pa"))
        assert len(reading.about.split()) > 3
        assert reading.default == reading.values[0]


@pytest.mark.parametrize("chapter", ALL)
def test_every_answer_can_be_given(chapter: str) -> None:
    for name, (_, answers) in told(chapter).items():
        for answer in answers:
            assert House(law(chapter), Options(readings={name: answer})).readings[name] == answer
        assert House(law(chapter), Options(readings={name: "default"})).readings[name] == answers[0]


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(HouseError, match=r"E-HOUSE-003 options.readings.moon: there is no reading 'moon'"):
        House(law("pa641a"), Options(readings={"moon": "full"}))


def test_an_unknown_answer_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        HouseError, match=r"E-HOUSE-004 options.readings.wheel5: 'maybe' .* answers are yes no\."
    ):
        House(law("pa641a"), Options(readings={"wheel5": "maybe"}))
