"""The pad's reports, made into what the table hears: wagers, refused chips, and what cannot be believed.

A report is judged before it is used. A spot in doubt is told no further and stays locked until the cause was
tested again, with the spot empty; the other spots go on, for it is the table that stops, not the driver.
"""

# Theory of operation. A report passes three stages. ``_doubt`` holds it against what was ordered and the
# report before; a doubted spot is marked suspect in the order, which keeps it locked, and is told no further.
# ``_tell_all`` compares each other spot with what the table last heard of it (``spot_news``) and puts the
# news into events, at the pad's own time (``PadClock``). ``_count_wagers`` brings the lamps in line: they
# burn for what the table heard, not for what the pad says. Where any stage changes what is wanted,
# ``wants_order`` asks the driver for an order at once.

from collections.abc import Iterator, Mapping

from sabot.drivers.options import Value
from sabot.drivers.pads.consistency import BARE, LIFT, Inconsistency, ReportLook, doubts
from sabot.drivers.pads.desired import DesiredState
from sabot.drivers.pads.messages import Can, Cover, Flag, IdentityMessage, PadOrder, PadSpot, PadState
from sabot.drivers.pads.options import Chosen
from sabot.drivers.pads.session import PadTold
from sabot.drivers.pads.spot_news import TOLD_LATE, SpotHeard, SpotNews, news_at_opening, news_of
from sabot.statemachine.vocabulary.events import DeviceFaulted, Event, WagerSensed

# ------------------------------------------------------------ the pad's clock in the program's time
#
# A report reaches the program later than it was made, never earlier. So of many reports the one that took
# the least time says best how the two clocks stand, and a chip that came late keeps the time at which the
# pad saw it, whatever the wire and the program were doing meanwhile.

_WRAP_MS = 1 << 32
# Crystals drift by some 50 millionths: in half a minute by less than two milliseconds.
_WINDOW_S = 30.0


class PadClock:
    """The lead of the program's clock over the pad's."""

    def __init__(self) -> None:
        self._laps = 0
        self._latest_ms = 0
        self._window_began = float("-inf")
        self._best = float("inf")
        self._best_before = float("inf")

    def hear(self, pad_ms: int, at: float) -> None:
        """Take a report that was made at ``pad_ms`` and read at ``at``."""
        # Half a lap back is the counter that wrapped; a little back is a report that was made before another.
        if pad_ms < self._latest_ms - _WRAP_MS // 2:
            self._laps += 1
        self._latest_ms = pad_ms
        if at - self._window_began > _WINDOW_S:
            # The window before counts too: at the beginning of a new one there is only one report to go by.
            self._window_began, self._best_before, self._best = at, self._best, float("inf")
        self._best = min(self._best, at - self._seconds(pad_ms))

    def when(self, age_ms: int | None, at: float) -> float:
        """Return when something happened that the latest report, read at ``at``, says is so old."""
        if age_ms is None:
            return at
        # Never later than it was read: a pad's age of nearly nothing and a clock that drifts must not put a
        # wager into the future.
        ahead = min(self._best, self._best_before)
        return min(at, ahead + self._seconds(self._latest_ms) - age_ms / 1000)

    def _seconds(self, pad_ms: int) -> float:
        return (self._laps * _WRAP_MS + pad_ms) / 1000


# How many of the doubts that remain are named.
SHOWN = 3


class Reports:
    """The reports so far, what the table heard of them, and what is doubted."""

    def __init__(self, chosen: Chosen, wishes: DesiredState, name: str) -> None:
        self._chosen, self._wishes, self._name = chosen, wishes, name
        self.selflocks = 0
        self.locked_itself = ""
        self.wants_order = False
        self.doubted: set[Inconsistency] = set()
        self._heard = dict.fromkeys(chosen.spots.by_number, SpotHeard())
        self._boot = self._count = self._opening = 0
        self._capabilities = Can(0)
        self._clock = PadClock()
        self._look: ReportLook | None = None
        self._was_restarted = False
        self._events: list[Event] = []

    def begin(self, who: IdentityMessage) -> None:
        """Begin anew with a session that is up: nothing was reported in it yet."""
        # A boot that was never heard of is no restart: the first pad of this program.
        self._was_restarted = self._boot not in (0, who.boot)
        self._boot, self._count, self._capabilities = who.boot, who.spots, who.capabilities
        self._clock, self._look, self.selflocks = PadClock(), None, 0

    def open(self, mask: int) -> None:
        """Tell anew what lies on these spots, which the table opened, as soon as the pad has opened them."""
        self._opening |= mask

    def take(self, told: PadTold, at: float, ordered: PadOrder, kept_locked: int) -> None:
        """Take a report read at ``at``, the order that it acknowledges, and what all orders kept locked."""
        before, can = self._look.now if self._look else None, self._capabilities
        self._look = ReportLook(
            told.state, before, ordered, kept_locked, can, self._count, self._was_restarted
        )
        self._clock.hear(told.time_ms, at)
        self._note_selflock(told.state, is_first=before is None)
        # Judged first: a spot in doubt is told no further.
        if self._doubt(doubts(self._look), at):
            self._tell_all(told.state, at)

    def events(self) -> Iterator[Event]:
        """Yield the events that are due, once each."""
        events, self._events = self._events, []
        yield from events

    # ---------------------------------------------------------------- doubts

    def _note_selflock(self, state: PadState, *, is_first: bool) -> None:
        is_news = not is_first and state.selflocks != self.selflocks
        self.wants_order |= is_news
        self.locked_itself = "the pad heard nothing for a second and locked itself" if is_news else ""

    def _doubt(self, found: list[Inconsistency], at: float) -> bool:
        """Report new doubts and keep their spots locked; return whether the report can be read at all."""
        for doubt in found:
            if doubt.spot is not None:
                # Locked from now on, whatever the table opens.
                self._wishes.suspect |= 1 << doubt.spot
                self.wants_order = True
            if doubt not in self.doubted:
                self.doubted.add(doubt)
                self._fault(doubt.fault, self._words(doubt), at)
        return all(doubt.is_readable for doubt in found)

    def _words(self, doubt: Inconsistency) -> str:
        if doubt.spot is None:
            return doubt.words
        seat, wager = self._chosen.spots.by_number.get(doubt.spot, (0, f"spot {doubt.spot}"))
        return f"{f'seat {seat} ' if seat else ''}{wager}: {doubt.words}"

    def _fault(self, fault: str, detail: str, at: float) -> None:
        about = {"device": self._name, "fault": fault, "detail": detail}
        self._events.append(DeviceFaulted(at=at, source=self._name, **about))

    def retest(self, at: float) -> str:
        """Return the doubts that remain and what lifts them.

        Where none is left and every doubted spot is empty, return nothing and trust the spots again.
        """
        if self._look is None:
            return "the pad has not told its state yet"
        # Without the report before: a step that cannot be was told once; what is asked now is how it stands.
        if left := doubts(self._look._replace(before=None)):
            return self._remaining(left)
        suspect = [number for number in range(self._count) if self._wishes.suspect & 1 << number]
        # Chips that lie there may be the very ones that were doubted.
        if lie := [each for each in suspect if self._look.now.spots[each].cover not in BARE]:
            return self._remaining(
                [Inconsistency("was in doubt and has chips on it", each, lifts=LIFT) for each in lie]
            )
        for number in filter(self._heard.__contains__, suspect):
            self._tell_empty(number, at)
        self._wishes.suspect, self.doubted, self.wants_order = 0, set(), True
        return ""

    def _tell_empty(self, number: int, at: float) -> None:
        """Tell that a late chip is gone: the table waits for that. A wager was only lifted for the test."""
        if self._heard[number].cover in TOLD_LATE:
            self._post(number, SpotNews((0,), SpotHeard()), at)
        self._heard[number] = SpotHeard()

    def _remaining(self, left: list[Inconsistency]) -> str:
        """Return the first few doubts, each with what lifts it, and how many more there are."""
        words = [f"{self._words(each)} ({each.lifts})" for each in left[:SHOWN]]
        more = len(left) - SHOWN
        return "; ".join(words + ([f"and {more} more"] if more > 0 else []))

    # ---------------------------------------------------------------- wagers

    def _tell_all(self, state: PadState, at: float) -> None:
        if self._was_restarted:
            self._was_restarted = False
            self._keep_what_lay(state, at)
        open_ = self._wishes.open & ~state.locked
        # Only once the pad itself has opened them: before that what lies there was still refused.
        opened, self._opening = self._opening & open_, self._opening & self._wishes.open & ~open_
        for number in self._heard:
            if not self._wishes.suspect & 1 << number:
                spot = self._as_sensed(state.spots[number])
                self._tell(number, spot, state, at, has_opened=bool(opened & 1 << number))
        self._count_wagers()

    def _tell(self, number: int, spot: PadSpot, state: PadState, at: float, *, has_opened: bool) -> None:
        heard, bit = self._heard[number], 1 << number
        if has_opened:
            news = news_at_opening(heard, spot)
        else:
            is_open, is_expected = bool(self._wishes.open & bit), bool(state.expected & bit)
            news = news_of(heard, spot, is_open=is_open, is_expected=is_expected)
        self._post(number, news, at if has_opened else self._clock.when(spot.age_ms, at))

    def _post(self, number: int, news: SpotNews, at: float) -> None:
        seat, wager = self._chosen.spots.by_number[number]
        self._heard[number] = news.heard
        for cents in news.tell:
            sensed = WagerSensed(at=at, source=self._name, seat=seat, wager=wager, cents=cents)
            self._events.append(sensed)

    def _as_sensed(self, spot: PadSpot) -> PadSpot:
        return spot if self._chosen.has_values or spot.cents == 0 else spot._replace(cents=None)

    def _keep_what_lay(self, state: PadState, at: float) -> None:
        """Keep what lay there before the pad restarted: it calls that late, but no dealer hands it back."""
        kept = 0
        for number, heard in self._heard.items():
            spot = self._as_sensed(state.spots[number])
            lies_as_before = spot.cover is Cover.COVERED_LATE and spot.cents in (heard.cents, None)
            if lies_as_before and heard.cents != 0:
                self._heard[number] = SpotHeard(spot.cover, spot.cents)
                kept += heard.cover is Cover.COVERED
        if kept:
            words = f"the pad was restarted and cannot vouch for {kept} wager(s) that lie there"
            self._fault("contradiction", words, at)

    def _count_wagers(self) -> None:
        """Let the lamps of the spots burn for what the table heard as a wager."""
        counting = sum(
            1 << number
            for number, heard in self._heard.items()
            if heard.cover is Cover.COVERED and heard.cents != 0
        )
        self.wants_order |= counting != self._wishes.counting
        self._wishes.counting = counting

    # ---------------------------------------------------------------- for people

    def words(self, *, authenticated: bool) -> Mapping[str, Value]:
        """Return the state as a technician's table shows it."""
        if self._look is None:
            return {"authenticated": authenticated}
        state, spots = self._look.now, self._look.now.spots
        covers = {each.name.lower(): sum(spot.cover is each for spot in spots) for each in Cover}
        return {
            "authenticated": authenticated,
            "spots": len(spots),
            "locked": sum(bool(state.locked & 1 << number) for number in range(len(spots))),
            "self_locks": state.selflocks,
            "housing_open": Flag.HOUSING_OPEN in state.flags,
            "doubts": len(self.doubted),
            **covers,
        }

    def lines(self) -> Iterator[str]:
        """Yield each spot that has a wager's name, in words."""
        state = self._look.now if self._look else None
        for number, (seat, wager) in self._chosen.spots.by_number.items():
            spot = state.spots[number] if state and number < len(state.spots) else None
            if spot is not None:
                value = "" if spot.cents in (None, 0) else f", {spot.cents} cents"
                light = "" if spot.light is None else f", light {spot.light}"
                cover = spot.cover.name.lower().replace("_", " ")
                yield f"spot {number}, seat {seat} {wager}: {cover}{value}{light}"
