"""Who is in the round with what: the stakes, who is asked, where the plan lays the cards."""

from sabot.rules.chapter import Fate
from sabot.rules.round import Stake
from sabot.statemachine.laid import Laid, lay_out
from sabot.statemachine.law import Law
from sabot.statemachine.round import Play


class Contest:
    """The round under way as the chapter sees it."""

    __slots__ = ("_laid", "law", "play")

    def __init__(self, law: Law, play: Play) -> None:
        self.law, self.play = law, play
        self._laid = lay_out([])

    @property
    def laid(self) -> Laid:
        """The plan of the round, made easy to look up; once for each, for a change of plan is a new plan."""
        round_ = self.play.round
        assert round_ is not None  # as `current`, without its call: this is asked of each card many times
        if self._laid.plan is not round_.plan:
            self._laid = lay_out(round_.plan)
        return self._laid

    @property
    def is_void(self) -> bool:
        """Return whether antes and raises go back and only optional wagers are settled."""
        found = self.law.chapter.irregularities.get(self.play.current.irregularity)
        return found is not None and found.fate is Fate.VOID_CONTEST

    def players_to_ask(self) -> list[int]:
        """Return the seats with an Ante that have not left, from the dealer's left."""
        round_, opening = self.play.current, self.law.chapter.contest.opening
        return [
            seat for seat, bets in sorted(round_.bets.items()) if opening in bets and seat not in round_.left
        ]

    def stakes(self, seat: int) -> dict[str, Stake]:
        """Return all stakes of a seat, second wagers included."""
        round_ = self.play.current
        second = self.law.chapter.contest.wagers[1:]
        return round_.bets[seat] | dict(zip(second, round_.raises.get(seat, ()), strict=False))

    def is_alive(self, seat: int, wager: str) -> bool:
        """Return whether a wager that was made still competes, its player being there."""
        is_kept = self.law.house.keeps_after_fold
        return seat not in self.play.current.folded or is_kept(self.law.chapter.wagers[wager])
