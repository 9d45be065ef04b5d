"""One table through tens of thousands of rounds: kilobytes resident at a tenth, at half and at the end.

Nothing is recorded: events are made one at a time and forgotten, as are the effects. After each thousand
rounds the table is closed for the day, as tables are: until then it keeps which rounds its decks have dealt.
"""

import gc
import json
import sys

from playing import RandomShift, Way, days
from resident import resident

from sabot.statemachine.state.setup import Knowledge

WAY = Way("pa641a", "auto_shoe", Knowledge.STACK)
SEED = 641


def main() -> None:
    """Print the three sizes."""
    rounds, sizes = int(sys.argv[1]), []
    shift = RandomShift(SEED, WAY, noise=0.01)
    for stop in (rounds // 10, rounds // 2, rounds):
        for _ in days(shift, stop - shift.table.state.books.rounds):
            pass
        gc.collect()
        sizes.append(resident())
    print(json.dumps(sizes))


if __name__ == "__main__":
    main()
