"""The words of the floor that a step may use: what stands on the keys, the lists, the felt and the devices.

They are written down here and not taken from the program: a scenario is what a person knows. Tests hold them
against the program's pages and against the simulated table, so that neither can change without the other. The
felt alone, its wagers and its seats, is that of the example submission beside each chapter.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sabot.hil.table.game import Game, ids, read_game

KEYS = (
    *("LOCK", "OK", "BACK", "LEFT", "RIGHT", "ONE", "TWO", "THREE", "FOLD", "PLUS", "MINUS", "MENU"),
    "FLOOR",
)
PEOPLE = ("dealer", "floor", "technician")
COLORS = ("red", "blue")
METHODS = ("manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle")
KNOWLEDGE = {"manual_shoe": "each_card", "hand": "none", "auto_shoe": "stack", "auto_shoe_reshuffle": "stack"}
MACHINE = ("auto_shoe", "auto_shoe_reshuffle")

MENU = (
    "DEALER RELIEVED",
    "SHOW FACES",
    "NOBODY PLAYING",
    "JOIN BOXES",
    "CARD FACE UP",
    "DRAWN IN ERROR",
    "COUNT THE STUB",
    "PLAYER LEFT",
    "WRONG NUMBER",
    "WRONG NUMBER BEFORE",
    "IRREGULARITY",
    "OUT OF ORDER",
)
FLOOR = (
    "DEVICES CHECKED",
    "VERIFY CARDS",
    "CHOOSE LOT",
    "CHANGE DECK",
    "CLOSE TABLE",
    "RECUT",
    "RESHUFFLE",
    "SETTLED BY HAND",
    "CHIP MISMATCH",
    "VALIDATE HIT",
    "LEAVE HIT TO FLOOR",
    "LATE HIT PAID?",
    "DOCUMENTS DONE",
    "CORRECT ENTRY",
    "VOID ROUND",
    "UNDO VOID",
    "NO CARD WAS MISSED",
    "RELEASE",
    "DEVICE COVERED",
    "CHOOSE METHOD",
    "CONFIRM ROUND",
    "TAKE OVER",
    "HIT PAID BY HAND",
    "BACK IN SERVICE",
    "RETEST",
    "REGISTER DECK",
)

INPUTS = (*(f"key_{key.lower()}" for key in KEYS), "lock_at_rest", "key_switch", "door", "cover")
OUTPUTS = ("lock_open", "healthy", "hit", "call")
LINES = (*INPUTS, *OUTPUTS)
LINE_ACTIONS = ("press", "hold", "let", "vanish")

_CABLE = ("unplug", "plug")
# What can be done to each kind of device; `sabot sim KIND` and help say what each word means.
ACTIONS: Mapping[str, tuple[str, ...]] = {
    "lines": LINE_ACTIONS,
    "pads": (
        *("chips", "blind", "see", "light", "lie", "liar", "honest", "crc", "mac", "drop", "noise", "mute"),
        *("speak", "jump", "restart", "stall", *_CABLE),
    ),
    "display": ("show", "power", "off", "on", "spoil", *_CABLE),
    "sign": ("show", "remote", "corrupt", "stick", "free", "wipe", "drop", "mute", "noise", *_CABLE),
    "angel-eye": (
        *("draw", "unread", "faceup", "lose", "again", "error", "cut", "game", "setting", "start", "reboot"),
        *("noise", "refuse", "mute", "lie", "copies", *_CABLE),
    ),
    "sabot-link": (
        *(
            "load",
            "shuffle",
            "jam",
            "jam-at",
            "jam-stack",
            "short",
            "door",
            "mode",
            "empty",
            "unseen",
            "fault",
            "lift",
            "remain",
            "reboot",
        ),
        *("silent", "spoil", "replay", "forge", "lie", "state", "stack", "speed", *_CABLE),
    ),
    "sabot-accounts": (
        *("sit", "place", "touch", "withdraw", "leave", "draws", "fault", "remain", "reboot"),
        *("silent", "spoil", "replay", "forge", "lie", "state", *_CABLE),
    ),
}


# ---------------------------------------------------------------- the felt


class _InForce:
    """The folder of chapters that this rig's tables are played by, chosen at the start of the process."""

    folder: Path | None = None


def play_by(folder: Path | None) -> None:
    """Let the tables of this rig be played by the chapters of a folder, too."""
    _InForce.folder = folder


def law() -> Path | None:
    """Return the folder of chapters in force, if there is one."""
    return _InForce.folder


def chapters() -> list[str]:
    """Return the ids of the chapters that a scenario may name."""
    return ids(law())


def game(chapter: str) -> Game:
    """Return the game of a chapter as its files have it."""
    return _game(chapter, law())


@cache
def _game(chapter: str, folder: Path | None) -> Game:
    return read_game(chapter, folder)


def wagers(chapter: str) -> list[str]:
    """Return the spots of a seat as the example submission has them, in the order of the pads."""
    return game(chapter).spots


def seats(chapter: str) -> int:
    """Return how many seats the example table has."""
    return game(chapter).seats


def devices(method: str, chapter: str) -> dict[str, str]:
    """Return the devices of a table that is dealt this way, each with its kind."""
    always = {"lines": "lines", "pads": "pads", "display": "display", "sign": "sign"}
    if game(chapter).has_stations:
        always["accounts"] = "sabot-accounts"
    if method in MACHINE:
        return always | {"shoe": "sabot-link"}
    shoe = {"shoe": "angel-eye"} if method == "manual_shoe" else {}
    return always | {"shuffler": "sabot-link"} | shoe
