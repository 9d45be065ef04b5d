"""Notes that are worth a thought before a table is signed: what no device sees, shows or keeps."""

from collections.abc import Callable, Iterator

from sabot.config.loader import SIGNATURE
from sabot.config.table_file import TableFile
from sabot.firmware.run.table_check import account_wagers, felt_wagers, is_offered, spoke_of, spoken_of
from sabot.firmware.run.table_for_play import NEEDED_KEYS, amiss, is_for_play
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary.events import Key


def facts_of(file: TableFile, setup: Setup) -> list[tuple[str, str]]:
    """Return each fact of a table with its name."""
    kept = [name for name, is_on in file.policies.items() if not is_on]
    hours, minutes = divmod(file.day.starts_min, 60)
    return [
        ("table", file.name + (" (NOT FOR PLAY: simulated)" if file.is_simulated else "")),
        ("house", file.submission.house),
        ("chapter", f"{setup.chapter.id} ({setup.chapter.cite})"),
        ("seats", str(setup.seat_count)),
        ("dealt by", f"{setup.method.replace('_', ' ')}, cards known: {setup.knowledge.replace('_', ' ')}"),
        ("shuffler", f"{setup.shuffler}, {setup.decks} deck(s)"),
        ("optional wagers", ", ".join(sorted(setup.offers)) or "none"),
        (
            "paytables",
            ", ".join(f"{name} {letter}" for name, letter in setup.options.paytables.items()) or "-",
        ),
        ("meters", ", ".join(sorted(setup.meters)) or "none"),
        ("policies off", ", ".join(kept) or "none"),
        ("state", str(file.storage.state)),
        ("second medium", str(file.storage.second or "none: a lost board loses its meters")),
        ("kept for", f"{file.storage.retention_days} days"),
        ("gaming day", f"from {hours:02}:{minutes:02} {file.day.zone}"),
    ]


Note = Callable[[TableFile, Setup], Iterator[str]]


def notes_of(file: TableFile, setup: Setup) -> list[str]:
    """Return each note in a sentence."""
    return [said for note in NOTES for said in note(file, setup)]


def _not_for_play(file: TableFile, _setup: Setup) -> Iterator[str]:
    if file.is_simulated or file.submission.simulated:
        yield "This table is simulated: NOT FOR PLAY."


def _law(file: TableFile, _setup: Setup) -> Iterator[str]:
    """Yield that a folder of chapters has no signature; whether one is good the board alone can prove."""
    if file.law.folder and not (file.law.folder / SIGNATURE).exists():
        yield "The chapters of its folder are not signed: a table for play stays closed (E-VERIFY-014)."


def _second_medium(file: TableFile, _setup: Setup) -> Iterator[str]:
    if file.storage.second is None:
        yield "There is no second medium: a lost board loses its meters."


def _policies(file: TableFile, _setup: Setup) -> Iterator[str]:
    for name, is_on in file.policies.items():
        if not is_on:
            yield f"Our own rule {name.replace('_', ' ')} is switched off."


def _spots(file: TableFile, setup: Setup) -> Iterator[str]:
    sensed = {wager for device in file.devices for _, wager in spoken_of(file, device).spots}
    on_felt = felt_wagers(setup.chapter)
    idle = [name for name in on_felt if name in sensed and not is_offered(setup, name)]
    if idle:
        yield f"The spots of {', '.join(idle)} never open: the submission does not offer them."


def _accounts(file: TableFile, setup: Setup) -> Iterator[str]:
    brought = {wager for device in file.devices for _, wager in spoken_of(file, device).accounts}
    offered = [name for name in account_wagers(setup.chapter) if name in setup.offers]
    remote = [name for name in offered if name not in brought]
    if remote:
        yield f"No device brings {', '.join(remote)} from a game account: it cannot be wagered here."


def _signs(file: TableFile, setup: Setup) -> Iterator[str]:
    shown = {meter for device in file.devices for meter in spoken_of(file, device).meters}
    meters = [f"{meter}.{level}" for meter, levels in setup.meters.items() for level in levels]
    dark = [meter for meter in meters if meter not in shown]
    if dark:
        yield f"No sign shows {', '.join(dark)}."


def _for_play(file: TableFile, _setup: Setup) -> Iterator[str]:
    """Yield the findings that would keep this table closed, were it not simulated."""
    if not is_for_play(file):
        yield from (f"For play: {each.what} ({each.kind.code})." for each in amiss(file, spoke_of(file)))


def _other_keys(file: TableFile, _setup: Setup) -> Iterator[str]:
    had = {key for each in spoke_of(file).values() for key in each.keys}
    missing = [key for key in Key if key not in had and key not in NEEDED_KEYS]
    if missing:
        yield f"No device has the keys {', '.join(missing)}: no PIN with their digits, nothing that they say."


def _not_wired(file: TableFile, _setup: Setup) -> Iterator[str]:
    for name, spoken in spoke_of(file).items():
        yield from (f"{name}: {words}." for words in spoken.lacks)


NOTES: tuple[Note, ...] = (
    _not_for_play,
    _law,
    _for_play,
    _second_medium,
    _policies,
    _spots,
    _accounts,
    _signs,
    _other_keys,
    _not_wired,
)
