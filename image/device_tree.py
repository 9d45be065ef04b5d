"""Device trees of the boards: Debian's own, with the radio off and the console on the PL011.

The kernel's trees give the PL011 to Bluetooth and the small UART to the console; the small one changes its
speed with the processor's. An overlay of the firmware cannot mend that here, because it names labels that
Debian's trees lack.
"""

from pathlib import Path

from sabot.image.run import run

BOARDS = {
    "sabot-rpi-3-b.dtb": "bcm2837-rpi-3-b.dtb",
    "sabot-rpi-3-b-plus.dtb": "bcm2837-rpi-3-b-plus.dtb",
    "sabot-rpi-4-b.dtb": "bcm2711-rpi-4-b.dtb",
}
PL011, SMALL, SDIO = "serial@7e201000", "serial@7e215040", "mmc@7e300000"
PINS = "/soc/gpio@7e200000/uart0-gpio14"


def make(source: Path, to: Path) -> None:
    """Write the tree of a board, changed as far as it has the parts concerned."""
    to.write_bytes(source.read_bytes())
    soc = _nodes(to, "/soc")
    if PL011 in soc:
        _give_console(to, f"/soc/{PL011}")
    for name in (SMALL, SDIO):
        if name in soc:
            run("fdtput", "-t", "s", to, f"/soc/{name}", "status", "disabled")
    if SMALL in soc:
        run("fdtput", "-t", "s", to, "/aliases", "serial1", f"/soc/{SMALL}")


def _give_console(tree: Path, place: str) -> None:
    """Take the PL011 from Bluetooth, lay it on pins 14 and 15 of the chip, and name it as the console."""
    if "bluetooth" in _nodes(tree, place):
        run("fdtput", "-r", tree, f"{place}/bluetooth")
    if "uart-has-rtscts" in run("fdtget", "-p", tree, place).split():
        run("fdtput", "-d", tree, place, "uart-has-rtscts")
    pins = run("fdtget", "-t", "x", tree, PINS, "phandle").strip()
    run("fdtput", "-t", "x", tree, place, "pinctrl-0", pins)
    run("fdtput", "-t", "s", tree, place, "status", "okay")
    run("fdtput", "-t", "s", tree, "/aliases", "serial0", place)
    run("fdtput", "-t", "s", tree, "/chosen", "stdout-path", "serial0:115200n8")


def _nodes(tree: Path, place: str) -> list[str]:
    return run("fdtget", "-l", tree, place).split()
