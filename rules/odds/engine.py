"""The engine that reckons each wager, and the counts they share.

What needs the dealer's hand is counted once for each way of comparing hands and used by every wager, letter
and reading that needs it. Only one such count is kept at a time: it is large.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import cached_property

from sabot.rules.chapter import Chapter, Wager
from sabot.rules.frozen import frozen
from sabot.rules.odds.ambiguities import TIEBREAK, fold_reading
from sabot.rules.odds.duel import Duel
from sabot.rules.odds.estimate import Dice, folded_share, suit_worth
from sabot.rules.odds.figures import HoldFigures, less_folded, of_contest, of_posted
from sabot.rules.odds.losing_hand import LosingHands
from sabot.rules.odds.posted_paytable import FIXED_STAKE, Posted, posted_odds
from sabot.rules.odds.progress import Stage, unwatched
from sabot.rules.odds.progressive import drawn_odds, envy_value, meter_odds
from sabot.rules.odds.strategy import Strategy
from sabot.rules.odds.streets import StreetPlay, Streets
from sabot.rules.odds.trial import Trial

LITERAL = "highest_card"
DEFAULT_ROUNDS = 10_000


class Engine(Enum):
    """The ways in which a wager is reckoned."""

    POSTED = auto()
    LOSING_HAND = auto()
    DUEL = auto()
    STREETS = auto()


@frozen
class Method:
    """A method of reckoning.

    Dice by name (each estimate has its own, so that none depends on which others are made), how many hands to
    draw with them, the stake of fixed sums, whether to leave out all readings but the default, who watches.
    """

    dice: Callable[[str], Dice]
    rounds: int = DEFAULT_ROUNDS
    fixed_stake: int = FIXED_STAKE
    default_only: bool = False
    stage: Stage = unwatched


class Reckoner:
    """Reckons the wagers of a chapter."""

    def __init__(self, chapter: Chapter, method: Method) -> None:
        self.chapter = chapter
        self.method = method
        self._shared: tuple[bool, Duel, LosingHands] | None = None

    def engine(self, wager: Wager) -> Engine:
        """Return the engine that reckons a wager."""
        if wager.name == self.chapter.contest.opening:
            return Engine.DUEL if self.chapter.contest.against_dealer else Engine.STREETS
        is_losing = wager.settles is not None and wager.settles.kind == "losing_hand"
        return Engine.LOSING_HAND if is_losing else Engine.POSTED

    def needs_duel(self, wager: Wager) -> bool:
        """Return whether some row of a wager needs the dealer's hands counted."""
        return self.engine(wager) in (Engine.DUEL, Engine.LOSING_HAND) or bool(fold_reading(wager))

    def figures(self, name: str, letters: Mapping[str, str], readings: Mapping[str, str]) -> HoldFigures:
        """Return the figures of a wager under these letters and readings."""
        wager = self.chapter.wagers[name]
        trial = Trial(self.chapter, letters, readings)
        return _ENGINES[self.engine(wager)](self, wager, trial)

    # ------------------------------------------------------------ engines

    def _posted(self, wager: Wager, trial: Trial) -> HoldFigures:
        posted = posted_odds(trial, wager, self.method.fixed_stake)
        # Only a fold that forfeits a wager on the dealer's hand costs anything (reading F1).
        if fold_reading(wager) and not trial.house.keeps_after_fold(wager):
            return self._less_folded(wager, trial, posted)
        meter = meter_odds(trial, wager, posted)
        return of_posted(posted, meter, envy_value(trial, wager), drawn_odds(trial, wager))

    def _less_folded(self, wager: Wager, trial: Trial, posted: Posted) -> HoldFigures:
        duel, _ = self._counted(trial)
        tick = self.method.stage("folded hands", self.method.rounds)
        dice = self.method.dice("folded")
        strategy = Strategy(duel, trial)
        folded = folded_share(strategy, trial, wager, posted, dice, self.method.rounds, tick)
        return less_folded(posted, folded)

    def _losing(self, wager: Wager, trial: Trial) -> HoldFigures:
        _, losing = self._counted(trial)
        return of_posted(losing.odds(trial, wager), None, None, ())

    def _duel(self, _wager: Wager, trial: Trial) -> HoldFigures:
        duel, _ = self._counted(trial)
        strategy = Strategy(duel, trial)
        if not duel.shown:
            return of_contest(strategy.played)
        tick = self.method.stage("the suit of the dealer's card", self.method.rounds)
        dice = self.method.dice("suit")
        return of_contest(strategy.played, suit_worth(strategy, dice, self.method.rounds, tick))

    def _streets(self, _wager: Wager, trial: Trial) -> HoldFigures:
        return of_contest(StreetPlay(self._dealt_out, trial).played)

    # ------------------------------------------------------------ counts

    @cached_property
    def _dealt_out(self) -> Streets:
        return Streets(self.chapter)

    def _counted(self, trial: Trial) -> tuple[Duel, LosingHands]:
        literal = trial.house.readings.get(TIEBREAK) == LITERAL
        if self._shared is None or self._shared[0] != literal:
            self._shared = None  # first let go of the other count
            duel = Duel(self.chapter, literal=literal, stage=self.method.stage)
            self._shared = literal, duel, LosingHands(duel)
        return self._shared[1:]


_ENGINES: dict[Engine, Callable[[Reckoner, Wager, Trial], HoldFigures]] = {
    Engine.POSTED: Reckoner._posted,  # noqa: SLF001
    Engine.LOSING_HAND: Reckoner._losing,  # noqa: SLF001
    Engine.DUEL: Reckoner._duel,  # noqa: SLF001
    Engine.STREETS: Reckoner._streets,  # noqa: SLF001
}
