"""What the five texts ask of procedure, as data: one row a chapter, each number with its paragraph beside it.

Pennsylvania's four chapters have the same skeleton, so a paragraph is named once by what it is about and
numbered for each; Maryland numbers its own way. The stub and the lock have a paragraph for each method of
dealing: from a manual shoe (section 8), from the hand (9), from an automated shoe (10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PACK = 52
# x.3(c), MLGCA 3.C: dealt by hand four hours, from a shoe eight.
HAND_LIFE_S, SHOE_LIFE_S = 4 * 3600.0, 8 * 3600.0
# x.8, 9, 10: "at least once every 5 rounds of play".
STUB_EVERY = 5
MANUAL, BY_HAND, AUTOMATED = "manual", "hand", "automated"
BEFORE_RAISES = "before the raises"
OUR_POLICY = "our policy"


@dataclass(frozen=True)
class Chapter:
    """One text: who is dealt in, how many cards, who is asked for what, and in what order money moves."""

    number: str
    seats: int
    hand: int
    dealer: int
    community: int
    second: tuple[str, ...]
    multiples: str
    steps: tuple[tuple[str, ...], ...]
    needs: Mapping[str, tuple[tuple[str, ...], ...]]
    shared: Mapping[str, tuple[str, int]]
    paragraphs: Mapping[str, str]
    dealt_in_by_any: bool = False
    face_up: int = 0
    lost_by_fold: frozenset[str] = frozenset()
    exposed: str = "settled"
    by_dealer: frozenset[str] = frozenset()
    deal_keeps_documents: bool = False

    def base(self) -> frozenset[str]:
        """Return the wagers of the contest itself, which x.13(d) sends back: the Ante and the second ones."""
        return frozenset({"ante", *self.second})

    def knows(self, about: str) -> bool:
        """Whether the chapter says anything about something."""
        names = {
            name.removesuffix(f" {each}") for name in self.paragraphs for each in (MANUAL, BY_HAND, AUTOMATED)
        }
        return about == OUR_POLICY or about in names

    def paragraph(self, about: str, method: str = "") -> str:
        """Return the paragraph for something, by the method of dealing where each has its own."""
        if about == OUR_POLICY:
            return about
        return self.paragraphs.get(f"{about} {way(method)}") or self.paragraphs[about]


def way(method: str) -> str:
    """Return which of the three sections on dealing a method falls under."""
    if method.startswith("auto_shoe"):
        return AUTOMATED
    return BY_HAND if method == "hand" else MANUAL


# What a paragraph is about: its number in Pennsylvania's skeleton.
_SKELETON = {
    "seats": "2(a)",
    "one deck": "3(a)",
    "two decks": "3(b)",
    "colors": "3(b)(1)",
    "alternate": "3(b)(3)",
    "life": "3(c)",
    "inspected": "4(a)",
    "spread": "4(b)",
    "washed": "4(c)",
    "shuffled": "5(a)",
    "counted": "5(b)",
    "cut": "5(c)(2)",
    "no more bets": "7(c)",
    "wagers": "7(d)",
    "left": "7(b)",
    "boxes": "7(e)",
    "lock manual": "8(b)",
    "lock hand": "9(a)(3)",
    "lock automated": "10(a)(2)",
    "hand needs shuffler": "9(a)(1)",
    "deal hand": "9(b)",
    "deal automated": "10(b)-(c)",
    "stub hand": "9(d)",
    "stub automated": "10(d)",
    "wrong stub hand": "9(f)",
    "wrong stub automated": "10(f)",
    "asked": "11(b)",
    "turned": "11(c)",
    "forfeits": "11(c)",
    "in turn": "11(c)",
    "face up": "13(a)",
    "several face up": "13(a)",
    "drawn in error": "13(b)",
    "wrong number": "13(c)",
    "exposed": "13(d)",
    "shuffler": "13(e)",
    "shoe": "13(f)",
    "out of order": "13(g)",
}


def _pennsylvania(number: str, **own: str) -> dict[str, str]:
    """Number the skeleton; ``own`` says where a chapter departs from it."""
    numbered = _SKELETON | {name.replace("_", " "): where for name, where in own.items()}
    return {about: f"{number}.{where}" for about, where in numbered.items()}


_PRIME_STUB = {"deal_manual": "8(c)", "stub_manual": "8(e)", "wrong_stub_manual": "8(g)"}
_MARYLAND = {
    "seats": "2.A",
    "one deck": "3.A",
    "two decks": "3.B",
    "colors": "3.B(2)",
    "alternate": "3.B(4)",
    "life": "3.C",
    "inspected": "4.A",
    "spread": "4.B",
    "washed": "4.C",
    "shuffled": "5.A",
    "counted": "5.B",
    "cut": "5.C(2)",
    "no more bets": "7.D",
    "wagers": "7.E",
    "left": "7.B(2)",
    "boxes": "7.F",
    "lock manual": "8.C",
    "lock hand": "9.A(3)",
    "lock automated": "10.A(2)",
    "hand needs shuffler": "9.A(1)",
    "deal manual": "8.E",
    "deal hand": "9.B",
    "deal automated": "10.B",
    "stub manual": "8.G",
    "stub hand": "9.C",
    "stub automated": "10.D",
    "wrong stub manual": "8.H",
    "wrong stub hand": "9.F-G",
    "wrong stub automated": "10.F-G",
    "asked": "11.B",
    "turned": "11.D(2)",
    "forfeits": "11.D(1)",
    "in turn": "11.D(4)",
    "succession": "11.D(4)-(8)",
    "validated": "11.D(10)(c)",
    "bonus card": "11.D(7)",
    "face up": "13.A",
    "several face up": "13.B",
    "drawn in error": "13.C",
    "wrong number": "13.D",
    "exposed": "13.E",
    "shuffler": "13.F",
    "shoe": "13.G",
    "out of order": "13.H",
}

# "After placing an Ante Wager or an Aces Up Wager, or both" and the like: each group needs one of its own.
_ANTE, _EITHER = (("ante",),), (("ante", "aces_up"),)

CHAPTERS: Mapping[str, Chapter] = {
    "pa641a": Chapter(
        number="641a",
        seats=7,  # 641a.2(a)
        hand=5,  # 641a.8(d)
        dealer=6,
        community=0,
        second=("play",),
        multiples="between",  # 641a.7(d)(1): from one to three times
        # 641a.11(c)(3)-(8), "in succession".
        steps=(
            ("ante", "play", "ante_bonus"),
            ("aces_up",),
            ("prog4", "prog5", "envy"),
            ("bad_beat",),
            ("hand_bonus_player", "hand_bonus_dealer"),
            ("six_card",),
        ),
        # 641a.7(d)(4)-(8)
        needs={
            "play": _ANTE,
            "prog4": _EITHER,
            "prog5": _EITHER,
            "bad_beat": _EITHER,
            "hand_bonus_player": _ANTE,
            "hand_bonus_dealer": _ANTE,
            "six_card": _ANTE,
        },
        shared={"six_card": ("six_card", 1)},
        paragraphs=_pennsylvania(
            "641a",
            deal_manual="8(d)",
            stub_manual="8(f)",
            wrong_stub_manual="8(h)",
            succession="11(c)(3)-(8)",
            validated="11(c)(5)(iii)",
            documents="11(c)(5)(iv)",
            bonus_card="11(c)(8)",
        ),
        dealt_in_by_any=True,
        face_up=6,
        lost_by_fold=frozenset({"ante", "play", "prog4", "prog5"}),  # 641a.11(b)(1)-(2)
        exposed="void",
        deal_keeps_documents=True,
    ),
    "md4cp": Chapter(
        number="md",
        seats=7,
        hand=5,
        dealer=6,
        community=0,
        second=("play",),
        multiples="between",  # 7.E(1)
        steps=(("ante", "play", "ante_bonus"), ("aces_up",), ("six_card",), ("progressive", "envy")),
        needs={"play": _ANTE, "progressive": _EITHER, "six_card": (("ante",), ("aces_up",))},  # 7.E(4)-(5)
        shared={"six_card": ("six_card", 1)},
        paragraphs={about: f"ch.{where}" for about, where in _MARYLAND.items()},
        dealt_in_by_any=True,
        face_up=6,
        lost_by_fold=frozenset({"ante", "play", "progressive"}),  # 11.C(3)
        exposed="void",
    ),
    "pa679a": Chapter(
        number="679a",
        seats=6,
        hand=3,
        dealer=3,
        community=0,
        second=("play",),
        multiples="equal",  # 679a.7(d)(1)
        steps=(("ante", "play", "bad_beat"), ("prime",), ("pair_bonus",), ("all_six",)),
        needs=dict.fromkeys(("play", "prime", "pair_bonus", "all_six"), _ANTE),
        shared={},
        paragraphs=_pennsylvania("679a", **_PRIME_STUB, succession="11(c)-(d)", bonus_card="11(d)(2)(ii)"),
        lost_by_fold=frozenset({"ante", "play"}),
        by_dealer=frozenset({"prime", "all_six"}),  # 679a.11(d)(1), (3): of six cards, three are the dealer's
    ),
    "pa682a": Chapter(
        number="682a",
        seats=6,
        hand=5,
        dealer=6,
        community=0,
        second=("raise",),
        multiples="whole",  # 682a.11(b): one, two or three times
        steps=(("ante", "raise", "win_bonus", "bad_beat"), ("prime",), ("aces_bonus",), ("all_six",)),
        needs=dict.fromkeys(("raise", "prime", "aces_bonus", "all_six"), _ANTE),
        shared={"all_six": ("all_six", 1)},
        paragraphs=_pennsylvania(
            "682a",
            **_PRIME_STUB,
            turned="11(d)",
            in_turn="11(d)",
            succession="11(d)-(e)",
            bonus_card="11(e)(3)",
        ),
        lost_by_fold=frozenset({"ante", "raise"}),
        exposed=BEFORE_RAISES,  # 682a.13(d)
    ),
    "pa683a": Chapter(
        number="683a",
        seats=6,
        hand=2,
        dealer=0,
        community=3,
        second=("raise1", "raise2", "raise3"),
        multiples="whole",  # 683a.11(b), (d), (f)
        steps=(
            ("ante", "raise1", "raise2", "raise3"),
            ("pocket",),
            ("board",),
            ("lo_ball",),
            ("all_six",),
        ),
        needs=dict.fromkeys(("raise1", "pocket", "board", "lo_ball", "all_six"), _ANTE),
        shared={"all_six": ("all_six", 4)},
        paragraphs=_pennsylvania(
            "683a",
            **_PRIME_STUB,
            asked="11(b)-(g)",
            forfeits="11(b)",
            turned="11(c), (e), (g)",
            streets="11(c)-(g)",
            in_turn="11(h)",
            succession="11(h)-(i)",
            bonus_card="11(i)(4)",
        ),
        lost_by_fold=frozenset({"ante", "raise1", "raise2", "raise3"}),
    ),
}
