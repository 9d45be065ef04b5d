"""The watch over every check: good frames, true codes, and no STATE that contradicts the page."""

from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_pads.host import PadKit

SHOWN = 3


def sent_good_frames(kit: PadKit) -> None:
    """Check that every frame of the whole run was good."""
    kit.count("frames that were none", len(kit.ear.defects))
    kit.demand(not kit.ear.defects, "; ".join(kit.ear.defects[:SHOWN]))


def sent_true_codes(kit: PadKit) -> None:
    """Check that there was a MAC wherever one is wanted, and none elsewhere."""
    kit.demand(not kit.forged, "; ".join(kit.forged[:SHOWN]))


def told_nothing_odd(kit: PadKit) -> None:
    """Check every STATE and its sequence against the page."""
    kit.demand(not kit.odd, "; ".join(kit.odd[:SHOWN]))


CHECKS = (
    ConformanceCheck("pads.frames", "sent nothing but good frames", "sabot-pads.md#frames", sent_good_frames),
    ConformanceCheck(
        "pads.codes", "sent a true MAC on every STATE", "sabot-pads.md#authentication", sent_true_codes
    ),
    ConformanceCheck(
        "pads.states",
        "told no STATE that contradicts itself",
        "sabot-pads.md#what-the-host-does-not-believe",
        told_nothing_odd,
    ),
)
