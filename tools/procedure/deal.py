"""From "no more bets" to the stub: what is locked, counted and dealt, and in what order (x.8 to x.10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .finding import Finding, RoundRule
from .law import AUTOMATED, PACK, STUB_EVERY, way
from .story import CHIPS, COUNT_STUB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round

CARD_CAME = ("CardDrawn", "StackDispensed")
PLACED = re.compile(r"(?P<place>[\w:]+?)(?P<up>\^?)@(?P<position>\d+)$")


class Placed(NamedTuple):
    """A card of the plan: where it lies, and whether face up."""

    position: int
    place: str
    is_up: bool

    @property
    def seat(self) -> int:
        """Return whose it is, 0 where it is nobody's hand."""
        found = re.fullmatch(r"seat(\d+)", self.place)
        return int(found[1]) if found else 0


def plan_of(record: Json) -> list[Placed]:
    """Return the order of the deal as the record has it."""
    found = [PLACED.match(word) for word in record["plan"]]
    placed = [Placed(int(each["position"]), each["place"], bool(each["up"])) for each in found if each]
    return sorted(placed)


def first_card(round_: Round) -> Step | None:
    """Return the step in which the first card left, or was ordered; one that left unasked is dealt later."""
    for step in round_.steps:
        if step.has("Dispense") or (step.name in CARD_CAME and not (step.is_refused or _is_stray(step))):
            return step
    return next(iter(round_.confirmed("DEAL ")), None)


def _is_stray(step: Step) -> bool:
    """Whether a card left the shoe when none was due (x.13(b))."""
    return any(effect["fault"] == "card_out_of_turn" for effect in step.all("RaiseFault"))


def locked_first(shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """Every spot is locked at "no more bets", and none opens again but a second wager's."""
    for seat, wager in sorted(round_.open_spots):
        words = f"the {wager} spot of seat {seat} was open after no more bets"
        yield Finding(round_.lock.entry, words, "lock")
    for step, effect in round_.effects("OpenSpots"):
        for seat, wager in effect["spots"]:
            if wager not in shift.setup.law.second and step is not round_.steps[-1]:
                yield Finding(step.entry, f"the {wager} spot of seat {seat} was opened within the round")


def nothing_before_lock(shift: Shift, step: Step) -> Iterator[Finding]:
    """No stack is ordered from a shoe while bets are open."""
    if step.has("Dispense") and any(wager not in shift.setup.law.second for _, wager in shift.spots):
        yield Finding(step.entry, "cards were ordered from the shoe while bets were open")


def chips_counted(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Progressive chips are counted against the accepted wagers before a card leaves."""
    wagers = [(s, w) for s, bets in record["bets"].items() for w in bets if is_progressive(shift, w)]
    card = first_card(round_)
    if not wagers or card is None:
        return
    counted = [step.entry for step in round_.steps if step.before.get("first", "").startswith(CHIPS)]
    if not counted or counted[0] > card.entry:
        yield Finding(card.entry, f"dealt before {len(wagers)} progressive wagers were counted")
    elif record["chips"] != len(wagers) and not record["by_hand"]:
        is_seen = any("floor" in step.unlocked for step in round_.steps if step.entry <= card.entry)
        if not (is_seen and by_floor(shift, record)):
            words = f"{record['chips']} chips for {len(wagers)} progressive wagers, and no floorperson"
            yield Finding(card.entry, words)


def by_floor(shift: Shift, record: Json) -> bool:
    """Whether a floorperson resolved a difference of chips, and the record says who."""
    about = shift.setup.law.paragraph("lock", record["method"])
    return any(note["by"] and note["cite"].split("-")[0] in about for note in record["notes"] if note["cite"])


def is_progressive(shift: Shift, wager: str) -> bool:
    """Whether a wager's chips lie on the progressive device."""
    return wager in ("prog4", "prog5", "progressive") and wager in shift.setup.law.needs


def dealt_in(shift: Shift, record: Json) -> list[int]:
    """Return who is dealt a hand, from the dealer's left."""
    any_wager = shift.setup.law.dealt_in_by_any
    return sorted(
        int(seat) for seat, bets in record["bets"].items() if bets and (any_wager or "ante" in bets)
    )


def number_of_cards(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The plan gives each place what the text gives it, and nobody else anything."""
    law, plan = shift.setup.law, plan_of(record)
    if not plan:
        return
    wanted = {f"seat{seat}": law.hand for seat in dealt_in(shift, record)}
    wanted |= {"dealer": law.dealer} if law.dealer else {}
    wanted |= {"community": law.community} if law.community else {}
    for wager, (place, count) in law.shared.items():
        if any(wager in bets for bets in record["bets"].values()):
            wanted[place] = count
    counts = {place: sum(each.place == place for each in plan) for place in wanted}
    for place, count in wanted.items():
        if counts[place] != count:
            yield Finding(
                round_.lock.entry, f"{place} was to get {count} cards and was given {counts[place]}"
            )
    for each in plan:
        if each.seat and each.place not in wanted:
            yield Finding(round_.lock.entry, f"seat {each.seat} was dealt in and has no wager that allows it")
            return


def order_of_cards(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """From the dealer's left, one card or one stack each; the dealer after the players."""
    hands = [each.place for each in plan_of(record) if each.seat or each.place == "dealer"]
    law, seats = shift.setup.law, [f"seat{seat}" for seat in dealt_in(shift, record)]
    if not hands or len(hands) != law.hand * len(seats) + law.dealer:
        return
    if way(record["method"]) == AUTOMATED:
        allowed = [[seat for seat in seats for _ in range(law.hand)] + ["dealer"] * law.dealer]
        dealer_first = ["dealer"] * law.dealer + [seat for seat in seats for _ in range(law.hand)]
        may_be_first = record["method"] == "auto_shoe_reshuffle" or shift.setup.chapter == "md4cp"
        allowed += [dealer_first] if may_be_first else []
    else:
        dealer = ["dealer"] if law.dealer else []
        laps = (seats + dealer) * law.hand
        allowed = [laps + dealer * (law.dealer - law.hand)]
    if hands not in allowed:
        at = next(
            (n for n, pair in enumerate(zip(hands, allowed[0], strict=False), 1) if pair[0] != pair[1]), 0
        )
        yield Finding(
            round_.lock.entry, f"card {at} of the hands goes to {hands[at - 1]}, not to {allowed[0][at - 1]}"
        )


def face_down(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Everything is dealt face down but the dealer's sixth card of Four Card Poker.

    From an automated shoe it is "the bottom card" of a stack: its last one or its first (reading D1).
    """
    plan, law = plan_of(record), shift.setup.law
    dealers = [each for each in plan if each.place == "dealer"]
    is_automated = way(record["method"]) == AUTOMATED
    is_first = is_automated and shift.setup.reading("stack_bottom", "last") == "first"
    up = [each for each in dealers if each.is_up] if is_first else dealers[-1:]
    wanted = up[:1] if law.face_up and len(dealers) == law.dealer else []
    for each in plan:
        if each.place != "discard" and each.is_up != (each in wanted):
            way_up = "up" if each.is_up else "down"
            yield Finding(round_.lock.entry, f"card {each.position} was dealt face {way_up} to {each.place}")
    if law.face_up and len(dealers) == law.dealer and not wanted:
        yield Finding(round_.lock.entry, "no card of the dealer was dealt face up")


# ---------------------------------------------------------------- the stub


def stub_due(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The stub is counted at least every five rounds, unless a device counted this deck."""
    deck, scope = round_.decks.get(record["deck"]), shift.setup.reading("stub_count_scope", "both")
    now = shift.decks.get(record["deck"])
    if record["stub"] is not None or (deck is not None and deck.counted and deck.is_by_device):
        shift.since_count = -1
        if now is not None:
            now.since_count = -1
        return
    if any(effect["deck"] == record["deck"] for _, effect in round_.effects("RemoveDeck")):
        return  # no number of its cards means anything; the next deck's stub is counted
    by_deck = now.since_count + 1 if now is not None and scope != "table" else 0
    rounds = max(by_deck, shift.since_count + 1 if scope != "deck" else 0)
    if rounds >= STUB_EVERY:
        yield Finding(record_entry(round_), f"{rounds} rounds have passed and no stub was counted")


def record_entry(round_: Round) -> int:
    """Return the entry that has the record."""
    return round_.steps[-1].entry


def stub_right(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A stub that does not make 52 with the cards that left voids the round."""
    out = sum(map(len, record["public"].values())) + sum(record["hidden"].values())
    stub = record["stub"]
    if stub is None or record["void"] or record["by_hand"]:
        return
    if stub + out != PACK:
        yield Finding(
            record_entry(round_),
            f"{stub} in the stub and {out} on the felt, and the round was not void",
            "wrong stub",
        )


def stub_blind(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A count is made by counting: what it ought to be is not shown before anything is entered."""
    out = sum(map(len, record["public"].values())) + sum(record["hidden"].values())
    yield from _told_before(round_, COUNT_STUB, PACK - out, "the stub was counted")


def chips_blind(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The dealer counts chips and is not told how many there should be."""
    wagers = sum(is_progressive(shift, wager) for bets in record["bets"].values() for wager in bets)
    if wagers:
        yield from _told_before(round_, CHIPS, wagers, "the chips were counted")


def _told_before(round_: Round, words: str | tuple[str, ...], number: int, what: str) -> Iterator[Finding]:
    for step, effect in round_.effects("ShowPrompt"):
        if effect["first"].startswith(words):
            # A line with + or < names keys, and by how many they count.
            lines = [line for line in (effect["first"], effect["second"]) if not set(line) & set("+<")]
            if str(number) in " ".join(lines).replace(":", " ").split():
                yield Finding(step.entry, f"the display showed {number} before {what}")
            return


ROUND_RULES = (
    RoundRule("locked before the deal", "no more bets", "nothing opens after no more bets", locked_first),
    RoundRule("chips counted", "lock", "progressive chips are counted before the deal", chips_counted),
    RoundRule("chips counted blind", "lock", "the count is not told before it is made", chips_blind),
    RoundRule("number of cards", "deal", "each place gets its cards", number_of_cards),
    RoundRule("order of cards", "deal", "from the dealer's left, the dealer last", order_of_cards),
    RoundRule("face down", "deal", "cards are dealt face down", face_down),
    RoundRule("stub due", "stub", "the stub is counted every five rounds", stub_due),
    RoundRule("stub right", "stub", "a wrong stub voids the round", stub_right),
    RoundRule("stub counted blind", "stub", "the count is not told before it is made", stub_blind),
)
