"""Users and groups of the image, each with a number that stays the same from one image to the next.

The files on the state partition belong to numbers. A machine that is installed gives them out as packages
come; an image that did so could hand the journal to somebody else with the next release. So each name has
its number here, and a package that brings a new name stops the build until it has one.
"""

from typing import NamedTuple

from sabot.image.errors import ImageError
from sabot.image.tree import Tree

# 101 to 199 are those of Debian's packages, from 200 on ours. No number is ever given to another name.
NUMBERS = {
    "input": 101, "sgx": 102, "clock": 103, "kvm": 104, "render": 105, "messagebus": 106,
    "systemd-journal": 107, "systemd-network": 108, "systemd-resolve": 109, "systemd-timesync": 110,
    "netdev": 111,
    "gpio": 200, "sabot": 201, "sabot-console": 202, "sabot-uplink": 203, "sabot-floor": 204,
}  # fmt: skip
NOBODY_LOGS_IN = "/usr/sbin/nologin"
_MASTER = "usr/share/base-passwd"


class Account(NamedTuple):
    """A user of the image."""

    name: str
    number: int
    group: int
    words: str
    home: str


class BoardAccounts:
    """The users and groups that packages and units ask for."""

    def __init__(self, passwd: str, group: str) -> None:
        self._passwd = [row.split(":") for row in passwd.splitlines() if row]
        self._groups = {row.split(":")[0]: int(row.split(":")[2]) for row in group.splitlines() if row}
        self._members: dict[str, list[str]] = {}

    def take(self, sysusers: str) -> None:
        """Take in a file of sysusers.d: users, groups, members."""
        for row in sysusers.splitlines():
            words = row.split()
            if words and not words[0].startswith("#"):
                self._row(words[0].rstrip("!"), words[1], row)

    def _row(self, kind: str, name: str, row: str) -> None:
        # sysusers.d has m for a member, g for a group, u for a user with a group, r for a range of numbers,
        # from which nothing is drawn here.
        if kind == "m":
            self._members.setdefault(row.split()[2], []).append(name)
        elif kind == "u" and name in {each[0] for each in self._passwd}:
            pass  # one of base-passwd's, which have had their numbers for ever
        elif kind in ("g", "u"):
            self._groups.setdefault(name, self._number(name))
            if kind == "u":
                self._add(name, row)
        elif kind != "r":
            raise ImageError(f"a sysusers.d row that nobody understands: {row}")

    def _add(self, name: str, row: str) -> None:
        _, _, quoted = row.partition('"')
        words, _, rest = quoted.partition('"')
        home = next(iter(rest.split()), "/")
        number = str(self._number(name))
        self._passwd.append([name, "x", number, number, words, home if home != "-" else "/", NOBODY_LOGS_IN])

    def _number(self, name: str) -> int:
        if name in self._groups:
            return self._groups[name]
        if name not in NUMBERS:
            raise ImageError(
                f"{name} has no number of its own yet: give it one in image/accounts.py, for ever"
            )
        return NUMBERS[name]

    def group(self, name: str) -> int:
        """Return the number of a group."""
        return self._groups[name]

    def files(self) -> dict[str, str]:
        """Return passwd, group and their shadows; nobody has a password, and no name can log in."""
        users = [[*row[:1], "x", *row[2:6], NOBODY_LOGS_IN] for row in self._passwd]
        groups = [
            f"{name}:x:{number}:{','.join(self._members.get(name, ()))}"
            for name, number in self._groups.items()
        ]
        return {
            "etc/passwd": "".join(f"{':'.join(row)}\n" for row in users),
            "etc/group": "".join(f"{row}\n" for row in groups),
            "etc/shadow": "".join(f"{row[0]}:!*:20000:0:99999:7:::\n" for row in users),
            "etc/gshadow": "".join(f"{name}:!::\n" for name in self._groups),
        }


def of(tree: Tree) -> BoardAccounts:
    """Return the accounts that the packages of a tree ask for."""
    accounts = BoardAccounts(
        *(tree.read(f"{_MASTER}/{name}.master").decode() for name in ("passwd", "group"))
    )
    for folder in ("usr/lib/sysusers.d", "etc/sysusers.d"):
        for path in tree.below(folder):
            accounts.take(tree.read(path).decode())
    return accounts
