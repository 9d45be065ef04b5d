"""The pictures of the docs and every sign need no font to be right: what was aligned stays so in any other.

The first tests need no renderer: each text is made wider, around its anchor, than any usual font would make it. The
last one draws with what is installed, and looks whether the ink stays off the edge.
"""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sabot.config import CHAPTER_IDS
from sabot.desk.drawing.svg import Svg
from sabot.desk.sign.layout import lay_out
from sabot.desk.sign.svg import svg

sys.path.insert(0, str(Path(__file__).parents[1] / "desk"))
from submitting import sign

PICTURES = sorted((Path(__file__).parents[2] / "docs" / "pictures").glob("*.svg"))
TEXT = "{http://www.w3.org/2000/svg}text"
# DejaVu Sans, which stands in where nothing else is installed, is up to so much wider than Helvetica.
WIDER = 1.18
STARTS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def outside(picture: str) -> list[str]:
    """The texts that would leave the picture in a wide font."""
    root = ET.fromstring(picture)
    _, _, width, _ = map(float, root.attrib["viewBox"].split())
    found = []
    for each in root.iter(TEXT):
        x = each.attrib["x"].split()
        length = float(each.get("textLength", "0")) * WIDER
        left = float(x[0]) - STARTS[each.get("text-anchor", "start")] * length
        if left < 0 or max(left + length, float(x[-1])) > width:
            found.append(str(each.text))
    return found


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_no_text_of_a_picture_leaves_it_in_a_wide_font(picture: Path) -> None:
    assert outside(picture.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_x_2b_every_sum_of_a_sign_ends_where_it_was_put_in_any_font(chapter: str) -> None:
    sheet = lay_out(sign(chapter), "letter")
    root = ET.fromstring(svg(sheet))
    drawn = {(each.text, each.get("text-anchor")) for each in root.iter(TEXT)}
    sums = [each for each in sheet.texts if re.fullmatch(r"\$[\d,]+|[\d,]+ to \d+|.* meter|\d+%", each.text)]

    assert len(sums) > 5
    assert {(each.text, "end") for each in sums} <= drawn
    assert outside(svg(sheet).decode()) == []


def test_that_a_text_at_the_edge_would_be_seen() -> None:
    svg_ = Svg()
    svg_.text(300, 20, "$300", 12, align=1)
    assert outside(svg_.document(300, 40, "one")) == []

    anchored = svg_.document(300, 40, "one")
    assert 'text-anchor="end"' in anchored
    left = 300 - float(re.findall(r'textLength="([\d.]+)"', anchored)[0])
    cut = anchored.replace(' text-anchor="end"', "").replace('x="300"', f'x="{left}"')
    assert outside(cut) == ["$300"]


def _rsvg(source: Path, target: Path) -> list[str]:
    return ["rsvg-convert", "--dpi-x", "72", "--dpi-y", "72", "-o", str(target), str(source)]


def _chromium(source: Path, target: Path) -> list[str]:
    look = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={target.parent}/chromium"]
    return ["chromium", *look, "--window-size=816,1056", f"--screenshot={target}", source.as_uri()]


RENDERERS = {"rsvg-convert": _rsvg, "chromium": _chromium}


@pytest.mark.parametrize("renderer", RENDERERS)
def test_x_2b_a_sign_is_drawn_with_white_at_its_edges(tmp_path: Path, renderer: str) -> None:
    if shutil.which(renderer) is None:
        pytest.skip(f"{renderer} is not installed")
    image = pytest.importorskip("PIL.Image")
    source, target = tmp_path / "sign.svg", tmp_path / "sign.png"
    source.write_bytes(svg(lay_out(sign("pa641a"), "letter")))
    subprocess.run(RENDERERS[renderer](source, target), check=True, capture_output=True, timeout=120)

    drawn = image.open(target).convert("L")
    width, height = drawn.size
    strip = drawn.crop((width - 8, 0, width, height))
    assert strip.getextrema() == (255, 255)
