"""Settlement: who is settled when, wager after wager, and what a hit asks (x.11(c)-(d)); not amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .finding import Finding, RoundRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round

MONEY = ("PayWager", "CollectWager", "CreditAccount", "ReturnWager")
PROGRESSIVE = ("prog4", "prog5", "progressive")
HAND_BONUS = ("hand_bonus_player", "hand_bonus_dealer")
# 641a.11(c)(7)(ii): "with odds of 500 for 1 or a payout that is a percentage of the jackpot".
BIG_ODDS = 500


def settlement(round_: Round) -> list[tuple[Step, Json]]:
    """Return what was paid and taken seat by seat after the reveal, up to a void."""
    reveal, found = round_.revealed, []
    if reveal is None:
        return []
    for step in round_.steps:
        if step.has("VoidRound"):
            break
        if step.entry > reveal.entry:
            found += [(step, effect) for effect in step.all(*MONEY)]
    return found


def place_in(steps: tuple[tuple[str, ...], ...], wager: str) -> int:
    """Return which step of a chapter's settlement a line belongs to, -1 where none has it."""
    base = wager.partition(":")[0]
    return next((number for number, names in enumerate(steps) if base in names), -1)


def seats_in_turn(_shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """From the dealer's right, each seat once."""
    done: list[int] = []
    for step, effect in settlement(round_):
        seat = effect["seat"]
        if done and seat != done[-1]:
            if seat in done:
                yield Finding(step.entry, f"seat {seat} was settled again after seat {done[-1]}")
            elif seat > done[-1]:
                yield Finding(step.entry, f"seat {seat} was settled after seat {done[-1]}")
        if not done or seat != done[-1]:
            done.append(seat)


def wagers_in_succession(shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """Of a seat first the contest, then what the text has after it, in its order."""
    last: dict[int, tuple[int, str]] = {}
    for step, effect in settlement(round_):
        seat, wager = effect["seat"], effect["wager"]
        place = place_in(shift.setup.law.steps, wager)
        before, name = last.get(seat, (0, ""))
        if place < 0:
            yield Finding(step.entry, f"{wager} of seat {seat} is nothing that the text settles")
        elif place < before:
            yield Finding(step.entry, f"{wager} of seat {seat} was settled after its {name}")
        else:
            last[seat] = place, wager


def forfeits_first(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """What folds forfeited is collected before a card is turned."""
    reveal = round_.revealed
    if reveal is None or round_.is_void or record["by_hand"]:
        return
    collected = {(e["seat"], e["wager"]): step.entry for step, e in round_.effects("CollectWager")}
    for seat in record["folded"]:
        late = collected.get((seat, "ante"), reveal.entry + 1) > reveal.entry
        if (
            late
            and record["irregularity"] not in ("dealer_exposed", "community_exposed")
            and seat not in record["left"]
        ):
            yield Finding(
                reveal.entry, f"seat {seat} folded, and its ante lay there when the cards were turned"
            )
    del shift


def all_settled(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """No stake is left without a payment, a return or being taken."""
    if record["by_hand"] or record["void"] or round_.is_void or round_.revealed is None:
        return
    moved = {(effect["seat"], effect["wager"]) for _, effect in round_.effects(*MONEY)}
    for seat, wager in stakes(shift, record):
        if (seat, wager) not in moved:
            yield Finding(round_.steps[-1].entry, f"{wager} of seat {seat} was never settled")


def stakes(shift: Shift, record: Json) -> list[tuple[int, str]]:
    """Return every stake of a round: those of the lock, and the second wagers."""
    found = [(int(seat), wager) for seat, bets in record["bets"].items() for wager in bets]
    for seat, made in record["raises"].items():
        found += [(int(seat), wager) for wager, _ in zip(shift.setup.law.second, made, strict=False)]
    return found


# ---------------------------------------------------------------- hits


def _hits(round_: Round) -> Iterator[tuple[Step, Json]]:
    """Yield the payments that a floorperson looks at first."""
    for step, effect in round_.effects("PayWager", "CreditAccount"):
        is_share = not effect.get("from_tray", True)
        if effect["wager"] in PROGRESSIVE or (effect["wager"] in HAND_BONUS and is_share):
            yield step, effect


def validated(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A progressive payout is validated by a floorperson who was there, before it is paid."""
    if record["by_hand"]:
        return
    by = {(hit["seat"], hit["wager"]): hit["validated_by"] for hit in record["hits"]}
    big = {(line["seat"], line["wager"]) for line in record["lines"] if _is_big(line)}
    paid = [
        *_hits(round_),
        *((s, e) for s, e in round_.effects("CreditAccount") if (e["seat"], e["wager"]) in big),
    ]
    for step, effect in paid:
        spot = effect["seat"], effect["wager"]
        lit = [s.entry for s, e in round_.effects("FreezeHit") if (e["seat"], e["wager"]) == spot]
        there = [
            s
            for s in round_.steps
            if lit and lit[0] < s.entry <= step.entry and s.is_ok and "floor" in s.unlocked
        ]
        if not by.get(spot):
            yield Finding(step.entry, f"{spot[1]} of seat {spot[0]} was paid and no floorperson validated it")
        elif not there and not any(step.lifted for step in round_.steps):
            yield Finding(
                step.entry, f"{spot[1]} of seat {spot[0]}: nobody's floor key was turned before it was paid"
            )
    del shift


def _is_big(line: Json) -> bool:
    is_bonus = line["wager"] in HAND_BONUS and line["result"] == "win" and bool(line["stake"])
    return is_bonus and (line["paid"] or 0) >= BIG_ODDS * line["stake"]


def hit_in_its_turn(shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """The hit is dealt with after what comes before it at that seat."""
    steps = shift.setup.law.steps
    for step, effect in round_.effects("FreezeHit"):
        if step.name == "Resumed":
            continue
        place = place_in(steps, effect["wager"])
        # Two hits of a seat wait for one floorperson together.
        together = [each["wager"] for each in step.all("FreezeHit") if each["seat"] == effect["seat"]]
        later = [
            each
            for at, each in settlement(round_)
            if each["seat"] == effect["seat"]
            and at.entry > step.entry
            and each["wager"] not in together
            and 0 <= place_in(steps, each["wager"]) < place
        ]
        if later:
            first = later[0]["wager"]
            yield Finding(step.entry, f"the hit of seat {effect['seat']} came before its {first} was settled")


def documents(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Cards of a hit that is not paid from the tray stay until its documents are done."""
    shares = [step for step, effect in _hits(round_) if not effect.get("from_tray", True)]
    if not shares or not shift.setup.law.deal_keeps_documents or record["by_hand"] or record["void"]:
        return
    done = any(note["words"].startswith("documents") and note["by"] for note in record["notes"])
    if not done:
        yield Finding(round_.steps[-1].entry, "cleared before the documents of a hit were done", "documents")


ROUND_RULES = (
    RoundRule("forfeits first", "forfeits", "forfeits are collected before cards are turned", forfeits_first),
    RoundRule("seats in turn", "in turn", "from the dealer's right, counterclockwise", seats_in_turn),
    RoundRule("wagers in succession", "succession", "the chapter's order of wagers", wagers_in_succession),
    RoundRule("all settled", "succession", "every stake is settled", all_settled),
    RoundRule("hit validated", "validated", "a floorperson validates a hit", validated),
    RoundRule("hit in its turn", "succession", "a hit after what comes before it", hit_in_its_turn),
    RoundRule("documents", "documents", "documents before the cards go", documents),
)
