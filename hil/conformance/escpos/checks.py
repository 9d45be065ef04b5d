"""The checks of a display: what it takes and shows, by somebody's eyes, and how it is after a power cut.

Whether a cell is right nobody learns from the wire, so nearly all of it is a person's, or a simulator's word.
What the driver stands on comes first: a text, the way home, and a last cell behind which nothing scrolls.
"""

from sabot.hil.conformance.escpos.host import (
    CLEAR,
    CLEAR_LINE,
    COLUMNS,
    HOME,
    INITIALISE,
    ROWS,
    DisplayKit,
    brightness,
    coded,
    move,
)
from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.kit import NotClaimedError
from sabot.hil.conformance.run import ConformanceCheck

BYTES, MUST = "escpos.md#the-bytes", "escpos.md#what-a-display-must-do"
FIRST, SECOND = "BETS OPEN", "LOCK=NO MORE BETS"
# Short of the last column, so that what happens behind it is judged in one check.
INNER = COLUMNS - 1
ASCII = "".join(map(chr, range(0x20, 0x7F)))
LONG = "VALIDATE THE HIT OF SEAT 7 BEFORE IT IS PAID"
LEVELS = range(1, 5)
PAUSE_S, PICTURES, READY_S, PRESENCE_S, SHOWN = 0.05, 20, 5.0, 2.0, 16
HALVES = {"cursor to a cell": b"\x1f\x24", "the cursor": b"\x1f\x43", "an opening": b"\x1b"}
OFF = Act("Switch the display off (pull its plug where it has no switch).", ("off",))
ON = Act("Switch the display on again.", ("on",))


def shows_a_text(kit: DisplayKit) -> None:
    """Check that the greeting leaves it empty, and that a text stands at the first cell."""
    kit.shows("", "", "greeted")
    kit.say(coded(FIRST), move(1, 2), coded(SECOND))
    kit.shows(FIRST, SECOND, "two texts")


def goes_home(kit: DisplayKit) -> None:
    """Check the way home, from the second line too."""
    kit.say(move(5, 2), HOME, coded(FIRST))
    kit.shows(FIRST, "", "a text after home")


def scrolls_nothing(kit: DisplayKit) -> None:
    """Fill both lines, then the last cells alone, then run a line through; nothing may scroll."""
    full = ("ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst")
    kit.say(coded(full[0]), move(1, 2), coded(full[1]))
    kit.shows(*full, "both lines full")
    kit.say(CLEAR, move(COLUMNS, 1), b"Y", move(COLUMNS, ROWS), b"Z")
    kit.shows("Y".rjust(COLUMNS), "Z".rjust(COLUMNS), "the last cells alone")
    for step in range(len(LONG) - COLUMNS + 1):
        kit.say(kit.refresh(LONG[step:][:COLUMNS], SECOND))
        kit.wait(PAUSE_S)
    kit.shows(LONG[-COLUMNS:], SECOND, "a line that ran through to its end")


def shows_every_character(kit: DisplayKit) -> None:
    """Check all characters from 20 to 7E."""
    _shows_all(kit, ASCII, "characters of ASCII")


def shows_high_codes(kit: DisplayKit) -> None:
    """Check the high codes that were named, and no others."""
    if not kit.high_codes:
        raise NotClaimedError("no character beyond ASCII was named (--option high_codes=...)")
    _shows_all(kit, kit.high_codes, "characters of code page 437")


def _shows_all(kit: DisplayKit, characters: str, words: str) -> None:
    for at in range(0, len(characters), ROWS * INNER):
        part = characters[at : at + ROWS * INNER]
        first, second = part[:INNER], part[INNER:]
        kit.say(CLEAR, HOME, coded(first), move(1, 2), coded(second))
        kit.shows(first, second, words)


def reaches_every_cell(kit: DisplayKit) -> None:
    """Write cell by cell from line to line, so that none is right because of the one before it."""
    lines = ("ABCDEFGHIJKLMNOPQRS", "abcdefghijklmnopqrs")
    for at in range(INNER):
        for row, line in enumerate(lines, 1):
            kit.say(move(at + 1, row), coded(line[at]))
    kit.shows(*lines, "every cell written for itself")


def changes_what_changed(kit: DisplayKit) -> None:
    """Play the example of the page: three cells change, and the others stand."""
    kit.say(coded("BETS OPEN NOW"), move(1, 2), coded(SECOND))
    kit.say(bytes.fromhex("1F 24 07 01 56 45 52"))
    kit.shows("BETS OVER NOW", SECOND, "three cells written over")


def clears(kit: DisplayKit) -> None:
    """Check that both lines are cleared and the cursor is home."""
    kit.say(coded(FIRST), move(1, 2), coded(SECOND), CLEAR)
    kit.shows("", "", "cleared")
    kit.say(b"X")
    kit.shows("X", "", "a character after clear")


def clears_a_line(kit: DisplayKit) -> None:
    """Check that the cursor's line is cleared, and that the cursor goes to its first cell."""
    kit.say(coded(FIRST), move(1, 2), coded(SECOND), move(5, 1), CLEAR_LINE, b"X")
    kit.shows("X", SECOND, "the first line cleared, and a character")


def initialises(kit: DisplayKit) -> None:
    """Check that initialise does by itself what clear does."""
    kit.say(coded(FIRST), move(1, 2), coded(SECOND), INITIALISE)
    kit.shows("", "", "initialised")
    kit.say(b"X")
    kit.shows("X", "", "a character after initialise")


def can_be_read_at_each_level(kit: DisplayKit) -> None:
    """Check that no cell changes with the brightness."""
    kit.say(coded(FIRST), move(1, 2), coded(SECOND))
    for level in LEVELS:
        kit.say(brightness(level))
        kit.shows(FIRST, SECOND, f"brightness {level}")


def puts_out_its_cursor(kit: DisplayKit) -> None:
    """Check that the greeting puts the cursor out and that a text does not bring it back."""
    kit.say(coded(FIRST))
    kit.hides_its_cursor("greeted, and a text")


def takes_pieces(kit: DisplayKit) -> None:
    """Send a command and a text byte by byte."""
    for byte in move(7, 2) + coded("PIECES"):
        kit.say(bytes([byte]))
        kit.wait(PAUSE_S)
    kit.shows("", "      PIECES", "a command and a text byte by byte")


def is_right_behind_half_a_command(kit: DisplayKit) -> None:
    """Check that one refresh is enough, whatever was made of half a command."""
    for number, (words, half) in enumerate(HALVES.items(), 1):
        kit.say(coded(FIRST), half)
        kit.wait(PAUSE_S)
        kit.say(kit.refresh(f"SEAT {number}", SECOND))
        kit.shows(f"SEAT {number}", SECOND, f"half a command ({words}) and a refresh")


def keeps_up(kit: DisplayKit) -> None:
    """Send one picture after the other without a pause, and check that the last one stands."""
    kit.say(*(kit.refresh(f"PICTURE {number}", SECOND) for number in range(PICTURES)))
    kit.shows(f"PICTURE {PICTURES - 1}", SECOND, f"{PICTURES} pictures without a pause")


def is_back_after_power(kit: DisplayKit) -> None:
    """Check that after a power cut one refresh is enough, without a greeting."""
    kit.say(coded(FIRST), move(1, 2), coded(SECOND))
    kit.settle()
    known = len(kit.heard)
    kit.act(OFF)
    kit.act(ON)
    kit.revive()
    kit.wait(READY_S)
    # What an adapter makes of a line without power is no word of the display.
    kit.heard = kit.heard[:known]
    # No greeting: nobody tells the host that the display was away.
    kit.say(kit.refresh("DEAL", "3 CARDS TO SEAT 1"))
    kit.shows("DEAL", "3 CARDS TO SEAT 1", "off, on, and a refresh")
    kit.hides_its_cursor("off, on, and a refresh")


def moves_its_line(kit: DisplayKit) -> None:
    """Check that the modem line that was named stands, falls with the power, and stands again."""
    if kit.presence == "none":
        raise NotClaimedError("no modem line was named (--option presence=dsr, cts or cd)")
    name, known = kit.presence.upper(), len(kit.heard)
    kit.demand(kit.until(kit.is_there, PRESENCE_S), f"{name} is down, or the port has no modem lines")
    kit.act(OFF)
    has_fallen = kit.until(lambda: not kit.is_there(), PRESENCE_S)
    kit.act(ON)
    kit.revive()
    is_back = kit.until(kit.is_there, PRESENCE_S)
    kit.wait(READY_S)
    kit.heard = kit.heard[:known]
    kit.demand(has_fallen, f"{name} stays up without power")
    kit.demand(is_back, f"{name} stays down with power")


def said_nothing(kit: DisplayKit) -> None:
    """Check that nothing came from it in the whole run."""
    kit.demand(not kit.heard, f"it said {kit.heard[:SHOWN].hex()} on the line")


CHECKS = (
    ConformanceCheck("display.shows", "takes the greeting and shows texts", MUST, shows_a_text, is_gate=True),
    ConformanceCheck("display.home", "goes home", BYTES, goes_home, is_gate=True),
    ConformanceCheck("display.edge", "scrolls nothing by itself", MUST, scrolls_nothing, is_gate=True),
    ConformanceCheck("display.characters", "shows every character of ASCII", BYTES, shows_every_character),
    ConformanceCheck("display.high", "shows the high codes that are named", BYTES, shows_high_codes),
    ConformanceCheck("display.cells", "reaches every cell", MUST, reaches_every_cell),
    ConformanceCheck("display.change", "changes no other cell", MUST, changes_what_changed),
    ConformanceCheck("display.clear", "clears, cursor home", BYTES, clears),
    ConformanceCheck("display.line", "clears one line", BYTES, clears_a_line),
    ConformanceCheck("display.initialise", "initialises, empty and home", BYTES, initialises),
    ConformanceCheck("display.brightness", "can be read at each brightness", MUST, can_be_read_at_each_level),
    ConformanceCheck("display.cursor", "puts its cursor out", MUST, puts_out_its_cursor),
    ConformanceCheck("display.pieces", "takes commands in pieces", MUST, takes_pieces),
    ConformanceCheck(
        "display.half", "is right one refresh behind half a command", MUST, is_right_behind_half_a_command
    ),
    ConformanceCheck("display.flow", "keeps up with the line", MUST, keeps_up),
    ConformanceCheck("display.there", "moves its modem line with its power", MUST, moves_its_line),
    ConformanceCheck(
        "display.power", "is right one refresh after its power was away", MUST, is_back_after_power
    ),
    ConformanceCheck("display.silent", "says nothing", MUST, said_nothing),
)
