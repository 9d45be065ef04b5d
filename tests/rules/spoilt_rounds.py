"""A legal round of 641a, each thing that can be wrong with it, and the words it is refused with."""

from __future__ import annotations

import copy
from collections.abc import Callable

from .table_talk import Json, round_of, seat

NOTHING = "2d 4h 6s 8c Jd 3c"
ACES = "As Ad 9c 7h 2s"
Spoil = Callable[[Json], object]


def legal() -> Json:
    """A round of 641a with most of what a round can have."""
    return round_of(
        "pa641a",
        seat(3, ACES, ante=1000, aces_up=500, prog4=100, hand_bonus_player=100, six_card=100, play=3000),
        seat(5, "Ks Kd 9h 7c 3s", ante=1000, fold=True),
        dealer=NOTHING,
        six_card="5h",
        meters={"prog4": {"main": 1000}, "hand_bonus": {"main": 1000}},
        draws={"magic_card": "9h", "lucky": 3},
        deal={"method": "hand", "anything": [1, 2]},
        progressive_unit=100,
        readings={"wheel5": "no"},
    )


def spoilt(spoil: Spoil) -> Json:
    record = copy.deepcopy(legal())
    spoil(record)
    return record


REFUSED: dict[str, tuple[Spoil, str]] = {
    "an unknown field": (
        lambda r: r.update(colour="green"),
        "E-ROUND-001 round: unknown field 'colour'. The fields here are all_six chapter community deal dealer draws irregularity meters options pair_bonus_card seats six_card. Correct the name or take the field out.",
    ),
    "an unknown option": (lambda r: r["options"].update(edge=3), "E-ROUND-001 options: unknown field 'edge'"),
    "an option of another chapter": (
        lambda r: r["options"].update(pair_bonus_card="own"),
        "E-ROUND-001 options: unknown field 'pair_bonus_card'",
    ),
    "an unknown field of a seat": (
        lambda r: r["seats"][0].update(mood="good"),
        "E-ROUND-001 seats[0]: unknown field 'mood'",
    ),
    "a fourth card in another chapter": (
        lambda r: r["seats"][0].update(fourth="2h"),
        "E-ROUND-001 seats[0]: unknown field 'fourth'",
    ),
    "an unknown wager": (
        lambda r: r["seats"][0]["wagers"].update(insurance=1),
        "E-ROUND-001 seats[0].wagers: unknown field 'insurance'",
    ),
    "a play among the wagers": (
        lambda r: r["seats"][0]["wagers"].update(play=1000),
        "E-ROUND-001 seats[0].wagers: unknown field 'play'",
    ),
    "an unknown decision": (
        lambda r: r["seats"][0]["decision"].update(double=1),
        "E-ROUND-001 seats[0].decision: unknown field 'double'",
    ),
    "raises in another chapter": (
        lambda r: r["seats"][0].update(decision={"raises": [1000]}),
        "E-ROUND-001 seats[0].decision: unknown field 'raises'",
    ),
    "an unknown draw": (lambda r: r["draws"].update(wheel=7), "E-ROUND-001 draws: unknown field 'wheel'"),
    "an unknown meter": (
        lambda r: r["meters"].update(lottery={}),
        "E-ROUND-001 meters: unknown field 'lottery'",
    ),
    "an unknown level": (
        lambda r: r["meters"]["prog4"].update(mega=1),
        "E-ROUND-001 meters.prog4: unknown field 'mega'",
    ),
    "an unknown field of an irregularity": (
        lambda r: r.update(irregularity={"kind": "shoe_jam", "witness": "floor"}),
        "E-ROUND-001 irregularity: unknown field 'witness'",
    ),
    "no seats": (
        lambda r: r.pop("seats"),
        "E-ROUND-002 seats: is missing. The field has no default. Add it.",
    ),
    "a seat without a number": (lambda r: r["seats"][0].pop("seat"), "E-ROUND-002 seats[0].seat: is missing"),
    "a seat without wagers": (
        lambda r: r["seats"][0].pop("wagers"),
        "E-ROUND-002 seats[0].wagers: is missing",
    ),
    "an irregularity without a kind": (
        lambda r: r.update(irregularity={}),
        "E-ROUND-002 irregularity.kind: is missing",
    ),
    "an empty list of seats": (
        lambda r: r.update(seats=[]),
        "E-ROUND-004 seats: nobody is seated. A round has at least one wager. Add a seat.",
    ),
    "an empty object of wagers": (
        lambda r: r["seats"][0].update(wagers={}),
        "E-ROUND-004 seats[0].wagers: no wager",
    ),
    "seats that are no list": (lambda r: r.update(seats={}), "E-ROUND-003 seats: is {}, expected a list"),
    "a seat that is no object": (
        lambda r: r.update(seats=[3]),
        "E-ROUND-003 seats[0]: is 3, expected an object",
    ),
    "a seat that the table does not have": (
        lambda r: r["seats"][0].update(seat=8),
        "E-ROUND-003 seats[0].seat: is 8, expected a seat from 1 to 7 (641a.2(a))",
    ),
    "seat 0": (lambda r: r["seats"][0].update(seat=0), "E-ROUND-003 seats[0].seat: is 0"),
    "a seat that is true": (lambda r: r["seats"][0].update(seat=True), "E-ROUND-003 seats[0].seat: is True"),
    "a seat twice": (
        lambda r: r["seats"][1].update(seat=3),
        "E-ROUND-004 seats: seat 3 is there twice. A seat is one box. Correct one.",
    ),
    "a player without a name": (
        lambda r: r["seats"][0].update(player=""),
        "E-ROUND-003 seats[0].player: is '', expected a text",
    ),
    "abandoned that is no flag": (
        lambda r: r["seats"][0].update(abandoned=1),
        "E-ROUND-003 seats[0].abandoned: is 1, expected true or false",
    ),
    "fold that is no flag": (
        lambda r: r["seats"][1].update(decision={"fold": "yes"}),
        "E-ROUND-003 seats[1].decision.fold: is 'yes', expected true or false",
    ),
    "negative cents": (
        lambda r: r["seats"][0]["wagers"].update(aces_up=-500),
        "E-ROUND-003 seats[0].wagers.aces_up: is -500, expected whole cents above 0, or null where the value is not known",
    ),
    "a stake of nothing": (
        lambda r: r["seats"][0]["wagers"].update(aces_up=0),
        "E-ROUND-003 seats[0].wagers.aces_up: is 0",
    ),
    "fractional cents": (
        lambda r: r["seats"][0]["wagers"].update(aces_up=500.5),
        "E-ROUND-003 seats[0].wagers.aces_up: is 500.5",
    ),
    "cents as a text": (
        lambda r: r["seats"][0]["wagers"].update(aces_up="500"),
        "E-ROUND-003 seats[0].wagers.aces_up: is '500'",
    ),
    "cents that are true": (
        lambda r: r["seats"][0]["wagers"].update(aces_up=True),
        "E-ROUND-003 seats[0].wagers.aces_up: is True",
    ),
    "a negative meter": (
        lambda r: r["meters"]["prog4"].update(main=-1),
        "E-ROUND-003 meters.prog4.main: is -1, expected whole cents, not negative",
    ),
    "a fractional meter": (
        lambda r: r["meters"]["prog4"].update(main=0.5),
        "E-ROUND-003 meters.prog4.main: is 0.5",
    ),
    "a progressive unit without envy amounts": (
        lambda r: r["options"].update(progressive_unit=250),
        "E-ROUND-003 options.progressive_unit: is 250, expected 100 or 500 cents",
    ),
    "a progressive unit of nothing": (
        lambda r: r["options"].update(progressive_unit=0),
        "E-ROUND-003 options.progressive_unit: is 0, expected whole cents above 0",
    ),
    "a progressive of another amount": (
        lambda r: r["seats"][0]["wagers"].update(prog4=200),
        "E-ROUND-003 seats[0].wagers.prog4: is 200, expected 100 or 500 cents, for which there are envy amounts",
    ),
    "a payout limit where there is none": (
        lambda r: r["options"].update(payout_limit=5_000_000),
        "E-ROUND-004 options.payout_limit: pa641a knows no payout limit. The chapter does not allow one. Take it out.",
    ),
    "reset amounts that are the chapter's": (
        lambda r: r["options"].update(meter_reset={"main": 1}),
        "E-ROUND-004 options.meter_reset: pa641a does not let the operator choose reset amounts",
    ),
    "paytables that are no object": (
        lambda r: r["options"].update(paytables=["A"]),
        "E-ROUND-003 options.paytables: is ['A'], expected an object",
    ),
    "a letter that is no text": (
        lambda r: r["options"]["paytables"].update(aces_up=1),
        "E-ROUND-003 options.paytables.aces_up: is 1, expected a text",
    ),
    "an unknown paytable": (
        lambda r: r["options"]["paytables"].update(insurance="A"),
        "E-HOUSE-005 options.paytables.insurance: there is no paytable 'insurance' to choose",
    ),
    "a paytable without a choice": (
        lambda r: r["options"]["paytables"].update(hand_bonus="only"),
        "E-HOUSE-005 options.paytables.hand_bonus",
    ),
    "a letter that is not printed": (
        lambda r: r["options"]["paytables"].update(aces_up="G"),
        "E-HOUSE-001 options.paytables.aces_up: paytable 'G' is not in 641a.12(c). The letters of aces_up are A B C D E F. Choose one of those.",
    ),
    "a letter that is not chosen": (
        lambda r: r["options"]["paytables"].pop("aces_up"),
        "E-HOUSE-002 options.paytables.aces_up: no paytable is chosen for aces_up. The chapter leaves the choice to the operator (641a.12(c)). Name one of A B C D E F.",
    ),
    "an unknown reading": (
        lambda r: r["options"]["readings"].update(moon="full"),
        "E-HOUSE-003 options.readings.moon: there is no reading 'moon'",
    ),
    "an unknown answer": (
        lambda r: r["options"]["readings"].update(wheel5="maybe"),
        "E-HOUSE-004 options.readings.wheel5: 'maybe' is not an answer",
    ),
    "an unknown kind of irregularity": (
        lambda r: r.update(irregularity={"kind": "fire"}),
        "E-ROUND-003 irregularity.kind: is 'fire', expected one of dealer_exposed drawn_in_error one_face_up",
    ),
    "an irregularity of another chapter": (
        lambda r: r.update(irregularity={"kind": "community_exposed"}),
        "E-ROUND-003 irregularity.kind: is 'community_exposed'",
    ),
    "an unknown time": (
        lambda r: r.update(irregularity={"kind": "dealer_exposed", "when": "noon"}),
        "E-ROUND-003 irregularity.when: is 'noon', expected one of after_raise before_raise",
    ),
    "a position beyond the deck": (
        lambda r: r.update(irregularity={"kind": "one_face_up", "pos": 53}),
        "E-ROUND-003 irregularity.pos: is 53, expected a position in the deck, 1 to 52",
    ),
    "a lucky seat that is none": (
        lambda r: r["draws"].update(lucky=8),
        'E-ROUND-003 draws.lucky: is 8, expected a seat from 1 to 7, or "dealer"',
    ),
    "a magic card that is none": (
        lambda r: r["draws"].update(magic_card="1s"),
        "E-CARD-001 draws.magic_card: '1s' is not a card",
    ),
    "a card that is none": (
        lambda r: r["dealer"].__setitem__(2, "11h"),
        "E-CARD-001 dealer[2]: '11h' is not a card",
    ),
    "a card that is no text": (
        lambda r: r["dealer"].__setitem__(2, 7),
        "E-ROUND-003 dealer[2]: is 7, expected a text",
    ),
    "a card twice in a hand": (
        lambda r: r["dealer"].__setitem__(2, "2d"),
        "E-ROUND-004 dealer[2]: 2d is there twice. It stands already in dealer[0]. Correct one of the two.",
    ),
    "a card twice at two places": (
        lambda r: r.update(six_card="As"),
        "E-ROUND-004 six_card: As is there twice. It stands already in seats[0].cards[0]",
    ),
    "a ten twice in two spellings": (
        lambda r: (r["dealer"].__setitem__(2, "10h"), r["dealer"].__setitem__(3, "Th")),
        "E-ROUND-004 dealer[3]: Th is there twice",
    ),
    "too few cards": (
        lambda r: r["seats"][0]["cards"].pop(),
        "E-ROUND-004 seats[0].cards: 4 cards, expected 5. 641a.8(d) deals 5 there. Give them all, in the order dealt.",
    ),
    "too many cards": (lambda r: r["dealer"].append("Qc"), "E-ROUND-004 dealer: 7 cards, expected 6"),
    "a place that the chapter does not have": (
        lambda r: r.update(community=["2c", "3d", "4h"]),
        "E-ROUND-004 community: pa641a deals no such cards",
    ),
    "one card where a list belongs": (
        lambda r: r.update(dealer="2d"),
        "E-ROUND-003 dealer: is '2d', expected a list",
    ),
    "a list where one card belongs": (
        lambda r: r.update(six_card=["5h"]),
        "E-ROUND-003 six_card: is ['5h'], expected a text",
    ),
    "a live hand without cards": (
        lambda r: r["seats"][0].pop("cards"),
        "E-ROUND-020 seat 3 cards: seat 3 cards is not given, and seat 3 needs it",
    ),
    "no dealer's hand": (
        lambda r: r.pop("dealer"),
        "E-ROUND-020 dealer: dealer is not given, and the contest needs it. A wager that is alive cannot be settled without it. Add it to the round.",
    ),
    "no decision": (lambda r: r["seats"][0].pop("decision"), "E-ROUND-002 seats[0].decision: is missing"),
    "a decision that is no object": (
        lambda r: r["seats"][0].update(decision="play"),
        "E-ROUND-003 seats[0].decision: is 'play', expected an object",
    ),
    "a play and a fold": (
        lambda r: r["seats"][0]["decision"].update(fold=True),
        "E-ROUND-004 seats[0].decision: a play and a fold. A player does one or the other. Take one out.",
    ),
    "neither": (
        lambda r: r["seats"][0].update(decision={}),
        "E-ROUND-004 seats[0].decision: 0 of 1 second wagers and no fold. Each player who stays makes them all. Add them, or the fold.",
    ),
    "a play of nothing": (
        lambda r: r["seats"][0].update(decision={"play": 0}),
        "E-ROUND-003 seats[0].decision.play: is 0",
    ),
    "a play under the Ante": (
        lambda r: r["seats"][0].update(decision={"play": 999}),
        "E-ROUND-003 seats[0].decision play: is 999, expected 1 to 3 times the Ante of 1000 (641a.7(d)(1))",
    ),
    "a decision without an Ante": (
        lambda r: (r["seats"][0]["wagers"].clear(), r["seats"][0]["wagers"].update(aces_up=100)),
        "E-ROUND-004 seats[0].decision: a decision without an Ante. 641a.11(b) asks only players with an Ante. Take it out.",
    ),
    "a wager without what it requires": (
        lambda r: (
            r["seats"][1]["wagers"].pop("ante"),
            r["seats"][1]["wagers"].update(bad_beat=1),
            r["seats"][1].pop("decision"),
        ),
        "E-ROUND-004 seats[1].wagers.bad_beat: Bad Beat Bonus without Ante or Aces Up. 641a.7(d)(6) asks for it. Add that wager or take this one out.",
    ),
    "a long value is cut short": (
        lambda r: r.update(seats="x" * 500),
        "E-ROUND-003 seats: is 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., expected a list",
    ),
}
