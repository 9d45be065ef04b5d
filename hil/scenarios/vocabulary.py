"""The words of the floor that a step may use: what stands on the keys, the lists, the felt and the devices.

They are written down here and not taken from the program: a scenario is what a person knows. Tests hold them
against the program's pages and against the simulated table, so that neither can change without the other.
"""

from collections.abc import Mapping

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
    "CHIP MISMATCH",
    "VALIDATE HIT",
    "DOCUMENTS DONE",
    "CORRECT ENTRY",
    "VOID ROUND",
    "UNDO VOID",
    "RELEASE",
    "DEVICE COVERED",
    "CHOOSE METHOD",
    "CONFIRM ROUND",
    "TAKE OVER",
    "HIT PAID BY HAND",
    "BACK IN SERVICE",
)

# The spots of a seat, as the felt of the example submissions has them, in the order of the pads.
WAGERS: Mapping[str, tuple[str, ...]] = {
    "pa641a": ("ante", "aces_up", "prog4", "prog5", "bad_beat", "six_card", "play"),
    "md4cp": ("ante", "aces_up", "six_card", "progressive", "play"),
    "pa679a": ("ante", "prime", "pair_bonus", "all_six", "play"),
    "pa682a": ("ante", "prime", "aces_bonus", "all_six", "raise"),
    "pa683a": ("ante", "pocket", "raise1", "raise2", "raise3"),
}
SEATS = {"pa641a": 7, "md4cp": 7, "pa679a": 6, "pa682a": 6, "pa683a": 6}
CHAPTERS = tuple(WAGERS)

INPUTS = (*(f"key_{key.lower()}" for key in KEYS), "lock_at_rest", "key_switch", "door", "cover")
OUTPUTS = ("lock_open", "healthy", "hit")
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
    "display": ("show", "power", "spoil", *_CABLE),
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
            "fault",
            "remain",
            "reboot",
        ),
        *("silent", "spoil", "replay", "forge", "lie", "state", "stack", "speed", *_CABLE),
    ),
}


def devices(method: str) -> dict[str, str]:
    """The devices of a table that is dealt so, each with its kind; the sign is there where a meter is."""
    always = {"lines": "lines", "pads": "pads", "display": "display", "sign": "sign"}
    if method in MACHINE:
        return always | {"shoe": "sabot-link"}
    shoe = {"shoe": "angel-eye"} if method == "manual_shoe" else {}
    return always | {"shuffler": "sabot-link"} | shoe
