"""Prints recorded full rounds as JSON Lines: the set-up, what opens the table, then the events of each round.

They are kept in ``fixed``, so that instructions are counted over the very same events whatever becomes of the
tests' drivers that made them.
"""

import json
import sys

from playing import full_shift

from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.vocabulary.codec import event_json

SEED = 641


def main() -> None:
    """Print a line for each part of the shift."""
    method, rounds = sys.argv[1], int(sys.argv[2])
    shift = full_shift(method, rounds, SEED)
    parts = (shift.opening, *shift.rounds)
    lines: list[object] = [setup_json(shift.setup)]
    lines += [[event_json(event, with_secrets=True) for event in part] for part in parts]
    print(*(json.dumps(line, separators=(",", ":")) for line in lines), sep="\n")


if __name__ == "__main__":
    main()
