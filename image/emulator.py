"""An emulated board with a card: QEMU's generic machine, started by the card's own kernel and initramfs.

The generic machine has no U-Boot of a Pi; what U-Boot's script decides is decided here by the same
variables, read from and written to the card. Its clock counts instructions, so that no time-out of the board
depends on what else the building machine does. One machine at a time: it takes a processor whole.
"""

# Theory of operation. ``CardImage`` is a card as a file, with what a technician, U-Boot or an update would do
# to it from outside. ``Emulator`` is one start: QEMU with its console on a pipe and its monitor on a socket.
# All that is known of a board is what its console says: ``wait`` reads on until one of some patterns comes,
# from where the last hit ended, so that nothing is seen twice. To leave the block is to cut the power, by
# killing QEMU; what the board has written is in the file then, and which of it a real card might have lost is
# the question of ``card_log``.

import re
import selectors
import shutil
import socket
import subprocess
import time
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from sabot.image import card
from sabot.image.card_log import copy
from sabot.image.errors import ImageError
from sabot.image.run import run

ENVIRONMENT, ENVIRONMENT_BYTES = "uboot.env", 0x4000
QEMU = "qemu-system-aarch64"
# No emulator outlives its trial: the kernel ends it, however that one ended.
ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL")
# What a slot is loaded from; after so many resets each slot has had all its tries.
BOOT_FILES, MOST_RESETS = ("Image.gz", "initrd"), 12
MEMORY, PATIENCE_S, KEY_S = "1G", 1200, 0.01
ANSWER_S = 30.0
# No network: what QEMU would put in by itself wants a ROM of another package.
MACHINE = ("-M", "virt", "-cpu", "cortex-a53", "-device", "qemu-xhci,p2=8", "-nic", "none")
WORDS = "console=ttyAMA0 quiet panic=5 sabot.disk=/dev/vda systemd.show_status=0"
# A thousand million instructions are a second while the machine is busy; idle, it goes with the wall.
CLOCK = ("-icount", "shift=0,sleep=on")
# Devices outside the machine live by the wall, and so does it beside them.
SHARED_CLOCK = ("-smp", "2", "-accel", "tcg,thread=multi")
_CONTROL = re.compile(r"\x1b\[[0-9;?:]*[A-Za-z]|\r")


class OutsideWorld(NamedTuple):
    """The surroundings of a machine: QEMU's words and devices, the kernel's words, more for the initramfs."""

    hardware: tuple[str, ...]
    devices: tuple[str, ...]
    words: str
    beside: bytes
    clock: tuple[str, ...] = ()


class CardImage:
    """A card in a file, which is changed by what runs from it."""

    def __init__(self, image: Path, work: Path) -> None:
        self.image = work / "card.img"
        copy(image, self.image)
        self.monitor = work / "monitor"
        self._work = work

    def take(self, part: str, name: str) -> Path:
        """Take a file out of one of the FATs, and return where it lies now."""
        to = self._work / f"{part}.{name}"
        run("mcopy", "-o", "-n", "-i", self._fat(part), f"::{name}", to)
        return to

    def put(self, part: str, name: str, source: Path) -> None:
        """Lay a file into one of the FATs."""
        run("mcopy", "-o", "-i", self._fat(part), source, f"::{name}")

    def lay(self, part: str, content: Path) -> None:
        """Write a whole partition, as an update does."""
        with self.image.open("r+b") as file, content.open("rb") as source:
            file.seek(card.part(part).start)
            shutil.copyfileobj(source, file)

    def change(self, part: str, at: int) -> None:
        """Change a bit of a partition, of the byte at this place."""
        with self.image.open("r+b") as file:
            file.seek(card.part(part).start + at)
            byte = file.read(1)[0]
            file.seek(-1, 1)
            file.write(bytes([byte ^ 1]))

    def variables(self) -> dict[str, str]:
        """Return U-Boot's variables; none where their checksum is wrong, as on a new card."""
        data = self.take("firmware", ENVIRONMENT).read_bytes()
        if zlib.crc32(data[4:]) != int.from_bytes(data[:4], "little"):
            return {}
        rows = data[4:].split(b"\0\0", 1)[0].split(b"\0")
        return dict(row.decode().split("=", 1) for row in rows if b"=" in row)

    def set_variables(self, found: Mapping[str, str]) -> None:
        """Write U-Boot's variables, as its saveenv does."""
        text = b"".join(f"{name}={value}\0".encode() for name, value in sorted(found.items())) + b"\0"
        body = text.ljust(ENVIRONMENT_BYTES - 4, b"\0")
        file = self._work / ENVIRONMENT
        file.write_bytes(zlib.crc32(body).to_bytes(4, "little") + body)
        self.put("firmware", ENVIRONMENT, file)

    def choose(self) -> str:
        """Choose the slot as boot.cmd does: a try is taken off and saved; all come back when none is left."""
        found = {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "0", **self.variables()}
        for slot in found["BOOT_ORDER"].split():
            left = int(found[f"BOOT_{slot}_LEFT"], 16)
            if left > 0:
                self.set_variables({**found, f"BOOT_{slot}_LEFT": f"{left - 1:x}"})
                return slot
        self.set_variables({**found, "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "3"})
        return self.choose()

    def slot_to_start(self) -> str:
        """Choose until a slot can be loaded, as the board does: one that cannot ends in a reset."""
        for _ in range(MOST_RESETS):
            if self._has(slot := self.choose()):
                return slot
        raise ImageError("no slot can be loaded")

    def _has(self, slot: str) -> bool:
        """Return whether a slot has the files that start it: a new card has nothing in B."""
        try:
            return all(self.take(f"boot-{slot.lower()}", name).stat().st_size for name in BOOT_FILES)
        except ImageError:
            return False

    def _fat(self, part: str) -> str:
        return f"{self.image}@@{card.part(part).start}"


class Emulator:
    """One start of a card; leave it to cut its power."""

    def __init__(self, command: Sequence[str], monitor: Path, log: Path) -> None:
        self._monitor, self._sticks = monitor, 0
        self._log = log.open("a", encoding="utf-8")
        self._began = time.monotonic()
        self._text, self._at = "", 0
        words = ("-display", "none", "-monitor", f"unix:{monitor},server=on,wait=off", "-serial", "stdio")
        self._machine = subprocess.Popen(  # noqa: S603 (our own words)
            [*ENDS_WITH_US, QEMU, *command, *words, "-no-reboot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._machine.stdout is not None
        self._ears = selectors.DefaultSelector()
        self._ears.register(self._machine.stdout, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def wait(self, *patterns: str, patience_s: float = PATIENCE_S) -> str:
        """Return the first of these that the console says from here on, or raise ImageError."""
        wanted = re.compile("|".join(f"(?:{each})" for each in patterns))
        end = time.monotonic() + patience_s
        while not (hit := wanted.search(self._text, self._at)):
            if time.monotonic() > end or not self._hear():
                last = " / ".join(self._text.splitlines()[-3:])
                raise ImageError(f"the console never said {wanted.pattern!r}; its last words: {last}")
        self._at = hit.end()
        return hit[0]

    def says(self, pattern: str, patience_s: float) -> bool:
        """Return whether the console says this before somebody's patience ends."""
        try:
            self.wait(pattern, patience_s=patience_s)
        except ImageError:
            return False
        return True

    def status(self) -> str:
        """Return what the emulator says of the machine: that it runs, or what stopped it."""
        return self._monitored("info status").partition("VM status: ")[2].splitlines()[0].strip()

    def place(self) -> int:
        """Return how far somebody has read what the console said."""
        return self._at

    def since(self, place: int) -> str:
        """Return what was read since that place."""
        return self._text[place : self._at]

    def type(self, words: str) -> None:
        """Type a line, one key after the other as on a keyboard."""
        assert self._machine.stdin is not None
        for key in f"{words}\r":
            self._machine.stdin.write(key.encode())
            self._machine.stdin.flush()
            time.sleep(KEY_S)

    def put_in(self, stick: Path) -> None:
        """Put a stick into the board's USB."""
        self._sticks += 1
        name = f"stick{self._sticks}"
        self._monitored(f"drive_add 0 if=none,id={name},format=raw,file={stick}")
        self.plug_in(f"usb-storage,drive={name},id=on{name}")

    def plug_in(self, device: str) -> None:
        """Add a device, in QEMU's words."""
        said = self._monitored(f"device_add {device}")
        if "rror" in said:
            raise ImageError(f"{device} was not taken: {said}")

    def register(self, address: int) -> int:
        """Return the content of a register of the machine."""
        found = re.search(r": (0x[0-9a-f]{8})", self._monitored(f"xp /1wx {address:#x}"))
        if found is None:
            raise ImageError(f"there is nothing at {address:#x}")
        return int(found[1], 16)

    def _monitored(self, *orders: str) -> str:
        """Give the emulator's monitor some orders, and return what it said."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(str(self._monitor))
            monitor.sendall("".join(f"{each}\n" for each in orders).encode())
            monitor.settimeout(ANSWER_S)
            said = b""
            # It asks for an order, and again behind each.
            while said.count(b"(qemu)") <= len(orders):
                said += monitor.recv(4096)
        return said.decode(errors="replace")

    def ended(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until the machine resets or switches itself off; raise ImageError where it does neither."""
        end = time.monotonic() + patience_s
        while self._hear():
            if time.monotonic() > end:
                raise ImageError("the machine did not end by itself")

    def seconds(self) -> float:
        """Return the seconds of the wall since the start."""
        return time.monotonic() - self._began

    def cut(self) -> None:
        """Cut the power, and let go of the machine."""
        if self._machine.poll() is None:
            self._machine.kill()
        self._machine.wait()
        self._ears.close()
        self._log.close()

    def _hear(self) -> bool:
        """Take in what the console says next; return whether it may say more."""
        assert self._machine.stdout is not None
        if not self._ears.select(1.0):
            return True
        data = self._machine.stdout.read1(65536)  # type: ignore[attr-defined]
        text = _CONTROL.sub("", data.decode("utf-8", "replace"))
        self._text += text
        self._log.write(text)
        self._log.flush()
        return bool(data)


def generic(
    found: CardImage,
    log: Path,
    board: Path | None = None,
    world: OutsideWorld | None = None,
    record: Path | None = None,
) -> Emulator:
    """Start the generic machine with a card, from the slot that U-Boot's script would choose."""
    slot = found.slot_to_start()
    kernel, start = (found.take(f"boot-{slot.lower()}", name) for name in BOOT_FILES)
    words = f"{WORDS} sabot.slot={slot} rauc.slot={slot}"
    clock: tuple[str, ...] = CLOCK
    extra: tuple[str, ...] = ()
    if world is not None:
        words, clock = f"{words} {world.words}", world.clock
        extra = (*world.hardware, *(word for each in world.devices for word in ("-device", each)))
        with_beside(start, world.beside)
    command = [
        *(*MACHINE, "-m", MEMORY, *clock),
        *("-kernel", str(kernel), "-initrd", str(start), "-append", words),
        *_drive(found.image, record),
        *(("-dtb", str(board)) if board else ()),
        *extra,
    ]
    return Emulator(command, found.monitor, log)


def with_beside(start: Path, beside: bytes) -> Path:
    """Lay more behind an initramfs that was taken off a card: the kernel unpacks one after the other."""
    data = start.read_bytes()
    start.write_bytes(data + bytes(-len(data) % 4) + beside)
    return start


def before_of(record: Path) -> Path:
    """Return the path of the card as it was when a record began."""
    return record.with_suffix(".before")


def _drive(image: Path, record: Path | None) -> tuple[str, ...]:
    """Return QEMU's words for the card, with a volatile cache; a record takes its writes and flushes."""
    # Only the board's power is cut: what this machine has of the files need not be on its own disk.
    lazily = "cache.no-flush=on"
    node = f"driver=file,node-name=card,filename={image},{lazily}"
    if record is not None:
        record.write_bytes(b"")
        copy(image, before_of(record))
        node = (
            f"driver=blklogwrites,node-name=card,log-super-update-interval=1,"
            f"file.driver=file,file.filename={image},file.{lazily},"
            f"log.driver=file,log.filename={record},log.{lazily}"
        )
    return ("-blockdev", node, "-device", "virtio-blk-pci,drive=card,write-cache=on")


def board_tree(to: Path, serial: str) -> Path:
    """Write and return the device tree of a board that has this number of its maker."""
    machine = [f"virt,dumpdtb={to}" if each == "virt" else each for each in MACHINE]
    run(QEMU, *machine, "-m", MEMORY, "-display", "none")
    run("fdtput", "-t", "s", to, "/", "serial-number", serial)
    return to
