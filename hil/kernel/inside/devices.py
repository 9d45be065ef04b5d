"""The drivers' lowest layers on devices of the kernel: the short form of the rig."""

import sys

from sabot.hil.kernel.inside.lines import LinesPart
from sabot.hil.kernel.inside.pads import PadsPart
from sabot.hil.kernel.inside.report import run
from sabot.hil.kernel.inside.serial import SerialPart


def main() -> int:
    """Check each group of devices by itself, and return the worst exit code."""
    worst = run(SerialPart().checks())
    for make in (PadsPart, LinesPart):
        part = make()
        try:
            worst = max(worst, run(part.checks()))
        finally:
            # What one leaves behind must not meet the next.
            part.close()
    return worst


if __name__ == "__main__":
    sys.exit(main())
