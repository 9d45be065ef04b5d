"""x.13 and the stub counts of x.8 to x.10: which rounds are void, what goes back, and who left the table (x.7(b))."""

from __future__ import annotations

import pytest

from .table_talk import ALL, FORFEIT, LOST, Json, Told, law, returned, seat, settle

# kind: the paragraphs, chapter by chapter; all wagers go back
VOIDS = {
    "several_face_up": ("641a.13(a)", "ch.13.B", "679a.13(a)", "682a.13(a)", "683a.13(a)"),
    "wrong_count": ("641a.13(c)", "ch.13.D", "679a.13(c)", "682a.13(c)", "683a.13(c)"),
    "shoe_jam": ("641a.13(f)", "ch.13.G", "679a.13(f)", "682a.13(f)", "683a.13(f)"),
    **dict.fromkeys(
        ("stub_misdealt", "stub_short"),
        (
            "641a.8(h), 641a.9(f), 641a.10(f)",
            "ch.8.H, 9.F-G, 10.F-G",
            "679a.8(g), 679a.9(f), 679a.10(f)",
            "682a.8(g), 682a.9(f), 682a.10(f)",
            "683a.8(g), 683a.9(f), 683a.10(f)",
        ),
    ),
}
GOES_ON = ("one_face_up", "drawn_in_error", "shuffler_jam")
# A winning hand in a round with every kind of wager, and the dealer or the board it is played against.
PLAYED: dict[str, tuple[Json, Json]] = {
    "pa641a": (
        seat(
            3,
            "9s 9d 9c 3h 8s",
            ante=100,
            play=300,
            aces_up=200,
            prog4=100,
            prog5=500,
            bad_beat=70,
            hand_bonus_player=80,
            six_card=90,
        ),
        {
            "dealer": "2d 4h 6s 8c Jd 3c",
            "six_card": "5h",
            "meters": {"prog4": {"main": 7}, "prog5": {"main": 8}, "hand_bonus": {"main": 9}},
        },
    ),
    "md4cp": (
        seat(3, "9s 9d 9c 3h 8s", ante=100, play=300, aces_up=200, progressive=100, six_card=90),
        {"dealer": "2d 4h 6s 8c Jd 3c", "six_card": "5h", "meters": {"progressive": {"main": 7}}},
    ),
    "pa679a": (
        seat(3, "9h 9d 4h", fourth="3s", ante=100, play=100, prime=70, pair_bonus=80, all_six=90),
        {"dealer": "Qs 7d 2c"},
    ),
    "pa682a": (
        seat(3, "9s 9d 9c 3h 8s", ante=100, play=300, prime=70, aces_bonus=80, all_six=90),
        {"dealer": "2d 4h 6s 8c Jd 3c", "all_six": "5h"},
    ),
    "pa683a": (
        seat(3, "Ks Kd", ante=100, raises=[100, 200, 300], pocket=70, board=80, lo_ball=85, all_six=90),
        {"community": "9c 7h 2s", "all_six": "3c 4h 5h 8d"},
    ),
}
EXPOSED = {
    "pa641a": "dealer_exposed",
    "md4cp": "dealer_exposed",
    "pa679a": "dealer_exposed",
    "pa682a": "dealer_exposed",
    "pa683a": "community_exposed",
}
every_chapter = pytest.mark.parametrize("chapter", ALL)


def played(chapter: str, kind: str = "", **more: object) -> Told:
    player, layout = PLAYED[chapter]
    irregularity: Json = {"irregularity": {"kind": kind}} if kind else {}
    return settle(chapter, player, **{**layout, **irregularity, **more})


def stakes(chapter: str) -> dict[str, int]:
    player, _ = PLAYED[chapter]
    second = player["decision"].get("raises", [player["decision"].get("play")])
    names = law(chapter).contest.wagers[1:]
    made: dict[str, int] = player["wagers"] | dict(zip(names, second, strict=True))
    return made


@every_chapter
@pytest.mark.parametrize("kind", VOIDS)
def test_x_13_and_x_8_all_hands_void_all_wagers_returned(chapter: str, kind: str) -> None:
    """E7, T9: no envy bonus, and no meter is touched."""
    told = played(chapter, kind)
    cite = VOIDS[kind][ALL.index(chapter)]
    assert told.void == cite
    assert {line["wager"]: line["back"] for line in told.lines} == stakes(chapter)
    assert {(line["result"], line["cite"], line["net"]) for line in told.lines} == {("returned", cite, 0)}
    assert (told.hands, told.meters) == ({}, PLAYED[chapter][1].get("meters", {}))


@every_chapter
@pytest.mark.parametrize("kind", GOES_ON)
def test_x_13a_b_and_e_the_round_goes_on(chapter: str, kind: str) -> None:
    """V8: a shuffler's jam has no effect on wagers."""
    straight = played(chapter)
    told = settle(chapter, PLAYED[chapter][0], **PLAYED[chapter][1], irregularity={"kind": kind, "pos": 4})
    assert (told.void, told.lines) == (None, straight.lines)
    assert straight.lines[0]["result"] == "win"


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
@pytest.mark.parametrize("when", [None, "before_raise", "after_raise"])
def test_641a_13d_and_md_13e_an_exposed_dealers_card_voids_everything(chapter: str, when: str | None) -> None:
    """V2: side wagers and progressives too, and whenever it was."""
    irregularity = {"kind": "dealer_exposed"} | ({"when": when} if when else {})
    told = settle(chapter, PLAYED[chapter][0], **PLAYED[chapter][1], irregularity=irregularity)
    assert told.void == {"pa641a": "641a.13(d)", "md4cp": "ch.13.E"}[chapter]
    assert {line["result"] for line in told.lines} == {"returned"}


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_ante_and_second_wagers_back_the_optional_ones_settled(chapter: str) -> None:
    """V2, V4: as they would be, had nothing been exposed."""
    told, straight = played(chapter, EXPOSED[chapter]), played(chapter)
    assert told.void == f"{chapter[2:]}.13(d)"
    base = law(chapter).contest.wagers
    for wager in base:
        assert told[3, wager] == returned(stakes(chapter)[wager])
        assert told.cite(3, wager) == told.void
    optional = [
        line
        for line in straight.lines
        if line["wager"] in PLAYED[chapter][0]["wagers"] and line["wager"] != "ante"
    ]
    assert [line for line in told.lines if line["wager"] not in base] == optional
    assert told.hands == straight.hands


@pytest.mark.parametrize("when", [None, "before_raise", "after_raise"])
def test_679a_13d_before_and_after_the_play_wagers(when: str | None) -> None:
    irregularity = {"kind": "dealer_exposed"} | ({"when": when} if when else {})
    told = settle("pa679a", PLAYED["pa679a"][0], **PLAYED["pa679a"][1], irregularity=irregularity)
    assert told.void == "679a.13(d)"


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_with_no_optional_wager_the_round_ends_at_once(chapter: str) -> None:
    """V5: no cards are needed, no hand is named."""
    told = settle(chapter, seat(3, ante=100), irregularity={"kind": EXPOSED[chapter]})
    assert (told[3, "ante"], told.hands) == (returned(100), {})


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_an_optional_wager_of_one_who_folded_is_settled(chapter: str) -> None:
    """F9, V5."""
    player, layout = PLAYED[chapter]
    folder = {**player, "decision": {"fold": True}}
    told = settle(chapter, folder, **layout, irregularity={"kind": EXPOSED[chapter]})
    straight = played(chapter)
    for wager in player["wagers"]:
        if wager != "ante":
            assert told[3, wager] == straight[3, wager]
    assert told[3, "ante"] == returned(100)


# ---------------------------------------------------------------- forfeits in a void round


@every_chapter
@pytest.mark.parametrize(("reading", "ante"), [("returned", returned(100)), ("kept", FORFEIT)])
def test_x_13_an_ante_that_was_already_forfeited(chapter: str, reading: str, ante: object) -> None:
    """V1."""
    folder = seat(3, ante=100, fold=True)
    told = settle(chapter, folder, irregularity={"kind": "shoe_jam"}, readings={"void_forfeits": reading})
    assert told[3, "ante"] == ante
    assert told.readings == {"void_forfeits": reading}
    forfeits = {
        "pa641a": "641a.11(b)",
        "md4cp": "ch.11.C",
        "pa679a": "679a.11(b)",
        "pa682a": "682a.11(b)",
        "pa683a": "683a.11(b)",
    }
    assert told.cite(3, "ante") == (told.void if reading == "returned" else forfeits[chapter])


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
@pytest.mark.parametrize(("reading", "ante"), [("returned", returned(100)), ("kept", FORFEIT)])
def test_x_13d_an_ante_that_was_already_forfeited(chapter: str, reading: str, ante: object) -> None:
    """V1 after an exposed card."""
    folder = seat(3, ante=100, fold=True)
    told = settle(
        chapter, folder, irregularity={"kind": EXPOSED[chapter]}, readings={"void_forfeits": reading}
    )
    assert told[3, "ante"] == ante


def test_683a_13_raises_that_were_already_forfeited_are_kept_by_their_paragraph() -> None:
    """V1."""
    kept = {"void_forfeits": "kept"}
    folder = seat(3, ante=100, raises=[100, 200], fold=True)
    told = settle("pa683a", folder, irregularity={"kind": "wrong_count"}, readings=kept)
    assert [told[3, wager] for wager in ("ante", "raise1", "raise2")] == [FORFEIT] * 3
    assert told.cite(3, "raise2") == "683a.11(f)"


def test_641a_13_a_progressive_that_was_already_forfeited_and_an_aces_up_that_was_not() -> None:
    """V1."""
    folder = seat(3, ante=100, aces_up=100, prog4=100, fold=True)
    told = settle("pa641a", folder, irregularity={"kind": "wrong_count"}, readings={"void_forfeits": "kept"})
    assert (told[3, "prog4"], told.cite(3, "prog4")) == (FORFEIT, "641a.11(b)(2)")
    assert told[3, "aces_up"] == returned(100)


@pytest.mark.parametrize(("reading", "bad_beat"), [("alive", returned(100)), ("forfeit", FORFEIT)])
def test_641a_13_whether_a_folded_bad_beat_was_forfeited_decides_where_forfeits_are_kept(
    reading: str, bad_beat: object
) -> None:
    """V1 with F1."""
    folder = seat(3, ante=100, bad_beat=100, fold=True)
    told = settle(
        "pa641a",
        folder,
        irregularity={"kind": "wrong_count"},
        readings={"void_forfeits": "kept", "fold_unlisted": reading},
    )
    assert told[3, "bad_beat"] == bad_beat
    assert told.readings == {"void_forfeits": "kept", "fold_unlisted": reading}


@every_chapter
def test_x_13_nobody_folded_nothing_read(chapter: str) -> None:
    """V1 matters only where something was forfeited."""
    assert played(chapter, "shoe_jam").readings == {}


# ---------------------------------------------------------------- x.7(b): who left the table

LEFT = {
    "pa641a": "641a.7(b)",
    "md4cp": "ch.7.B(2)",
    "pa679a": "679a.7(b)",
    "pa682a": "682a.7(b)",
    "pa683a": "683a.7(b)",
}


@every_chapter
def test_x_7b_one_who_left_loses_every_wager_and_wins_no_bonus(chapter: str) -> None:
    """F10."""
    player, layout = PLAYED[chapter]
    told = settle(chapter, {**player, "abandoned": True}, **layout)
    assert set(told.wagers(3)) == set(stakes(chapter))
    for line in told.lines:
        assert (told[3, line["wager"]], line["cite"]) == (LOST, LEFT[chapter])
    assert told.meters == layout.get("meters", {})


@every_chapter
def test_x_7b_a_stake_of_unknown_value_is_lost_too(chapter: str) -> None:
    cards = " ".join(PLAYED[chapter][0]["cards"])
    told = settle(chapter, seat(3, cards, ante=None, abandoned=True))
    assert told[3, "ante"] == ("lose", None, None, None)


@every_chapter
def test_x_7b_in_a_void_round_the_seat_is_like_any_other(chapter: str) -> None:
    """F10."""
    player, layout = PLAYED[chapter]
    told = settle(chapter, {**player, "abandoned": True}, **layout, irregularity={"kind": "wrong_count"})
    assert {line["result"] for line in told.lines} == {"returned"}


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_7b_and_where_x_13d_settles_the_optional_wagers_too(chapter: str) -> None:
    """F10."""
    player, layout = PLAYED[chapter]
    told = settle(chapter, {**player, "abandoned": True}, **layout, irregularity={"kind": EXPOSED[chapter]})
    assert told.lines == played(chapter, EXPOSED[chapter]).lines


@pytest.mark.parametrize(("chapter", "wager"), [("pa641a", "prog4"), ("md4cp", "progressive")])
def test_x_7b_a_hand_that_was_left_gives_and_gets_no_envy_bonus(chapter: str, wager: str) -> None:
    """F10."""
    told = settle(
        chapter,
        seat(4, "Qs Qd 8h 4c 2h", aces_up=500, **{wager: 100}),
        seat(1, "Ks Kh Kd Kc 9h", aces_up=500, abandoned=True, **{wager: 100}),
        seat(2, "As Ah Ad Ac 9d", aces_up=500),
        meters={wager: {"main": 100}},
    )
    assert told.wagers(4) == ["aces_up", wager, "envy:seat2"]
    assert told.wagers(1) == ["aces_up", wager]
