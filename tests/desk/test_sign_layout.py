from collections.abc import Iterator
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.submission import Submission
from sabot.config.submission_rules import problems
from sabot.desk.drawing.text_width import (
    SANS,
    SANS_BOLD,
    SERIF,
    SERIF_BOLD,
    SERIF_ITALIC,
    text_width,
    wrap,
    wrap_even,
)
from sabot.desk.sign.block import Block
from sabot.desk.sign.content import Content
from sabot.desk.sign.elements import Box, Rectangle, RuleLine, SignSheet, SignText
from sabot.desk.sign.frame import MARGIN
from sabot.desk.sign.layout import PAPERS, lay_out
from sabot.firmware.errors import CommandError
from sabot.rules.chapter import Chapter
from sabot.rules.settlement.house import choosable
from submitting import Changes, sign, sign_of, submission

FONTS = (SERIF, SERIF_BOLD, SERIF_ITALIC, SANS, SANS_BOLD)


def inside(inner: Rectangle, outer: Rectangle) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def faults(sheet: SignSheet) -> list[str]:
    """Texts outside the inner frame, over each other, cut by the edge of a band or box, struck by a rule."""
    return [*_outside(sheet), *_on_each_other(sheet), *_struck(sheet)]


def _outside(sheet: SignSheet) -> Iterator[str]:
    unit = sheet.width / 612
    frame = (40 * unit, 40 * unit, sheet.width - 40 * unit, sheet.height - 30 * unit)
    for text in sheet.texts:
        if not inside(text.bounds, frame):
            yield f"{text.text!r} is outside the frame"
    for each in sheet.elements:
        if not inside(each.bounds, (0, 0, sheet.width, sheet.height)):
            yield f"{each} is off the paper"


def _on_each_other(sheet: SignSheet) -> Iterator[str]:
    placed = [(each.text, each.bounds) for each in sheet.texts]
    for (one, bounds), (other, others) in combinations(placed, 2):
        if overlap(bounds, others):
            yield f"{one!r} and {other!r} overlap"


def _struck(sheet: SignSheet) -> Iterator[str]:
    edges = [each.bounds for each in sheet.elements if isinstance(each, Box) and each.fill]
    rules = [each.bounds for each in sheet.elements if isinstance(each, RuleLine)]
    for text in sheet.texts:
        bounds = text.bounds
        if any(overlap(bounds, edge) and not inside(bounds, edge) for edge in edges):
            yield f"{text.text!r} runs off its box"
        if any(overlap(bounds, rule) for rule in rules):
            yield f"a rule runs through {text.text!r}"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_nothing_overlaps_or_runs_off(chapter: str, paper: str) -> None:
    sheet = lay_out(sign(chapter), paper)

    assert faults(sheet) == []
    assert (sheet.width, sheet.height) == PAPERS[paper]
    assert sheet.author == sign(chapter).house


def test_faults_are_seen() -> None:
    sheet = SignSheet(612, 792, "", "")
    sheet.add(Box(100, 90, 60, 30, fill="#000000"), RuleLine(50, 250, 90, 250, 1, "#000000"))
    sheet.add(
        *(
            SignText(*place, "Royal flush", SANS, 12, "#000000")
            for place in ((10, 50), (120, 110), (130, 112), (60, 252))
        )
    )

    assert sum("outside" in fault for fault in faults(sheet)) == 1
    assert sum("overlap" in fault for fault in faults(sheet)) == 1
    assert sum("runs off" in fault for fault in faults(sheet)) == 2
    assert sum("runs through" in fault for fault in faults(sheet)) == 1


NAMES = ["Bo", "The Lantern Casino", "W" * 30 + " " + "M" * 29]
EVERYTHING: dict[str, Changes] = {
    "pa641a": {},
    "md4cp": {},
    "pa679a": {},
    "pa682a": {},
    "pa683a": {
        **{f"wagers.{name}": {"min": "$5", "max": "$100"} for name in ("board", "lo_ball", "all_six")},
        "paytables.board": "A",
        "paytables.lo_ball": "B",
        "paytables.all_six": "E",
    },
}


def _without(chapter: Chapter, name: str) -> dict[str, object]:
    """The changes that take an optional wager off the table."""
    wager = chapter.wagers[name]
    tables = [wager.settles.paytable] if wager.settles else []
    tables += [wager.bonus_card.paytable] if wager.bonus_card else []
    return {f"wagers.{name}": None, **{f"paytables.{table}": None for table in tables}}


@st.composite
def submissions(draw: st.DrawFn) -> Submission:
    """A submission of any chapter that stands: any letters, some wagers taken out, odd bounds and names."""
    chapter_id = draw(st.sampled_from(CHAPTER_IDS))
    chapter = load_chapter(chapter_id)
    base = submission(chapter_id, EVERYTHING[chapter_id])
    changes: dict[str, object] = {**EVERYTHING[chapter_id], "house": draw(st.sampled_from(NAMES))}
    for name in base.paytables.keys() - {"progressive"}:
        changes[f"paytables.{name}"] = draw(st.sampled_from(choosable(chapter)[name].letters))
    fixed = {name for meter in chapter.meters.values() for name in meter.wagers}
    for name in base.wagers.keys() - fixed:
        if chapter.wagers[name].optional and draw(st.booleans()):
            changes |= _without(chapter, name)
        else:
            changes[f"wagers.{name}.max"] = draw(st.sampled_from(["$100", "$1,000,000", "$999,999.99"]))
    # What hung on a wager that was taken out goes with it.
    for problem in problems(submission(chapter_id, changes), chapter):
        changes[problem.key] = None
    return submission(chapter_id, changes)


@settings(max_examples=40, deadline=None)
@given(submissions(), st.sampled_from(list(PAPERS)))
def test_nothing_overlaps_or_runs_off_whatever_is_chosen(chosen: Submission, paper: str) -> None:
    sheet = lay_out(sign_of(chosen), paper)

    assert faults(sheet) == []
    assert min(each.size for each in sheet.texts) > 4 * sheet.width / 612


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_word_of_the_content_is_on_the_sheet(chapter: str) -> None:
    said = sign(chapter, EVERYTHING[chapter])
    sheet = lay_out(said, "letter")
    words = {word for each in sheet.texts for word in each.text.split()}
    blocks_said = list(chain(*said.groups))
    texts = [said.game, *said.phrases, *said.limit, *said.small_print]
    texts += [
        text for block in blocks_said for text in (block.title, block.bounds, *block.notes, *block.heads)
    ]
    texts += [text for block in blocks_said for hand, cells in block.rows for text in (hand, *cells)]

    assert {word for text in texts for word in text.split()} <= words
    assert said.house.upper() in {each.text for each in sheet.texts}


def test_a_long_sign_has_columns_and_a_short_one_large_letters() -> None:
    long, short = lay_out(sign("pa641a"), "letter"), lay_out(sign("pa683a"), "letter")

    def bands(sheet: SignSheet) -> set[float]:
        return {round(each.x) for each in sheet.elements if isinstance(each, Box) and not each.stroke}

    def row_size(sheet: SignSheet) -> float:
        return next(
            each.size for each in sheet.texts if each.font == SANS_BOLD and each.text.endswith(" to 1")
        )

    assert len(bands(long)) == 2
    assert len(bands(short)) == 1
    assert row_size(short) > 1.5 * row_size(long)
    assert round(min(bands(long))) == MARGIN


def test_a_larger_sheet_has_larger_letters() -> None:
    letter, tabloid = (lay_out(sign("pa641a"), paper) for paper in ("letter", "tabloid"))

    assert min(each.size for each in tabloid.texts) > min(each.size for each in letter.texts)


def test_what_does_not_fit_is_refused_and_not_squeezed() -> None:
    row = ("Royal flush", ("1,000 to 1",))
    many = tuple((Block(f"Bonus {number}", (row,) * 12),) for number in range(30))

    with pytest.raises(
        CommandError, match="E-CLI-006 Endless: the payouts do not fit on one sheet of letter"
    ):
        lay_out(Content("Endless", "House", (), many, (), ()), "letter")


# ------------------------------------------------------------ letters


def test_widths_are_those_of_the_fonts() -> None:
    metrics = pytest.importorskip("reportlab.pdfbase.pdfmetrics")
    text = bytes(code for code in range(32, 256) if code not in (127, 129, 141, 143, 144, 157)).decode(
        "cp1252"
    )

    for font in FONTS:
        for letter in text:
            assert text_width(letter, font, 1000) == pytest.approx(
                metrics.stringWidth(letter, font, 1000), abs=0.6
            )


@given(st.lists(st.sampled_from(["royal", "flush,", "a", "diamonds", "six-card"]), min_size=1, max_size=12))
def test_wrapping_keeps_every_word_in_order(words: list[str]) -> None:
    text = " ".join(words)

    plain, even = wrap(text, SANS, 10, 90), wrap_even(text, SANS, 10, 90)

    assert " ".join(plain) == " ".join(even) == text
    assert len(even) == len(plain)
    assert all(text_width(line, SANS, 10) <= 90 for line in (*plain, *even))
    longest = [max(text_width(line, SANS, 10) for line in lines) for lines in (plain, even)]
    assert longest[1] <= longest[0]
