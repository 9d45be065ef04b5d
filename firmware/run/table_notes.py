"""What is allowed and worth a thought before a table is signed: what no device sees, shows or keeps."""

from collections.abc import Callable, Iterator

from sabot.config.table_file import TableFile
from sabot.firmware.run.table_check import felt_wagers, spoken_of
from sabot.statemachine.chips import ACCOUNT
from sabot.statemachine.setup import Setup

Note = Callable[[TableFile, Setup], Iterator[str]]


def notes_of(file: TableFile, setup: Setup) -> list[str]:
    """Each thing in a sentence; empty where there is none."""
    return [said for note in NOTES for said in note(file, setup)]


def _not_for_play(file: TableFile, _setup: Setup) -> Iterator[str]:
    if file.is_simulated or file.submission.simulated:
        yield "This table is simulated: NOT FOR PLAY."


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
    played = [name for name in on_felt if name in setup.offers or not setup.chapter.wagers[name].optional]
    blind = [name for name in played if name not in sensed]
    if blind:
        yield f"No pad senses {', '.join(blind)}: the dealer's keys say what is wagered."
    idle = [name for name in on_felt if name in sensed and name not in played]
    if idle:
        yield f"The spots of {', '.join(idle)} never open: the submission does not offer them."


def _accounts(_file: TableFile, setup: Setup) -> Iterator[str]:
    wagers = setup.chapter.wagers
    remote = [name for name in wagers if name in setup.offers and wagers[name].device == ACCOUNT]
    if remote:
        yield f"No device brings {', '.join(remote)} from a game account: it cannot be wagered here."


def _signs(file: TableFile, setup: Setup) -> Iterator[str]:
    shown = {meter for device in file.devices for meter in spoken_of(file, device).meters}
    meters = [f"{meter}.{level}" for meter, levels in setup.meters.items() for level in levels]
    dark = [meter for meter in meters if meter not in shown]
    if dark:
        yield f"No sign shows {', '.join(dark)}."


NOTES: tuple[Note, ...] = (_not_for_play, _second_medium, _policies, _spots, _accounts, _signs)
