"""The check of a table file that no single key can answer: whether law, cards and devices go together.

The reader has found every slip of the pen by now. Here the submission is held against its chapter, and what
each device says it serves (spots, wagers, meters) against what the table has. Nothing is opened and no device
is asked, so that the same check runs on a desk and at each start.
"""

from collections.abc import Iterable
from pathlib import Path

from sabot.config.loader import ChapterLaw
from sabot.config.submission_money import check_limit
from sabot.config.submission_problems import Problem
from sabot.config.submission_rules import CHECKS
from sabot.config.table_file import Device, TableFile, load_table_file
from sabot.drivers.device import Spoken
from sabot.firmware.integrity.drivers import load
from sabot.firmware.run.table_errors import TableError
from sabot.firmware.run.table_for_play import Spoke, amiss, is_for_play
from sabot.firmware.run.table_setup import setup_of
from sabot.rules.chapter import Chapter
from sabot.rules.errors import ANY, nearest
from sabot.statemachine import linked
from sabot.statemachine.law import ACCOUNT, PROGRESSIVE
from sabot.statemachine.state.setup import MACHINE, Setup, Shuffler

# What only one device can have; a pad that pins no serial number takes any.
OF_ITS_OWN = ("port", "pin_serial")


def verify_submission(file: TableFile, chapter: Chapter, *, is_whole: bool = True) -> None:
    """Raise the first thing that the law says against the submission.

    The least payout limit is found by dealing (a fifth of a second for 682a): a start leaves it to the check.
    """
    checks = [check for check in CHECKS if is_whole or check is not check_limit]
    found = [each for check in checks for each in check(file.submission, chapter)]
    if found:
        raise _refused(file, found[0])


def _refused(file: TableFile, first: Problem) -> TableError:
    submission = file.submission
    facts = {"what": first.what, "why": first.why, "cure": first.cure, "problem": first.code}
    place = f"{submission.file} {first.key}"
    return TableError("E-TABLE-002", place, **facts, chapter=submission.chapter, file=submission.file)


def verify_table(file: TableFile, setup: Setup) -> None:
    """Raise where the cards or the devices do not go with the rest of the table."""
    _verify_cards(file, setup)
    spoke: dict[str, Spoken] = {}
    for device in file.devices:
        spoke[device.name] = _verify_device(file, setup, device)
    _verify_apart(file)
    _verify_pins_apart(file, spoke)
    _verify_places(file, setup, spoke)
    if is_for_play(file) and (found := next(amiss(file, spoke), None)):
        raise found


def spoke_of(file: TableFile) -> Spoke:
    """Return the words of each device about itself, by its name."""
    return {device.name: spoken_of(file, device) for device in file.devices}


def _verify_cards(file: TableFile, setup: Setup) -> None:
    place = f"{file.file} [cards]"
    if file.one_machine and setup.method not in MACHINE:
        raise TableError("E-TABLE-005", place, method=setup.method, known=" or ".join(MACHINE))
    submitted = file.submission.shuffler
    if submitted != (setup.shuffler is not Shuffler.HAND):
        facts = {"shuffler": file.shuffler, "submitted": str(submitted).lower()}
        raise TableError("E-TABLE-009", place, **facts)


def place_of(file: TableFile, device: Device) -> str:
    """Return where a device stands in the file, for an error."""
    return device.place or f"{file.file} [device.{device.name}]"


def spoken_of(file: TableFile, device: Device) -> Spoken:
    """Return the names of the table in the options of a device."""
    return load(device.driver).speaks_of(place_of(file, device), device.options)


def _verify_device(file: TableFile, setup: Setup, device: Device) -> Spoken:
    spoken, place = spoken_of(file, device), place_of(file, device)
    _verify_wagers(setup, place, (*(wager for _, wager in spoken.spots), *spoken.wagers))
    _verify_accounts(setup, place, spoken)
    for seat, _ in (*spoken.spots, *spoken.accounts):
        if seat > setup.seat_count:
            raise TableError("E-TABLE-007", place, seat=seat, seats=setup.seat_count)
    shown = {**setup.meters, **linked.unknown(setup)}
    meters = [f"{meter}.{level}" for meter, levels in shown.items() for level in levels]
    for meter in spoken.meters:
        if meter not in meters:
            raise TableError("E-TABLE-004", place, meter=meter, known=", ".join(meters) or "none")
    return spoken


def _verify_places(file: TableFile, setup: Setup, spoke: Spoke) -> None:
    """Raise where a wager on offer has no place at a position, or a progressive no lock-out button."""
    wagers = setup.chapter.wagers
    offered = [name for name in felt_wagers(setup.chapter) if is_offered(setup, name)]
    offered.sort(key=lambda name: wagers[name].device != PROGRESSIVE)
    taken = {spot for each in spoke.values() for spot in each.spots}
    for name in offered:
        without = [str(seat) for seat in range(1, setup.seat_count + 1) if (seat, name) not in taken]
        if without:
            facts = {"wager": wagers[name].title, "seats": ", ".join(without), "name": name}
            code = "E-TABLE-010" if wagers[name].device == PROGRESSIVE else "E-TABLE-012"
            raise TableError(code, f"{file.file} [device]", **facts, cite=setup.chapter.section("2(b)"))
    remote = _verify_stations(file, setup, {spot for each in spoke.values() for spot in each.accounts})
    locked_out = [name for name in offered if wagers[name].device == PROGRESSIVE] + remote
    if locked_out and not any(each.has_lock_out for each in spoke.values()):
        raise TableError("E-TABLE-011", f"{file.file} [device]", wager=wagers[locked_out[0]].title)


def _verify_accounts(setup: Setup, place: str, spoken: Spoken) -> None:
    """Check that every wager a device brings from game accounts is one on game accounts."""
    known = account_wagers(setup.chapter)
    for _, wager in spoken.accounts:
        if wager not in known:
            facts = {"wager": wager, "known": ", ".join(known) or "none"}
            raise TableError("E-TABLE-014", place, **facts, chapter=setup.chapter.id)


def _verify_stations(file: TableFile, setup: Setup, taken: set[tuple[int, str]]) -> list[str]:
    """Return the wagers that stations bring; raise where one lacks at a position (641a.2(b)(5))."""
    brought = {wager for _, wager in taken}
    offered = [name for name in account_wagers(setup.chapter) if is_offered(setup, name) and name in brought]
    for name in offered:
        without = [str(seat) for seat in range(1, setup.seat_count + 1) if (seat, name) not in taken]
        if without:
            facts = {"wager": setup.chapter.wagers[name].title, "seats": ", ".join(without)}
            raise TableError(
                "E-TABLE-013", f"{file.file} [device]", **facts, cite=setup.chapter.section("2(b)(5)")
            )
    return offered


def is_offered(setup: Setup, name: str) -> bool:
    """Return whether a wager can be made at this table: the chapter's own, and those that are offered."""
    return not setup.chapter.wagers[name].optional or name in setup.offers


def felt_wagers(chapter: Chapter) -> list[str]:
    """Return the wagers that are placed on the felt, those of a game account left out."""
    return [name for name, wager in chapter.wagers.items() if wager.device != ACCOUNT]


def account_wagers(chapter: Chapter) -> list[str]:
    """Return the wagers that are placed on a game account."""
    return [name for name, wager in chapter.wagers.items() if wager.device == ACCOUNT]


def _verify_wagers(setup: Setup, place: str, names: Iterable[str]) -> None:
    known = felt_wagers(setup.chapter)
    for wager in names:
        if wager not in known:
            facts = {"wager": wager, "nearest": nearest(wager, known, ANY), "known": ", ".join(known)}
            raise TableError("E-TABLE-003", place, **facts, chapter=setup.chapter.id)


def _verify_apart(file: TableFile) -> None:
    taken: dict[tuple[str, object], str] = {}
    for device in file.devices:
        for option in OF_ITS_OWN:
            value = device.options.get(option)
            if not value:
                continue
            other = taken.setdefault((option, value), device.name)
            if other != device.name:
                place = place_of(file, device)
                raise TableError("E-TABLE-008", place, option=option, value=value, other=other)


def _verify_pins_apart(file: TableFile, spoke: Spoke) -> None:
    """Raise where two devices name one pin: all lines are those of one board."""
    taken: dict[int, str] = {}
    for device in file.devices:
        for pin in spoke[device.name].pins:
            other = taken.setdefault(pin, device.name)
            if other != device.name:
                raise TableError("E-TABLE-015", place_of(file, device), pin=pin, other=other)


def read(path: Path, *, is_whole: bool = False, law: ChapterLaw | None = None) -> tuple[TableFile, Setup]:
    """Read a table file and its set-up, verified together; the whole of it where there is time."""
    file = load_table_file(path, lambda driver, place: load(driver, place).schema, law)
    verify_submission(file, file.law.chapter(file.submission.chapter), is_whole=is_whole)
    setup = setup_of(file)
    verify_table(file, setup)
    return file, setup
