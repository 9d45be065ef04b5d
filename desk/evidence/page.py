"""The page of an evidence pack: a round or a fault as people read it, on a screen and on paper.

One file with nothing to load. It shows only what the pack's signed files say; that they hold is proved by the
two commands in its last part, never by the page.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.rules.payouts import dollars, dollars_or
from sabot.rules.round import RESULT_WORDS
from sabot.statemachine.state.ledger import money

STYLE = """
:root { --ink: #16181d; --quiet: #667; --rule: #d5d8de; --red: #b3122a; --green: #14532d; }
* { box-sizing: border-box; }
body { font: 15px/1.45 Georgia, 'Times New Roman', serif; color: var(--ink); max-width: 60rem;
  margin: 2.5rem auto; padding: 0 1.5rem; }
header { border-top: 6px solid var(--green); padding-top: .8rem; }
header p { margin: 0; color: var(--quiet); letter-spacing: .08em; text-transform: uppercase; font-size:
.75rem; } h1 { margin: .1rem 0 .8rem; font-size: 2.1rem; font-weight: 600; }
h2 { font-size: 1.15rem; border-bottom: 1px solid var(--rule); padding-bottom: .25rem; margin-top: 2.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .6rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: normal; color: var(--quiet); font-size: .85rem; }
th, td { padding: .22rem .7rem .22rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.seat td:nth-child(-n+4):not(:first-child), .seat th:nth-child(-n+4):not(:first-child) { text-align: right; }
small { color: var(--quiet); } code { font: .85em ui-monospace, Menlo, Consolas, monospace; }
.card { display: inline-block; border: 1px solid var(--rule); border-radius: .3rem; padding: .1rem .4rem;
  margin-right: .15rem; font-size: 1.1rem; background: #fff; }
.red { color: var(--red); } .hand { margin: .5rem 0 .2rem; } .hand b { display: inline-block; min-width: 6rem;
} .seat { margin: 1.1rem 0; break-inside: avoid; } .felt { border-left: 4px solid var(--green); padding-left:
.9rem; } .fate { border: 2px solid var(--red); color: var(--red); padding: .4rem .8rem; font-weight: 600; }
.timeline td { font-size: .88rem; } ul { padding-left: 1.2rem; }
@media print { body { margin: 0; max-width: none; font-size: 10.5pt; padding: 0; }
  tr { break-inside: avoid; } h2 { break-after: avoid; } @page { margin: 18mm 16mm; } }
"""


SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED = frozenset("hd")
# Effects that are no news to a reader: what signs, prompts and lamps show, and what is on the page already.
QUIET = frozenset({"SetMeter", "ShowPrompt", "LightSeat", "WakeAt", "OpenSpots", "RecordRound"})
# The fields of an entry that is no event which are shown, in this order.
OTHERS = {
    "command": ("by", "role", "second", "command", "arguments", "why", "result", "reason"),
    "start": ("version", "python", "table", "chapter"),
    "unsealed": ("round", "by", "cause"),
    "anchor": ("entries", "export", "by", "cause"),
    "restored": ("by", "cause"),
    "cleared": ("by", "cause"),
}
_SEAT = re.compile(r"^seat(\d+)$")
NOT_FOR_PLAY = "NOT FOR PLAY: a simulated table"


class PageProof(NamedTuple):
    """The facts for the last part of the page."""

    board: str
    head: Entry | None
    slice_digest: str
    made: str
    version: str
    is_simulated: bool


def page(
    what: str,
    number: int,
    entries: Sequence[Entry],
    records: Sequence[Any],
    start: Mapping[str, Any],
    proof: PageProof,
) -> str:
    """Return the whole page."""
    title = f"Round {number}" if what == "round" else f"Fault latched in entry {number}"
    simulated = f'<p class="fate">{NOT_FOR_PLAY}</p>' if proof.is_simulated else ""
    parts = [
        f"<header><p>Sabot evidence pack</p><h1>{title}</h1>{simulated}{_where(entries, start)}</header>",
        *(_round(record) for record in records[-1:]),
        _section("What happened, entry by entry", _timeline(entries)),
        _section("Proof", _proof(entries, proof)),
    ]
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    return f"{head}<style>{STYLE}</style></head>\n<body>\n{''.join(parts)}</body></html>\n"


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>\n"


def _where(entries: Sequence[Entry], start: Mapping[str, Any]) -> str:
    setup = start.get("setup", {})
    facts = {
        "table": start.get("table", "unknown"),
        "chapter": start.get("chapter", setup.get("chapter", "unknown")),
        "from": entries[0].stamp.utc,
        "to": entries[-1].stamp.utc,
        "entries": f"{entries[0].number} to {entries[-1].number}",
    }
    if not all(entry.stamp.trusted for entry in entries):
        facts["clock"] = "some times were not vouched for"
    return _facts(facts)


def _facts(facts: Mapping[str, object]) -> str:
    rows = (f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in facts.items())
    return f"<dl>{''.join(rows)}</dl>"


# ---------------------------------------------------------------- a round


def _round(record: Mapping[str, Any]) -> str:
    facts = {
        "deck": f"{record['deck']}, lot {record['lot']}, {record['proof'] or 'not proved'}",
        "dealt by": f"{record['method']}, cards known: {record['knowledge']}".replace("_", " "),
        "dealer": record["dealer"],
        "floor": record["floor"],
    }
    fate = record["void"] or record["irregularity"]
    mark = f'<p class="fate">{escape(fate)}</p>' if fate else ""
    shared = [place for place in record["public"] if not place.startswith("seat")]
    board = "".join(_hand(place, record) for place in shared)
    seats = "".join(_seat(seat, record) for seat in record["bets"])
    content = f'{_facts(facts)}{mark}<div class="felt">{board}</div>{seats}{_meters(record)}{_notes(record)}'
    return _section("The round", content)


def _hand(place: str, record: Mapping[str, Any]) -> str:
    hand = record["hands"].get(place, "").replace("_", " ")
    cards = "".join(map(_card, record["public"][place]))
    return f'<div class="hand"><b>{_place(place)}</b> {cards} <i>{escape(hand)}</i></div>'


def _place(name: str) -> str:
    """Return a place of the felt in words: seat 1, dealer, six card."""
    return escape(_SEAT.sub(r"seat \1", name).replace("_", " "))


def _card(name: str) -> str:
    rank, suit = name[:-1], name[-1]
    red = " red" if suit in RED else ""
    rank = "10" if rank == "T" else rank
    return f'<span class="card{red}">{escape(rank)}{SUITS.get(suit, escape(suit))}</span>'


def _seat(seat: str, record: Mapping[str, Any]) -> str:
    place = f"seat{seat}"
    if place in record["public"]:
        hand = _hand(place, record)
    else:
        count = record["hidden"].get(place, 0)
        hand = f'<div class="hand"><b>{_place(place)}</b> {count} cards that never became public</div>'
    rows = [_line(line) for line in record["lines"] if str(line["seat"]) == seat]
    if not rows:
        stakes = record["bets"][seat].items()
        rows = [f"<tr><td>{escape(wager)}</td><td>{dollars_or(cents)}</td></tr>" for wager, cents in stakes]
    head = "<tr><th>wager</th><th>stake</th><th>paid</th><th>back</th><th>what and where</th></tr>"
    return f'<div class="seat">{hand}<table>{head}{"".join(rows)}</table></div>'


def _line(line: Mapping[str, Any]) -> str:
    words = line["text"] or RESULT_WORDS.get(line["result"], line["result"])
    money_cells = "".join(f"<td>{dollars_or(line[name])}</td>" for name in ("stake", "paid", "back"))
    cite = f"{escape(words)} <small>{escape(line['cite'])}</small>"
    return f"<tr><td>{escape(line['wager'].replace('_', ' '))}</td>{money_cells}<td>{cite}</td></tr>"


def _meters(record: Mapping[str, Any]) -> str:
    rows = [
        f"<tr><td>{escape(meter)} {escape(level)}</td><td>{dollars(before)}</td>"
        f"<td>{dollars(record['meters'][meter][level])}</td></tr>"
        for meter, levels in record["meters_before"].items()
        for level, before in levels.items()
    ]
    head = "<tr><th>meter</th><th>before settling</th><th>after</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>" if rows else ""


def _notes(record: Mapping[str, Any]) -> str:
    rows = [
        f"<li>{escape(note['words'])} <small>{escape(note['cite'])} {escape(note['by'])}</small></li>"
        for note in (*record["notes"], *record["late"])
    ]
    return f"<ul>{''.join(rows)}</ul>" if rows else ""


# ---------------------------------------------------------------- entries


def _timeline(entries: Iterable[Entry]) -> str:
    head = "<tr><th>entry</th><th>UTC</th><th>what</th><th>link</th></tr>"
    rows = (
        f"<tr><td>{entry.number}</td><td>{escape(entry.stamp.utc[11:])}</td>"
        f"<td>{''.join(_told(entry))}</td><td><code>{entry.link.hex()[:12]}</code></td></tr>"
        for entry in entries
    )
    return f'<table class="timeline">{head}{"".join(rows)}</table>'


def _told(entry: Entry) -> Iterator[str]:
    body = json.loads(entry.body)
    if entry.kind != EVENT:
        yield f"<b>{escape(entry.kind)}</b>{_other(entry.kind, body)}"
        return
    seal = " <small>cards sealed</small>" if entry.sealed else ""
    yield f"<b>{escape(_words(body['event'], 'event'))}</b>{seal}"
    for effect in body["effects"]:
        if effect["effect"] not in QUIET:
            yield f"<br>{escape(_words(effect, 'effect'))}"
    for account, causes in body.get("moves", {}).items():
        moved = ", ".join(f"{what} {money(units)}" for what, units in causes.items())
        yield f"<br><small>{escape(account)}: {escape(moved)}</small>"


def _other(kind: str, body: Mapping[str, Any]) -> str:
    """Return the words of an entry that is no event: who ordered what and why, which program started."""
    said = [f"{name} {_brief(body[name])}" for name in OTHERS.get(kind, ()) if body.get(name)]
    return f": {escape(', '.join(said))}" if said else ""


def _brief(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(str, value.values()))
    if isinstance(value, list):
        return " and ".join(f"{each['number']} {each['name']} ({each['role']})" for each in value)
    return str(value)


def _words(value: Mapping[str, Any], kind: str) -> str:
    said = (f"{name} {_plain(each)}" for name, each in value.items() if name not in (kind, "at") and each)
    return f"{value[kind]}: {', '.join(said)}".rstrip(": ")


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"{len(value)} of them" if value and value[0] is None else " ".join(map(_plain, value))
    return str(value)


# ---------------------------------------------------------------- proof


def _proof(entries: Sequence[Entry], proof: PageProof) -> str:
    head = proof.head
    covers = f"entry {head.number} signs all before it" if head else "none came after it yet"
    facts = {
        "board": proof.board,
        "first link": entries[0].link.hex(),
        "last link": entries[-1].link.hex(),
        "signed head": covers,
        "journal.jsonl": f"SHA-256 {proof.slice_digest}",
        "program": f"Sabot {proof.version}",
        "pack made": proof.made,
    }
    how = (
        "<p>With Sabot: <code>sabot evidence verify PACK.zip --key BOARD</code>. Without it: unpack, then "
        "<code>python3 check_journal.py journal.jsonl --key BOARD</code>. Compare BOARD with the key that "
        "was written down when the table was commissioned; a key that a file brings with it proves "
        "nothing.</p>"
    )
    return _facts(facts) + how
