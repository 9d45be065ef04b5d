"""``sabot report day``: a gaming day as finance reads it, out of the journal."""

import argparse
from collections.abc import Iterator
from datetime import UTC, date, datetime

from sabot.firmware.commands.replay_text import plain
from sabot.firmware.commands.state_folder import add_place, place_of, print_json, print_page
from sabot.firmware.journal import gaming_day, money, store, verify
from sabot.firmware.journal.gaming_day import DayReport
from sabot.firmware.progress import ProgressBar
from sabot.statemachine.ledger import money as amount

EPILOG = """\
The gaming day begins when the table file says ([day] starts, zone). Entries belong to it by their UTC; how
many of them had a clock that nobody vouched for is said. The chain is not proved here: that is `sabot journal
verify`.

examples:
  sabot report day                      the gaming day that is running
  sabot report day --date 2026-01-31    the one that began on this day
  sabot report day --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=["day"], help="which report")
    parser.add_argument("--date", type=date.fromisoformat, help="the day on which it began, YYYY-MM-DD")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Report a day."""
    place = place_of(args)
    when = args.date or gaming_day.day_of(place.day, datetime.now(UTC))
    with place.journal() as db:
        tick = ProgressBar().stage("the journal", max(1, store.last_of(db)[0]))
        number, _ = verify.beginning(db, place.board.public_key)
        span = gaming_day.bounds(place.day, when)
        found = gaming_day.report(db, span, money.carried(db, number), tick)
    if args.json:
        print_json({"date": when.isoformat(), "simulated": place.is_simulated, **found.as_json()})
    else:
        print_page(place, map(plain, _lines(when, found)))
    return 0


def _lines(when: date, found: DayReport) -> Iterator[str]:
    yield f"GAMING DAY {when.isoformat()}"
    yield f"  {found.begins} to {found.ends}, entries {found.first} to {found.last}"
    if found.untrusted:
        yield f"  {found.untrusted} of them have a time that nobody vouched for"
    yield ""
    yield from (f"  {what:<18}{count:>8}" for what, count in sorted(found.counts.items()) if count)
    for account in sorted(found.opened.keys() | found.moves):
        causes, opened = found.moves.get(account, {}), found.opened.get(account, 0)
        yield ""
        yield f"  {account:<32}{amount(opened):>20}"
        yield from (f"    {what:<30}{amount(units):>20}" for what, units in causes.items())
        yield f"    {'at the end':<30}{amount(opened + sum(causes.values())):>20}"
    for number, lines in enumerate(found.closing, 1):
        yield ""
        yield f"  closing report {number}"
        yield from (f"    {line}" for line in lines)
    yield from (f"  adjusted, {cause}" for cause in found.causes)
