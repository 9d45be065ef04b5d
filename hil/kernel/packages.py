"""The packages that the rig takes from Debian: a few tools, and a kernel with lines, USB and serial ports.

The tools are the system's own packages. The kernel is unpacked into the cache and never installed: apt is
asked with a state of its own, so the sources of this machine stay as they are. Kernel packages are found by
what they depend on, since a new kernel splits its files over other packages than an old one did.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sabot.hil.kernel.results import CannotRunError

# Each package, and a file that shows it is there.
TOOLS: Mapping[str, str] = {
    "qemu-system-x86": "/usr/bin/qemu-system-x86_64",
    "busybox-static": "/bin/busybox",
    "kmod": "/sbin/modprobe",
    "udev": "/lib/systemd/systemd-udevd",
    "systemd": "/lib/systemd/systemd",
    "e2fsprogs": "/sbin/debugfs",
    "libusb-1.0-0": "/usr/lib/x86_64-linux-gnu/libusb-1.0.so.0",
}
# gpio-sim is in Debian's kernels from 7.2 on; the suites that have one, the steadiest first.
SUITES = ("trixie-backports", "forky", "sid")
ARCHITECTURE = "amd64"
META = f"linux-image-{ARCHITECTURE}"
MIRROR_VARIABLE = "SABOT_RIG_MIRROR"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}


def missing_tools(root: Path = Path("/")) -> list[str]:
    """Return the packages that this machine does not have yet."""
    return [package for package, shown in TOOLS.items() if not (root / shown.lstrip("/")).exists()]


def install_tools() -> list[str]:
    """Install what is missing, and return the packages that were added."""
    missing = missing_tools()
    if not missing:
        return []
    if os.geteuid() != 0:
        raise CannotRunError(f"these packages are missing and only root can add them: {' '.join(missing)}")
    _apt(["update"])
    _apt(["install", "-y", "--no-install-recommends", *missing])
    if still := missing_tools():
        raise CannotRunError(f"these packages are installed and their files are not there: {' '.join(still)}")
    return missing


# ---------------------------------------------------------------- what apt answers


def mirror_of(targets: str) -> str | None:
    """Return the first mirror of Debian among apt's own, out of `apt-get indextargets`."""
    found = (line for line in targets.split() if re.search(r"/debian/?$", line))
    return next(found, None)


def newest_image(depends: str) -> str | None:
    """Return the kernel that a meta package depends on, out of `apt-cache depends`."""
    found = re.search(r"Depends: (linux-image-\d\S*)", depends)
    return found[1] if found else None


def packages_of(image: str, depends: str) -> list[str]:
    """Return the packages with a kernel's files: those that its image depends on, or the image."""
    version = image.removeprefix("linux-image-")
    wanted = (f"linux-modules-{version}", f"linux-binary-{version}")
    split = [name for name in wanted if re.search(rf"Depends: {re.escape(name)}$", depends, re.MULTILINE)]
    return split or [image]


# ---------------------------------------------------------------- the kernel


class Kernel:
    """An unpacked kernel in the cache; ``root`` is laid out as /usr is, ``version`` names its modules."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def modules(self) -> Path:
        """Return the folder of the modules of all kernels."""
        return self.root / "usr" / "lib" / "modules"

    @property
    def version(self) -> str:
        """Return the version of the only kernel that is here; empty if there is none."""
        found = sorted(each.name for each in self.modules.iterdir()) if self.modules.is_dir() else []
        return found[0] if found else ""

    @property
    def image(self) -> Path:
        """Return the kernel itself: newer packages keep it with the modules."""
        inside = self.modules / self.version / "vmlinuz"
        return inside if inside.exists() else self.root / "boot" / f"vmlinuz-{self.version}"

    @property
    def is_whole(self) -> bool:
        """Return whether it was unpacked to the end and has the lines that the rig wants."""
        folder = self.modules / self.version
        return (folder / "modules.dep.bin").exists() and any(folder.rglob("gpio-sim.ko*"))


def have_kernel(cache: Path) -> Kernel:
    """Return the kernel in the cache, fetched if there is none."""
    kernel = Kernel(cache / "kernel")
    if kernel.version and kernel.is_whole:
        return kernel
    _apt_conf(cache, SUITES[0])  # an own state, even where the first suite has no kernel
    for suite in SUITES:
        _fetch(cache, suite, kernel)
        if kernel.version and kernel.is_whole:
            return kernel
    raise CannotRunError(f"none of {', '.join(SUITES)} has a kernel with gpio-sim for {ARCHITECTURE}")


def _fetch(cache: Path, suite: str, kernel: Kernel) -> None:
    conf = _apt_conf(cache, suite)
    try:
        _apt(["update"], conf)
    except CannotRunError:
        # A mirror may not have a suite; only when the last one fails is that the reason to give.
        if suite != SUITES[-1]:
            return
        raise
    image = newest_image(_ask(["apt-cache", "depends", META], conf))
    if image is None:
        return
    names = packages_of(image, _ask(["apt-cache", "depends", image], conf))
    _run(["rm", "-rf", str(kernel.root)], {})
    kernel.root.mkdir()
    _apt(["download", *names], conf, cache)
    _unpack(sorted(cache.glob("linux-*.deb")), kernel)


def _unpack(archives: Iterable[Path], kernel: Kernel) -> None:
    for archive in archives:
        _run(["dpkg-deb", "-x", str(archive), str(kernel.root)], {})
        archive.unlink()
    if not (kernel.root / "lib").exists():
        # As /lib is on a merged system: depmod and modprobe look for modules there.
        (kernel.root / "lib").symlink_to("usr/lib")
    _run(["/sbin/depmod", "-b", str(kernel.root), kernel.version], {})


def _apt_conf(cache: Path, suite: str) -> Path:
    """Write a state of apt's own below the cache, with one source, and return its configuration."""
    apt = cache / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    source = f"deb [arch={ARCHITECTURE} signed-by={_KEYRING}] {_mirror()} {suite} main\n"
    (apt / "sources.list").write_text(source, encoding="utf-8")
    conf = apt / "apt.conf"
    conf.write_text(_CONF.format(apt=apt, architecture=ARCHITECTURE), encoding="utf-8")
    return conf


_CONF = """\
Dir::State::lists "{apt}/lists";
Dir::State::status "{apt}/status";
Dir::Cache "{apt}/cache";
Dir::Etc::sourcelist "{apt}/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "-";
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
Acquire::Languages "none";
APT::Sandbox::User "root";
"""


def _mirror() -> str:
    if chosen := os.environ.get(MIRROR_VARIABLE):
        return chosen
    question = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    found = mirror_of(_ask(question, None))
    if found is None or not _KEYRING.exists():
        raise CannotRunError(f"apt knows no mirror of Debian here; name one in {MIRROR_VARIABLE}")
    return found


# ---------------------------------------------------------------- asking


def _apt(words: Sequence[str], conf: Path | None = None, where: Path | None = None) -> None:
    _run(["apt-get", "-qq", *words], _with(conf), where)


def _with(conf: Path | None) -> Mapping[str, str]:
    return {} if conf is None else {"APT_CONFIG": str(conf)}


def _ask(words: Sequence[str], conf: Path | None) -> str:
    return _run(words, _with(conf))


def _run(words: Sequence[str], more: Mapping[str, str], where: Path | None = None) -> str:
    environment = {**os.environ, **_ENVIRONMENT, **more}
    try:
        done = subprocess.run(  # noqa: S603 (our own words)
            words, env=environment, cwd=where, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise CannotRunError(f"{words[0]} is not here: this is no Debian") from error
    if done.returncode:
        raise CannotRunError(f"{' '.join(words[:3])} failed: {done.stderr.strip()[-400:]}")
    return done.stdout
