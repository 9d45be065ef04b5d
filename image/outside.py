"""A table outside an emulated board: its files on the settings partition, its devices in QEMU's plugs.

The devices are the rig's (``sabot.hil.board``), in a process of their own: they are another machine, as at a
table. What QEMU cannot give, lines that move, is a chip of the board's kernel that the rig's kernel module
makes; the program finds it by two variables, which the kernel's command line sets.
"""

import json
import lzma
import subprocess
import sys
import time
from pathlib import Path

from sabot.config.loader import PRINTED
from sabot.config.submission import example_submission
from sabot.firmware.simulated import submission_text, table_text, world_plan
from sabot.hil import board as rig
from sabot.hil.board.world import by_id, plug_of
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.run import run_raw
from sabot.image.tree import PROGRAM, Tree

SPEED = 20.0
STATE = Path("/var/lib/sabot")
# A Pi 4B's, and the chip that comes after the machine's own: without them the library runs on no other board.
WORDS = "systemd.setenv=RPI_LGPIO_REVISION=c03114 systemd.setenv=RPI_LGPIO_CHIP=1"
_SIMULATED = ("module =", "backend =", "simulated =")
_MODULES = ("gpio-sim", "configfs")
PATIENCE_S, LOOK_S = 60.0, 0.1


class OutsideTable:
    """One table; ``root`` is its folder on this machine."""

    def __init__(self, chapter: str, method: str, root: Path) -> None:
        self.chapter, self.method, self.root = chapter, method, root
        law, submission = PRINTED.chapter(chapter), example_submission(PRINTED, chapter)
        self.plan = world_plan(law, submission, method, seed=1, speed=SPEED, has_stations=False)
        self.keys: dict[str, str] = {}
        self._devices: subprocess.Popen[bytes] | None = None
        root.mkdir(parents=True, exist_ok=True)
        (root / "world.json").write_text(json.dumps(self.plan, indent=1), encoding="utf-8")
        self.text = rig.of_a_board(
            table_text(STATE, law, submission, method, has_stations=False), _SIMULATED, by_id
        )

    def lay_on(self, found: CardImage) -> None:
        """Lay its files on the settings partition of a card, as a technician does."""
        files = {
            "table.toml": self.text,
            "submission.toml": submission_text(PRINTED, self.chapter, self.method),
        }
        for name, text in files.items():
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
        self._devices = subprocess.Popen(  # noqa: S603 (our own interpreter and module)
            [sys.executable, "-m", "sabot.hil.board.table", str(self.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._devices.stdout is not None  # asked for above
        told = self._devices.stdout.readline()
        if not told:
            raise ImageError(f"the devices did not come to work: {self._devices.wait()}")
        self.keys = json.loads(told)["keys"]

    def pull_out(self) -> None:
        """Take the devices away; they have no power either."""
        if self._devices is not None:
            assert self._devices.stdin is not None  # asked for above
            self._devices.stdin.close()
            self._devices.wait()
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
