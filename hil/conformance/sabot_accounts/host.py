"""The kit's host of Sabot accounts: Sabot Link's, with what a wagering system is told and asked."""

from sabot.hil.conformance.kit import WrongError
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import ANSWER_S
from sabot.hil.simulators.sabot_link.wire import WireHeard

SOON_S, CREDIT_S = 5.0, 10.0
STAKE, STANDING = 6, 10
CLOSED, OPEN, TAKEN = 0, 1, 2
Stake = tuple[int, int, int]


class AccountsKit(LinkKit):
    """A host on one line, and the round that it plays."""

    kinds = {4: "electronic wagering system"}  # noqa: RUF012 - nobody writes to it
    state_name, free, hold = "STANDING", "OPEN_BETS", "CLOSE_BETS"
    freed, held = "opened bets", "bets closed"

    def is_held(self, state: WireHeard) -> bool:
        """Return whether no station takes a wager."""
        return bool(state["phase"] != OPEN)

    def judge_kind(self, who: WireHeard) -> None:
        """Check that a wagering system names no capabilities: there are none for it."""
        self.demand(not who["capabilities"], f"capabilities {who['capabilities']}, where none is known")

    def at_rest(self) -> WireHeard:
        """Bring about a session with bets open and nothing placed, and return the state then."""
        state = self.open()
        if state["placed"] and state["phase"] != TAKEN:  # a round that is taken in is over with OPEN_BETS
            self.must("CLOSE_BETS", 0, "at rest")
            self.demand(self.take(state["round"] + 1, []) == 0, "TAKE of no stake is refused")
            self.event("TAKEN_IN", SOON_S)
        self.must("OPEN_BETS", 0, "at rest")
        return self.query()

    def wager(self) -> WireHeard:
        """Return the wager that a station asks for."""
        return self.event("WAGER")

    def accept(self, asked: WireHeard) -> None:
        """Accept what was asked for, as a table would."""
        given = answer(asked["ticket"], asked["seat"], asked["wager"], asked["cents"], accepted=1)
        self.must("ANSWER", 0, "to what was asked", **given)

    def counted(self) -> WireHeard:
        """Send COUNT, and return its STAKES."""
        self.order("COUNT")
        sequence = self.sent
        return self.expect("STAKES", ANSWER_S, lambda m: m["command"] == sequence).message

    def stakes(self) -> list[Stake]:
        """Return the standing stakes by position and wager; a changed account is no stake's business."""
        data = self.counted()["stakes"]
        if len(data) % STANDING:
            raise WrongError(f"STAKES with {len(data)} bytes, which are no stakes of {STANDING}")
        rows = [data[at : at + STANDING] for at in range(0, len(data), STANDING)]
        return [(row[0], row[1], int.from_bytes(row[2:6], "big")) for row in rows]

    def take(self, round_: int, stakes: list[Stake]) -> int:
        """Send TAKE, and return the code of its RESULT."""
        return self.command("TAKE", round=round_, stakes=packed(stakes))


def packed(stakes: list[Stake]) -> bytes:
    """Return stakes as TAKE has them."""
    return b"".join(bytes((seat, wager)) + cents.to_bytes(4, "big") for seat, wager, cents in stakes)


def answer(ticket: int, seat: int, wager: int, cents: int, *, accepted: int) -> dict[str, object]:
    """Return the fields of ANSWER."""
    why = "" if accepted else "the kit tries it"
    given = {"ticket": ticket, "seat": seat, "wager": wager, "cents": cents}
    return {**given, "accepted": accepted, "why": why}
