"""The watch over every check: good frames, true codes, event numbers without a gap, listed values."""

from typing import TYPE_CHECKING

from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.host import LinkKit

if TYPE_CHECKING:
    from sabot.hil.conformance.sabot_link.talk import LinkTold

SESSION, NUMBERS = "sabot-link.md#a-session-step-by-step", "sabot-link.md#numbers"
SHOWN = 3
FULL = 2**32
NAMES = {0, *range(ord("A"), ord("Z") + 1)}
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
    ("OPENED", "kind"): {1, 2},
    ("CREDITED", "again"): {0, 1},
    ("STACK", "cards"): {*range(52), 255},
    ("CYCLE_STARTED", "deck"): NAMES,
    ("CYCLE_COMPLETED", "deck"): NAMES,
    ("CYCLE_STOPPED", "deck"): NAMES,
    ("STACK", "deck"): NAMES,
    ("EMPTIED", "deck"): NAMES,
    ("EJECTED", "deck"): NAMES,
    ("TAKEN", "deck"): NAMES,
    ("RESULT", "code"): set(range(12)),
    ("STATE", "mode"): {1, 2, 3, 4},
    ("STATE", "gate"): {0, 1},
    ("STATE", "doors"): set(range(8)),
    ("STATE", "cycle"): {0, 1, 2},
    ("STATE", "deck"): NAMES,
    ("STATE", "exit"): {0, 1},
    ("STATE", "first"): NAMES,
    ("STATE", "second"): NAMES,
}


def sent_good_frames(kit: LinkKit) -> None:
    """Check that every frame of the whole run was good."""
    kit.count("frames that were none", len(kit.ear.defects))
    kit.demand(not kit.ear.defects, "; ".join(kit.ear.defects[:SHOWN]))


def sent_true_codes(kit: LinkKit) -> None:
    """Check that there was a MAC wherever one is wanted, and none elsewhere."""
    kit.demand(not kit.forged, "; ".join(kit.forged[:SHOWN]))


def numbered_its_events(kit: LinkKit) -> None:
    """Check that events were numbered in order within a boot; the same number is the same event."""
    known: dict[int, LinkTold] = {}
    boot, last = 0, 0
    for each in kit.told:
        if each.boot != boot:
            boot, last, known = each.boot, each.number - 1, {}
        had = known.get(each.number)
        is_same = had is None or (had.name, had.payload) == (each.name, each.payload)
        kit.demand(is_same, f"event {each.number} came twice, as {had and had.name} and as {each.name}")
        is_new = had is None or had.session != each.session
        kit.demand(is_new, f"event {each.number} came twice in one session")
        known[each.number] = each
        kit.demand(each.number <= last + 1, f"event {each.number} came after {last}")
        # Its clock of 32 bits wraps after 49 days: half the way around counts as earlier.
        is_later = known.get(last) is None or (each.at_ms - known[last].at_ms) % FULL < FULL // 2
        kit.demand(is_later or each.number <= last, f"event {each.number} happened before event {last}")
        last = max(last, each.number)
    kit.count("events", len(kit.told))


def told_listed_values(kit: LinkKit) -> None:
    """Check that no number was told that the page does not know."""
    for each in kit.entries:
        for field, value in each.items():
            listed = LISTED.get((each.name, field))
            told = set(value) if isinstance(value, bytes) else {value}
            kit.demand(listed is None or told <= listed, f"{each.name} with {field} {sorted(told)}")


CHECKS = (
    ConformanceCheck("link.frames", "sent nothing but good frames", "sabot-link.md#frames", sent_good_frames),
    ConformanceCheck(
        "link.codes", "sent a true MAC on every frame", "sabot-link.md#authentication", sent_true_codes
    ),
    ConformanceCheck(
        "link.events", "numbered its events without gap or repetition", SESSION, numbered_its_events
    ),
    ConformanceCheck("link.listed", "told no number that is not listed", NUMBERS, told_listed_values),
)
