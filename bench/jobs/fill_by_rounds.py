"""Settles the rounds of a file twice: what the first time took longer was spent on filling."""

import json
import sys

from settle_rounds import microseconds, rounds_of


def main() -> None:
    """Print the milliseconds of both times."""
    first, again = (sum(microseconds(*each) for each in rounds_of(sys.argv[1])) / 1000 for _ in range(2))
    print(json.dumps({"first_ms": first, "again_ms": again}))


if __name__ == "__main__":
    main()
