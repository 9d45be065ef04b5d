"""The felt as a console of the table shows it: the table's view and the words that people were told.

The felt is given nothing but what the console told. It remembers what an effect says once and people see for
longer: the prompt and its paragraph, the lit lamp, what each wager came to, the last lines of the log.
"""

import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sabot.desk.demo.follower import ToldEvent
from sabot.desk.demo.narration import DemoNews, NewsKind, effect_news, event_news, label
from sabot.desk.demo.script import DemoScript, DemoShift
from sabot.rules.cards import parse, picture
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import KeyPressed, ShuffleCompleted, ShufflerStopped

LOG_LINES = 2
# Phases after which a line of the script and a banner leave the picture.
FORGOTTEN_AFTER = 3
LOGGED = (NewsKind.EVENT, NewsKind.EFFECT, NewsKind.MONEY)


class WagerResult(NamedTuple):
    """The result of a wager: won, lost or back, and how much."""

    kind: str
    cents: int | None


class Met(NamedTuple):
    """An irregularity that was met, for the summary at the end."""

    kind: str
    cite: str


class DemoFelt:
    """The table as people see it."""

    def __init__(self, shift: DemoShift, book: DemoScript) -> None:
        self.shift = shift
        self.book = book
        self.seen: Mapping[str, Any] = {}
        self.notice = self.clock = ""
        self.prompt = ("", "")
        self.cite = ""
        self.lamp = 0
        self.key = ""
        self.open_spots: set[tuple[int, str]] = set()
        self.shuffling: set[str] = set()
        self.results: dict[tuple[int, str], WagerResult] = {}
        self.story = ""
        self.alarm: DemoNews | None = None
        self._story_age = self._alarm_age = 0
        self.log: deque[DemoNews] = deque(maxlen=LOG_LINES)
        self.met: list[Met] = []
        self.hurry = False

    # ------------------------------------------------------------ what is told

    def take(self, told: ToldEvent) -> list[DemoNews]:
        """Take in an event and its effects, and return the lines that they are worth."""
        # Nothing can differ from before at the first state that is told.
        before, self.seen = self.seen or told.seen, told.seen
        self.clock = time.strftime("%H:%M:%S")
        self.key = told.event.key.value if isinstance(told.event, KeyPressed) else ""
        if before["round"] != self.seen["round"]:
            self.results.clear()
        if before["phase"] != self.seen["phase"]:
            self._grow_older()
        if isinstance(told.event, (ShuffleCompleted, ShufflerStopped)):
            self.shuffling.discard(told.event.deck)
        news = event_news(told.event, self.book.labels) if told.event else []
        for effect in told.effects:
            self._remember(effect)
            news += effect_news(effect, self.book.labels)
        news += self._turned(before)
        if any(isinstance(effect, ef.ShowPrompt) for effect in told.effects):
            news.append(DemoNews(NewsKind.PROMPT, "|".join(self.prompt), self.cite))
        self.log.extend(each for each in news if each.kind in LOGGED)
        return news

    def _remember(self, effect: Effect) -> None:
        match effect:
            case ef.ShowPrompt():
                self.prompt, self.cite = (effect.first, effect.second), effect.cite
            case ef.LightSeat():
                self.lamp = effect.seat
            case ef.StartShuffle():
                self.shuffling.add(effect.deck)
            case ef.OpenSpots():
                self.open_spots |= set(effect.spots)
            case ef.LockWagers():
                self.open_spots -= set(effect.spots) or set(self.open_spots)
            case ef.PayWager() | ef.CreditAccount():
                paid = effect.paid if isinstance(effect, ef.PayWager) else effect.cents
                self._came_to(effect.seat, effect.wager, "won", paid)
            case ef.CollectWager():
                self._came_to(effect.seat, effect.wager, "lost", effect.cents)
            case ef.ReturnWager():
                self._came_to(effect.seat, effect.wager, "back", effect.cents)
            case _:
                pass

    def _grow_older(self) -> None:
        """Age the words of a moment: they go after a few phases, a banner never while the table is held."""
        self._story_age += 1
        self._alarm_age += 1
        if self._story_age >= FORGOTTEN_AFTER:
            self.story = ""
        if self._alarm_age >= FORGOTTEN_AFTER and not self.held:
            self.alarm = None

    def _came_to(self, seat: int, wager: str, kind: str, cents: int | None) -> None:
        """Add a result to its wager; Envy Bonuses for several hands are one line."""
        key = seat, wager.partition(":")[0]
        before = self.results.get(key)
        if before is not None and before.cents is not None and cents is not None:
            cents += before.cents
        self.results[key] = WagerResult(kind, cents)

    def _turned(self, before: Mapping[str, Any]) -> list[DemoNews]:
        """Return a line for each place where cards became public."""
        old, hands = before.get("public", {}), self.seen.get("hands", {})
        return [
            DemoNews(NewsKind.CARD, f"{place_words(place)} {_shown(cards)}{_makes(hands.get(place, ''))}")
            for place, cards in self.seen.get("public", {}).items()
            # Also when a hand gets its name only now, with cards that lay open before.
            if cards != old.get(place) or (place in hands and place not in before.get("hands", {}))
        ]

    # ------------------------------------------------------------ what is said beside it

    def say(self, words: str) -> DemoNews:
        """Take a line of the script."""
        self.story, self._story_age = words, 0
        if not self.held:
            self.alarm = None
        return DemoNews(NewsKind.SAY, words)

    def announce(self, kind: str, cite: str) -> DemoNews:
        """Put up an irregularity, with the paragraph that the table gave for it."""
        title, then = self.book.irregularities[kind]
        self.alarm = DemoNews(NewsKind.ALARM, f"{title} [{cite}] {then}", cite)
        self._alarm_age = 0
        self.met.append(Met(kind, cite))
        return self.alarm

    # ------------------------------------------------------------ what is drawn

    @property
    def bets(self) -> Mapping[int, Mapping[str, int | None]]:
        """Return the wagers by seat."""
        bets: Mapping[int, Mapping[str, int | None]] = self.seen["bets"]
        return bets

    @property
    def held(self) -> bool:
        """Return whether a fault holds the table now."""
        return any(each["holds_now"] for each in self.seen["held"])

    @property
    def is_key_turned(self) -> bool:
        """Return whether somebody has proved a role at the key switch."""
        return bool(self.seen.get("unlocked"))

    @property
    def fault_words(self) -> str:
        """Return the words for what is latched and who may release it.

        A fault that does not concern the round lets it go on.
        """
        for fault in sorted(self.seen["held"], key=lambda each: not each["holds_now"]):
            then = f"the {fault['releases']} releases" if fault["holds_now"] else "the round goes on"
            return f"{then}: {fault['device']}, {fault['why']}"
        return ""

    @property
    def has_begun(self) -> bool:
        """Return whether there are chips or cards to be seen."""
        return bool(self.bets or self.seen.get("counts"))

    @property
    def phase_words(self) -> str:
        """Return the words for a phase, for somebody who never saw one."""
        return self.book.phases[self.seen["phase"]]

    def stacks(self, seat: int) -> list[tuple[str, WagerResult]]:
        """Return the chips of a seat, by wager: what lies there, or what came of it."""
        second = self.shift.chapter.contest.wagers[1:]
        raises = self.seen.get("raises", {}).get(seat, ())
        lying = dict(self.bets.get(seat, {})) | dict(zip(second, raises, strict=False))
        chips = {wager: WagerResult("lies", cents) for wager, cents in lying.items()}
        done = {wager: result for (at, wager), result in self.results.items() if at == seat}
        return [(label(wager, self.book.labels), result) for wager, result in (chips | done).items()]


def place_words(place: str) -> str:
    """Return a place on the felt, for people."""
    name, _, rest = place.partition(":")
    words = name.replace("seat", "seat ").replace("_", " ")
    return f"{words}, {rest} card:" if rest else f"{words}:"


def _shown(cards: Sequence[str]) -> str:
    return " ".join(picture(parse(card)) for card in cards)


def _makes(hand: str) -> str:
    return f", {hand.replace('_', ' ')}" if hand else ""
