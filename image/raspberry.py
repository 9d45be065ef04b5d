"""QEMU's Raspberry Pi 3 with a card in its slot, from U-Boot on; QEMU has no firmware of a Pi.

What a trial adds to the card is U-Boot's script with more words for the kernel, and something beside the
initramfs, which nobody checks before it runs: the root is the signed one.
"""

import ctypes
import errno
from pathlib import Path

from sabot.drivers.lines.plan import make_plan
from sabot.image.emulator import CardImage, Emulator, OutsideWorld, with_beside
from sabot.image.errors import ImageError
from sabot.image.root import board_file
from sabot.image.run import run

QUIET = "systemd.show_status=0"
# No watchdog: QEMU's Pi starts anew at once by it. Two of its four processors have no work: where QEMU itself
# has but two, they would take their time from the others.
EMULATED = "systemd.watchdog_sec=0 isolcpus=2,3"
# The register of a Pi 3 that says what its pins 20 to 29 are: 0 is an input, three bits a pin.
FUNCTIONS, FIRST_PIN = 0x3F200008, 20
# The number of the call, on every machine of Linux.
IO_URING_SETUP = 425
NOTHING_OUTSIDE = OutsideWorld((), (), "", b"")


def pi(found: CardImage, log: Path, world: OutsideWorld = NOTHING_OUTSIDE) -> Emulator:
    """Start a Pi 3 with a new card, whose slot A is the one that U-Boot takes.

    Its USB is empty until the kernel starts: with devices that U-Boot has met, the kernel's driver says
    "Not connected" on QEMU's controller and has none.
    """
    lay_on_card(found, world)
    loader, tree = (found.take("firmware", name) for name in ("u-boot-3.bin", "sabot-rpi-3-b.dtb"))
    drive = f"file={found.image},if=sd,format=raw,aio={_quickest()}"
    command = ("-M", "raspi3b", "-kernel", str(loader), "-dtb", str(tree), "-drive", drive)
    board = Emulator((*command, *world.hardware), found.monitor, log)
    try:
        _plug_in(board, world.devices)
    except ImageError:
        board.cut()
        raise
    return board


def _quickest() -> str:
    """Return which of QEMU's ways to a card is the quickest here.

    A Pi's card goes sector by sector, and a thread that has to be woken for each is slow on a busy machine.
    By io_uring, where this kernel allows it, what is in memory is there at once.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(IO_URING_SETUP, 0, None)
    return "threads" if ctypes.get_errno() in (errno.ENOSYS, errno.EPERM) else "io_uring"


def _plug_in(board: Emulator, devices: tuple[str, ...]) -> None:
    """Put devices on the USB of a Pi that was switched on, when its kernel starts."""
    if devices:
        board.wait("Starting kernel")
    for each in devices:
        board.plug_in(each)


def lay_on_card(found: CardImage, world: OutsideWorld) -> None:
    """Lay on a card more words for the kernel, and more behind its initramfs, for this emulated Pi."""
    folder = found.image.parent
    text, script = folder / "boot.cmd", folder / "boot.scr"
    words = f"{QUIET} {EMULATED} {world.words}".rstrip()
    text.write_text(board_file("boot.cmd").replace(QUIET, words), "ascii")
    run("mkimage", "-A", "arm64", "-T", "script", "-d", text, script)
    found.put("firmware", "boot.scr", script)
    if world.beside:
        found.put("boot-a", "initrd", with_beside(found.take("boot-a", "initrd"), world.beside))


def at_rest(board: Emulator, said: str) -> str:
    """Return what a Pi said and when; raise ImageError where a pin of a relay drives anything by then."""
    functions = board.register(FUNCTIONS)
    pins = [each.pin for each in make_plan({}, "board").outputs]
    driven = [pin for pin in pins if functions >> 3 * (pin - FIRST_PIN) & 7]
    if driven:
        raise ImageError(f"{said}: pins {driven} are no inputs, and their relays may not rest")
    return f"{said} after {board.seconds():.0f} s"
