"""A table outside an emulated board: its files on the settings partition, its devices in QEMU's plugs.

The devices are the rig's (``sabot.hil.board``), in a process of their own: they are another machine, as at a
table. What QEMU cannot give, lines that move, is a chip of the board's kernel that the rig's kernel module
makes; the program finds it by two variables, which the kernel's command line sets.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sabot.hil import board as rig
from sabot.hil.board.table_files import SIMULATORS, board_table
from sabot.hil.board.usbip import plug_for
from sabot.hil.board.world import by_id, plug_of
from sabot.hil.table.helper_process import HelperProcess
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.modules import Modules
from sabot.image.tree import PROGRAM, Tree

STATE = Path("/var/lib/sabot")
# The program of an image is at a table as it stands on a floor: nothing says that it is simulated.
_LEFT_OUT = (*SIMULATORS, "simulated =")
PATIENCE_S, LOOK_S = 60.0, 0.1


class Plugs(NamedTuple):
    """The plugs of a machine: QEMU's words for them, and what its kernel must have beside the system."""

    # What the machine has in any case, and what it has for a kind of device; others hang on adapters.
    around: tuple[str, ...]
    first: tuple[str, ...]
    of_kind: Mapping[str, tuple[str, ...]]
    # How the rig's end of such a kind is reached, where it is not as usual.
    wires: Mapping[str, str]
    # The number of the kernel's chip of lines that comes after the machine's own.
    chip: int
    modules: tuple[str, ...]
    # Files of the rig by their names there: the way out of the machine, and what it starts.
    files: Mapping[str, str]
    # How often a device of a kind can be put in, where each time wants another plug.
    times: Mapping[str, int]

    @property
    def words(self) -> str:
        """Return the kernel's words: without the number of a Pi 4B the library runs on no other board."""
        return f"systemd.setenv=RPI_LGPIO_REVISION=c03114 systemd.setenv=RPI_LGPIO_CHIP={self.chip}"


class OutsideTable:
    """One table; ``root`` is its folder on this machine."""

    def __init__(self, chapter: str, method: str, root: Path, plugs: Plugs) -> None:
        self.chapter, self.method, self.root, self.plugs = chapter, method, root, plugs
        self.files = board_table(STATE, chapter, method, by_id, left_out=_LEFT_OUT)
        self.plan = self.files.plan
        for each in self.plan["devices"].values():
            if each["kind"] in plugs.wires:
                each["wire"] = plugs.wires[each["kind"]]
        self.keys: dict[str, str] = {}
        self._devices: HelperProcess | None = None
        root.mkdir(parents=True, exist_ok=True)
        (root / "world.json").write_text(json.dumps(self.plan, indent=1), encoding="utf-8")

    def lay_on(self, found: CardImage) -> None:
        """Lay the table's files on the settings partition of a card, as a technician does."""
        for name, text in (("table.toml", self.files.table), ("submission.toml", self.files.submission)):
            (self.root / name).write_text(text, encoding="utf-8")
            found.put("settings", name, self.root / name)

    def hardware(self) -> tuple[str, ...]:
        """Return QEMU's words for the plugs, having removed those of an earlier start."""
        words = list(self.plugs.around)
        for plug in self._plugs():
            plug.unlink(missing_ok=True)
            words += ["-chardev", f"socket,id={plug.stem},path={plug},server=on,wait=off"]
        return tuple(words)

    def _plugs(self) -> list[Path]:
        times = self.plugs.times
        return [
            plug_for(plug_of(self.root, name), count)
            for name, wanted in self.plan["devices"].items()
            for count in range(times.get(wanted["kind"], 1))
        ]

    def devices(self) -> tuple[str, ...]:
        """Return in QEMU's words the machine's devices that hang on the plugs."""
        of_kind, found = self.plugs.of_kind, list(self.plugs.first)
        for name, wanted in self.plan["devices"].items():
            found += [each.format(name) for each in of_kind.get(wanted["kind"], ADAPTER)]
        return tuple(found)

    def plug_in(self) -> None:
        """Put the devices into the plugs of a machine that was switched on."""
        plugs, end = self._plugs(), time.monotonic() + PATIENCE_S
        while not all(each.exists() for each in plugs):
            if time.monotonic() > end:
                raise ImageError("the emulator made no plugs")
            time.sleep(LOOK_S)
        self._devices = HelperProcess("sabot.hil.board.world", self.root)
        self.keys = json.loads(self._devices.told)["keys"]

    def pull_out(self) -> None:
        """Take the devices away; they have no power either."""
        if self._devices is not None:
            self._devices.close()
            self._devices = None


ADAPTER = ("usb-serial,chardev={0},serial={0}",)
VIRT = Plugs(
    around=(),
    first=(),
    of_kind={
        "lines": ("virtio-serial-pci", "virtserialport,chardev={0}"),
        "sabot-pads": ("usb-redir,chardev={0}",),
    },
    wires={},
    chip=1,
    modules=("configfs",),
    files={"way": "virtio.sh", "lines": "lines.sh"},
    times={},
)
_NETWORK = (
    "user",
    "id=wire",
    "restrict=on",
    "ipv6=off",
    "guestfwd=tcp:10.0.2.100:1-chardev:lines",
    "guestfwd=tcp:10.0.2.100:2-chardev:pads",
    "guestfwd=tcp:10.0.2.100:3-chardev:pads-1",
    "guestfwd=tcp:10.0.2.100:4-chardev:pads-2",
)
# It has no other bus than USB, on which a redirected device makes QEMU abort. So its kernel gets the pads by
# USB/IP, over an adapter whose network is a few plugs and nothing else.
PI = Plugs(
    around=("-netdev", ",".join(_NETWORK)),
    first=("usb-net,netdev=wire",),
    of_kind={"lines": (), "sabot-pads": ()},
    wires={"sabot-pads": "usbip"},
    chip=2,
    modules=("configfs", "phy_generic", "dwc2", "cdc_ether", "vhci_hcd"),
    files={"way": "usb_net.sh", "lines": "lines.sh", "pads": "pads.sh"},
    times={"sabot-pads": 3},
)


def beside(modules: Modules, gpio_sim: Path, plugs: Plugs) -> Tree:
    """Return what is laid behind the card's initramfs: the rig's start, and the modules that it loads."""
    tree = Tree()
    guest = Path(rig.__file__).with_name("guest")
    tree.write("init", (guest / "start.sh").read_text("utf-8"), PROGRAM)
    for to, name in plugs.files.items():
        tree.write(f"t/{to}", (guest / name).read_text("utf-8"), PROGRAM)
    order = modules.closure(plugs.modules)
    for name in order:
        tree.write(f"t/{name}.ko", modules.content(name))
    tree.write("t/gpio-sim.ko", gpio_sim.read_bytes())
    tree.write("t/order", "".join(f"{name}\n" for name in (*order, "gpio-sim")))
    return tree
