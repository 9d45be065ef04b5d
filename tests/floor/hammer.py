"""One table that speaks as fast as it is acknowledged, with a committer of its own: a process for tests to kill.

    python -m tests.floor.hammer STORE TABLE

Each acknowledged number is a line. A table that was killed begins with the number after the last acknowledged.
"""

import sys
import time

from sabot.floor import messages
from sabot.floor.committer import CommitAnswer, Committer
from sabot.floor.errors import FloorError
from sabot.floor.open_store import open_store

from .keeping import SOON_S, Clock, told
from .making import Teller, key


def main(where: str, table: str) -> None:
    """Speak until killed."""
    committer = Committer(open_store(where), key("floor"), Clock())
    committer.start()
    teller = Teller(table)
    teller.number = _said(committer, teller.say(messages.HEARTBEAT))
    while True:
        number = teller.number + 1
        raw = teller.bets(number, 1, 2, 3)
        while _said(committer, raw) < number:
            pass
        print(number, flush=True)


def _said(committer: Committer, raw: bytes) -> int:
    """Say it until there is an answer: how far the ledger has it."""
    while True:
        try:
            answer = committer.take(raw).result(SOON_S)
        except FloorError:
            time.sleep(0.05)
            continue
        assert isinstance(answer, CommitAnswer)
        applied: int = told(answer)[-1]["applied"]
        return applied


if __name__ == "__main__":
    main(*sys.argv[1:])
