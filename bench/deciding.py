"""One decision of the table, event in to effects out, beside Mission Pinball's way from switch to coil.

The goals are asked of all events of full rounds: seven seats of Four Card Poker with every wager, dealt card
by card and stack by stack. The journal is no part of it. Between two events the table rests, as it does in
the program: what it does then has rows of its own, and so has what an event takes without any rest. MPF is
the nearest relative (switches, an event queue, a config that says what a coil does); its way is one hop
without a rule of law in it. Both take turns, both are asked for processor time, and a decision is judged by
how many of MPF's ways it takes. One byte on the fastest wire stands here for scale.
"""

from figure import Figure, ratio
from fresh import JobError, run_job
from peers import Peer, PeerError, interpreter
from wiretime import wire_time

TITLE = "one decision: event in, effects out, 7 seats of pa641a with every wager"
MOST_PINBALL = {"p50": 0.5, "p99": 1.5}
WAYS = {"manual_shoe": "a card read at a time", "auto_shoe": "a stack read at a time"}
MPF = Peer("mpf==0.81.0", "mpf_coil", is_native=False)
MPF_WORDS = "Mission Pinball, switch > event > coil"
FASTEST_BAUD = 115_200
Found = dict[str, float]


def measure(*, quick: bool) -> list[Figure]:
    """The percentiles of each way of dealing, then those of MPF."""
    turns, shifts, hits = (1, 1, 5_000) if quick else (3, 2, 50_000)
    found: dict[str, list[Found]] = {method: [] for method in WAYS}
    pinball, absent = _Pinball(hits), ""
    for _ in range(turns):
        for method, every in found.items():
            every.append(run_job("decide_events", method, shifts))
        absent = absent or pinball.take_turn()
    ours = {method: _figures(method, every) for method, every in found.items()}
    restless = [_restless(method, run_job("decide_events", method, shifts, "restless")) for method in WAYS]
    theirs = pinball.figures(absent)
    ratios = [
        ratio(f"{WAYS[method]} / {MPF_WORDS}, {name}", mine, their, MOST_PINBALL[name])
        for method, every in ours.items()
        for name, mine, their in zip(MOST_PINBALL, every, theirs, strict=False)
    ]
    wire = wire_time("one byte on a wire", 1, FASTEST_BAUD)
    mine = (figure for every in ours.values() for figure in every)
    return [*mine, *restless, *theirs, wire, *ratios]


def _restless(method: str, found: Found) -> Figure:
    return Figure(f"{WAYS[method]}, p99 without any rest", "us", (found["p99"],), None)


def _figures(method: str, found: list[Found]) -> list[Figure]:
    note = f"{found[0]['events']:.0f} events a round, processor time"
    words = WAYS[method]
    return [
        Figure(f"{words}, {name}", "us", tuple(each[name] for each in found), None, note)
        for name in MOST_PINBALL
    ] + [
        Figure(f"{words}, p99.9", "us", tuple(each["p999"] for each in found)),
        Figure(f"{words}, all rests of a round", "us", tuple(each["rest_us"] for each in found)),
        Figure(f"{words}, the longest piece of a rest", "us", tuple(each["longest_us"] for each in found)),
    ]


class _Pinball:
    """Mission Pinball in an environment of its own."""

    def __init__(self, hits: int) -> None:
        self.hits = hits
        self.found: list[Found] = []

    def take_turn(self) -> str:
        """Hit the switch so many times; why not, where it cannot be."""
        try:
            self.found.append(run_job(MPF.job, self.hits, python=interpreter(MPF))["processor"])
        except (PeerError, JobError) as error:
            return f"{MPF.requirement} {error}"
        return ""

    def figures(self, absent: str) -> list[Figure]:
        """Its median and its 99th percentile."""
        note = absent or f"{MPF.requirement}, smart_virtual platform, {self.hits:,} hits, processor time"
        return [
            Figure(f"{MPF_WORDS}, {name}", "us", tuple(each[name] for each in self.found), None, note)
            for name in MOST_PINBALL
        ]
