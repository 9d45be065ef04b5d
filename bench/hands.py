"""One hand ranked, beside the evaluators of others, on the same cards in the same run.

Everybody takes turns, several times over, so that a busy minute of the machine falls on all alike. A peer's
quickest way counts, be it documented or an inner function. Whoever ranks five cards is checked to put the
hands in the order that Sabot puts them in; the goals set pure Python against pure Python.
"""

import json
import random
from statistics import median

from figure import Figure, ratio
from fresh import JobError, out_file, run_job
from peers import PEERS, Peer, PeerError, interpreter

TITLE = "one hand ranked, tables filled (processor time)"
SEED = 641
MOST_CARDS = 6
FIVE = "Sabot, 5 cards"
FOUR_OF_FIVE = "Sabot, 4 of 5 cards"
MOST_TIMES_FIVE = 2.0
# Four of five cards beside what their readers call for five: the best that was seen, to stay.
DOCUMENTED = {
    "treys 0.1.8 (pure Python), evaluate()": 0.63,
    "pokerkit 0.7.7 (pure Python), get_entry()": 0.155,
}


def measure(*, quick: bool) -> list[Figure]:
    """Sabot's five jobs, each peer's one, and the ratios that have goals."""
    hands, passes, turns = (1_000, 3, 2) if quick else (10_000, 5, 5)
    contest = _Contest(hands, passes)
    for _ in range(turns):
        contest.take_turns()
    return contest.figures()


def random_hands(count: int) -> list[list[str]]:
    """Hands of six different cards; a job of fewer takes the first of them."""
    rng = random.Random(SEED)  # noqa: S311 (cards for a clock, not for a player)
    pack = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [rng.sample(pack, MOST_CARDS) for _ in range(count)]


class _Contest:
    """Sabot and the peers that can take part, with the times they took."""

    def __init__(self, hands: int, passes: int) -> None:
        self.path = out_file("hands.json", json.dumps(random_hands(hands)))
        self.passes = passes
        self.samples: dict[str, list[float]] = {}
        self.notes: dict[str, str] = {}
        self.absent: dict[str, str] = {}
        self.order = ""
        self.pythons = {peer: python for peer in PEERS if (python := self._interpreter(peer))}

    def _interpreter(self, peer: Peer) -> str | None:
        try:
            return interpreter(peer)
        except PeerError as error:
            self.absent[peer.title] = str(error)
            return None

    def take_turns(self) -> None:
        """Let everybody rank all hands once more."""
        found = run_job("sabot_hands", self.path, self.passes)
        self.order = found["order"]
        self._note_times("Sabot", found["times"])
        for peer, python in self.pythons.items():
            if peer.title not in self.absent:
                self._let_rank(peer, python)

    def _let_rank(self, peer: Peer, python: str) -> None:
        try:
            found = run_job(peer.job, self.path, self.passes, python=python)
        except JobError as error:
            self.absent[peer.title] = f"does not run: {error}"
            return
        if found["order"] != self.order:
            self.notes[peer.title] = "puts these hands in another order than Sabot"
        self._note_times(peer.title, found["times"])

    def _note_times(self, title: str, times: dict[str, list[float]]) -> None:
        for way, nanoseconds in times.items():
            self.samples.setdefault(f"{title}, {way}", []).append(median(nanoseconds))

    def figures(self) -> list[Figure]:
        """Everybody's time, then the ratios."""
        times = {name: Figure(name, "ns", tuple(samples)) for name, samples in self.samples.items()}
        notes = [Figure(title, "ns", (), None, note) for title, note in (self.notes | self.absent).items()]
        four = ratio("4 of 5 cards / 5 cards", times[FOUR_OF_FIVE], times[FIVE], MOST_TIMES_FIVE)
        four_beside = [
            ratio(f"4 of 5 cards / {way}", times[FOUR_OF_FIVE], times[way], goal)
            for way, goal in DOCUMENTED.items()
            if way in times
        ]
        return [*times.values(), *notes, four, *four_beside, *self._against_peers(times)]

    def _against_peers(self, times: dict[str, Figure]) -> list[Figure]:
        """Sabot's five cards as a part of the quickest way of each peer that is pure Python."""
        ratios = []
        for peer in PEERS:
            ways = [figure for name, figure in times.items() if name.startswith(f"{peer.title}, ")]
            if ways and not peer.is_native:
                quickest = min(ways, key=lambda figure: figure.median or 0)
                ratios.append(ratio(f"Sabot / {peer.requirement}", times[FIVE], quickest, 1.0))
        return ratios
