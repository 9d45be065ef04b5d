"""Stations, rounds, draws and credits: what a wagering system does beyond a device of Sabot Link."""

# Most checks begin with a session of their own and bets opened anew (`at_rest`), for a wagering system keeps
# its stakes over sessions. So numbers of rounds and credits are never the kit's: they follow what STANDING
# says.

import hashlib
from itertools import pairwise

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.kit import WrongError
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_accounts.host import (
    CREDIT_S,
    OPEN,
    SOON_S,
    TAKEN,
    AccountsKit,
    answer,
    packed,
)
from sabot.hil.conformance.sabot_link.talk import QUIET_S
from sabot.hil.simulators.sabot_link.wire import WireHeard

PAGE = "sabot-accounts.md#"
WAGERS, NO_MORE, DRAWS = f"{PAGE}wagers", f"{PAGE}no-more-bets", f"{PAGE}draws"
CREDITS, POWER = f"{PAGE}credits", f"{PAGE}what-must-survive-a-loss-of-power"
ANSWERS, BEGIN = f"{PAGE}what-a-command-is-answered", f"{PAGE}at-the-beginning-of-a-session"
NONSENSE, OTHERWISE = 8, 11
WINNINGS, MOST_KIND = 1, 2
BACK_S = 60.0
SIT = Act("Sit down at position 2 with $100 in an account.", ("leave 2", "sit 2 10000"))
PLACE = Act("At position 2 ask for {cents} cents on wager {wager}.", ("place 2 {wager} {cents}",))
TOUCH = Act("At position 2 try for 500 cents on wager 1.", ("touch 2 1 500",))
BOTH = Act("Let each round have a magic card and a lucky position drawn.", ("draws magic lucky",))
NONE = Act("Let nothing be drawn any more.", ("draws",))
REBOOT = Act("Switch the system off, and on again.", ("reboot",))


def _placed(kit: AccountsKit, wager: int = 1, cents: int = 500) -> WireHeard:
    """Let somebody ask for a wager, and return the message."""
    kit.act(PLACE, wager=wager, cents=cents)
    asked = kit.wager()
    found = (asked["seat"], asked["wager"], asked["cents"])
    kit.demand(found == (2, wager, cents), f"WAGER of {found}, not of {(2, wager, cents)}")
    return asked


def _seated(kit: AccountsKit) -> WireHeard:
    """Open bets and sit somebody down; return the state before."""
    state = kit.at_rest()
    kit.act(SIT)
    return state


def _locked(kit: AccountsKit) -> WireHeard:
    """Play a round with one stake of $5 up to the close of bets; return the state before."""
    state = _seated(kit)
    kit.accept(_placed(kit))
    kit.must("CLOSE_BETS", 0, "with a wager placed")
    return state


def _taken(kit: AccountsKit) -> tuple[WireHeard, int]:
    """Have such a round taken in; return the state before, and the round's number."""
    state = _locked(kit)
    code = kit.take(state["round"] + 1, [(2, 1, 500)])
    kit.demand(code == 0, f"TAKE of what stands: RESULT {code}, not 0")
    return state, state["round"] + 1


def stands_when_answered(kit: AccountsKit) -> None:
    """Check that a ticket is nothing before its ANSWER, and the wager after it."""
    _seated(kit)
    first = _placed(kit)
    kit.accept(first)
    kit.demand(kit.stakes() == [(2, 1, 500)], f"after ANSWER stands {kit.stakes()}")
    again = answer(first["ticket"], 2, 1, 500, accepted=1)
    kit.must("ANSWER", OTHERWISE, "to a ticket that was answered", **again)


def stands_not_before(kit: AccountsKit) -> None:
    """Check that COUNT voids what has no answer."""
    _seated(kit)
    asked = _placed(kit)
    kit.demand(kit.stakes() == [], f"without ANSWER stands {kit.stakes()}")
    late = answer(asked["ticket"], 2, 1, 500, accepted=1)
    kit.must("ANSWER", OTHERWISE, "to a ticket that COUNT has voided", **late)
    kit.demand(kit.stakes() == [], "a ticket that COUNT has voided stands")


def forgets_what_was_refused(kit: AccountsKit) -> None:
    """Check that a refused change leaves what stood before."""
    _seated(kit)
    kit.accept(_placed(kit))
    changed = _placed(kit, cents=900)
    kit.must("ANSWER", 0, "that refuses", **answer(changed["ticket"], 2, 1, 900, accepted=0))
    kit.demand(kit.stakes() == [(2, 1, 500)], f"after a refused change stands {kit.stakes()}, not 500 cents")


def changes_and_withdraws(kit: AccountsKit) -> None:
    """Check that each change is the whole wager under a ticket that rises, and that 0 withdraws."""
    _seated(kit)
    tickets = []
    for cents in (500, 700, 200):
        asked = _placed(kit, cents=cents)
        kit.accept(asked)
        tickets.append(asked["ticket"])
        kit.demand(kit.stakes() == [(2, 1, cents)], f"changed to {cents} cents stands {kit.stakes()}")
    kit.demand(all(one < two for one, two in pairwise(tickets)), f"tickets that do not rise: {tickets}")
    kit.accept(_placed(kit, cents=0))
    kit.demand(kit.stakes() == [], f"withdrawn, and {kit.stakes()} stands")


def drops_what_fell(kit: AccountsKit) -> None:
    """Check that an ANSWER without a ticket lets the wager that stands fall."""
    _seated(kit)
    kit.accept(_placed(kit))
    kit.must("ANSWER", 0, "without a ticket", **answer(0, 2, 1, 0, accepted=0))
    kit.demand(kit.stakes() == [], f"it has fallen, and {kit.stakes()} stands")


def takes_nothing_when_closed(kit: AccountsKit) -> None:
    """Check that after CLOSE_BETS a hand on a station has no effect."""
    _locked(kit)
    kit.act(TOUCH)
    kit.wait(QUIET_S)
    kit.demand(not kit.find("WAGER"), "a station took a wager after CLOSE_BETS")
    kit.demand(kit.query()["phase"] != OPEN, "STANDING says that bets are open after CLOSE_BETS")


def takes_in_what_stands(kit: AccountsKit) -> None:
    """Check that exactly what stands is taken in, once for each round."""
    state = _locked(kit)
    round_ = state["round"] + 1
    for wrong in ([(2, 1, 900)], [(2, 1, 500), (2, 2, 500)]):
        code = kit.take(round_, wrong)
        kit.demand(code == OTHERWISE, f"TAKE of {wrong}, where (2, 1, 500) stands: RESULT {code}, not 11")
    for _ in range(2):
        code = kit.take(round_, [(2, 1, 500)])
        kit.demand(code == 0, f"TAKE of what stands: RESULT {code}, not 0")
        told = kit.event("TAKEN_IN", SOON_S)
        found = (told["round"], told["count"], told["cents"])
        kit.demand(found == (round_, 1, 500), f"TAKEN_IN of {found}, not of {(round_, 1, 500)}")
    kit.demand(kit.take(round_, []) == OTHERWISE, "TAKE of the round with other stakes was accepted")
    kit.demand(kit.counted()["round"] == round_, "STAKES does not name the round that was taken in")
    state = kit.query()
    kit.demand((state["phase"], state["round"]) == (TAKEN, round_), "STANDING does not show the round")


def takes_no_round_twice(kit: AccountsKit) -> None:
    """Check that a number that is not greater is another round's."""
    _, round_ = _taken(kit)
    kit.event("TAKEN_IN", SOON_S)
    kit.must("OPEN_BETS", 0, "after a round")
    kit.demand(kit.stakes() == [], "the stakes of a round stand in the next")
    kit.must("CLOSE_BETS", 0, "with nothing placed")
    # A host that lost its place could otherwise take the stakes of one round for another's.
    code = kit.take(round_, [])
    kit.demand(code == OTHERWISE, f"TAKE of round {round_} after it was over: RESULT {code}, not 11")


def seals_and_opens_its_draws(kit: AccountsKit) -> None:
    """Check that draws are sealed before TAKEN_IN, in order, and opened as sealed when ordered."""
    kit.hands.do(BOTH, kit.idle)
    try:
        state, round_ = _taken(kit)
        draws = kit.event("TAKEN_IN", SOON_S)["draws"]
        sealed = []
        while came := kit.find("SEALED"):
            sealed.append(came.message)
        kit.demand(draws == len(sealed) > 0, f"{len(sealed)} draws were SEALED before TAKEN_IN told {draws}")
        wanted = list(range(state["draw"] + 1, state["draw"] + 1 + draws))
        numbers = [each["draw"] for each in sealed]
        kit.demand(numbers == wanted, f"draws {numbers}, where {wanted} are next")
        kinds = {_open(kit, each, round_)["kind"] for each in sealed}
        kit.demand(len(kinds) == draws, "two draws of one kind in a round")
        kit.must("UNSEAL", OTHERWISE, "of a draw that is not there", draw=wanted[-1] + 1)
    finally:
        kit.hands.do(NONE, kit.idle)


def _open(kit: AccountsKit, sealed: WireHeard, round_: int) -> WireHeard:
    kit.demand(sealed["round"] == round_, f"SEALED for round {sealed['round']}, under way is {round_}")
    kit.demand(not kit.find("OPENED"), "a draw was OPENED before it was ordered")
    kit.must("UNSEAL", 0, "of a draw that is due", draw=sealed["draw"])
    told = kit.event("OPENED", SOON_S)
    numbers = b"".join(told[name].to_bytes(4, "big") for name in ("draw", "round"))
    # The seal binds draw, round, kind and value with a salt: nothing can be
    # chosen after the stakes are known.
    text = b"sabot-accounts/1 draw" + numbers + bytes((told["kind"], told["value"])) + told["salt"]
    is_same = told["draw"] == sealed["draw"] and hashlib.sha256(text).digest() == sealed["seal"]
    kit.demand(is_same, f"draw {sealed['draw']} does not fit its seal")
    kit.demand(1 <= told["kind"] <= MOST_KIND, f"a draw of kind {told['kind']}")
    return told


def credits_once(kit: AccountsKit) -> None:
    """Check that a credit goes to the account of the stake, and that the same again books nothing."""
    state, round_ = _taken(kit)
    # Bytes 6 to 10 of the one stake: whose account it came from.
    account = int.from_bytes(kit.counted()["stakes"][6:10], "big")
    order = _credit(state["credits"] + 1, round_)
    for again in (0, 1):
        kit.must("CREDIT", 0, "of a stake of the round", **order)
        told = kit.event("CREDITED", CREDIT_S)
        found = {name: told[name] for name in ("number", "round", "cents", "account", "total", "again")}
        wanted = {
            "number": order["number"],
            "round": round_,
            "cents": 2500,
            "account": account,
            "total": state["total"] + 2500,
            "again": again,
        }
        kit.demand(found == wanted, f"CREDITED {found}, not {wanted}")
    kit.wait(QUIET_S)
    kit.demand(not kit.find("CREDITED"), "CREDITED came once more")
    now = kit.query()
    kit.demand(now["total"] == state["total"] + 2500, "STANDING shows another total than was credited")
    kit.demand(now["credits"] == order["number"], "STANDING shows another credit than the last one")


def credits_in_order(kit: AccountsKit) -> None:
    """Check what is answered 11: other content under a number, one out of turn, no stake of the round."""
    state, round_ = _taken(kit)
    number = state["credits"] + 1
    kit.must("CREDIT", 0, "of a stake of the round", **_credit(number, round_))
    kit.event("CREDITED", CREDIT_S)
    before = kit.query()["total"]
    rows: tuple[tuple[str, dict[str, object]], ...] = (
        ("under a number that was booked", _credit(number, round_, cents=100)),
        ("out of its turn", _credit(number + 2, round_)),
        ("of a round that is not under way", _credit(number + 1, round_ + 1)),
        ("of a stake that is not there", _credit(number + 1, round_, wager=2)),
    )
    for words, order in rows:
        kit.must("CREDIT", OTHERWISE, words, **order)
    kit.demand(kit.query()["total"] == before, "what was answered 11 was credited")


def _credit(number: int, round_: int, *, cents: int = 2500, wager: int = 1) -> dict[str, object]:
    what = {"number": number, "round": round_, "seat": 2, "wager": wager}
    return {**what, "kind": WINNINGS, "cents": cents, "cite": "641a.11(c)(7)"}


def answers_wrong_numbers(kit: AccountsKit) -> None:
    """Check that positions, wagers, kinds and stakes that cannot be are answered 8, before all else."""
    state = kit.open()
    beyond = state["stations"] + 1
    # Stakes rise by position and wager: these are out of order.
    two = packed([(2, 2, 100), (2, 1, 100)])
    rows: tuple[tuple[str, dict[str, object]], ...] = (
        ("ANSWER", answer(1, beyond, 1, 100, accepted=1)),
        ("ANSWER", answer(1, 1, state["wagers"] + 1, 100, accepted=1)),
        ("CREDIT", {**_credit(1, 1), "kind": 3}),
        ("CREDIT", {**_credit(1, 1), "seat": 0}),
        ("CREDIT", _credit(1, 1, cents=0)),
        ("TAKE", {"round": 0, "stakes": b""}),
        ("TAKE", {"round": 1, "stakes": b"\1\1\0"}),
        ("TAKE", {"round": 1, "stakes": two}),
        ("DARK", {"spots": b"\1"}),
    )
    for name, values in rows:
        kit.must(name, NONSENSE, f"with {values}", **values)


def keeps_what_is_money(kit: AccountsKit) -> None:
    """Check that stakes, their round, draws and credits outlast a loss of power."""
    state, round_ = _taken(kit)
    kit.event("TAKEN_IN", SOON_S)
    order = _credit(state["credits"] + 1, round_)
    kit.must("CREDIT", 0, "of a stake of the round", **order)
    kit.event("CREDITED", CREDIT_S)
    before, stakes = kit.query(), kit.stakes()
    kit.act(REBOOT)
    kit.ear.clear()
    after = kit.until(lambda: _reopened(kit), BACK_S)
    kit.demand(after, f"no session within {BACK_S:g} s after the power came back")
    for name in ("phase", "round", "placed", "cents", "credits", "total", "draw"):
        words = f"{name} was {before[name]}, and after a loss of power {after[name]}"
        kit.demand(after[name] == before[name], words)
    kit.demand(kit.stakes() == stakes, "other stakes after a loss of power")
    kit.must("CREDIT", 0, "that was booked before the power went", **order)
    again = kit.until(lambda: kit.find("CREDITED", lambda m: m["again"]), CREDIT_S)
    kit.demand(again, "a credit that was booked before the power went is not told as such")


def _reopened(kit: AccountsKit) -> WireHeard | None:
    try:
        return kit.open()
    except WrongError:
        return None


CHECKS = (
    ConformanceCheck("accounts.values", "answers wrong numbers 8", ANSWERS, answers_wrong_numbers),
    ConformanceCheck(
        "accounts.answer", "lets a wager stand when it is answered", WAGERS, stands_when_answered
    ),
    ConformanceCheck("accounts.count", "voids what has no answer", BEGIN, stands_not_before),
    ConformanceCheck("accounts.refused", "forgets what was refused", WAGERS, forgets_what_was_refused),
    ConformanceCheck("accounts.change", "changes and withdraws a wager", WAGERS, changes_and_withdraws),
    ConformanceCheck("accounts.fallen", "drops a wager that has fallen", WAGERS, drops_what_fell),
    ConformanceCheck(
        "accounts.closed", "takes no wager when bets are closed", NO_MORE, takes_nothing_when_closed
    ),
    ConformanceCheck("accounts.take", "takes in just what stands", NO_MORE, takes_in_what_stands),
    ConformanceCheck("accounts.round", "takes no round twice", NO_MORE, takes_no_round_twice),
    ConformanceCheck(
        "accounts.draws", "seals its draws and opens them as sealed", DRAWS, seals_and_opens_its_draws
    ),
    ConformanceCheck("accounts.credit", "credits an account once", CREDITS, credits_once),
    ConformanceCheck(
        "accounts.order", "credits in order, and only stakes of the round", CREDITS, credits_in_order
    ),
    ConformanceCheck("accounts.power", "keeps what is money without power", POWER, keeps_what_is_money),
)
