"""A floor as people read it: the lines of every answer of ``sabot floor``, from its plain values."""

from collections.abc import Iterator
from typing import Any

from sabot.floor.configs import KeptConfig, states
from sabot.floor.money import words
from sabot.floor.order_file import OrderFile
from sabot.rules.payouts import dollars

Json = dict[str, Any]
BESIDE = ("reserve", "overflow", "open", "held")


def meters(found: Json) -> Iterator[str]:
    """Yield every link with its levels."""
    yield f"LINKED METERS of {found['facility']}"
    for link in found["links"]:
        runs = "runs" if link["running"] else "stands still"
        wagers = " and ".join(map(dollars, link["wagers_cents"]))
        yield ""
        law = f"{link['chapter']} {link['meter']}, paytable {link['paytable']}"
        yield f"  {link['link']}: {law}, wagers of {wagers}"
        yield f"    {runs}, configuration {link['config']}; tables {', '.join(link['tables'])}"
        for level in link["levels"]:
            yield from _level(level)
    yield ""
    for name, units in found["world_units"].items():
        yield f"  {name:<30}{words(units):>24}"
    yield "  all accounts together come to " + (
        "nothing" if found["balanced"] else "SOMETHING: sabot floor verify"
    )


def _level(level: Json) -> Iterator[str]:
    limit = "no limit" if level["limit_cents"] is None else f"limit {dollars(level['limit_cents'])}"
    rates = f"{level['rate_percent']:g}% and {level['reserve_percent']:g}% in reserve"
    yield f"    {level['level']:<28}{words(level['meter_units']):>24}"
    amounts = f"base {dollars(level['base_cents'])}, reset {dollars(level['reset_cents'])}"
    yield f"      {amounts}, {rates}, {limit}"
    yield f"      hits {level['hits']}, won {dollars(level['won_cents'])}"
    for name in BESIDE:
        if level[f"{name}_units"]:
            yield f"      {name:<26}{words(level[f'{name}_units']):>24}"


def tables(found: list[Json]) -> Iterator[str]:
    """Yield every table, a line each, and below it what was wrong."""
    yield f"{'TABLE':<22}{'HEARD':>10}{'SAID':>8}{'UNHEARD':>9}  LINKS AND ROUNDS"
    for each in found:
        if each.get("stranger"):
            yield f"{each['table'] or 'nobody that is known':<22}"
        else:
            rounds = ", ".join(f"{link} {each['rounds'].get(link, '-')}" for link in each["links"])
            gone = "  RETIRED" if each["retired"] else ""
            counts = f"{each['applied']:>10}{each['said']:>8}{each['unheard']:>9}"
            yield f"{each['table']:<22}{counts}  {rounds or 'none'}{gone}"
        for verdict, seen in each["wrong"].items():
            yield f"    {verdict}: {seen['times']} times, from {seen['first']} to {seen['last']}"


def hits(found: list[Json]) -> Iterator[str]:
    """Yield the newest hits."""
    yield f"{'ENTRY':>8}  {'WHEN':<25}{'TABLE':<22}{'LEVEL':<22}{'SEATS':<10}{'AMOUNT':>16}  STATE"
    for each in found:
        seats = ", ".join(map(str, each["seats"]))
        level = f"{each['link']}.{each['level']}"
        state = each["state"] + (", by hand" if each["by_hand"] else "")
        amount = dollars(each["cents"])
        names = f"{each['at']:<25}{each['table']:<22}{level:<22}{seats:<10}"
        yield f"{each['entry']:>8}  {names}{amount:>16}  {state}"


def report(found: Json) -> Iterator[str]:
    """Yield a gaming day."""
    of_table = f", table {found['table']}" if found["table"] else ""
    yield f"GAMING DAY {found['day']} of {found['facility']}{of_table}"
    yield ""
    yield f"  {'TABLE':<22}{'LINK':<22}{'WAGER':<20}{'COUNT':>8}{'AMOUNT':>16}"
    for each in found["handled"]:
        amount = dollars(each["cents"])
        names = f"{each['table']:<22}{each['link']:<22}{each['wager']:<20}"
        yield f"  {names}{each['wagers']:>8}{amount:>16}"
    yield ""
    heads = ("HANDLE", "FROM METERS", "WIN", "HOLD %")
    yield f"  {'LINK':<22}{'WAGER':<20}{'COUNT':>8}" + "".join(f"{head:>16}" for head in heads)
    for each in found["figures"]:
        sums = (each["handle_cents"], each["from_meters_cents"], each["win_cents"])
        cells = [*map(dollars, sums), each["hold_percent"] or "-"]
        yield f"  {each['link']:<22}{each['wager']:<20}{each['wagers']:>8}" + "".join(
            f"{c:>16}" for c in cells
        )
    yield ""
    yield f"  {'TABLE':<22}{'ROUNDS':>8}{'AN HOUR':>9}  FAULTS BY KIND"
    yield from (
        f"  {name:<22}{rounds:>8}{an_hour:>9}  {faults}" for name, rounds, an_hour, faults in plays(found)
    )
    for each in found["meters"]:
        yield ""
        yield f"  {each['link']}.{each['level']}"
        yield f"    {'as the day began':<28}{words(each['opened_units']):>24}"
        yield f"    {'as it ended':<28}{words(each['closed_units']):>24}"
    for account, causes in sorted(found["accounts_units"].items()):
        yield ""
        yield f"  {account}"
        yield from (f"    {cause:<28}{words(units):>24}" for cause, units in causes.items())
        yield f"    {'on that day':<28}{words(sum(causes.values())):>24}"
    yield ""
    yield from (f"  {line}" for line in hits(found["hits"]))


def plays(found: Json) -> Iterator[tuple[str, str, str, str]]:
    """Yield each table and all of them: name, rounds, rounds an hour and faults by kind."""
    for each in found["tables"]:
        yield each["table"], *_play(each["play"])
    if not found["table"]:
        yield "all tables", *_play(found["play"])


def _play(play: Json | None) -> tuple[str, str, str]:
    if play is None:
        return "-", "-", "not told"
    an_hour = "-" if play["rounds_an_hour"] is None else str(play["rounds_an_hour"])
    faults = ", ".join(f"{kind} {count}" for kind, count in play["faults_by_kind"].items())
    return str(play["rounds"]), an_hour, faults or "none"


def verified(found: Json) -> Iterator[str]:
    """Yield the result of a proof."""
    yield "THE LEDGER IS WHOLE"
    again = f"each done again from what came in ({found['refused']} refused)"
    yield f"  entries        {found['entries']}, {again}"
    yield f"  movements      {found['movements']}, all accounts together come to nothing"
    yield f"  signatures     every message by its table, every order by its people, {found['heads']} heads"
    yield f"  floor          {found['floor']} (key: {found['key']})"
    yield f"  beside it      {found['beside']}"
    yield f"  ends with      {found['link']}"


def order(found: OrderFile) -> Iterator[str]:
    """Yield an order as whoever signs it should read it."""
    fields = found.fields
    yield f"ORDER {fields.pop('order')}: {fields.pop('kind')}, because {fields.pop('cause')}"
    for name, value in fields.items():
        if name != "v":
            lines = str(value).splitlines()
            yield f"  {name:<12}{lines[0]}" if len(lines) == 1 else f"  {name}"
            yield from (f"    {line}" for line in lines if len(lines) > 1)
    if found.signatures:
        yield f"  signed by   {', '.join(each.person for each in found.signatures)}"


def configuration(found: Json) -> Iterator[str]:
    """Yield a configuration, and what its chapter says about it."""
    wagers = " and ".join(map(dollars, found["wagers_cents"])) or "any amount"
    yield f"CONFIGURATION of {found['link']}, in force from {found['begins']} once the link is started"
    yield f"  {found['chapter']} {found['meter']} ({found['cite']}), paytable {found['paytable']}"
    yield f"  wagers of {wagers}; tables {', '.join(found['tables'])}"
    for name, each in found["levels"].items():
        limit = "no limit" if each["limit_cents"] is None else f"limit {dollars(each['limit_cents'])}"
        amounts = f"base {dollars(each['base_cents'])}, reset {dollars(each['reset_cents'])}"
        rates = f"{each['rate_percent']:g}% and {each['reserve_percent']:g}% in reserve"
        yield f"  {name:<12}{amounts}, {rates}, {limit}"
        yield f"  {'':<12}at most {dollars(each['threshold_cents'])} by a table in a minute"
    yield from (f"  reading {name}: {value}" for name, value in found["readings"].items())
    yield from (f"  NOT BY THE CHAPTER: {problem}" for problem in found["problems"])
    if not found["problems"]:
        yield f"  the chapter allows it; {found['now']}"


def configurations(found: list[KeptConfig]) -> Iterator[str]:
    """Yield every configuration that was ever ordered."""
    if not found:
        yield "no such link was ever configured"
    for each in found:
        yield f"{each.link} {each.number}: {' '.join(states(each))}"
        yield f"    entry {each.entry} at {each.at}, signed by {', '.join(each.signed)}: {each.cause}"
        yield f"    tables {', '.join(each.tables)}"
