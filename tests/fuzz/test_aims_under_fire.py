"""Everything else that takes bytes from outside, under fire for a moment; and that each aim can object."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from sabot.config import reader
from sabot.desk.commands import settle
from sabot.firmware.console.dispatcher import CommandDispatcher
from sabot.firmware.journal import export_reader, recover
from sabot.firmware.update import bundle

from .mutate import mutated
from .registry import AIMS, Aim, aim, close, longest, names
from .targets import kept

INPUTS = {"console": 12, "journal-file": 40}
SEEDS_OF = {"console": 11}
MANY = 80


@pytest.fixture(scope="module", autouse=True)
def let_go() -> Iterator[None]:
    yield
    close("console")


@pytest.fixture(params=AIMS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_good_inputs_break_nothing(name: str) -> None:
    seeds = aim(name).seeds
    assert len(seeds) >= 3
    for data in seeds[:: SEEDS_OF.get(name, 1)]:
        assert len(data) <= longest(name)
        aim(name).check(data)


def test_what_was_once_found_breaks_nothing(name: str) -> None:
    assert len(kept(name)) >= 5
    for data in kept(name):
        aim(name).check(data)


def test_bent_inputs_break_nothing(name: str) -> None:
    draws, good = Random(f"unit/{name}"), [*aim(name).seeds, *aim(name).words]
    for _ in range(INPUTS.get(name, MANY)):
        aim(name).check(mutated(draws, good, ()))


def test_codecs_and_aims_are_all_fired_at() -> None:
    assert set(AIMS) < set(names())
    assert "angel-eye" in names()


# ---------------------------------------------------------------- each of them can object


def fire(fired_at: Aim, inputs: Iterable[bytes]) -> None:
    for data in inputs:
        fired_at.check(data)


def slip(*_words: object, **_named: object) -> None:
    raise ZeroDivisionError


SLIPS: dict[str, tuple[object, str]] = {
    "round-json": (settle, "chapter_id"),
    "table-file": (reader.Section, "text"),
    "journal-file": (recover, "_base"),
    "export-file": (export_reader, "_object"),
    "bundle": (bundle, "from_bytes"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_of_the_program_is_no_refusal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, what = SLIPS[name]
    fired_at = aim(name)
    monkeypatch.setattr(place, what, slip)
    with pytest.raises(ZeroDivisionError):
        fire(fired_at, fired_at.seeds)


def test_a_slip_in_a_command_of_the_console_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    fired_at = aim("console")
    fired_at.check(fired_at.seeds[0])
    monkeypatch.setattr(CommandDispatcher, "answer", slip)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        fired_at.check(b'{"id": 1, "do": ["status"]}\n')


def accepts(
    monkeypatch: pytest.MonkeyPatch, fired_at: Aim, place: object, what: str, answer: Callable[..., object]
) -> None:
    monkeypatch.setattr(place, what, answer)
    with pytest.raises(AssertionError):
        fire(fired_at, [data.replace(b"a", b"b") for data in fired_at.seeds])


def test_a_reader_that_takes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is not of one mind with the checker; a bundle is laid out that nobody signed."""
    accepts(monkeypatch, aim("export-file"), export_reader.ImportedExport, "entries", lambda _self: iter(()))


def test_a_file_beside_the_folder_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def outside(_file: Path, _key: object, into: Path) -> None:
        into.with_name("outside").write_bytes(b"x")

    from .aims import bundle as aims_bundle  # noqa: PLC0415

    accepts(monkeypatch, aim("bundle"), aims_bundle, "unpack", outside)


def test_an_answer_that_is_no_json_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = aim("round-json")  # before json.dumps is another, for it writes the seeds
    monkeypatch.setattr(settle, "outcome_json", lambda _outcome: "a word")
    monkeypatch.setattr(settle.json, "dumps", str)  # type: ignore[attr-defined]
    with pytest.raises((json.JSONDecodeError, AssertionError)):
        rounds.check(rounds.seeds[0])
