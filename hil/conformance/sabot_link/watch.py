"""What was to be seen in every check: good frames, true codes, event numbers without a gap, listed values."""

from typing import TYPE_CHECKING

from sabot.hil.conformance.run import Check
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.simulators.sabot_link.wire import fields_of

if TYPE_CHECKING:
    from sabot.hil.conformance.sabot_link.talk import Told

SESSION, NUMBERS = "sabot-link.md#a-session-step-by-step", "sabot-link.md#numbers"
SHOWN = 3
LISTED = {
    ("CARD_READ", "rank"): {0, *range(2, 15)},
    ("CARD_READ", "suit"): {0, 1, 2, 3, 255},
    ("CARD_READ", "face"): {0, 1, 2},
    ("CARD_READ", "color"): set(range(8)),
    ("CARD_READ", "confidence"): set(range(101)),
    ("CYCLE_STOPPED", "cause"): set(range(1, 10)),
    ("JAM", "place"): set(range(1, 6)),
    ("JAM", "cause"): set(range(1, 6)),
    ("DOOR", "door"): {1, 2, 3},
    ("DOOR", "open"): {0, 1},
    ("MODE", "mode"): {1, 2, 3, 4},
    ("FAULT", "latched"): {0, 1},
    ("RETESTED", "good"): {0, 1},
}


def sent_good_frames(kit: LinkKit) -> None:
    """Of the whole run."""
    kit.count("frames that were none", len(kit.ear.defects))
    kit.demand(not kit.ear.defects, "; ".join(kit.ear.defects[:SHOWN]))


def sent_true_codes(kit: LinkKit) -> None:
    """A MAC wherever one is wanted, and none elsewhere."""
    kit.demand(not kit.forged, "; ".join(kit.forged[:SHOWN]))


def numbered_its_events(kit: LinkKit) -> None:
    """One after the other within a boot; the same number is the same event."""
    known: dict[int, Told] = {}
    boot, last = 0, 0
    for each in kit.told:
        if each.boot != boot:
            boot, last, known = each.boot, each.number - 1, {}
        had = known.setdefault(each.number, each)
        kit.demand(
            had == each, f"event {each.number} was {had.name}, and then {each.name} of another content"
        )
        kit.demand(each.number <= last + 1, f"event {each.number} came after {last}")
        last = max(last, each.number)
    kit.count("events", len(kit.told))


def told_listed_values(kit: LinkKit) -> None:
    """No number that the page does not know."""
    for each in kit.told:
        values = fields_of(each.name, each.payload) or {}
        for field, value in values.items():
            listed = LISTED.get((each.name, field))
            kit.demand(listed is None or value in listed, f"{each.name} with {field} {value}")


CHECKS = (
    Check("link.frames", "sent nothing but good frames", "sabot-link.md#frames", sent_good_frames),
    Check("link.codes", "sent a true MAC on every frame", "sabot-link.md#authentication", sent_true_codes),
    Check("link.events", "numbered its events without gap or repetition", SESSION, numbered_its_events),
    Check("link.listed", "told no number that is not listed", NUMBERS, told_listed_values),
)
