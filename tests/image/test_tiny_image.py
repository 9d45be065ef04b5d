"""An image of a tiny board, by the steps of the real build: the same bytes twice, and whole under inspection."""

import shutil
from pathlib import Path

import pytest

from sabot.image import card
from sabot.image.build import compare
from sabot.image.look import TOOLS, Look
from sabot.image.run import PLACES
from tests.image import tiny

WANTED = (*TOOLS, "mksquashfs", "mkfs.vfat", "mkimage", "mkenvimage", "dtc", "fdtput", "zstd")
GONE = [name for name in WANTED if shutil.which(name, path=PLACES) is None]
pytestmark = pytest.mark.skipif(bool(GONE), reason=f"these programs are not installed: {' '.join(GONE)}")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.image(tmp_path_factory.mktemp("tiny"))


def look(image: Path, work: Path) -> dict[str, str]:
    return {each.name: each.wrong for each in Look(image, tiny.key().public_key(), work).all()}


def test_the_same_packages_give_the_same_image(made: Path, tmp_path: Path) -> None:
    assert compare(made, tiny.image(tmp_path)) == ""


def test_nothing_is_wrong_with_it(made: Path, tmp_path: Path) -> None:
    assert look(made, tmp_path) == dict.fromkeys(("tables", "slot file", "root", "contents", "state"), "")
    assert Look(made, tiny.key().public_key(), tmp_path).slot().version == "1.2.3"


@pytest.mark.parametrize(
    ("part", "at", "wrong"),
    [("root-a", 3000, "root"), ("boot-a", None, "slot file"), ("state", 5000, "state")],
)
def test_a_changed_byte_is_found(made: Path, tmp_path: Path, part: str, at: int | None, wrong: str) -> None:
    data = bytearray(made.read_bytes())
    place = card.part(part).start + at if at is not None else data.index(b"root_hash=") + 12
    data[place] ^= 1
    changed = tmp_path / "changed.img"
    changed.write_bytes(data)
    assert look(changed, tmp_path)[wrong]


def test_another_table_is_found(made: Path, tmp_path: Path) -> None:
    data = bytearray(made.read_bytes())
    data[446 + 8] ^= 1
    changed = tmp_path / "changed.img"
    changed.write_bytes(data)
    assert look(changed, tmp_path)["tables"]


def test_a_door_in_the_root_is_found(tmp_path: Path) -> None:
    assert look(tiny.image(tmp_path, "usr/sbin/sshd"), tmp_path)["contents"]
