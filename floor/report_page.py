"""A gaming day of the floor as one page: a file with nothing to load, for a screen, an archive and paper."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from sabot.floor.money import words
from sabot.floor.report_text import plays
from sabot.rules.payouts import dollars

Json = dict[str, Any]
Cells = Iterable[object]

STYLE = """
:root { color-scheme: light dark; --ink: #16181d; --quiet: #565c66; --rule: #c9cdd4; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef2; --quiet: #a9b0bb; --rule: #4a505a; --back: #15171b; } }
* { box-sizing: border-box; }
body { font: 15px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 62rem;
  margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
p { margin: .2rem 0; color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--rule); vertical-align: top;
  text-align: left; }
thead th { font-weight: normal; color: var(--quiet); } tbody th { font-weight: 600; }
.sum { text-align: right; white-space: nowrap; }
@media print { :root { --ink: #000; --quiet: #333; --rule: #999; --back: #fff; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } .wide { overflow: visible; }
  thead { display: table-header-group; } tr { break-inside: avoid; } h2 { break-after: avoid; }
  @page { margin: 16mm 14mm; } }
"""
MONEY = ("Wagers", "Handle", "Payouts from meters", "Win", "Hold %")
FIRST_SUM = 2
ABOUT = "Linked meters alone: what a wager pays without a meter is in the report of its table."


def page(found: Json) -> str:
    """Return the page of a report."""
    of_table = f", table {found['table']}" if found["table"] else ""
    title = f"Gaming day {found['day']}{of_table}"
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(found['facility'])}. {ABOUT}</p>",
        _table(
            "Wagers, payouts, handle, win and hold", ("Link", "Wager", *MONEY), map(_money, found["figures"])
        ),
        _table("By table", ("Table", "Link", "Wager", *MONEY), _by_table(found), first_sum=3),
        _table(
            "Rounds and faults, as the tables say",
            ("Table", "Faults by kind", "Rounds", "An hour"),
            _play(found),
        ),
        _table(
            "Meters", ("Link", "Level", "As the day began", "As it ended", "On the signs"), _meters(found)
        ),
        _table(
            "Hits", ("Entry", "When", "Table", "Level", "Seats", "State", "Amount"), _hits(found), first_sum=6
        ),
        _table("Accounts, by cause", ("Account", "Cause", "On that day"), _accounts(found)),
    ]
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = "\n".join(each for each in parts if each)
    return f"{head}{view}<style>{STYLE}</style></head>\n<body><main>{body}</main></body></html>\n"


def _table(title: str, heads: Iterable[str], rows: Iterable[Cells], first_sum: int = FIRST_SUM) -> str:
    """Return a table below its title, nothing where it has no row; cells from ``first_sum`` on are sums."""
    body = "".join(f"<tr>{''.join(_cells(row, first_sum))}</tr>" for row in rows)
    if not body:
        return ""
    head = "".join(
        f'<th scope="col"{_class(at, first_sum)}>{escape(each)}</th>' for at, each in enumerate(heads)
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>{title}</h2><div class="wide" tabindex="0" role="region" aria-label="{title}">{table}</div>'


def _cells(row: Cells, first_sum: int) -> Iterator[str]:
    for at, each in enumerate(row):
        text = escape(str(each))
        yield f'<th scope="row">{text}</th>' if at == 0 else f"<td{_class(at, first_sum)}>{text}</td>"


def _class(at: int, first_sum: int) -> str:
    return ' class="sum"' if at >= first_sum else ""


def _money(each: Json) -> Cells:
    sums = (each["handle_cents"], each["from_meters_cents"], each["win_cents"])
    return (each["link"], each["wager"], each["wagers"], *map(dollars, sums), each["hold_percent"] or "-")


def _by_table(found: Json) -> Iterator[Cells]:
    if not found["table"]:
        yield from ((each["table"], *_money(row)) for each in found["tables"] for row in each["figures"])


def _play(found: Json) -> Iterator[Cells]:
    yield from ((name, faults, rounds, an_hour) for name, rounds, an_hour, faults in plays(found))


def _meters(found: Json) -> Iterator[Cells]:
    for each in found["meters"]:
        ends = (words(each["opened_units"]), words(each["closed_units"]), dollars(each["cents"]))
        yield each["link"], each["level"], *ends


def _hits(found: Json) -> Iterator[Cells]:
    for each in found["hits"]:
        state = each["state"] + (", by hand" if each["by_hand"] else "")
        seats, level = ", ".join(map(str, each["seats"])), f"{each['link']}.{each['level']}"
        yield each["entry"], each["at"], each["table"], level, seats, state, dollars(each["cents"])


def _accounts(found: Json) -> Iterator[Cells]:
    for account, causes in sorted(found["accounts_units"].items()):
        yield from ((account, cause, words(units)) for cause, units in causes.items())
        yield account, "together", words(sum(causes.values()))
