"""The pictures of figures and curves: well-formed, and nothing left out."""

from xml.etree import ElementTree as ET

import pytest
from curve import Curve, Panel, number, rows
from figure import Figure
from graph import graph, step_of
from picture import Axis, panels, picture

SVG = "{http://www.w3.org/2000/svg}"
FACTS = {"cpu": "AMD EPYC", "cores": 2, "system": "Linux", "python": "3.11.7", "load": 0.5}
FIGURES = [
    Figure("switch > event & coil", "calls", (1.0, 2.0, 40.0)),
    Figure("lock", "calls", (5000.0,), 500.0),
    Figure("share", "%", (0.0, 0.5)),
    Figure("peer", "calls", ()),
]
SEATS = Panel(
    "one event", "seats", "us", (Curve("cards", ((1, 10.0), (7, 9.0))), Curve("stacks", ((1, 4.0), (7, 8.0))))
)
LENGTHS = Panel("a <commit>", "entries", "us", (Curve("wall", ((1e3, 300.0), (1e6, 310.0))),), by_tens=True)


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def words(root: ET.Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def test_every_figure_that_was_measured_has_a_dot_and_its_name() -> None:
    root = parsed(picture(FACTS, [("events", FIGURES)]))

    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert {"switch > event & coil", "lock"} <= set(words(root))
    assert "5,000 calls  (goal 500 calls)" in words(root)
    assert not {"peer", "share"} & set(words(root))


def test_a_unit_has_an_axis_of_its_own() -> None:
    found = list(panels([("events", [*FIGURES, Figure("memory", "MB", (3.0,))])]))

    assert [(title, [each.name for each in every]) for title, every in found] == [
        ("events, calls", ["switch > event & coil", "lock"]),
        ("events, MB", ["memory"]),
    ]


def test_an_axis_goes_from_a_power_of_ten_to_one() -> None:
    axis = Axis(FIGURES[:2])

    assert (axis.first, axis.last) == (0, 4)
    assert axis.x(1.0) < axis.x(10.0) < axis.x(10_000.0)
    assert Axis([Figure("one", "us", (10.0,))]).last == 2


def test_every_point_of_a_curve_is_a_dot() -> None:
    root = parsed(graph("How it grows", "two cores", [SEATS, LENGTHS]))

    assert len(list(root.iter(f"{SVG}circle"))) == 6
    assert "a <commit>, us" in words(root)
    assert {"cards: 0.90 x, flat", "stacks: 2.00 x", "wall: 1.03 x, flat"} <= set(words(root))


@pytest.mark.parametrize(
    ("most", "step"), [(100.0, 25.0), (90.0, 25.0), (81.0, 25.0), (8.0, 2.0), (0.9, 0.25), (4.1, 2.0)]
)
def test_the_axis_reaches_the_greatest_value_in_round_steps(most: float, step: float) -> None:
    assert step_of(most) == pytest.approx(step)
    assert step_of(most) * 4 >= most


def test_the_table_of_a_curve_has_every_point() -> None:
    assert rows(SEATS) == [
        ("one event, us", "1", "7", "last / first"),
        ("cards", "10", "9", "0.90 x, flat"),
        ("stacks", "4", "8", "2.00 x"),
    ]
    assert number(1_000_000) == "1,000,000"
