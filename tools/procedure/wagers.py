"""Wagers: offered, allowed, made before "no more bets", and the second ones in their turn (x.7, x.11(b))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deal import by_floor, is_progressive
from .finding import Finding, RoundRule
from .story import TURN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json
    from .story import Round

# 641a.7(d)(7): by the electronic wagering device.
ON_ACCOUNT = ("hand_bonus_player", "hand_bonus_dealer")


def offered(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Only what the Rules Submission offers, by no more players than the table has places."""
    always = {"ante", "aces_up"} if shift.setup.law.dealt_in_by_any else {"ante"}
    seats = min(shift.setup.law.seats, shift.setup.seats or shift.setup.law.seats)
    for seat, bets in record["bets"].items():
        for wager in bets:
            if wager not in always | shift.setup.offers:
                yield Finding(round_.lock.entry, f"seat {seat} has a {wager} wager, which is not offered")
        if not 1 <= int(seat) <= seats:
            yield Finding(round_.lock.entry, f"there is no seat {seat}", "seats")


def allowed(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Each optional wager has the wagers beside it that it needs."""
    for seat, bets in record["bets"].items():
        for wager in bets:
            for group in shift.setup.law.needs.get(wager, ()):
                if not set(group) & set(bets):
                    yield Finding(round_.lock.entry, f"seat {seat} has {wager} without {' or '.join(group)}")


def made_in_time(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """What the record has is what lay there at "no more bets"; the floor may settle a doubt of chips."""
    for seat, wager, words in _changed(round_, record):
        is_chips = is_progressive(shift, wager) and by_floor(shift, record)
        if wager not in ON_ACCOUNT and not is_chips:
            yield Finding(round_.lock.entry, f"seat {seat} {wager}: {words}")


def accounts_in_time(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The same of what is wagered by the electronic wagering system: the dealer locks it too."""
    for seat, wager, words in _changed(round_, record):
        if wager in ON_ACCOUNT:
            yield Finding(round_.lock.entry, f"seat {seat} {wager}: {words}")


def _changed(round_: Round, record: Json) -> Iterator[tuple[int, str, str]]:
    for seat in sorted({*map(int, record["bets"]), *round_.bets}):
        then, now = round_.bets.get(seat, {}), record["bets"].get(str(seat), {})
        for wager in sorted({*then, *now}):
            if then.get(wager, 0) != now.get(wager, 0):
                words = f"{_cents(then, wager)} at no more bets, {_cents(now, wager)} in the record"
                yield seat, wager, words


def _cents(bets: Json, wager: str) -> str:
    if wager not in bets:
        return "nothing"
    return "a wager of unknown value" if bets[wager] is None else f"{bets[wager]} cents"


def boxes(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A player on several boxes has adjacent ones, and no more than the operator allows."""
    of: dict[str, list[int]] = {}
    for seat, player in record["players"].items():
        of.setdefault(player, []).append(int(seat))
    for seats in of.values():
        first, last = min(seats), max(seats)
        if len(seats) > shift.setup.adjacent_boxes:
            yield Finding(
                round_.lock.entry, f"one player on boxes {_list(seats)}, {shift.setup.adjacent_boxes} allowed"
            )
        elif last - first + 1 != len(seats):
            yield Finding(round_.lock.entry, f"one player on boxes {_list(seats)}, which are not adjacent")


def _list(seats: list[int]) -> str:
    return ", ".join(map(str, sorted(seats)))


# ---------------------------------------------------------------- the second wagers


def asked_of(round_: Round, second: tuple[str, ...]) -> list[tuple[int, str, int]]:
    """Return who was asked for which wager, in order (seat, wager, entry); asked again at once is once."""
    found: list[tuple[int, str, int]] = []
    for step, effect in round_.effects("OpenSpots"):
        for seat, wager in effect["spots"]:
            if wager in second and (not found or found[-1][:2] != (seat, wager)):
                found.append((seat, wager, step.entry))
    return found


def in_order(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """From the dealer's left, nobody passed over; back only where an answer is corrected."""
    second = shift.setup.law.second
    backs = {step.entry for step in round_.steps if _goes_back(step.event, step.before)}
    last: tuple[int, int] = (0, 0)
    answered: set[tuple[int, str]] = set()
    for seat, wager, entry in asked_of(round_, second):
        street = second.index(wager)
        if (street, seat) < last and entry not in backs:
            yield Finding(entry, f"seat {seat} was asked for its {wager} after seat {last[1]}")
        if (street, seat) > last:
            for other in _antes(record):
                passed = other < seat and (other, wager) not in answered
                if passed and not _was_away(record, other) and not _folded_before(record, other, street):
                    yield Finding(
                        entry, f"seat {other} was passed over: seat {seat} was asked for its {wager}"
                    )
        answered.add((seat, wager))
        last = street, seat


def _goes_back(event: Json, before: Json) -> bool:
    is_listed = before.get("first", "").startswith(("CORRECT ENTRY", "RELEASE", "FLOOR", "UNDO", "CONFIRM"))
    return event.get("key") == "BACK" or (event.get("key") == "OK" and is_listed)


def _antes(record: Json) -> list[int]:
    return sorted(int(seat) for seat, bets in record["bets"].items() if "ante" in bets)


def _was_away(record: Json, seat: int) -> bool:
    """Whether a player left within the round, also one who was found to be there after all (x.7(b))."""
    said = any(note["words"].startswith(f"seat {seat} left the table") for note in record["notes"])
    return said or seat in record["left"]


def _folded_before(record: Json, seat: int, street: int) -> bool:
    """Whether a seat was out before this street: it folded with fewer second wagers than that."""
    return seat in record["folded"] and len(record["raises"].get(str(seat), ())) < street


def everybody_asked(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Before the dealer's cards are turned each Ante has its second wagers or is forfeited."""
    second, turned = shift.setup.law.second, round_.revealed
    is_exposed = record["irregularity"] in ("dealer_exposed", "community_exposed")
    if turned is None or record["by_hand"] or is_exposed or record["void"]:
        return
    asked = {(seat, wager) for seat, wager, _ in asked_of(round_, second)}
    for seat in _antes(record):
        made, is_out = len(record["raises"].get(str(seat), ())), seat in record["folded"]
        if seat in record["left"]:
            continue
        if not is_out and made != len(second):
            yield Finding(
                turned.entry, f"seat {seat} made {made} of {len(second)} second wagers and did not fold"
            )
        for wager in second[: made + is_out]:
            if (seat, wager) not in asked:
                yield Finding(turned.entry, f"seat {seat} was never asked for its {wager}")


def only_antes_asked(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Only who placed an Ante is asked."""
    for seat, wager, entry in asked_of(round_, shift.setup.law.second):
        if seat not in _antes(record):
            yield Finding(entry, f"seat {seat} has no ante and was asked for its {wager}")


def amounts(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A second wager is one to three times the Ante, one two or three times, or equal to it."""
    kind = shift.setup.law.multiples
    for seat, made in record["raises"].items():
        ante = record["bets"].get(seat, {}).get("ante")
        for cents in made:
            if ante is None or cents is None:
                continue
            times = {"equal": [ante], "whole": [ante, 2 * ante, 3 * ante]}.get(kind)
            if not (ante <= cents <= 3 * ante if times is None else cents in times):
                yield Finding(round_.lock.entry, f"seat {seat} raised {cents} on an ante of {ante} cents")


def turned_after_answers(shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """Nobody is asked for what should have been answered before a card was turned."""
    law, turned = shift.setup.law, 0
    for step in round_.steps if law.community else ():
        if step.is_ok and not step.is_refused and step.before.get("first", "").startswith(TURN):
            turned += 1
        for _, wager in (spot for effect in step.all("OpenSpots") for spot in effect["spots"]):
            if wager in law.second and law.second.index(wager) != turned:
                yield Finding(step.entry, f"asked for {wager} when {turned} community cards were turned")


ROUND_RULES = (
    RoundRule("offered", "wagers", "only wagers that are offered", offered),
    RoundRule("allowed", "wagers", "a wager stands beside what it needs", allowed),
    RoundRule(
        "made in time",
        "no more bets",
        "nothing made, increased or withdrawn after no more bets",
        made_in_time,
    ),
    RoundRule("accounts in time", "lock", "accounts are locked with the rest", accounts_in_time),
    RoundRule("boxes", "boxes", "adjacent boxes of one player", boxes),
    RoundRule("asked in order", "asked", "asked from the dealer's left, clockwise", in_order),
    RoundRule(
        "everybody asked", "asked", "each ante has its answer before cards are turned", everybody_asked
    ),
    RoundRule("only antes asked", "asked", "who has no ante is not asked", only_antes_asked),
    RoundRule("second wager", "asked", "the second wager is a multiple of the ante", amounts),
    RoundRule("turned after answers", "streets", "a community card after all answers", turned_after_answers),
)
