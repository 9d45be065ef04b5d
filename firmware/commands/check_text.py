"""A table that may be opened, as a page of 80 columns to compare with the submission and to sign."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from os.path import normpath

from sabot.config.table_file import Device, TableFile
from sabot.drivers.options import Value, defaults
from sabot.firmware.integrity.drivers import load
from sabot.firmware.run.table_notes import notes_of
from sabot.rules.payouts import dollars
from sabot.statemachine.state.setup import Setup, percent_words

WIDTH = 80
# Room for the name of a file before its digest.
NAMED = 12
GAP = 4  # before a label and behind it
Row = tuple[str, str]

KNOWN = {
    "each_card": "each card, as it is drawn",
    "stack": "each stack, as it is dispensed",
    "count_only": "their number, no faces",
    "none": "no device sees them: the dealer declares",
}
SHUFFLED = {
    "hand": "by hand",
    "plain": "by a device that tells nothing",
    "counting": "by a device that counts them",
    "reshuffler": "by the shoe itself, which takes them back",
}


def page(file: TableFile, setup: Setup) -> str:
    """Return the whole page."""
    lines = [file.name, setup.chapter.document]
    for title, rows in _sections(file, setup):
        width = max(len(label) + GAP for label, _ in rows)
        lines += ["", title.upper(), "-" * WIDTH]
        lines += [line for label, text in rows for line in _row(label, text, width)]
    return "\n".join([*lines, *_end(file)])


def _sections(file: TableFile, setup: Setup) -> Iterator[tuple[str, Sequence[Row]]]:
    yield "table", list(_table(file, setup))
    yield "cards", list(_cards(file, setup))
    yield "wagers on offer", list(_wagers(file, setup))
    if setup.meters:
        yield "meters at their start", list(_meters(setup))
    yield "devices", [(device.name, words_of(device)) for device in file.devices] or [("none", "")]
    yield "journal", list(_journal(file))
    notes = notes_of(file, setup)
    if notes:
        yield "mind", [(str(number), note) for number, note in enumerate(notes, 1)]


def _row(label: str, text: str, width: int) -> list[str]:
    """Return a label with its text beside it, each part of the text on a line of its own."""
    parts = [line for part in text.split("\n") for line in _wrapped(part, width)]
    heads = [f"  {label}", *[""] * (len(parts) - 1)]
    return [f"{head:<{width}}{part}".rstrip() for head, part in zip(heads, parts, strict=True)]


def _wrapped(part: str, width: int) -> list[str]:
    return textwrap.wrap(part, WIDTH - width, subsequent_indent="  ", break_on_hyphens=False) or [""]


def _table(file: TableFile, setup: Setup) -> Iterator[Row]:
    yield "house", file.submission.house
    yield "chapter", f"{setup.chapter.id} ({setup.chapter.cite})"
    if file.law.folder:
        yield "law", f"with the chapters of {normpath(file.law.folder)}"
    yield "submission", normpath(file.submission.file)
    yield "seats", f"{setup.seat_count} ({setup.chapter.seats_cite}: at most {setup.chapter.seats})"
    yield "adjacent boxes", str(setup.adjacent_boxes)
    yield "smallest chip", dollars(setup.smallest_chip_cents)
    yield "idle", f"after {file.idle_after_min} minutes without a wager ({setup.chapter.section('5(f)')})"


def _cards(file: TableFile, setup: Setup) -> Iterator[Row]:
    plan = setup.chapter.plans[setup.method]
    yield "dealt from", f"{setup.method.replace('_', ' ')} ({plan.cite})"
    yield "what is known", KNOWN[file.knowledge]
    yield "shuffled", SHUFFLED[file.shuffler] + (", one machine with the shoe" if file.one_machine else "")
    yield "decks", str(setup.decks)


def _wagers(file: TableFile, setup: Setup) -> Iterator[Row]:
    letters, unit = setup.options.paytables, setup.options.progressive_unit
    for wager in file.submission.offered(setup.chapter):
        least, most = setup.limits_of(wager.name)
        money = f"{dollars(least)} to {dollars(most)}" if most else dollars(unit)
        yield wager.title, money
    yield "paytables", ", ".join(f"{name} {letter}" for name, letter in letters.items()) or "no choice"
    if setup.options.payout_limit is not None:
        yield "payout limit", dollars(setup.options.payout_limit)
    if file.submission.readings:
        yield "readings", ", ".join(f"{name} = {value}" for name, value in file.submission.readings.items())


def _meters(setup: Setup) -> Iterator[Row]:
    for meter, levels in setup.meters.items():
        for level, terms in levels.items():
            reserve, primary = percent_words(terms.reserve_percent), percent_words(terms.primary_percent)
            held = f", {reserve}% to its reserve" if terms.reserve_percent else ""
            text = f"{dollars(terms.seed_cents)}, grows by {primary}%{held}"
            yield f"{meter}.{level}", text


def chosen_of(device: Device) -> Mapping[str, Value]:
    """Return the options of a device that differ from its driver's defaults."""
    usual = defaults(load(device.driver).schema)
    return {name: value for name, value in device.options.items() if usual.get(name) != value}


def words_of(device: Device) -> str:
    """Return a device in words: its driver, and the options that are not as usual."""
    said = (f"{name} = {value}" for name, value in chosen_of(device).items())
    return "\n".join([f"driver {device.driver}", *said])


def _journal(file: TableFile) -> Iterator[Row]:
    hours, minutes = divmod(file.day.starts_min, 60)
    yield "kept in", str(file.storage.state)
    yield "second medium", str(file.storage.second or "none")
    yield "kept for", f"{file.storage.retention_days} days"
    yield "gaming day", f"begins at {hours:02}:{minutes:02} {file.day.zone}"


def _end(file: TableFile) -> Iterator[str]:
    yield from ("", "FILES (SHA-256)", "-" * WIDTH)
    for name, digest in file.digests.items():
        if len(name) > NAMED:
            yield f"  {name}"
        yield f"  {name if len(name) <= NAMED else '':<{NAMED}}{digest}"
    line = "." * 44
    yield from ("", "=" * WIDTH)
    if file.is_simulated or file.submission.simulated:
        yield "NOT FOR PLAY: this page is not to be signed."
        return
    yield "This table may be opened with these settings."
    yield from (f"\n  {label:<20}{line}" for label in ("floor manager", "licence number", "date and time"))
