"""When cards go wrong: what x.13 makes of the round, and that a void gives everything back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deal import CARD_CAME, plan_of
from .finding import Finding, RoundRule
from .law import AUTOMATED, BEFORE_RAISES, OUR_POLICY, way
from .settle import stakes
from .story import REVEAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round

FACE_UP = ("one face up", "several face up")
EXPOSED = ("dealer exposed", "community exposed")
WRONG_NUMBER, DRAWN = "wrong count", "drawn in error"


def noted(round_: Round, record: Json, *words: str) -> list[int]:
    """Return the entries in which something was declared, less what was taken back or undone."""
    said = [note for note in record["notes"] if note["words"] in words]
    undone = [note for note in record["notes"] if note["words"].endswith("taken back")]
    names = {*words, "card face up"} if words == FACE_UP else set(words)
    gone = sum(note["words"].removesuffix(" taken back") in names for note in undone)
    gone += sum(effect["why"] in names for _, effect in round_.effects("RestoreRound"))
    entries = [round_.entry_at(note["at"]) for note in said]
    return entries[: max(0, len(entries) - gone)]


def is_over(round_: Round, record: Json) -> bool:
    """Whether the round ended void."""
    return bool(record["void"]) or round_.is_void


def several_face_up(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """More than one card face up in the shoe or the deck voids all hands."""
    found = noted(round_, record, *FACE_UP)
    if len(found) > 1 and not is_over(round_, record) and not record["by_hand"]:
        yield Finding(found[1], f"{len(found)} cards lay face up and the round was not void")


def face_up_not_used(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A card found face up goes to the discard rack and is nobody's."""
    plan = {each.position: each.place for each in plan_of(record)}
    for position in record["face_up"]:
        place = plan.get(position, "discard")
        if place != "discard" and not is_over(round_, record):
            yield Finding(round_.steps[-1].entry, f"card {position} lay face up and was used at {place}")


def drawn_is_next(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A card drawn in error, its face not seen, is the next card and not put back."""
    about = shift.setup.law.paragraph("drawn in error")
    for step, effect in round_.effects("RaiseFault"):
        if (
            effect["cite"] == about
            and step.name in CARD_CAME
            and "back" in effect.get("why", "") + _told(step)
        ):
            yield Finding(step.entry, "a card drawn in error was to be put back")
    if is_over(round_, record) and record["void"] == about:
        yield Finding(round_.steps[-1].entry, "the round was void for a card drawn in error")


def drawn_between(shift: Shift, step: Step) -> Iterator[Finding]:
    """The same of a card that left before the deal."""
    about = shift.setup.law.paragraph("drawn in error")
    if shift.round is None and step.name in CARD_CAME:
        for effect in step.all("RaiseFault"):
            if effect["cite"] == about and "BACK" in _told(step):
                yield Finding(step.entry, "a card drawn in error was to be put back")


def _told(step: Step) -> str:
    return " ".join(f"{each['first']} {each['second']}" for each in step.all("ShowPrompt"))


def wrong_number(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A wrong number of cards voids all hands; after a payment the floor may be asked (reading V16)."""
    found = noted(round_, record, WRONG_NUMBER)
    is_asked = shift.setup.reading("void_after_payment", "void") == "held"
    if found and not is_over(round_, record) and not is_asked and not record["by_hand"]:
        yield Finding(found[0], "a wrong number of cards was dealt and the round was not void")


def exposed(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A card of the dealer or of the board seen too early: four texts, four consequences."""
    found, law = noted(round_, record, *EXPOSED), shift.setup.law
    if not found or is_over(round_, record) or record["by_hand"]:
        return
    if law.exposed == BEFORE_RAISES and _raises_made(shift, round_, found[0]):
        return
    if law.exposed == "void":
        yield Finding(found[0], "a card of the dealer was seen and the round was not void")
        return
    yield from _contest_only(shift, round_, record, found[0])


def _raises_made(shift: Shift, round_: Round, entry: int) -> bool:
    """Whether every player had answered before an entry: nobody was asked any more."""
    second = shift.setup.law.second
    asks = [
        s.entry for s, e in round_.effects("OpenSpots") if any(wager in second for _, wager in e["spots"])
    ]
    locks = [
        s.entry for s, e in round_.effects("LockWagers") if any(wager in second for _, wager in e["spots"])
    ]
    return bool(locks) and max(asks, default=0) <= max(locks) < entry


def _contest_only(shift: Shift, round_: Round, record: Json, entry: int) -> Iterator[Finding]:
    """Ante and second wagers go back, what else was placed is settled."""
    base = shift.setup.law.base()
    returned = {(e["seat"], e["wager"]) for _, e in round_.effects("ReturnWager")}
    optional = [(seat, wager) for seat, wager in stakes(shift, record) if wager not in base]
    if not optional:
        yield Finding(entry, "no optional wager was placed and the round was not void")
    for seat, wager in stakes(shift, record):
        if wager in base and (seat, wager) not in returned and not _was_collected(shift, record, seat):
            yield Finding(entry, f"a card was seen, and {wager} of seat {seat} was not returned")
        elif wager not in base and (seat, wager) in returned and not _is_push(record, seat, wager):
            yield Finding(entry, f"a card was seen, and {wager} of seat {seat} was returned and not settled")


def _was_collected(shift: Shift, record: Json, seat: int) -> bool:
    return seat in record["folded"] and shift.setup.reading("void_forfeits", "returned") == "kept"


def _is_push(record: Json, seat: int, wager: str) -> bool:
    return any(
        (each["seat"], each["wager"], each["result"]) == (seat, wager, "push") for each in record["lines"]
    )


def gives_back(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """All wagers of a void round are returned to the players."""
    if not is_over(round_, record) or record["by_hand"]:
        return
    back = {(e["seat"], e["wager"]) for _, e in round_.effects("ReturnWager")}
    for _, effect in round_.effects("PayWager"):
        if effect["back"] or " to " in effect["odds"]:
            back.add((effect["seat"], effect["wager"]))
    keeps = shift.setup.reading("void_forfeits", "returned") == "kept"
    for seat, wager in stakes(shift, record):
        is_forfeited = keeps and seat in record["folded"] and wager in shift.setup.lost_by_fold()
        if (seat, wager) not in back and not is_forfeited:
            yield Finding(
                round_.steps[-1].entry,
                f"void, and {wager} of seat {seat} was not returned",
                _why(shift, record),
            )


def _why(shift: Shift, record: Json) -> str:
    """Which paragraph the void stands on, by its name."""
    found = [about for about, cite in shift.setup.law.paragraphs.items() if cite == record["void"]]
    return found[0] if found else "wrong number"


VOIDS = ("several face up", "face up", "wrong number", "exposed", "shoe", "wrong stub")


def voided_by_law(shift: Shift, round_: Round, _record: Json) -> Iterator[Finding]:
    """A round is void by a paragraph that says so; by a policy of the house only with the floor there."""
    law = shift.setup.law
    known = {
        law.paragraph(about, method) for about in VOIDS for method in ("hand", "auto_shoe", "manual_shoe")
    }
    for step, effect in round_.effects("VoidRound"):
        parts = {part.strip() for part in effect["cite"].split(",")}
        if effect["cite"] == OUR_POLICY or effect["cite"] not in known:
            by_text = {part.split("(")[0] for part in parts} & {cite.split("(")[0] for cite in known}
            if not by_text and "floor" not in step.unlocked:
                yield Finding(
                    step.entry, f"void by {effect['cite']}, and no floorperson was there", "wrong number"
                )


# What the display says once every card lies where it should.
AFTER_DEAL = ("STUB", "COUNT STUB", "SEAT", "TURN", *REVEAL)


def shoe_failed(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """An automated shoe that jams, stops or does not give all its cards voids the round."""
    if way(record["method"]) != AUTOMATED or is_over(round_, record) or record["by_hand"]:
        return
    ordered = 0
    # A count that the floor had made again and released was the sensor's slip and not the shoe's.
    is_whole = any(
        kind == "short_stack" and tested for step in round_.steps for kind, _, tested in step.lifted
    )
    for step in round_.steps:
        if step.name == "StackDispensed" and ordered and not step.is_refused:
            short = step.event["count"] < ordered and not is_whole
            ordered = 0
            if short:
                yield Finding(
                    step.entry, "the shoe gave fewer cards than were ordered and the round was not void"
                )
                return
        elif step.before.get("first", "").startswith(AFTER_DEAL):
            return
        elif ordered and (words := _fails(step)):
            yield Finding(step.entry, f"{words} before the deal was done, and the round was not void")
            return
        for effect in step.all("Dispense"):
            ordered = effect["count"]
    del shift


def _fails(step: Step) -> str:
    """What a shoe's word means, empty where it does not mean that it stopped."""
    if step.event.get("device") != "shoe":
        return ""
    return {"DeviceJammed": "the shoe jammed", "LinkLost": "the shoe was not heard any more"}.get(
        step.name, ""
    )


def covered_first(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Another method only when a device is out of order, and that covered or signed."""
    for kind, device in round_.faults:
        if kind == "out_of_order":
            yield Finding(
                round_.lock.entry, f"dealt while the {device} was out of order and neither covered nor signed"
            )
    if record["method"] != shift.setup.method and not round_.covered:
        words = f"dealt by {record['method']} instead of {shift.setup.method}, and no device was out of order"
        yield Finding(round_.lock.entry, words)


ROUND_RULES = (
    RoundRule("several face up", "several face up", "two cards face up void the round", several_face_up),
    RoundRule("face up not used", "face up", "a face-up card goes to the rack", face_up_not_used),
    RoundRule("drawn is next", "drawn in error", "a card drawn in error is the next card", drawn_is_next),
    RoundRule("wrong number", "wrong number", "a wrong number of cards voids the round", wrong_number),
    RoundRule("exposed", "exposed", "what an exposed card does", exposed),
    RoundRule("void gives back", "wrong number", "a void round returns every wager", gives_back),
    RoundRule("void by law", "wrong number", "a round is void by a paragraph", voided_by_law),
    RoundRule("shoe failed", "shoe", "a shoe that fails voids the round", shoe_failed),
    RoundRule("covered first", "out of order", "covered before another method", covered_first),
)
