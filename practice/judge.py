"""The judgement of the keys that a learner pressed: a judge for each kind of step that is the learner's.

A judge sees what anybody at the table could: which key went down, and what stood on the display then. It is
told nothing by the program. A key that was not right is a miss, with what would have been right; the step is
done when the table is where the step leads, or the keys of it were all pressed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from sabot.hil.scenarios.observation_verbs import shows
from sabot.hil.table.declaring import NEUTRAL

Lines = tuple[str, str]
WALK = frozenset({"LEFT", "RIGHT"})
TAKE = WALK | {"OK"}
DRAWN = ("draw", "faceup", "unread")
# Whatever is pressed in them is nobody's mistake, so the judges below let it pass.
# Keys that enter a number and a PIN are judged by nobody.
PIN = re.compile(r"PERSON\+PIN|CHECKING")
LIST = re.compile(r"^(MENU|FLOOR) \d+/\d+")
WORKING = r"^\d+ CARDS TO|^SHOE (SHUFFLES|IS BUSY)|^TAKE THE STACK|^EMPTY THE EXIT|^CARDS IN THE MACHINE"
# Which keys each picture asks for: the rows of the crew of the rig (`hil/table/crew.py`), in their order.
RIGHT: Mapping[str, frozenset[str]] = {
    NEUTRAL: TAKE,
    r"SIGN ON": frozenset({"OK"}),
    r"REGISTER DECK": frozenset({"FLOOR", "OK", *WALK}),
    r"FLOOR: CHECK DEVICES": frozenset({"FLOOR"}),
    r"FLOOR: VERIFY CARDS": frozenset({"FLOOR"}),
    r"FLOOR: VALIDATE HIT": frozenset({"FLOOR"}),
    r"FLOOR: DOCUMENTS": frozenset({"FLOOR"}),
    r"FLOOR: SETTLED HOW": frozenset({"FLOOR"}),
    r"^COUNT CHIPS": frozenset({"PLUS", "MINUS", "OK"}),
    r"^COUNT STUB": frozenset({"PLUS", "MINUS", "OK", *WALK}),
    r"^SEAT (\d+): .*FOLD": frozenset({"ONE", "TWO", "THREE", "FOLD", "OK", *WALK}),
    r"^CARD \d+ TO": frozenset(),
    r"^DEAL \d+ CARDS AROUND": frozenset({"OK"}),
    r"^\d+ CARDS TO.*(, OK|THEN OK)$|^TAKE THE STACK.*, OK$": frozenset({"OK"}),
    WORKING: frozenset(),
    r"^PUT DECK (\w) IN": frozenset(),
    r"^SHUFFLING DECK (\w)": frozenset(),
    r"^(?:FAULT: )?CARDS TO RACK": frozenset({"OK"}),
    r"^DECK OFF THE TABLE": frozenset({"OK"}),
    r"^(?:RETURN|PUT BACK) SEAT": frozenset({"OK"}),
    r"BETS OPEN|^WAIT FOR THE DRAW|^\s*$": frozenset(),
    r"\bOK\b|THEN|^SEAT|^S\d|^PAY|^TAKE": frozenset({"OK"}),
}
DECISION = re.compile(r"^SEAT (\d+): .*FOLD", re.DOTALL)


class Miss(NamedTuple):
    """A key that was not right: what it was, what stood there, and what would have been right."""

    pressed: str
    lines: Lines
    wanted: str


class LessonJudge(Protocol):
    """A judge of the keys of one step."""

    hint: str

    def hear(self, device: str, words: str) -> None:
        """Hear what somebody did to a device."""

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Return what was wrong with a key that went down at this picture; None for a right one."""

    def is_done(self, lines: Lines) -> bool:
        """Return whether the step is done at this picture."""


class OfKeys:
    """A judge to whom only keys matter."""

    def hear(self, device: str, words: str) -> None:
        """Ignore what is done to a device."""


class JudgedKeys(OfKeys):
    """Expect these keys, one after the other."""

    def __init__(self, *wanted: str) -> None:
        self.left = list(wanted)
        self.hint = f"press {', '.join(wanted)}"

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Accept the next key, and no other."""
        if self.left and key == self.left[0]:
            self.left.pop(0)
            return None
        return Miss(key, lines, self.left[0] if self.left else "no key")

    def is_done(self, _lines: Lines) -> bool:
        """Return whether all of them were pressed."""
        return not self.left


class Taken(OfKeys):
    """Expect a title of a list, and a value of it if one is wanted."""

    def __init__(self, head: str, title: str, value: str) -> None:
        self._head, self._title, self._value = head, title, value
        self._has_title = self._has_value = False
        of_it = f", then {value}" if value else ""
        turned = "the key of the floor, " if head == "FLOOR" else ""
        self.hint = f"{turned}{head}, walk to {title}{of_it}, OK"

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Accept opening and walking a list anywhere, OK only at the title and at the value."""
        if PIN.search(lines[0]) or key in (*WALK, "BACK"):
            return None
        at_list = LIST.match(lines[0])
        # The key of another role's list is a miss; this one opens the right list from any picture.
        if key == self._head and not at_list:
            return None
        if key == "OK" and at_list and at_list[1] == self._head and lines[1] == self._title:
            self._has_title = True
            return None
        if key == "OK" and self._has_title and lines[0].startswith(self._title):
            if self._value in ("", lines[1]):
                self._has_value = True
                return None
            return Miss(key, lines, f"OK at {self._value}")
        return Miss(key, lines, f"OK at {self._title}" if at_list else self._head)

    def is_done(self, lines: Lines) -> bool:
        """Return whether it was taken and the display asks nothing more about it."""
        is_asked = lines[0].startswith(self._title) or LIST.match(lines[0])
        return (self._has_value if self._value else self._has_title) and not is_asked


class CountedKeys(OfKeys):
    """Expect the stub to be counted and entered."""

    def __init__(self, number: int) -> None:
        self._number, self._is_done = number, False
        self.hint = f"enter {number}: SEAT by tens, COUNT one by one, OK"

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Accept OK only where the right number stands."""
        if key in (*WALK, "PLUS", "MINUS", "BACK"):
            return None
        found = re.search(r"(\d+)\s*$", lines[0])
        self._is_done = key == "OK" and found is not None and int(found[1]) == self._number
        return None if self._is_done else Miss(key, lines, f"OK at {self._number}")

    def is_done(self, _lines: Lines) -> bool:
        """Return whether the right number was entered."""
        return self._is_done


class Drawn:
    """Expect that many cards, and no key."""

    def __init__(self, wanted: int) -> None:
        self._left = wanted
        self.hint = f"draw {wanted} and lay them where the display says"

    def hear(self, device: str, words: str) -> None:
        """Count a card that was drawn out of the shoe."""
        self._left -= device == "shoe" and words.partition(" ")[0] in DRAWN

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Refuse every key: cards are wanted."""
        return Miss(key, lines, "a card")

    def is_done(self, _lines: Lines) -> bool:
        """Return whether all of them are out."""
        return self._left <= 0


class Signed:
    """Expect the key switch to be turned and a PIN given, and the key turned back where the step says so."""

    def __init__(self, words: str) -> None:
        self._wanted = ["let" if words == "turn back" else "hold", *(["let"] if "sign" in words else [])]
        self.hint = "the key switch, number and PIN" + (", and the key back" if "sign" in words else "")

    def hear(self, device: str, words: str) -> None:
        """Note the key switch when it is turned as wanted."""
        if device == "lines" and self._wanted and words == f"{self._wanted[0]} key_switch":
            self._wanted.pop(0)

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Accept only the keys that enter number and PIN."""
        return None if wanted_at(lines) and key in RIGHT["SIGN ON"] else Miss(key, lines, "the key switch")

    def is_done(self, lines: Lines) -> bool:
        """Return whether the switch was turned as wanted and no PIN is asked for any more."""
        return not self._wanted and not PIN.search(lines[0])


class Followed(OfKeys):
    """Expect what the display says, until it shows what the step waits for."""

    def __init__(
        self,
        words: str,
        answers: Mapping[int, str],
        right_row: Callable[[str, str, Sequence[str]], str] | None = None,
    ) -> None:
        self._words, self._answers = words, answers
        self._right_row = right_row or (lambda _question, row, _rows: row)
        self.hint = f"do what the display says, until it shows {words}"
        # The rows of each question, as they were stepped over.
        self._questions: dict[str, list[str]] = {}
        self._has_shown = False

    def see(self, lines: Lines) -> None:
        """Note a picture, however briefly it stood; a question opens on the line that is no answer."""
        self._has_shown = self._has_shown or shows(lines, self._words)
        # Rows are known only as the learner steps over them: the right one may be a row that was never shown,
        # and then the best of those that were is right (`teacher._right_row`).
        if lines[1] == NEUTRAL:
            self._questions.setdefault(lines[0], [])
        elif lines[0] in self._questions and lines[1] not in self._questions[lines[0]]:
            self._questions[lines[0]].append(lines[1])

    def press(self, key: str, lines: Lines) -> Miss | None:
        """Accept what the picture asks for; BACK corrects an entry, and the entry was the miss."""
        if key == "BACK" or PIN.search(lines[0]) or LIST.match(lines[0]):
            return None
        if lines[0] in self._questions:
            return self._declare(key, lines)
        wanted = wanted_at(lines)
        if found := DECISION.match("\n".join(lines)):
            said = frozenset(self._answers.get(int(found[1]), "ONE").split())
            wanted = said | {"OK"} | (WALK if said & WALK else frozenset())
        if wanted is None or key in wanted:
            return None  # a notice goes away by itself
        return Miss(key, lines, " or ".join(sorted(wanted)) or "no key")

    def _declare(self, key: str, lines: Lines) -> Miss | None:
        """Accept OK only at the row that the cards make."""
        if key not in TAKE:
            return Miss(key, lines, "SEAT to the right row, OK")
        right = self._right_row(*lines, self._questions[lines[0]]) if key == "OK" else lines[1]
        return None if right == lines[1] else Miss(key, lines, f"OK at {right}")

    def is_done(self, lines: Lines) -> bool:
        """Return whether the display shows what is waited for, or has shown it."""
        self.see(lines)
        return self._has_shown


def wanted_at(lines: Lines) -> frozenset[str] | None:
    """Return the keys that a picture asks for; None if no row knows the picture."""
    for pattern, keys in RIGHT.items():
        if re.search(pattern, "\n".join(lines), re.DOTALL):
            return keys
    return None
