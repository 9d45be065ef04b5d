"""The root of the image: Debian's packages, unpacked and never configured, set up here as data.

A package's scripts would run for minutes under an emulator and leave traces of the machine that ran them.
What they do for these packages is little and is done here: users, a few files, units on and off.
"""

from importlib import resources

from sabot.image import accounts
from sabot.image.errors import ImageError
from sabot.image.modules import Modules
from sabot.image.recipe import COMPATIBLE, MASKED, MODULES, NEVER, STARTED
from sabot.image.tree import PROGRAM, Tree

UNITS, SYSTEM = "etc/systemd/system", "usr/lib/systemd/system"
FOLDERS = {
    "proc": 0o40555, "sys": 0o40555, "dev": 0o40755, "run": 0o40755, "tmp": 0o41777, "var": 0o40755,
    "root": 0o40700,
    "mnt/sabot": 0o40755, "boot/firmware": 0o40700, "media/settings": 0o40700, "home": 0o40755,
    "etc/sabot": 0o40755,
    "usr/local/bin": 0o40755,
}  # fmt: skip
FILES = {
    "etc/hostname": "sabot\n",
    "etc/hosts": "127.0.0.1 localhost sabot\n",
    # Empty: what starts (board/start.sh) lays the board's own over it, which is kept with the state.
    "etc/machine-id": "",
    "etc/sabot/release.pub": "",
    # RAUC's way to U-Boot's variables; the size is that of the file as the build writes it.
    "etc/fw_env.config": "/boot/firmware/uboot.env 0x0000 0x4000\n",
    "etc/securetty": "",
    "etc/resolv.conf": "",
    "usr/share/sabot/compatible": f"{COMPATIBLE}\n",
}
LINKS = {"etc/mtab": "/proc/self/mounts", f"{UNITS}/default.target": f"/{SYSTEM}/multi-user.target"}


def board_file(name: str) -> str:
    """Return the text of a file of image/board."""
    return (resources.files("sabot.image") / "board" / name).read_text(encoding="utf-8")


def set_up(tree: Tree, boot: Tree, kernel: str, release_key: bytes, certificate: bytes) -> None:
    """Turn unpacked packages, with the release laid in, into a root that starts."""
    for path, mode in FOLDERS.items():
        tree.folder(path, mode)
    for path, text in FILES.items():
        tree.write(path, text)
    for path, to in LINKS.items():
        tree.link(path, to)
    tree.write("etc/nsswitch.conf", tree.read("usr/share/libc-bin/nsswitch.conf"))
    tree.write("usr/share/sabot/release.pub", release_key)
    tree.write("usr/share/sabot/updates.pem", certificate)
    _lay_board_files(tree)
    _lay_accounts(tree)
    _lay_modules(tree, boot, kernel)
    # Behind the board's own files, some of which are units: what is not there cannot be started.
    _lay_units(tree)
    verify_nothing_forbidden(tree)


def _lay_board_files(tree: Tree) -> None:
    for path, name in _BOARD.items():
        tree.write(path, board_file(name), PROGRAM if name.endswith(".sh") else 0o100644)


def _lay_accounts(tree: Tree) -> None:
    found = accounts.of(tree)
    for path, text in found.files().items():
        is_secret = path.endswith("shadow")
        tree.write(path, text, 0o100600 if is_secret else 0o100644)


def _lay_modules(tree: Tree, boot: Tree, kernel: str) -> None:
    """Lay the modules of the recipe, packed as they come; depmod writes their lists afterwards."""
    folder = f"usr/lib/modules/{kernel}"
    modules = Modules(boot, folder)
    for name in modules.closure(MODULES):
        tree.write(modules.path(name), boot.read(modules.path(name)))
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        tree.write(f"{folder}/{name}", boot.read(f"{folder}/{name}"))


def _lay_units(tree: Tree) -> None:
    for name in MASKED:
        tree.link(f"{UNITS}/{name}", "/dev/null")
    for target, units in STARTED.items():
        for name in units:
            template = f"{name.partition('@')[0]}@.service" if "@" in name else name
            place = next((at for at in (UNITS, SYSTEM) if f"{at}/{template}" in tree), None)
            if place is None:
                raise ImageError(f"there is no unit {template} to start")
            tree.link(f"{UNITS}/{target}.wants/{name}", f"/{place}/{template}")


def verify_nothing_forbidden(tree: Tree) -> None:
    """Raise ImageError where something is in the root that no board may have."""
    probe = Tree()
    for path in tree:
        probe.put(path, tree[path])
    before = set(probe)
    probe.drop(NEVER)
    found = sorted(before - set(probe))
    if found:
        raise ImageError(f"the root has what no board may have: {', '.join(found[:5])}")


_BOARD = {
    "etc/rauc/system.conf": "rauc.conf",
    "usr/lib/sabot/before-install": "before-install.sh",
    "etc/systemd/system.conf.d/sabot.conf": "system.conf",
    "etc/systemd/journald.conf.d/sabot.conf": "journald.conf",
    "etc/sysctl.d/sabot.conf": "sysctl.conf",
    "etc/udev/rules.d/71-sabot-card.rules": "card.rules",
    "etc/tmpfiles.d/sabot-image.conf": "tmpfiles.conf",
    f"{UNITS}/boot-firmware.mount": "units/boot-firmware.mount",
    f"{UNITS}/media-settings.mount": "units/media-settings.mount",
    f"{UNITS}/sabot-settings.service": "units/sabot-settings.service",
    f"{UNITS}/sabot-slot.service": "units/sabot-slot.service",
    f"{UNITS}/sabot-radio.service": "units/sabot-radio.service",
    f"{UNITS}/sabot-incoming.path": "units/sabot-incoming.path",
    f"{UNITS}/sabot-incoming.service": "units/sabot-incoming.service",
    f"{UNITS}/sabot-stick@.service": "units/sabot-stick@.service",
}
