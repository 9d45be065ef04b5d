"""Digest a board's medium from outside: the same figures as `sabot verify`, told by a machine that you trust.

Take the medium out of the board (or its image), mount it read-only on another machine, and run this one file
with that machine's Python 3.11 or newer; nothing of Sabot is needed and nothing on the medium is executed:

    mount -o ro /dev/sdX2 /mnt
    python3 -I digest_medium.py /mnt --names board.json --challenge 9f3c...

``board.json`` is the output of `sabot verify --json` on the board. Only its list of native libraries is used
(which libraries a process maps cannot be seen on a medium), and its figures for comparison. Everything else
is found here by walking the medium. Links are followed inside the medium only.
"""

import argparse
import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from errno import ELOOP
from pathlib import Path, PurePosixPath
from typing import Any

DATA = ("config/chapters/", "config/submissions/", "config/stated.toml")
PACKAGES = ("site-packages", "dist-packages")
UNITS = ("/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system")
OTHERS = ("/etc/sysusers.d", "/etc/tmpfiles.d", "/etc/udev/rules.d")
MOST_LINKS = 40
Rows = list[tuple[str, str]]


class Medium:
    """A mounted medium; every path is one of the medium, whatever it would mean on this machine."""

    def __init__(self, root: str) -> None:
        self.root = Path(root).resolve()

    def at(self, parts: Iterable[str]) -> Path:
        """Where these parts of a path are on this machine, with no link followed."""
        return self.root.joinpath(*parts)

    def resolve(self, path: str) -> str:
        """A path of the medium with every link followed inside the medium."""
        todo, done, links = [*PurePosixPath(path).parts[1:]], list[str](), 0
        while todo:
            part = todo.pop(0)
            if part == "..":
                done = done[:-1]
            elif self.at([*done, part]).is_symlink():
                links += 1
                if links > MOST_LINKS:
                    message = f"{path}: too many links"
                    raise OSError(message)
                target = PurePosixPath(self.at([*done, part]).readlink())
                done = [] if target.is_absolute() else done
                todo = [each for each in target.parts if each != "/"] + todo
            else:
                done.append(part)
        return "/" + "/".join(done)

    def here(self, path: str) -> Path:
        """Where a path of the medium is on this machine."""
        return self.at(PurePosixPath(self.resolve(path)).parts[1:])

    def is_link(self, path: str) -> bool:
        """Whether a path is a link itself."""
        return self.at(PurePosixPath(path).parts[1:]).is_symlink()

    def names(self, folder: str) -> list[str]:
        """What is in a folder."""
        place = self.here(folder)
        return sorted(each.name for each in place.iterdir()) if place.is_dir() else []

    def walk(self, folder: str, leave_out: Sequence[str] = (), above: Sequence[str] = ()) -> Iterator[str]:
        """Every file below a folder; a link that leads back to a folder above it has no end."""
        here = self.resolve(folder)
        if here in above:
            raise OSError(ELOOP, "a link leads back to a folder above it", folder)
        for name in self.names(folder):
            path = f"{folder}/{name}"
            if self.here(path).is_dir():
                if name not in leave_out:
                    yield from self.walk(path, leave_out, (*above, here))
            elif self.here(path).is_file():
                yield path


def below(path: str, folder: str) -> str:
    """A path without the folder before it."""
    return path[len(folder.rstrip("/")) + 1 :]


def rows(medium: Medium, folder: str, above: str, leave_out: Sequence[str] = (), *, compiled: bool) -> Rows:
    """Names and paths of what Python compiled, or of what it did not."""
    found = medium.walk(folder, leave_out)
    return [(below(path, above), path) for path in found if path.endswith(".pyc") is compiled]


def python_of(medium: Medium, release: str) -> tuple[str, str, str]:
    """The interpreter and its library, as the environment of the release names them."""
    text = medium.here(f"{release}/venv/pyvenv.cfg").read_text(encoding="utf-8")
    cut = (row.partition("=") for row in text.splitlines())
    facts = {name.strip(): value.strip() for name, _, value in cut}
    version = "python" + ".".join(facts["version"].split(".")[:2])
    library = f"{PurePosixPath(facts['home']).parent}/lib/{version}"
    return medium.resolve(f"{release}/venv/bin/python"), library, version


def settings_of(medium: Medium, release: str) -> str:
    """Where the table files are."""
    link = f"{PurePosixPath(release).parent.parent}/settings"
    return medium.resolve(link) if medium.is_link(link) else "/etc/sabot"


def groups(medium: Medium, release: str, native: Iterable[str]) -> Iterator[tuple[str, Rows]]:
    """Every group with its files, in the order in which `sabot verify` digests them."""
    interpreter, library, version = python_of(medium, release)
    above, site = str(PurePosixPath(library).parent), f"{release}/venv/lib/{version}/site-packages"
    settings = settings_of(medium, release)
    packages = rows(medium, site, site, compiled=False)
    own = [row for row in packages if row[0].startswith("sabot/")]
    data = [row for row in own if below(row[0], "sabot").startswith(DATA)]
    yield "interpreter", [(interpreter, interpreter)]
    yield "library", rows(medium, library, above, PACKAGES, compiled=False)
    yield "dependencies", [row for row in packages if row not in own]
    yield "program", [row for row in own if row not in data]
    yield "chapters", data
    yield "tables", [(f"settings/{below(path, settings)}", path) for path in medium.walk(settings)]
    yield "units", [(path[1:], path) for path in units(medium)]
    yield "release", [(f"release/{below(path, release)}", path) for path in in_release(medium, release)]
    made = rows(medium, site, site, compiled=True)
    yield "compiled", made + rows(medium, library, above, PACKAGES, compiled=True)
    yield "native", [(path, path) for path in native]


def units(medium: Medium) -> Iterator[str]:
    """Units, their drop-ins, users, folders and device rules."""
    for folder in UNITS:
        for name in medium.names(folder):
            path = f"{folder}/{name}"
            if name.startswith("sabot"):
                yield from medium.walk(path) if medium.here(path).is_dir() else [path]
    for folder in OTHERS:
        yield from (f"{folder}/{name}" for name in medium.names(folder) if "sabot" in name)


def in_release(medium: Medium, release: str) -> Iterator[str]:
    """What else lies in a release; what a link leads to is covered where it lies."""
    return (path for path in medium.walk(release, PACKAGES) if not medium.is_link(path))


def digest(medium: Medium, release: str, native: Iterable[str], challenge: bytes) -> dict[str, Any]:
    """All figures."""
    whole = hashlib.sha256()
    keyed = hmac.new(challenge, digestmod=hashlib.sha256)
    found = []
    for name, covered in groups(medium, release, native):
        part, total = hashlib.sha256(), 0
        for label, path in sorted(covered, key=lambda row: row[0].encode()):
            content = medium.here(path).read_bytes()
            data = f"{name}\n{label}\n{len(content)}\n".encode() + content
            whole.update(data)
            keyed.update(data)
            part.update(data)
            total += len(content)
        found.append({"name": name, "files": len(covered), "size": total, "sha256": part.hexdigest()})
    return {"groups": found, "sha256": whole.hexdigest(), "hmac": keyed.hexdigest() if challenge else ""}


def differences(found: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """The groups of which the board told another digest."""
    ours = {each["name"]: each["sha256"] for each in found["groups"]}
    theirs = {each["name"]: each["sha256"] for each in told.get("groups", [])}
    return [name for name in ours if ours[name] != theirs.get(name)]


def show(found: Mapping[str, Any]) -> None:
    """The figures for people."""
    for each in found["groups"]:
        print(f"{each['name']:<13}{each['files']:>7}{each['size']:>13,}  {each['sha256']}")
    print(f"{'all':<33}  {found['sha256']}")
    if found["hmac"]:
        print(f"answer to the challenge (HMAC-SHA-256): {found['hmac']}")


def main() -> int:
    """Print the figures; exit code 1 where the board told others."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("root", help="where the medium is mounted, read-only")
    parser.add_argument("--release", default="/opt/sabot/current", help="the release on the medium")
    parser.add_argument("--names", type=Path, help="the output of `sabot verify --json` on the board")
    parser.add_argument("--challenge", default="", metavar="HEX", help="the challenge that the board had")
    parser.add_argument("--json", action="store_true", help="as JSON")
    args = parser.parse_args()
    medium = Medium(args.root)
    told = json.loads(args.names.read_bytes()) if args.names else {}
    release = medium.resolve(args.release)
    found = digest(medium, release, told.get("native", []), bytes.fromhex(args.challenge))
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
    others = differences(found, told) if told else []
    for name in others:
        print(f"DIFFERENT: the board told another digest of {name}", file=sys.stderr)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
