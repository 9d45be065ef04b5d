"""An outcome as a table for people: seat by seat, a sentence for each line, the sums below."""

from collections.abc import Iterator

from sabot.rules.cards import pictures
from sabot.rules.chapter import Chapter
from sabot.rules.payouts import dollars, dollars_or
from sabot.rules.round import RESULT_WORDS, Line, Outcome, Round, Seat

_WIDTHS = (24, 10, 10, 10)


def outcome_table(chapter: Chapter, round_: Round, outcome: Outcome) -> str:
    """Return the whole outcome as text."""
    return "\n".join(_rows(chapter, round_, outcome))


def _rows(chapter: Chapter, round_: Round, outcome: Outcome) -> Iterator[str]:
    yield chapter.document
    for place, cards in round_.places.items():
        if place != "dealer_first":
            name = outcome.hands.get(place, "").replace("_", " ")
            yield f"  {place.replace('_', ' '):<16} {pictures(cards)}" + (f"   {name}" if name else "")
    if outcome.void:
        yield f"  THE ROUND IS VOID under {outcome.void}: {_void_words(outcome)}"
    seats = {seat.number: seat for seat in round_.seats}
    for number in outcome.settle_order:
        yield ""
        yield _seat_title(seats[number], outcome)
        yield f"  {'wager':<24} {'stake':>10} {'paid':>10} {'back':>10}   what and where"
        lines = [line for line in outcome.lines if line.seat == number]
        yield from (_line(chapter, line) for line in lines)
        nets = [line.net for line in lines]
        total = dollars(sum(net for net in nets if net is not None))
        unknown = " and what the unknown stakes win" if None in nets else ""
        yield f"  {'net':<24} {total:>10}{unknown}"
    yield from _footer(round_, outcome)


def _void_words(outcome: Outcome) -> str:
    settled = any(line.result not in ("returned", "forfeit") for line in outcome.lines)
    return "antes and raises go back, optional wagers are settled" if settled else "every wager goes back"


def _seat_title(seat: Seat, outcome: Outcome) -> str:
    hand = outcome.hands.get(f"seat{seat.number}", "").replace("_", " ")
    state = "left the table" if seat.abandoned else "folded" if seat.folded else ""
    parts = [f"seat {seat.number}", pictures(seat.cards or ()), hand, state]
    return "  ".join(part for part in parts if part)


def _line(chapter: Chapter, line: Line) -> str:
    base, _, rest = line.wager.partition(":")
    title = chapter.wagers[base].title if base in chapter.wagers else base.replace("_", " ")
    name = f"{title} {rest.replace('_', ' ')}".strip()
    words = line.text or (line.row or "").replace("_", " ") or RESULT_WORDS[line.result]
    cut = f", cut from {dollars(line.uncut)} by the payout limit" if line.uncut is not None else ""
    sums = f"{dollars_or(line.stake):>10} {dollars_or(line.paid):>10} {dollars_or(line.back):>10}"
    return f"  {name[:24]:<24} {sums}   {words}{cut}  [{line.cite}]"


def _footer(round_: Round, outcome: Outcome) -> Iterator[str]:
    for name, levels in outcome.meters.items():
        for level, value in levels.items():
            before = round_.meters[name][level]
            change = "" if value == before else f"   (was {dollars(before)})"
            yield f"meter {name} {level}: {dollars(value)}{change}"
    for name, answer in outcome.readings.items():
        yield f"reading {name}={answer} decided something here (see `sabot chapter {round_.chapter}`)"
