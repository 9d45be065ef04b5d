"""An image of a tiny board, by the steps of the real build: the same bytes twice, and whole under inspection."""

import hashlib
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.image import card, certificate, update
from sabot.image.build import compare
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.inspection import TOOLS, ImageInspection
from sabot.image.recipe import EPOCH
from sabot.image.run import PLACES, run
from tests.image import tiny

WANTED = (*TOOLS, "mksquashfs", "mkfs.vfat", "mkimage", "dtc", "fdtput", "zstd")
GONE = [name for name in WANTED if shutil.which(name, path=PLACES) is None]
pytestmark = pytest.mark.skipif(bool(GONE), reason=f"these programs are not installed: {' '.join(GONE)}")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.image(tmp_path_factory.mktemp("tiny"))


def look(image: Path, work: Path) -> dict[str, str]:
    return {each.name: each.wrong for each in ImageInspection(image, tiny.key().public_key(), work).all()}


def test_the_same_packages_give_the_same_image(made: Path, tmp_path: Path) -> None:
    assert compare(made, tiny.image(tmp_path)) == ""


def test_another_byte_is_seen_between_images_of_one_name(made: Path, tmp_path: Path) -> None:
    other = tmp_path / made.name
    data = bytearray(made.read_bytes())
    data[card.part("root-a").start + 3000] ^= 1
    other.write_bytes(data)
    assert compare(made, other) == '["root-a"]'


def test_nothing_is_wrong_with_it(made: Path, tmp_path: Path) -> None:
    assert look(made, tmp_path) == dict.fromkeys(
        ("tables", "slot file", "boot files", "root", "contents", "state"), ""
    )
    assert ImageInspection(made, tiny.key().public_key(), tmp_path).slot().version == "1.2.3"


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


def test_a_slot_is_chosen_by_the_variables_of_the_card(made: Path, tmp_path: Path) -> None:
    found = CardImage(made, tmp_path)
    # U-Boot begins with variables of its own, which say how to start: ours alone would leave it at its prompt.
    assert found.variables() == {}
    assert [found.choose() for _ in range(3)] == ["A", "A", "A"]
    found.set_variables({"BOOT_ORDER": "B A", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "2"})
    assert [found.choose() for _ in range(4)] == ["B", "B", "A", "A"]


def test_a_slot_with_nothing_in_it_costs_its_tries_and_the_other_one_starts(
    made: Path, tmp_path: Path
) -> None:
    found = CardImage(made, tmp_path)
    assert [found.slot_to_start() for _ in range(6)] == ["A"] * 6
    assert found.variables() == {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "0", "BOOT_B_LEFT": "3"}
    assert found.slot_to_start() == "A"
    assert found.variables() == {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "2", "BOOT_B_LEFT": "3"}


def test_a_card_from_which_nothing_can_be_loaded_is_said_and_not_tried_for_ever(
    made: Path, tmp_path: Path
) -> None:
    found = CardImage(made, tmp_path)
    nothing = tmp_path / "nothing"
    nothing.write_bytes(bytes(card.part("boot-a").size))
    found.lay("boot-a", nothing)
    with pytest.raises(ImageError, match="no slot can be loaded"):
        found.slot_to_start()


def test_variables_that_are_torn_are_none_and_slot_a_starts(made: Path, tmp_path: Path) -> None:
    found = CardImage(made, tmp_path)
    found.set_variables({"BOOT_ORDER": "B A", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "2"})
    torn = tmp_path / "torn"
    torn.write_bytes(found.take("firmware", "uboot.env").read_bytes()[:-100] + b"x" * 100)
    found.put("firmware", "uboot.env", torn)
    assert found.variables() == {}
    assert found.choose() == "A"


def test_the_radio_is_off_and_the_console_on_the_pl011_in_every_device_tree(
    made: Path, tmp_path: Path
) -> None:
    tree = CardImage(made, tmp_path).take("firmware", "sabot-rpi-3-b.dtb")
    wanted = {
        ("/soc/mmc@7e300000", "status"): "disabled",
        ("/soc/serial@7e215040", "status"): "disabled",
        ("/soc/serial@7e201000", "status"): "okay",
        ("/aliases", "serial0"): "/soc/serial@7e201000",
    }
    assert {place: run("fdtget", tree, *place).strip() for place in wanted} == wanted
    assert run("fdtget", "-l", tree, "/soc/serial@7e201000") == ""


@pytest.mark.skipif(shutil.which("rauc") is None, reason="rauc is not installed")
def test_rauc_believes_an_update_by_the_certificate_of_the_release_key_alone(tmp_path: Path) -> None:
    slot = {"boot": tmp_path / "b", "root": tmp_path / "r"}
    for path in slot.values():
        path.write_bytes(hashlib.shake_256(path.name.encode()).digest(20_000))
    bundle = update.write(slot, "1.3.0", tiny.key(), EPOCH, tmp_path / "x.raucb")
    ours, other = tmp_path / "ours.pem", tmp_path / "other.pem"
    ours.write_bytes(certificate.make(tiny.key(), EPOCH))
    other.write_bytes(certificate.make(Ed25519PrivateKey.from_private_bytes(bytes(32)), EPOCH))
    assert '"version":"1.3.0"' in run("rauc", "info", f"--keyring={ours}", "--output-format=json", bundle)
    with pytest.raises(ImageError):
        run("rauc", "info", f"--keyring={other}", bundle)
