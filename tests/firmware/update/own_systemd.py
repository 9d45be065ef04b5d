"""A systemd of a test's own: the first process of a few namespaces, on a copy of this machine that nobody keeps.

What is written stays in memory and goes with the last process. It runs one unit and ends. It wants root and
the right to mount, which a container mostly has not.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[3]
SYSTEMD = Path("/lib/systemd/systemd")
LIMIT_S = 60
# $1 is a folder for all this, the rest is for the stage. Groups of processes outlive mounts and processes: they are
# made in one that is taken away again.
OUTSIDE = """
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/groups"
mount -t cgroup2 cgroup2 "$1/groups"
own="$1/groups/alone-$$"
mkdir "$own"
trap 'find "$own" -depth -type d -exec rmdir {} +' EXIT
( echo 0 > "$own/cgroup.procs"; exec unshare --mount --pid --cgroup --fork --kill-child bash -c "$STAGE" stage "$@" )
"""
# The copy of the machine; $1 is a folder for it, $2 one that both see, the rest what the tests read.
STAGE = """
set -e
umount "$1/groups"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
for each in null zero full random urandom tty; do cp -a "/dev/$each" dev/; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance devpts dev/pts
ln -s pts/ptmx dev/ptmx
# Nothing of what a machine wants at its start may run here: it would set up the machine below.
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
rm -rf lib/systemd/system/*.wants usr/lib/systemd/system/*.wants etc/systemd/system/*.wants
shared="$2"
mkdir -p ".$shared"
mount --bind "$shared" ".$shared"
shift 2
for each in "$@"; do mkdir -p ".$each"; mount --bind "$each" ".$each"; mount -o remount,ro,bind ".$each"; done
mkdir -p opt/sabot
cp -r "$shared/etc/." etc
touch "$shared/staged"
export container=other
exec chroot . /lib/systemd/systemd --unit=alone.target --log-target=null --show-status=no
"""
BARE = "[Unit]\nDefaultDependencies=no\n"


def run_alone(folder: Path, unit: str, etc: dict[str, str]) -> str | None:
    """Run a unit by a systemd of its own; return what it said, None where no systemd can be had."""
    stage, shared = folder / "stage", folder / "shared"
    stage.mkdir()
    units = {
        "alone.service": BARE + unit + _said_to(shared / "said"),
        "alone.target": f"{BARE}Wants=alone.service\n",
        # Every other unit wants it.
        "sysinit.target": BARE,
    }
    for name, text in {**etc, **{f"systemd/system/{each}": text for each, text in units.items()}}.items():
        path = shared / "etc" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if not (SYSTEMD.exists() and shutil.which("unshare")):
        return None
    places = [place for place in (TREE, Path(sys.prefix), Path(sys.base_prefix)) if _is_apart(place)]
    words = ["--mount", "--propagation", "private", "bash", "-c", OUTSIDE, "outside"]
    # Its end is a signal: the first process of a namespace has no other.
    subprocess.run(
        ["unshare", *words, *map(str, (stage, shared, *places))],
        env={**os.environ, "STAGE": STAGE},
        capture_output=True,
        check=False,
        timeout=LIMIT_S,
    )
    return (shared / "said").read_text(encoding="utf-8") if (shared / "staged").exists() else None


def _is_apart(place: Path) -> bool:
    """Return whether a folder may lie on another medium; what is the system's is in the copy, without its wants."""
    return not place.is_relative_to("/usr")


def _said_to(file: Path) -> str:
    log = f"TimeoutStartSec={LIMIT_S // 2}\nStandardOutput=append:{file}\nStandardError=append:{file}\n"
    return f"{log}ExecStopPost=+/usr/bin/systemctl poweroff --force --force\n"
