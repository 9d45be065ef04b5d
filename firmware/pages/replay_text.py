"""A replayed shift for people: the record of a round as a table, and one event after the other."""

from collections.abc import Callable, Iterator

from sabot.firmware.pages.settle_table import outcome_table
from sabot.firmware.pages.text_page import WIDTH
from sabot.rules.display import WIDTH as DISPLAY
from sabot.rules.payouts import dollars
from sabot.rules.round import Outcome, Round, Seat
from sabot.statemachine.linked import unknown
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import Note

_HOUR, _MINUTE = 3600, 60
When = Callable[[float], str]


def clock(seconds: float) -> str:
    """Return a time of the shift: hours, minutes, seconds since the controller started."""
    whole = int(seconds)
    return f"{whole // _HOUR}:{whole % _HOUR // _MINUTE:02}:{whole % _MINUTE:02}"


def plain(text: str) -> str:
    """Return a text that cannot move the cursor of a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


# ---------------------------------------------------------------- a round


def round_table(setup: Setup, record: RoundRecord, when: When = clock) -> str:
    """Return the record of a round; ``when`` words a time, where more is known than monotonic seconds."""
    outcome = outcome_table(setup.chapter, *_settled(setup, record))
    return plain_lines([*_head(record, when), outcome, *_foot(record, when)])


def plain_lines(parts: list[str]) -> str:
    """Return parts of a text as one, each line of them made plain."""
    return "\n".join(plain(line) for part in parts for line in part.split("\n"))


def _head(record: RoundRecord, when: When) -> Iterator[str]:
    yield "═" * WIDTH
    deck = f"deck {record.deck}" + (f" of lot {record.lot}" if record.lot else "")
    proof = f" ({record.proof})" if record.proof else ""
    way = f"{record.method} with {record.knowledge}".replace("_", " ")
    times = f"{when(record.started_at)} to {when(record.ended_at)}"
    yield f"ROUND {record.number}, {times}"
    yield f"{deck}{proof}, dealt by {way}, dealer {record.dealer}"
    yield "─" * WIDTH


def _settled(setup: Setup, record: RoundRecord) -> tuple[Round, Outcome]:
    """Return the round and its outcome in the words of ``rules``, as far as they became public."""
    seats = tuple(
        Seat(
            number,
            record.players[number],
            bets,
            record.public.get(f"seat{number}"),
            folded=number in record.folded,
            abandoned=number in record.left,
        )
        for number, bets in record.bets.items()
    )
    places = {place: cards for place, cards in record.public.items() if not place.startswith("seat")}
    order = tuple(dict.fromkeys(line.seat for line in record.lines))
    # The amounts of linked meters are the floor's: they stand here as settlement took them.
    return (
        Round(record.chapter, setup.options, seats, places, record.meters_before | unknown(setup)),
        Outcome(order, record.void or None, record.lines, record.meters, record.hands, {}),
    )


def _foot(record: RoundRecord, when: When) -> Iterator[str]:
    if not record.lines:
        yield from (f"  seat {seat}: {_stakes(record, seat)}" for seat in record.bets)
    if record.by_hand:
        yield "finished by hand"
    if record.hidden:
        yield f"cards that never became public: {', '.join(map(_hidden, record.hidden.items()))}"
    for hit in record.hits:
        what = f"{hit.wager} {hit.row.replace('_', ' ')}, {dollars(hit.cents)}"
        yield f"hit at seat {hit.seat}: {what}, validated by {hit.validated_by}"
    notes = sorted((*record.notes, *record.late), key=lambda note: note.at)
    yield from (_note(note, when) for note in notes)


def _hidden(cards: tuple[str, int]) -> str:
    place, count = cards
    return f"{place.replace('seat', 'seat ').replace('_', ' ')} {count}"


def _stakes(record: RoundRecord, seat: int) -> str:
    stakes = [*record.bets[seat].items(), *(("raise", cents) for cents in record.raises.get(seat, ()))]
    return ", ".join(f"{wager} {'?' if cents is None else dollars(cents)}" for wager, cents in stakes)


def _note(note: Note, when: When) -> str:
    cite = f"  [{note.cite}]" if note.cite else ""
    by = f", {note.by}" if note.by else ""
    return f"  {when(note.at)}  {note.words}{by}{cite}"


# ---------------------------------------------------------------- events and effects


def words(value: dict[str, object]) -> str:
    """Return an event or effect in a line: its name, its fields, its paragraph."""
    name = str(value.get("event", value.get("effect")))
    fields = (each for each in value.items() if each[0] not in ("event", "effect", "at", "cite"))
    said = [f"{field}={_short(each)}" for field, each in fields if each not in ("", [], None)]
    cite = [f"[{value['cite']}]"] if value.get("cite") else []
    return plain(" ".join((name, *said, *cite)))


def _short(value: object) -> str:
    if not isinstance(value, list):
        return f"'{value}'" if isinstance(value, str) and " " in value else str(value)
    if all(each is None for each in value):
        return f"{len(value)} cards"
    return ", ".join(" ".join(map(str, each)) if isinstance(each, list) else f"'{each}'" for each in value)


def display(first: str, second: str) -> str:
    """Return the dealer's two lines as the display shows them."""
    edge = "─" * DISPLAY
    return "\n".join(
        (
            f"    ┌{edge}┐",
            f"    │{first:<{DISPLAY}}│",
            f"    │{second:<{DISPLAY}}│",
            f"    └{edge}┘",
        )
    )
