"""The talk with a wagering system: what the table wants is said, and said again until it is confirmed.

Answers, the stakes of the round and credits are promises: after a lost link they are repeated in their order,
and then the system counts what stands. Only after that it is up.
"""

# Theory of operation. The table orders without waiting, and a link may die between an order and its end. So
# what must not be lost is kept in ``_promises``, in its order, until the system has confirmed it
# (``AccountBooks.is_met``), and all of it is said again at each beginning of a session and after each good
# test. That is safe because everything has a number that the system takes once: a ticket, a round, a credit.
# OPEN_BETS and CLOSE_BETS are no promises but a wish (``_is_open_wanted``), said anew once the link is up; a
# new session finds the bets closed in any case. The COUNT after the promises voids every ticket without an
# answer, so that both sides begin from the same wagers.

from collections.abc import Callable, Mapping

from sabot.drivers.options import Value
from sabot.drivers.sabot_accounts.books import AccountBooks, Spot, pack_stakes
from sabot.drivers.sabot_accounts.options import wagers_of
from sabot.drivers.sabot_link import account_messages as a
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.session import News
from sabot.drivers.sabot_link.talk import Talk
from sabot.statemachine.vocabulary.effects import Owed
from sabot.statemachine.vocabulary.events import Event

SOON_S, CREDIT_S, RETEST_S = 5.0, 10.0, 30.0
OTHERWISE = 11
WHAT = {
    "taken": "the stakes were accepted and not taken in",
    "opened": "a draw was ordered open and did not come",
    "credited": "a credit was accepted and not confirmed",
    "retest": "a test was accepted and had no result",
}
EXPECTED = {
    a.TakeStakesMessage: ("taken", SOON_S),
    a.OpenSeal: ("opened", SOON_S),
    a.Credit: ("credited", CREDIT_S),
    m.Retest: ("retest", RETEST_S),
}
MEETS: dict[type, str] = {
    a.StakesTaken: "taken",
    a.DrawOpened: "opened",
    a.Credited: "credited",
    m.Retested: "retest",
}
ORDERS = {
    a.TakeStakesMessage: "take in the stakes",
    a.OpenSeal: "open a draw",
    a.Credit: "credit an account",
    a.OpenBets: "open bets",
    a.CloseBets: "close bets",
}


class AccountsTalk(Talk):
    """One wagering system as the host knows it."""

    books: AccountBooks
    kinds = words.WAGERING_SYSTEMS
    dies_with_link = ("taken", "opened", "credited", "retest")

    def __init__(
        self,
        name: str,
        options: Mapping[str, Value],
        enrolled: Callable[[], bytes | None],
        draw: Callable[[int], bytes],
    ) -> None:
        books = AccountBooks(name=name, wagers=wagers_of(name, options), seats=int(options["seats"]))
        super().__init__(books, options, enrolled, draw)
        self.state: a.Standing | None = None
        self._is_open_wanted = False
        self._promises: list[m.Message] = []
        self._dark = b""

    # ---------------------------------------------------------------- what the table wants

    def open(self, now: float) -> None:
        """Open bets; a round before is over, and the answers and stakes of it are promised no more."""
        self._is_open_wanted = True
        if self.books.round is not None:
            # The answers and stakes of a round that is over mean nothing
            # any more; a debt does not end with its round.
            self._promises = [each for each in self._promises if isinstance(each, a.Credit)]
        self.books.is_over()
        if self.is_up:
            self._send(a.OpenBets(), now)

    def close(self, now: float) -> None:
        """Close bets, before anything else that waits."""
        self._is_open_wanted = False
        if self.session is not None and self.is_up:
            # Not sent yet: behind the CLOSE it would open bets again.
            self.session.reliable.withdraw(a.OpenBets)
            self._send(a.CloseBets(), now, is_urgent=True)

    def answer(self, spot: Spot, ticket: int, why: str | None, now: float) -> None:
        """Tell the table's word on a wager: accepted, or why not; without a ticket what stands has fallen."""
        asked = self.books.asked.get(spot)
        if not self.books.answered(spot, ticket, accepted=why is None):
            return
        value = asked.cents if asked is not None and ticket else 0
        text = _plain(why or "")[:40]
        self._promise(a.AnswerWager(ticket, *spot, value, int(why is None), text), now)

    def take(self, number: int, stakes: list[tuple[int, int, int]], now: float) -> None:
        """Tell which stakes are in a round, unless that is what was told."""
        order = a.TakeStakesMessage(number, pack_stakes(stakes))
        if order == self.books.round:
            return
        self.books.take(order)
        self._promise(order, now)

    def open_draws(self, draws: dict[int, str], now: float) -> None:
        """Order these draws open; nothing is promised, for the table says so again where they do not come."""
        self.books.draws.ordered(draws)
        for draw in draws if self.is_up else ():
            self._send(a.OpenSeal(draw), now)

    def owe(self, owed: tuple[Owed, ...], now: float) -> None:
        """Order the credits that are not ordered yet."""
        for each in owed:
            spot = self.books.spot_of(each.seat, each.wager)
            # What the table says crosses what the system confirms: a number is ordered once.
            if spot is None or each.number in self.books.orders or each.number in self.books.confirmed:
                continue
            kind, cite = a.STAKE_BACK if each.is_stake else a.WINNINGS, _plain(each.cite)[:60]
            order = a.Credit(each.number, each.round, *spot, kind, each.cents, cite)
            self.books.orders[each.number] = order
            self._promise(order, now)

    def darken(self, spots: list[Spot], now: float) -> None:
        """Tell which accepted wagers would not stand, where that has changed."""
        dark = b"".join(bytes(spot) for spot in sorted(spots))
        if dark != self._dark:
            self._dark = dark
            if self.is_up:
                self._send(a.DarkenStations(dark), now)

    def _promise(self, message: m.Message, now: float) -> None:
        # Kept until the system confirms it, and said again after a lost link.
        self._promises.append(message)
        if self.is_up:
            self._send(message, now)

    # ---------------------------------------------------------------- news

    def arrived(self, news: News, now: float) -> None:
        """Forget the promises that it confirmed; give what is still to come its time anew."""
        super().arrived(news, now)
        self._promises = [each for each in self._promises if not self.books.is_met(each)]
        if self.books.orders and isinstance(news.message, a.Credited):
            self._expected["credited"] = now + CREDIT_S
        if self.books.draws.waits and isinstance(news.message, a.DrawOpened):
            self._expected["opened"] = now + SOON_S
        if isinstance(news.message, m.Retested) and news.message.good and self.is_up:
            self._repeat(now)

    def answered(self, news: News, now: float) -> None:
        """Take an answer: how it is, what stands, or whether a command is taken on."""
        if isinstance(news.message, a.Standing):
            self._heard_standing(news.message, now)
        elif isinstance(news.message, a.StakesTold):
            self._heard_stakes(news.message, now)
        else:
            assert isinstance(news.message, m.Result)
            assert news.command is not None
            self._heard_result(news.command, news.message.verdict, now)

    def _heard_standing(self, standing: a.Standing, now: float) -> None:
        self.state = standing
        if self.is_up:
            return
        self._introduce(standing.kept, now)
        self._events += self.books.begun(standing, now)
        self._settle(now)

    def _settle(self, now: float) -> None:
        """Repeat what was promised, then let it count, once all that it kept has come."""
        if self._kept_left or self.state is None:
            return
        self._repeat(now)
        self._send(a.CountStakes(), now)

    def _repeat(self, now: float) -> None:
        for promise in self._promises:
            self._send(promise, now)

    def _heard_stakes(self, told: a.StakesTold, now: float) -> None:
        """Take everything that stands; with the first count of a session the system is up."""
        self._events += self.books.counted(told, now)
        if self.is_up:
            return
        self._restored(now)
        if self._is_open_wanted:
            self._send(a.OpenBets(), now)
        if self._dark:
            self._send(a.DarkenStations(self._dark), now)

    def _heard_result(self, command: m.Message, verdict: int, now: float) -> None:
        if isinstance(command, a.AnswerWager):
            self._promises = [each for each in self._promises if each != command]
            if verdict:
                self._send(a.CountStakes(), now)  # it knows better what stands
        elif verdict:
            self._events += self._refused(
                command, words.VERDICTS[verdict], now, otherwise=verdict == OTHERWISE
            )
        elif type(command) in EXPECTED and not self.books.is_met(command):
            what, within_s = EXPECTED[type(command)]
            self._expected[what] = now + within_s

    # ---------------------------------------------------------------- what Talk leaves open

    def _lost(self, why: str, now: float) -> None:
        self.state = None
        self.books.lost()
        super()._lost(why, now)

    def _capabilities(self, _bits: int) -> tuple[str, ...]:
        return ()

    def _note(self, message: m.Message, _now: float) -> None:
        self._expected.pop(MEETS.get(type(message), ""), None)

    def _overdue(self, what: str, now: float) -> list[Event]:
        if what == "retest":
            return [self.books.untested(WHAT[what], now)]
        return [self.books.fault_found("device", WHAT[what], now)]

    def _refused(self, command: m.Message, why: str, now: float, *, otherwise: bool = False) -> list[Event]:
        if isinstance(command, m.Retest):
            return [self.books.untested(f"it does not test itself: {why}", now)]
        kind = "contradiction" if otherwise else "device"
        what = ORDERS.get(type(command), "obey")
        return [self.books.fault_found(kind, f"it does not {what}: {why}", now)]


def _plain(text: str) -> str:
    """Return a text as the wire takes it, with a question mark for all that is not plain ASCII."""
    return "".join(each if " " <= each <= "~" else "?" for each in text)
