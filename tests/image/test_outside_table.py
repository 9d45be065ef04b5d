"""What stands around an emulated board, and what is laid beside its system for it: never a part of the image."""

import subprocess
from pathlib import Path

import pytest

from sabot.hil import board as rig
from sabot.hil.board.usbip import plug_for
from sabot.hil.board.world import plug_of
from sabot.image import card, outside_table, recipe
from sabot.image.emulator import CardImage, OutsideWorld
from sabot.image.outside_table import PI, VIRT, OutsideTable, Plugs, beside
from sabot.image.raspberry import lay_on_card
from sabot.image.run import run
from sabot.image.tree import PROGRAM, Tree
from tests.image import tiny
from tests.image.test_tiny_image import GONE

GUEST = Path(rig.__file__).with_name("guest")
needs_tools = pytest.mark.skipif(bool(GONE), reason=f"these programs are not installed: {' '.join(GONE)}")
BOTH = pytest.mark.parametrize("plugs", [VIRT, PI], ids=["virt", "pi"])
# As Debian's kernel has them.
DEPENDS = {
    "configfs": "", "phy_generic": "usb_common", "usb_common": "", "usbcore": "usb_common", "udc_core": "usb_common",
    "dwc2": "usbcore,udc_core", "mii": "", "usbnet": "usbcore,mii", "cdc_ether": "usbnet,usbcore",
    "usbip_core": "usb_common", "vhci_hcd": "usbip_core,usbcore",
}  # fmt: skip


def laid(plugs: Plugs, tmp_path: Path) -> Tree:
    """Return what is laid beside an initramfs."""
    module = tmp_path / "gpio-sim.ko"
    module.write_bytes(b"THE CHIP OF LINES")
    return beside(tiny.modules(DEPENDS), module, plugs)


@BOTH
def test_modules_lie_beside_the_system_in_an_order_in_which_they_load(plugs: Plugs, tmp_path: Path) -> None:
    tree = laid(plugs, tmp_path)
    *order, last = tree.read("t/order").decode().split()
    assert (last, tree.read("t/gpio-sim.ko")) == ("gpio-sim", b"THE CHIP OF LINES")
    for name in order:
        assert f"depends={DEPENDS[name]}".encode() in tree.read(f"t/{name}.ko")
        assert {each for each in DEPENDS[name].split(",") if each} <= set(order[: order.index(name)])
    assert set(plugs.modules) <= set(order)


@BOTH
def test_the_rig_starts_before_the_board_and_hands_over_to_it(plugs: Plugs, tmp_path: Path) -> None:
    tree = laid(plugs, tmp_path)
    assert {tree[name].mode for name in ("init", *(f"t/{each}" for each in plugs.files))} == {PROGRAM}
    assert tree.read("init").endswith(b". /t/way\n")
    assert tree.read("t/lines").endswith(b"exec /bin/busybox sh /bin/start\n")


@pytest.mark.parametrize("script", sorted(GUEST.glob("*.sh")), ids=lambda each: each.name)
def test_a_script_of_the_rig_is_one(script: Path) -> None:
    subprocess.run(["/bin/sh", "-n", script], check=True)


def test_no_image_has_what_the_trials_bring() -> None:
    brought = {name for plugs in (VIRT, PI) for name in plugs.modules} - {"phy_generic", "dwc2"}
    assert not (brought | {"gpio_sim", "usbip_core"}) & set(recipe.MODULES)


@pytest.mark.parametrize("chapter", ["pa679a", "pa641a"])
def test_every_device_has_a_plug_and_pads_and_lines_their_own_way(chapter: str, tmp_path: Path) -> None:
    virt, pi = (
        OutsideTable(chapter, "manual_shoe", tmp_path / str(plugs.chip), plugs) for plugs in (VIRT, PI)
    )
    for table in (virt, pi):
        words = " ".join(table.hardware())
        assert all(f"socket,id={name},path={table.root}" in words for name in table.plan["devices"])
        adapters = [each for each in table.devices() if each.startswith("usb-serial,")]
        assert len(adapters) == len(table.plan["devices"]) - 2
    assert {"usb-redir,chardev=pads", "virtserialport,chardev=lines"} <= set(virt.devices())
    assert pi.devices()[0] == "usb-net,netdev=wire"
    assert not any("pads" in each or "lines" in each for each in pi.devices())


def test_the_network_of_a_pi_leads_to_its_plugs_and_nowhere_else(tmp_path: Path) -> None:
    words = outside_table.PI.around[1].split(",")
    assert {"restrict=on", "ipv6=off"} <= set(words)
    ways = [each.removeprefix("guestfwd=tcp:") for each in words if "fwd" in each]
    names = dict(each.split("-chardev:") for each in ways)
    assert names.pop("10.0.2.100:1") == "lines"
    script = (GUEST / "usb_net.sh").read_text("utf-8")
    assert "nc 10.0.2.100 1 -e /t/lines" in script
    ports = " ".join(each.rpartition(":")[2] for each in names)
    assert f"for port in {ports}; do /bin/busybox nc 10.0.2.100 $port -e /t/pads &" in script
    table = OutsideTable("pa679a", "manual_shoe", tmp_path, PI)
    plugs = [plug_for(plug_of(table.root, "pads"), count) for count in range(len(names))]
    assert list(names.values()) == [each.stem for each in plugs]
    assert all(f"socket,id={each.stem},path={each}" in " ".join(table.hardware()) for each in plugs)


@needs_tools
def test_a_pi_is_given_words_and_modules_by_its_card_alone(tmp_path: Path) -> None:
    found = card_with_fats(tmp_path)
    lay_on_card(found, OutsideWorld((), (), "sabot.trial=1", b"BESIDE"))
    assert (
        b"systemd.watchdog_sec=0 isolcpus=2,3 sabot.trial=1"
        in found.take("firmware", "boot.scr").read_bytes()
    )
    start = found.take("boot-a", "initrd").read_bytes()
    # The kernel takes the second archive at a multiple of four.
    assert start == b"FIRST" + bytes(3) + b"BESIDE"


def card_with_fats(folder: Path) -> CardImage:
    """Return a card with an initramfs of five bytes in slot A."""
    fats = {}
    for name in ("firmware", "boot-a"):
        fats[name] = folder / name
        with fats[name].open("wb") as file:
            file.truncate(card.part(name).size)
        run("mkfs.vfat", fats[name])
    image = folder / "image"
    card.write(image, fats)
    found = CardImage(image, folder)
    (folder / "first").write_bytes(b"FIRST")
    found.put("boot-a", "initrd", folder / "first")
    return found
