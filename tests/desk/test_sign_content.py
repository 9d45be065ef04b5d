import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.sign.block import Block
from sabot.desk.sign.layout import lay_out
from sabot.rules.settlement.house import choosable
from submitting import Changes, sign, submission


def blocks(chapter: str, changes: Changes | None = None) -> dict[str, Block]:
    return {block.title: block for group in sign(chapter, changes).groups for block in group}


def rows(block: Block) -> dict[str, tuple[str, ...]]:
    return dict(block.rows)


@pytest.mark.parametrize("chapter_id", CHAPTER_IDS)
def test_2b_every_payout_of_every_wager_on_offer_is_posted(chapter_id: str) -> None:
    chapter, chosen = load_chapter(chapter_id), submission(chapter_id)
    posted = [
        (row, cell) for block in blocks(chapter_id).values() for row, cells in block.rows for cell in cells
    ]
    letters = chosen.options().paytables
    optional = [wager for wager in chosen.offered(chapter) if wager.settles]
    names = {wager.settles.paytable for wager in optional if wager.settles}
    names |= {wager.bonus_card.paytable for wager in optional if wager.bonus_card}
    names |= {
        name for name in chapter.paytables if name in ("ante_bonus", "win_bonus", "bad_beat", "play", "main")
    }

    assert names
    for name in names:
        for row, pays in chapter.paytables[name].rows(letters.get(name, "only")):
            told = f"{pays.text} meter" if pays.level not in ("", "main") else pays.text
            assert (row.text, told) in posted, name


def test_679a_2b4_the_phrases_are_posted_word_for_word() -> None:
    phrases = ("Dealer Qualifies with a Queen or Ante Pushes and Play Wins", "Player wins ties.")
    texts = [each.text for each in lay_out(sign("pa679a"), "letter").texts]

    assert sign("pa679a").phrases == phrases
    assert all(phrase in texts for phrase in phrases)


def test_phrases_are_posted_only_where_a_chapter_has_them() -> None:
    assert [chapter for chapter in CHAPTER_IDS if sign(chapter).phrases] == ["pa679a"]


def test_679a_2b5_a_payout_limit_is_posted_with_what_it_covers() -> None:
    assert sign("pa679a").limit == (
        "Payout limit: $50,000 per player per round of play",
        "on Ante and Play, not on the Bad Beat Bonus",
    )


def test_682a_2b5_a_payout_limit_is_posted_with_what_it_leaves_out() -> None:
    assert sign("pa682a").limit[1] == "on Aces Bonus and All-Six Bonus, not on the six-card royal flush"
    assert sign("pa682a", {"paytables.all_six": "A"}).limit[1] == "on Aces Bonus and All-Six Bonus"
    only_aces = {"wagers.all_six": None, "paytables.all_six": None}
    assert sign("pa682a", only_aces).limit[1] == "on Aces Bonus"
    everything = "on Ante, Raise, Prime, Aces Bonus, All-Six Bonus, Bad Beat Bonus and Win Bonus"
    assert sign("pa682a", {"readings.limit_682": "all", "paytables.all_six": "A"}).limit[1] == everything


def test_683a_2b5_a_payout_limit_covers_ante_and_raises() -> None:
    assert sign("pa683a").limit[1] == "on Ante and Raises"


def test_no_limit_line_where_no_limit_is_established() -> None:
    assert sign("pa683a", {"payout_limit": None}).limit == ()
    assert "683a.12(f)" not in " ".join(sign("pa683a", {"payout_limit": None}).small_print)


def test_641a_2b7_the_blocks_of_everything_offered() -> None:
    assert list(blocks("pa641a")) == [
        "Ante and Play",
        "Ante Bonus",
        "Aces Up",
        "Four-Card Progressive",
        "Four-Card Envy Bonus",
        "Five-Card Progressive",
        "Five-Card Envy Bonus",
        "Bad Beat Bonus",
        "Five Card Hand Bonus",
        "Magic Card and Lucky Bonus",
        "Six Card Bonus",
    ]


def test_a_wager_that_is_not_offered_is_not_posted() -> None:
    without = {"wagers.bad_beat": None, "paytables.bad_beat": None, "extras": ["lucky_bonus"]}

    titles = list(blocks("pa641a", without))

    assert "Bad Beat Bonus" not in titles
    assert "Lucky Bonus" in titles
    assert "Magic Card and Lucky Bonus" not in titles


def test_bounds_of_a_wager_are_beside_its_title() -> None:
    found = blocks("pa641a", {"wagers.bad_beat.max": "$1", "wagers.hand_bonus_dealer.max": "$10"})

    assert found["Ante and Play"].bounds == "Ante $10 to $300"
    assert found["Aces Up"].bounds == "$5 to $100"
    assert found["Bad Beat Bonus"].bounds == "$1"
    assert found["Five Card Hand Bonus"].bounds == "$1 to $5 / $1 to $10"
    assert found["Four-Card Progressive"].bounds == "$1 wager"


@pytest.mark.parametrize(
    ("chapter", "block", "note"),
    [
        ("pa641a", "Ante and Play", "Play Wager: one to three times the Ante."),
        ("pa679a", "Ante and Play", "Play Wager: equal to the Ante."),
        ("pa682a", "Ante and Raise", "Raise Wager: one, two or three times the Ante."),
        ("pa683a", "Ante and Raises", "Each Raise Wager: one, two or three times the Ante."),
        ("pa679a", "Play", "When the dealer qualifies."),
        ("pa641a", "Ante Bonus", "On the Ante, whether the hand wins, ties or loses."),
        ("pa682a", "Win Bonus", "On the Ante, when the hand wins or ties."),
        ("pa682a", "Bad Beat Bonus", "On the Ante, when the hand loses; the Ante is returned."),
        ("pa679a", "Bad Beat Bonus", "On the Play Wager, when the hand loses."),
        ("pa641a", "Bad Beat Bonus", "Pays the losing hand, player\u2019s or dealer\u2019s; a tie loses."),
        ("pa641a", "Five Card Hand Bonus", "On the player\u2019s hand, the dealer\u2019s hand or both."),
        ("pa641a", "Four-Card Progressive", "Won in full, the meter restarts at $1,000."),
        (
            "md4cp",
            "Progressive",
            "Won in full, a meter restarts at $50,000 (mega), $2,500 (major) and $1,250 (minor).",
        ),
        ("md4cp", "Envy Bonus", "For each other player\u2019s hand, with a $5 wager."),
        ("pa679a", "Pair Bonus", "The bonus card is the player\u2019s own fourth card."),
    ],
)
def test_a_block_says_on_what_and_when_it_is_paid(chapter: str, block: str, note: str) -> None:
    assert note in blocks(chapter)[block].notes


@pytest.mark.parametrize(
    ("chapter", "changes", "block", "note"),
    [
        (
            "pa641a",
            {"readings.ante_bonus_losing": "no"},
            "Ante Bonus",
            "On the Ante, when the hand wins or ties.",
        ),
        (
            "pa682a",
            {"readings.win_bonus_tie": "no"},
            "Win Bonus",
            "On the Ante, when the hand is higher than the dealer\u2019s.",
        ),
        (
            "pa679a",
            {"readings.bad_beat_play": "kept"},
            "Bad Beat Bonus",
            "The Play Wager itself is collected.",
        ),
        ("pa679a", {"pair_bonus_card": "community"}, "Pair Bonus", "The bonus card is one community card."),
        (
            "pa682a",
            {"readings.aces_bonus": "five"},
            "Aces Bonus",
            "Royal flush, straight flush, flush and straight are hands of five cards.",
        ),
        (
            "pa641a",
            {"progressive_unit": "$5"},
            "Four-Card Progressive",
            "Won in full, the meter restarts at $5,000.",
        ),
    ],
)
def test_a_choice_changes_what_a_block_says(chapter: str, changes: Changes, block: str, note: str) -> None:
    assert note in blocks(chapter, changes)[block].notes
    assert note not in blocks(chapter)[block].notes


def test_679a_12a_what_is_paid_when_the_dealer_does_not_qualify() -> None:
    assert rows(blocks("pa679a")["Ante and Play"]) == {
        "Ante": ("1 to 1",),
        "Ante, dealer does not qualify": ("push",),
        "Play, dealer does not qualify": ("1 to 1",),
    }


def test_679a_12f_a_two_has_a_column_of_its_own() -> None:
    block = blocks("pa679a")["Pair Bonus"]

    assert block.heads == ("other card", "card is a 2")
    assert rows(block)["Mini-royal flush"] == ("50 to 1", "75 to 1")


def test_683a_12d_a_row_that_loses_is_not_posted_as_a_payout() -> None:
    base = {"wagers.lo_ball": {"min": "$5", "max": "$5"}}

    losing = blocks("pa683a", {**base, "paytables.lo_ball": "A"})["Lo Ball"]
    pushing = blocks("pa683a", {**base, "paytables.lo_ball": "B"})["Lo Ball"]

    assert "Queen high" not in rows(losing)
    assert rows(pushing)["Queen high"] == ("push",)


def test_683a_12c_a_pair_of_aces_where_the_house_reads_it_so() -> None:
    base = {"wagers.board": {"min": "$5", "max": "$5"}, "paytables.board": "A"}

    assert rows(blocks("pa683a", base)["Board Bonus"])["Pair"] == ("1 to 1",)
    assert "Pair of aces" in rows(blocks("pa683a", {**base, "readings.board_pair": "aces"})["Board Bonus"])


def test_641a_12d5_envy_amounts_are_those_of_the_unit_and_letter() -> None:
    assert rows(blocks("pa641a")["Four-Card Envy Bonus"]) == {
        "Four aces": ("$100",),
        "Four-of-a-kind": ("$25",),
    }
    five = {"progressive_unit": "$5", "paytables.envy4": "A"}
    assert rows(blocks("pa641a", five)["Four-Card Envy Bonus"])["Straight flush"] == ("$25",)


def test_md_12f_envy_of_paytable_c_follows_the_reading() -> None:
    meter = {"main": {"initial": "$10,000", "reset": "$10,000", "primary_percent": 20}}
    base = {"paytables.progressive": "C", "meters.progressive": meter}

    assert "Four aces" in rows(blocks("md4cp", base)["Envy Bonus"])
    assert "Royal flush" in rows(blocks("md4cp", {**base, "readings.md_envy_c": "royal"})["Envy Bonus"])


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_small_print_cites_document_posting_and_every_table(chapter: str) -> None:
    small = " ".join(sign(chapter).small_print)
    rules, chosen = load_chapter(chapter), submission(chapter)

    assert rules.document in small
    for name, letter in chosen.paytables.items():
        assert f"paytable {letter}, {choosable(rules)[name].sheet(letter).cite}" in small
    if chosen.payout_limit and rules.limit:
        assert rules.limit.cite in small
