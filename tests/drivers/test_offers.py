"""What packages offer by entry point is what importlib.metadata finds."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from sabot.drivers import registry
from sabot.drivers.entry_points import Offer, offers, read

if TYPE_CHECKING:
    from pathlib import Path

NOTES = """
[console_scripts]
later = later.cli:main

# a comment
[sabot.drivers]
; another one = of the old kind
later = later:KIND
dotted=later.inner : Holder.KIND [extra]
"""


@pytest.mark.parametrize("group", [registry.GROUP, registry.CONVENTIONS, "console_scripts", "pytest11"])
def test_the_standard_library_finds_the_same(group: str) -> None:
    """Of one distribution that is on the path twice it takes the first."""
    found = {(offer.name, offer.value) for offer in offers(group)}
    assert found >= {(point.name, point.value) for point in entry_points(group=group)}
    assert {name for name, _ in found} == {point.name for point in entry_points(group=group)}


def test_groups_and_comments_are_read_as_the_packaging_standard_writes_them() -> None:
    assert list(read(NOTES)) == [
        Offer("later", "later.cli:main", "console_scripts"),
        Offer("later", "later:KIND", "sabot.drivers"),
        Offer("dotted", "later.inner : Holder.KIND [extra]", "sabot.drivers"),
    ]


def test_an_offer_is_loaded_by_module_and_attributes() -> None:
    assert Offer("a", "pathlib : Path.home [extra]", "").load()
    with pytest.raises(AttributeError):
        Offer("a", "pathlib:Nothing", "").load()
    with pytest.raises(ImportError):
        Offer("a", "no_such_module", "").load()


def test_of_two_packages_the_first_on_the_path_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("a", "z"):
        info = tmp_path / place / f"{place}-1.dist-info"
        info.mkdir(parents=True)
        (info / "entry_points.txt").write_text(f"[sabot.drivers]\nboth = {place}:KIND\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path / place))
    assert [offer.value for offer in offers("sabot.drivers", "both")] == ["z:KIND", "a:KIND"]
    assert registry.installed()["both"].value == "z:KIND"
