"""The initramfs: what checks a slot before anything of it runs, and nothing else.

Programs come from the packages of the root with the libraries they need, so that one list of packages says
all.
"""

from collections.abc import Sequence

from sabot.image import elf
from sabot.image.modules import Modules
from sabot.image.tree import Tree

PROGRAMS = (
    "usr/sbin/veritysetup",
    "usr/bin/openssl",
    "usr/sbin/mke2fs",
    "usr/sbin/e2fsck",
    "usr/sbin/resize2fs",
)
FOLDERS = ("proc", "sys", "dev", "run", "newroot", "slot", "etc", "bin", "tmp", "lib/modules")
BUSYBOX = "usr/bin/busybox"


def make(root: Tree, boot: Tree, modules: Modules, early: Sequence[str], init: str, key: bytes) -> Tree:
    """Return the tree of the initramfs; ``init`` is its program, ``key`` the release key that it pins."""
    tree = Tree()
    for name in FOLDERS:
        tree.folder(name)
    tree.link("sbin", "bin")
    elf.carry(boot, BUSYBOX, tree, "bin/busybox")
    tree.link("bin/sh", "busybox")
    for path in PROGRAMS:
        elf.carry(root, path, tree, f"bin/{path.rpartition('/')[2]}")
    order = modules.closure(early)
    for name in order:
        tree.write(f"lib/modules/{name}.ko", modules.content(name))
    tree.write("lib/modules/order", "".join(f"{name}\n" for name in order))
    tree.write("etc/release.pub", key)
    tree.write("etc/openssl.cnf", "")
    tree.write("etc/mke2fs.conf", root.read("etc/mke2fs.conf"))
    tree.write("bin/start", init, 0o100755)
    # What starts is a line of its own, so that a machine of the tests can put another before it.
    tree.write("init", "#!/bin/busybox sh\nexec /bin/busybox sh /bin/start\n", 0o100755)
    return tree
