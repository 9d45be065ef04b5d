"""A table outside an emulated board: its files on the settings partition, its devices in QEMU's plugs.

The devices are the rig's (``sabot.hil.board``), in a process of their own: they are another machine, as at a
table. What QEMU cannot give, lines that move, is a chip of the board's kernel that the rig's kernel module
makes; the program finds it by two variables, which the kernel's command line sets.
"""

import json
import lzma
import time
from pathlib import Path

from sabot.hil import board as rig
from sabot.hil.board.table_files import SIMULATORS, board_table
from sabot.hil.board.world import by_id, plug_of
from sabot.hil.table.helper_process import HelperProcess
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.run import run_raw
from sabot.image.tree import PROGRAM, Tree

STATE = Path("/var/lib/sabot")
# A Pi 4B's, and the chip that comes after the machine's own: without them the library runs on no other board.
WORDS = "systemd.setenv=RPI_LGPIO_REVISION=c03114 systemd.setenv=RPI_LGPIO_CHIP=1"
# The program of an image is at a table as it stands on a floor: nothing says that it is simulated.
_LEFT_OUT = (*SIMULATORS, "simulated =")
_MODULES = ("gpio-sim", "configfs")
PATIENCE_S, LOOK_S = 60.0, 0.1


class OutsideTable:
    """One table; ``root`` is its folder on this machine."""

    def __init__(self, chapter: str, method: str, root: Path) -> None:
        self.chapter, self.method, self.root = chapter, method, root
        self.files = board_table(STATE, chapter, method, by_id, left_out=_LEFT_OUT)
        self.plan = self.files.plan
        self.keys: dict[str, str] = {}
        self._devices: HelperProcess | None = None
        root.mkdir(parents=True, exist_ok=True)
        (root / "world.json").write_text(json.dumps(self.plan, indent=1), encoding="utf-8")

    def lay_on(self, found: CardImage) -> None:
        """Lay its files on the settings partition of a card, as a technician does."""
        for name, text in (("table.toml", self.files.table), ("submission.toml", self.files.submission)):
            (self.root / name).write_text(text, encoding="utf-8")
            found.put("settings", name, self.root / name)

    def hardware(self) -> tuple[str, ...]:
        """Return QEMU's words for its plugs."""
        words: list[str] = []
        for name, wanted in self.plan["devices"].items():
            plug = plug_of(self.root, name)
            plug.unlink(missing_ok=True)
            words += ["-chardev", f"socket,id={name},path={plug},server=on,wait=off"]
            words += _PLUGS.get(wanted["kind"], _adapter)(name)
        return tuple(words)

    def plug_in(self) -> None:
        """Put the devices into the plugs of a machine that was switched on."""
        plugs = [plug_of(self.root, name) for name in self.plan["devices"]]
        end = time.monotonic() + PATIENCE_S
        while not all(each.exists() for each in plugs):
            if time.monotonic() > end:
                raise ImageError("the emulator made no plugs")
            time.sleep(LOOK_S)
        self._devices = HelperProcess("sabot.hil.board.table", self.root)
        self.keys = json.loads(self._devices.told)["keys"]

    def pull_out(self) -> None:
        """Take the devices away; they have no power either."""
        if self._devices is not None:
            self._devices.close()
            self._devices = None


def _adapter(name: str) -> list[str]:
    return ["-device", f"usb-serial,chardev={name},serial={name}"]


_PLUGS = {
    "lines": lambda name: ["-device", "virtio-serial-pci", "-device", f"virtserialport,chardev={name}"],
    "sabot-pads": lambda name: ["-device", f"usb-redir,chardev={name}"],
}


def beside(boot: Tree, gpio_sim: Path) -> bytes:
    """Return what is laid beside the card's initramfs: the rig's start, and the modules that it loads."""
    tree = Tree()
    tree.write("init", Path(rig.__file__).with_name("guest").joinpath("lines.sh").read_text("utf-8"), PROGRAM)
    found = next(path for path in boot if path.endswith("/configfs/configfs.ko.xz"))
    contents = (gpio_sim.read_bytes(), lzma.decompress(boot.read(found)))
    for name, data in zip(_MODULES, contents, strict=True):
        tree.write(f"t/{name}.ko", data)
    return run_raw("zstd", "-q", "-T1", "-c", data=tree.to_cpio(1))
