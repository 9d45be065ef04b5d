"""The verbs of the language, one row each: how it is written, what it needs of a rig, what its words must be.

``sabot hil list --verbs`` prints them.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios import word_checks


class Verb(NamedTuple):
    """A verb: how it is written, what it needs of a rig, and who checks its words."""

    usage: str
    about: str
    needs: str
    check: word_checks.Check


MEASURES = ("key to lock", "power to display", "cable to hold", "chip to lamp")

VERBS: Mapping[str, Verb] = {
    "people": Verb(
        "people: sign on | sign on floor | turn key floor | turn back | register red | load A | shuffled",
        "what people do between rounds; `shuffled` waits until the deck that is not in play lies ready",
        "",
        word_checks.people,
    ),
    "key": Verb("key: LOCK", "the dealer presses keys, one after the other", "lines", word_checks.keys),
    "menu": Verb(
        "menu: WRONG NUMBER > SEAT 1",
        "the dealer opens the list and takes a title, and a value of it where one is asked",
        "lines",
        word_checks.title(known.MENU),
    ),
    "floor": Verb(
        "floor: DEVICE COVERED > SHOE",
        "the floorperson turns the key, gives a PIN, takes a title of the FLOOR list, turns the key back",
        "lines",
        word_checks.title(known.FLOOR),
    ),
    "technician": Verb(
        "technician: BACK IN SERVICE > SHOE",
        "the same by the technician",
        "lines",
        word_checks.title(known.FLOOR),
    ),
    "no menu": Verb(
        "no menu: NOBODY PLAYING",
        "the dealer looks for a title, and it may not be done now",
        "lines",
        word_checks.title(known.MENU),
    ),
    "no floor": Verb(
        "no floor: RELEASE", "the same by a floorperson", "lines", word_checks.title(known.FLOOR)
    ),
    "no technician": Verb(
        "no technician: RELEASE", "the same by the technician", "lines", word_checks.title(known.FLOOR)
    ),
    "chips": Verb(
        "chips: seat 1 ante 2500",
        "chips of so many cents on a spot as soon as it is open, until its lamp says that they are accepted",
        "pads",
        word_checks.spot(r" \d+"),
    ),
    "chips late": Verb(
        "chips late: seat 1 ante 2500",
        "chips on a spot, open or locked, accepted or not",
        "pads",
        word_checks.spot(r" \d+"),
    ),
    "lift": Verb(
        "lift: seat 1 ante | all",
        "the chips of a spot, or of the whole felt, are taken away",
        "pads",
        word_checks.lifted,
    ),
    "player": Verb(
        "player: seat 2 FOLD", "with which keys this seat's decision will be entered", "", word_checks.player
    ),
    "cards": Verb(
        "cards: Ah Kh Qh",
        "the next cards, in the order in which they are dealt",
        "stacked-deck",
        word_checks.cards,
    ),
    "hand": Verb(
        "hand: seat 1 As Ah Ad Ac 9c",
        "the cards that people see at a place when they look; a device that reads has cards of its own",
        "",
        word_checks.hand,
    ),
    "draw": Verb("draw: 3", "so many cards from a shoe that reads each", "shoe", word_checks.like(r"\d+")),
    "stub": Verb(
        "stub: 41", "the dealer counts the stub and enters so many", "lines", word_checks.like(r"\d+")
    ),
    "follow to": Verb(
        "follow to: CARDS TO RACK",
        "people do what the display says until it shows this",
        "",
        word_checks.some,
    ),
    "pull cable": Verb("pull cable: shoe", "the cable of a device comes out", "unplug", word_checks.cable),
    "plug in": Verb("plug in: shoe", "it is put back", "unplug", word_checks.cable),
    "swap cables": Verb(
        "swap cables: shoe sign",
        "two serial cables come out, and each goes into the port of the other; again, and they are back",
        "swap",
        word_checks.two_cables,
    ),
    "power": Verb(
        "power: cut | on | stop | stumble",
        "the controller's power; `stop` is an orderly stop, `stumble` a slip at which the program ends",
        "power",
        word_checks.one_of("word about power", ["cut", "on", "stop", "stumble"]),
    ),
    "console": Verb("console: faults", "a command at the console", "console", word_checks.some),
    "console floor": Verb(
        "console floor: retest shoe lost link", "the same by a floorperson", "console", word_checks.some
    ),
    "console technician": Verb(
        "console technician: service on", "the same by the technician", "console", word_checks.some
    ),
    "see display": Verb(
        "see display: CARD 1 TO / DEALER",
        "the dealer's display has these words; with / in its first and its second line",
        "display",
        word_checks.some,
    ),
    "see line": Verb("see line: lock_open = 0", "the level of a line", "lines", word_checks.level),
    "see pads": Verb(
        "see pads: locked all | open seat 1 ante | lit seat 1 ante | dark seat 1 ante | lamp seat 2",
        "locks and lamps of the pads",
        "pads",
        word_checks.on_pads,
    ),
    "see sign": Verb(
        "see sign: $1,000.00", "some page of the meter sign has these words", "sign", word_checks.some
    ),
    "see console": Verb(
        "see console: HELD",
        "the answer to the last console command has these words",
        "console",
        word_checks.some,
    ),
    "see journal": Verb(
        "see journal: VoidRound 679a.13(c)",
        "one entry or effect since the scenario began has all these words (the console's `events`)",
        "console",
        word_checks.some,
    ),
    "see shoe": Verb("see shoe: locked = true", "what the shoe shows", "shoe", word_checks.shown_by("shoe")),
    "see shuffler": Verb(
        "see shuffler: fault = 0", "what the shuffler shows", "shuffler", word_checks.shown_by("shuffler")
    ),
    "see accounts": Verb(
        "see accounts: lit_2_1 = true",
        "what the wagering system and its stations show",
        "accounts",
        word_checks.shown_by("accounts"),
    ),
    "never display": Verb(
        "never display: HELD",
        "not once since the scenario began, or the power changed",
        "diary",
        word_checks.some,
    ),
    "never line": Verb(
        "never line: lock_open = 1",
        "not once since the scenario began, or the power changed",
        "diary",
        word_checks.level,
    ),
    "never journal": Verb(
        "never journal: PayWager",
        "no entry since the scenario began has all these words",
        "console",
        word_checks.some,
    ),
    "link": Verb(
        "link: cut | mend | other wins > straight_flush | spare board",
        "the line to the floor of linked meters, its other table, its store, the table's board",
        "link",
        word_checks.some,
    ),
    "see link": Verb(
        "see link: mega 1000010",
        "somebody at the floor sees a line with these words",
        "link",
        word_checks.some,
    ),
    "measure": Verb(
        "measure: key to lock",
        "how long that took the last time; the limit is the rig's",
        "diary",
        word_checks.one_of("measurement", MEASURES),
    ),
    **{
        name: Verb(
            f"{name}: WORDS",
            f"something happens to the device: the words of `sabot sim {name}`",
            name,
            word_checks.action_of(name),
        )
        for name in ("shoe", "shuffler", "pads", "sign", "display", "lines", "accounts")
    },
}
