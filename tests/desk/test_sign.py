import json
import os
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import chain
from pathlib import Path

import pytest

from calling import sabot
from sabot.config import CHAPTER_IDS
from sabot.desk.sign.layout import lay_out
from sabot.desk.sign.render import draw, pdf, replace_file
from sabot.desk.sign.svg import svg
from sabot.firmware.errors import CommandError
from submitting import example, file, sign

ROOT = Path(__file__).resolve().parents[2]


def test_the_svg_is_whole_and_says_everything() -> None:
    sheet = lay_out(sign("pa679a"), "letter")

    root = ET.fromstring(svg(sheet))

    space = "{http://www.w3.org/2000/svg}"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("8.5in", "11in", "0 0 612 792")
    assert [each.text for each in root.iter(f"{space}text")] == [each.text for each in sheet.texts]
    assert len(list(root.iter(f"{space}path"))) == 4
    assert root.findtext(f"{space}title") == "Three Card Prime: payouts"


def test_a_name_with_signs_of_markup_is_drawn_as_it_is() -> None:
    root = ET.fromstring(svg(lay_out(sign("pa683a", {"house": "Åse & <Co>"}), "letter")))

    assert "ÅSE & <CO>" in [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_text_in_svg_is_held_to_its_width_or_tracking_in_any_font() -> None:
    sheet = lay_out(sign("pa679a"), "letter")
    drawn = list(ET.fromstring(svg(sheet)).iter("{http://www.w3.org/2000/svg}text"))

    for text, element in zip(sheet.texts, drawn, strict=True):
        if text.tracking:
            assert float(element.get("letter-spacing") or 0) == pytest.approx(text.tracking, abs=0.001)
        else:
            assert float(element.get("textLength") or 0) == pytest.approx(text.width, abs=0.001)


def test_the_same_submission_gives_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    pytest.importorskip("pypdfium2")
    for ending in ("svg", "pdf", "png"):
        one, two = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
        for path in (one, two):
            assert sabot("sign", str(example("pa682a")), "-o", str(path)).code == 0
        assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_pdf_says_everything_on_one_page(chapter: str) -> None:
    pytest.importorskip("reportlab")
    pdfium = pytest.importorskip("pypdfium2")
    said = sign(chapter)
    document = pdfium.PdfDocument(pdf(lay_out(said, "letter")))

    assert len(document) == 1
    assert document[0].get_size() == (612, 792)
    text = " ".join(document[0].get_textpage().get_text_bounded().split())
    assert document.get_metadata_dict()["Author"] == said.house
    for block in chain(*said.groups):
        assert block.title in text
        for _, cells in block.rows:
            assert all(cell in text for cell in cells)


def test_the_png_is_a_picture_at_its_true_size(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    pytest.importorskip("pypdfium2")
    image = pytest.importorskip("PIL.Image")
    output = tmp_path / "sign.png"

    assert sabot("sign", str(example("pa679a")), "-o", str(output)).code == 0

    picture = image.open(output).convert("RGB")
    assert picture.size == (1700, 2200)
    assert picture.info["dpi"] == pytest.approx((200, 200), abs=0.1)
    # The paper is white, the bands are green, and there is ink on both.
    colors = {color: count for count, color in picture.getcolors(1 << 24)}
    assert colors[(255, 255, 255)] > colors[(15, 74, 58)] > 100_000
    assert any(sum(color) < 150 for color in colors)


# ------------------------------------------------------------ the command


def test_svg_needs_no_extra(tmp_path: Path) -> None:
    output = tmp_path / "sign.svg"
    script = (
        "import sys; sys.modules.update(dict.fromkeys(('reportlab', 'pypdfium2', 'PIL')));"
        "from sabot.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-Ic", script, "sign", str(example("pa641a")), "-o", str(output)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert output.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("ending", "absent", "package"),
    [("pdf", "reportlab.pdfgen.canvas", "reportlab"), ("png", "pypdfium2", "pypdfium2")],
)
def test_a_missing_extra_is_named_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, absent: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    output = tmp_path / f"sign.{ending}"

    with pytest.raises(CommandError) as caught:
        draw(lay_out(sign("pa683a"), "letter"), str(output))

    assert str(caught.value).startswith(f"E-CLI-004 sign: {package} is not installed.")
    assert "pip install 'sabot[sign]'" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_drew(tmp_path: Path) -> None:
    output = tmp_path / "sign.svg"

    people = sabot("sign", str(example("pa679a")), "-o", str(output))
    machine = sabot("sign", str(example("pa679a")), "-o", str(output), "--size", "a4", "--json")

    assert people == (0, f"{output}: Three Card Prime, The Lantern Casino, letter\n", "")
    assert json.loads(machine.out) == {
        "drawn": str(output),
        "size": "a4",
        "chapter": "pa679a",
        "house": "The Lantern Casino",
    }
    assert 'viewBox="0 0 595.276 841.89"' in output.read_text(encoding="utf-8")


def test_a_submission_with_problems_is_not_drawn(tmp_path: Path) -> None:
    wrong, output = (
        file(tmp_path, "pa682a", {"table.seats": 9, "paytables.prime": "C"}),
        tmp_path / "sign.svg",
    )

    answer = sabot("sign", str(wrong), "-o", str(output))

    assert (answer.code, answer.err) == (1, "")
    assert "E-SUBM-010" in answer.out
    assert "682a.12(d)" in answer.out
    assert not output.exists()


def test_a_simulated_submission_is_not_drawn(tmp_path: Path) -> None:
    simulated, output = file(tmp_path, "pa679a", {"simulated": True}), tmp_path / "sign.svg"

    answer = sabot("sign", str(simulated), "-o", str(output), "--json")

    assert answer.code == 1
    (problem,) = json.loads(answer.out)["problems"]
    assert (problem["code"], problem["paragraph"]) == ("E-SUBM-002", "679a.2(b)(4)")
    assert json.loads(answer.out)["drawn"] is None
    assert not output.exists()


@pytest.mark.parametrize("output", ["sign.gif", "sign", "sign.svg.txt"])
def test_an_ending_that_nobody_draws_is_bad_input(output: str) -> None:
    answer = sabot("sign", str(example("pa679a")), "-o", output)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("sabot sign: E-CLI-003 --output: ")
    assert ".svg, .pdf, .png" in answer.err


def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    answer = sabot("sign", str(example("pa679a")), "-o", str(tmp_path / "absent" / "sign.svg"))

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("sabot sign: E-CLI-005 ")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sign.svg"
    replace_file(path, b"old")

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(CommandError, match=r"E-CLI-005 .*No space left"):
        draw(lay_out(sign("pa683a"), "letter"), str(path))

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_rights_that_any_new_file_has(tmp_path: Path) -> None:
    plain, sign = tmp_path / "plain", tmp_path / "sign.svg"
    plain.touch()

    replace_file(sign, b"new")

    assert stat.S_IMODE(sign.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_the_picture_in_the_pages_is_what_the_command_draws() -> None:
    picture = ROOT / "docs" / "pictures" / "sign-pa679a.svg"

    assert picture.read_bytes() == svg(lay_out(sign("pa679a"), "letter"))
