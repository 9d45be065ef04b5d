import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import table_pages
from calling import Answer, sabot
from sabot.cli import main
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.diagram.life import PART_OF, Life, life, run_of, title
from sabot.desk.diagram.mermaid import mermaid
from sabot.desk.diagram.picture import Scene, draw_scene, one_phase, picture, whole_life
from sabot.desk.diagram.trouble import faults, irregularities
from sabot.desk.drawing.svg import Rectangle, Svg
from sabot.rules.chapter import Chapter
from sabot.statemachine.faults import FAULTS
from sabot.statemachine.irregular import IRREGULARITIES
from sabot.statemachine.state.phases import IN_ROUND, ROWS, Phase
from sabot.statemachine.vocabulary.codec import EFFECTS, EVENTS
from sabot.statemachine.vocabulary.events import CardDrawn

LAWS = [load_chapter(name) for name in CHAPTER_IDS]
P = Phase
CHAPTERS: list[Chapter | None] = [None, *LAWS]
SHEETS = [(chapter, None) for chapter in CHAPTERS] + [(None, phase) for phase in Phase]


def name_of(value: object) -> str:
    return getattr(value, "id", getattr(value, "value", "all"))


def diagram(*words: str, capsys: pytest.CaptureFixture[str]) -> Answer:
    code = main(["diagram", *words])
    said = capsys.readouterr()
    return Answer(code, said.out, said.err)


def drawn(chapter: Chapter | None, only: Phase | None) -> tuple[Svg, Life, Scene]:
    shown = life(chapter, only)
    scene = whole_life(shown) if only is None else one_phase(shown, only)
    svg = Svg()
    draw_scene(svg, scene, shown.from_many)
    return svg, shown, scene


# ---------------------------------------------------------------- from the rows


def test_every_phase_is_of_one_part_of_the_life() -> None:
    assert PART_OF.keys() == set(Phase)


def test_the_whole_life_has_every_way_of_every_row() -> None:
    shown = life()
    ways = {
        (source, way.dest, way.words) for way in (*shown.ways, *shown.from_many) for source in way.sources
    }

    assert shown.phases == tuple(PART_OF)
    assert ways == {(source, row.dest, row.words) for row in ROWS for source in row.sources}


def test_a_way_out_of_many_phases_is_drawn_once() -> None:
    shown = life()

    assert {way.words for way in shown.from_many} >= {"round void", "finished by hand"}
    assert all(way.sources == IN_ROUND for way in shown.from_many if way.words == "round void")
    assert all(len(way.sources) <= 4 for way in shown.ways)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name_of)
def test_mermaid_and_picture_have_every_way_with_its_words_and_paragraph(chapter: Chapter | None) -> None:
    text, shown = mermaid(LAWS, chapter), life(chapter)
    drawing = " ".join(found.text or "" for found in ET.fromstring(picture(LAWS, chapter)).iter())

    for way in shown.ways:
        for source in way.sources:
            assert f'{source.value} -- "{way.words}<br>{way.cite}" --> {way.dest.value}\n' in text
        for word in (*way.words.split(), *way.cite.split()):
            assert word in drawing
    for way in shown.from_many:
        assert f'"{way.words}<br>{way.cite}" --> {way.dest.value}\n' in text
        assert f"{way.words}, to {title(way.dest)}" in drawing
    for phase in shown.phases:
        assert f'{phase.value}("{title(phase)}")' in text


@pytest.mark.parametrize("chapter", LAWS, ids=name_of)
def test_irregularities_and_faults_stand_below_with_the_paragraphs_of_the_chapter(chapter: Chapter) -> None:
    drawing = picture(LAWS, chapter)
    text = mermaid(LAWS, chapter)

    for row in irregularities([chapter]):
        assert f">{row.kind}</text>" in drawing
        for each in row.outcomes:
            assert each.cite.partition(",")[0] in drawing
            assert f'"{each.then}<br>{each.cite}" -->' in text
    for kind, found in chapter.irregularities.items():
        if kind in {row.kind for row in IRREGULARITIES}:
            assert found.cite.partition(",")[0] in drawing
    for fault in faults(chapter):
        assert f">{fault.kind}</text>" in drawing
        assert f'"{fault.releases}<br>{fault.cite}" --> held' in text


def test_every_irregularity_and_fault_of_the_rows_is_in_the_tables() -> None:
    assert [row.kind for row in irregularities(LAWS)] == [
        row.kind.replace("_", " ") for row in IRREGULARITIES
    ]
    assert [row.kind for row in faults()] == [row.kind.replace("_", " ") for row in FAULTS]


def test_an_irregularity_says_which_chapters_do_what() -> None:
    exposed = next(row for row in irregularities(LAWS) if row.kind == "dealer exposed")

    assert [(each.chapters, each.fate.partition(",")[0], each.cite) for each in exposed.outcomes] == [
        (("pa641a", "md4cp"), "the round is void", "641a.13(d); MLGCA ch.13.E"),
        (("pa679a",), "antes and raises go back", "679a.13(d)"),
        (("pa682a",), "antes and raises go back", "682a.13(d)"),
    ]
    assert exposed.outcomes[2].fate.endswith("(only before the raises)")


@pytest.mark.parametrize(
    ("chapter", "words"),
    [
        ("pa641a", "641a.8(h), 9(f), 10(f)"),
        ("pa679a", "679a.8(g), 9(f), 10(f)"),
        ("md4cp", "ch.8.H, 9.F-G, 10.F-G"),
    ],
)
def test_a_wrong_stub_has_the_paragraph_of_its_chapter(chapter: str, words: str) -> None:
    way = next(way for way in life(load_chapter(chapter)).ways if way.dest is P.STUB_WRONG)

    assert way.cite == words


def test_without_progressive_wagers_nobody_counts_chips_or_validates_hits() -> None:
    hits = {P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.VALIDATING, P.DOCUMENTS}

    for chapter in LAWS:
        shown = set(life(chapter).phases)
        assert shown == set(Phase) - (set() if chapter.meters else hits)
    assert any(chapter.meters for chapter in LAWS)
    assert not all(chapter.meters for chapter in LAWS)


@pytest.mark.parametrize("only", Phase, ids=name_of)
def test_one_phase_has_its_ways_in_and_out_and_no_others(only: Phase) -> None:
    shown = life(only=only)

    out = {(way.words, way.dest) for way in (*shown.ways, *shown.from_many) if only in way.sources}
    into = {
        (way.words, source)
        for way in (*shown.ways, *shown.from_many)
        if way.dest is only
        for source in way.sources
    }
    assert out == {(row.words, row.dest) for row in ROWS if only in row.sources}
    assert {words for words, _ in into} == {row.words for row in ROWS if row.dest is only}
    assert all(only in (*way.sources, way.dest) for way in shown.ways)


def test_one_phase_has_only_the_irregularities_that_can_occur_in_it() -> None:
    wanted = {row.kind.replace("_", " ") for row in IRREGULARITIES if P.SETTLING in row.phases}

    assert {row.kind for row in irregularities(LAWS, P.SETTLING)} == wanted
    assert not irregularities(LAWS, P.SPREAD)
    assert "IRREGULARITY" not in picture(LAWS, None, P.SPREAD)
    assert "subgraph irregularities" not in mermaid(LAWS, None, P.SPREAD)


def test_phases_are_named_in_runs() -> None:
    assert run_of([P.CLOSED]) == "closed"
    assert run_of([P.WASHING, P.SPREAD]) == "spread, washing"
    assert run_of([P.STUB, P.DEALING, P.STUB_WRONG, P.CLEARING]) == "dealing to stub wrong, clearing"


# ---------------------------------------------------------------- to look at


def touch(first: Rectangle, second: Rectangle, apart: float = 0.0) -> bool:
    return (
        first[0] < second[2] - apart
        and second[0] < first[2] - apart
        and first[1] < second[3] - apart
        and second[1] < first[3] - apart
    )


def pieces(svg: Svg) -> list[tuple[int, Rectangle]]:
    """The straight pieces of the ways, each with the number of its way."""
    found = []
    for number, points in enumerate(svg.ways):
        for (x, y), (to_x, to_y) in pairwise(points):
            found.append((number, (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))))
    return found


@pytest.mark.parametrize(("chapter", "only"), SHEETS, ids=name_of)
def test_no_words_touch_other_words_and_no_way_runs_through_any(
    chapter: Chapter | None, only: Phase | None
) -> None:
    svg, _, _ = drawn(chapter, only)

    for (first, words), (second, others) in combinations(svg.texts, 2):
        assert not touch(first, second, 0.5), (words, others)
    for _, piece in pieces(svg):
        for place, words in svg.texts:
            assert not touch(piece, place, -0.2), words


@pytest.mark.parametrize(("chapter", "only"), SHEETS, ids=name_of)
def test_no_way_runs_through_a_box_that_it_does_not_end_at(
    chapter: Chapter | None, only: Phase | None
) -> None:
    svg, _, scene = drawn(chapter, only)
    boxes = svg.boxes[-len(scene.phases) :]

    for first, second in combinations(boxes, 2):
        assert not touch(first, second)
    for _, (left, top, right, bottom) in pieces(svg):
        for box in boxes:
            assert not touch((left, top, right, bottom), box, 0.1)


@pytest.mark.parametrize(("chapter", "only"), SHEETS, ids=name_of)
def test_two_ways_lie_on_each_other_only_where_they_enter_together(
    chapter: Chapter | None, only: Phase | None
) -> None:
    svg, _, _ = drawn(chapter, only)
    ends = [points[-1] for points in svg.ways]

    for (number, piece), (other, beside) in combinations(pieces(svg), 2):
        lie_along = touch(widened(piece), widened(beside)) and (is_flat(piece) == is_flat(beside))
        if number != other and lie_along:
            assert ends[number] == ends[other], (svg.ways[number], svg.ways[other])


def widened(piece: Rectangle) -> Rectangle:
    return piece[0] - 0.5, piece[1] - 0.5, piece[2] + 0.5, piece[3] + 0.5


def is_flat(piece: Rectangle) -> bool:
    return piece[1] == piece[3]


@pytest.mark.parametrize(("chapter", "only"), SHEETS, ids=name_of)
def test_everything_lies_on_the_sheet_and_the_sheet_is_well_formed(
    chapter: Chapter | None, only: Phase | None
) -> None:
    sheet = ET.fromstring(picture(LAWS, chapter, only))
    width, height = float(sheet.attrib["width"]), float(sheet.attrib["height"])

    assert sheet.attrib["viewBox"] == f"0 0 {sheet.attrib['width']} {sheet.attrib['height']}"
    for each in sheet.iter("{http://www.w3.org/2000/svg}text"):
        x, y, wide = (float(each.attrib[name]) for name in ("x", "y", "textLength"))
        assert x >= 0
        assert x + wide <= width, each.text
        assert 0 < y < height


def test_the_texts_are_escaped() -> None:
    svg = Svg()
    svg.text(0, 0, 'a < b & "c"', 10)

    assert ET.fromstring(svg.document(9, 9, "<&>")).find("{*}text").text == 'a < b & "c"'  # type: ignore[union-attr]


# ---------------------------------------------------------------- Mermaid


@pytest.mark.parametrize(("chapter", "only"), SHEETS, ids=name_of)
def test_mermaid_declares_every_node_once_and_frames_are_no_nodes(
    chapter: Chapter | None, only: Phase | None
) -> None:
    text = mermaid(LAWS, chapter, only)
    frames = re.findall(r"subgraph (\w+)\[", text)
    nodes = re.findall(r"^ +(\w+)[(\[{]", text.replace("subgraph ", "frame_"), re.MULTILINE)
    nodes = [node for node in nodes if not node.startswith("frame_")]
    ends = re.findall(r"^ +(\w+) -- \"[^\"]+\" --> (\w+)$", text, re.MULTILINE)

    assert text.startswith("flowchart TB\n")
    assert len(set(nodes)) == len(nodes)
    assert not set(frames) & set(nodes)
    assert {node for pair in ends for node in pair} <= set(nodes)
    assert text.count("subgraph") == len(re.findall(r"^ +end$", text, re.MULTILINE)) == len(frames)
    assert text.count(" --> ") == len(ends)


# ---------------------------------------------------------------- the command


def test_without_options_the_whole_life_is_told_as_mermaid(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagram(capsys=capsys) == Answer(0, mermaid(LAWS), "")


def test_a_picture_goes_to_a_file_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.svg"
    file.write_text("what stood there before")

    answer = diagram("--chapter", "pa683a", "--format", "svg", "-o", str(file), capsys=capsys)

    assert answer == Answer(0, f"{file}: svg, pa683a, the whole life\n", "")
    assert file.read_text(encoding="utf-8") == picture(LAWS, load_chapter("pa683a"))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("words", ["bets_open", "bets open", "BETS_OPEN"])
def test_a_phase_may_be_named_as_people_write_it(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert diagram("--phase", words, capsys=capsys).out == mermaid(LAWS, None, P.BETS_OPEN)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--phase", "spinning"), "E-CLI-003 --phase: 'spinning' is not a phase: closed inspecting"),
        (("--chapter", "pa641"), "pa641a"),
        (("-o", "/nowhere/table.mmd"), "E-CLI-005 /nowhere/table.mmd: No such file or directory"),
    ],
    ids=["phase", "chapter", "file"],
)
def test_what_cannot_be_drawn_is_refused(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = diagram(*words, capsys=capsys)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("sabot diagram: ")
    assert said in answer.err


def test_in_a_process_the_picture_comes_on_standard_output() -> None:
    answer = sabot("diagram", "--format", "svg", "--phase", "stub")

    assert (answer.code, answer.err) == (0, "")
    assert answer.out == picture(LAWS, None, P.STUB)


# ---------------------------------------------------------------- the docs


def test_pages_and_pictures_of_the_table_say_what_the_rows_say() -> None:
    assert table_pages.stale() == []


def test_the_page_of_events_wants_a_meaning_for_every_field() -> None:
    page = table_pages.events_page()

    for kinds in (EVENTS, EFFECTS):
        for name, kind in kinds.items():
            assert f"\n### {name}\n\n{table_pages.said_of(kind)}\n" in page
    with pytest.raises(LookupError, match="what the fields of Unheard are"):
        list(table_pages._entries({"Unheard": CardDrawn}, without=set()))
