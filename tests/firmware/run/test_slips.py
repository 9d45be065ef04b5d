"""Slips: described without a card, counted beside the journal, and lifted by a technician."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from sabot.config.table_file import SlipLimit
from sabot.firmware.journal import store
from sabot.firmware.journal.entry import Entry, Stamp
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.slips import Slip, SlipRegister, event_words, slip_entry, slip_of, untold
from sabot.rules.cards import parse
from sabot.statemachine.vocabulary.events import CardDrawn, Key, KeyPressed, Secret

LIMIT = SlipLimit(most=3, within_s=600)


def stamp(
    at: float, *, boot: str = "boot", utc: str = "2026-01-01T00:00:00.000Z", trusted: bool = True
) -> Stamp:
    return Stamp(boot, f"{at:.6f}", utc, trusted)


def slip(at: float = 0.0, **changes: object) -> Slip:
    return Slip("KeyError", "a.py:1 f", "KeyPressed LOCK", stamp(at, **changes))  # type: ignore[arg-type]


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as found:
        return found


def test_a_slip_says_where_and_over_what_and_never_which_card() -> None:
    event = CardDrawn(at=1.0, source="shoe", card=Secret(parse("As")))
    found = slip_of(raised(KeyError("As of spades, seat 3")), event_words(event), stamp(1.0), event)

    assert found.error == "KeyError"
    assert found.place == found.frames[-1]
    assert found.place.endswith("raised")
    assert found.place.startswith("tests/firmware/run/test_slips.py:")
    assert found.over == "CardDrawn"
    assert "E-RUN-009 KeyError at tests/firmware" in found.words
    entry = slip_entry(found)
    assert entry.kind == "slip"
    for hidden in ("As", "spades", "seat 3"):
        assert hidden not in entry.body.replace("tests/firmware", "")
    body = json.loads(entry.body)
    assert "CardDrawn" in body["event"].values()
    assert body["version"]


def test_an_event_is_named_with_what_is_no_secret() -> None:
    assert event_words(KeyPressed(at=0.0, key=Key.LOCK)) == "KeyPressed LOCK"


def test_an_exception_without_a_traceback_has_a_place_all_the_same() -> None:
    assert slip_of(MemoryError(), "x", stamp(0.0)).place == "?"


def test_a_place_outside_of_the_program_is_its_folder_and_file() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads("{")

    assert slip_of(caught.value, "x", stamp(0.0)).place.startswith("json/decoder.py:")


def test_slips_are_kept_and_read_again(tmp_path: Path) -> None:
    register = SlipRegister.read(tmp_path / "slips.json")
    register.add(slip(1.0))
    again = SlipRegister.read(tmp_path / "slips.json")

    assert again.slips == register.slips
    assert again.unanswered == slip().words
    assert [each.stamp.at for each in again.untold] == ["1.000000"]
    again.journalled()
    assert SlipRegister.read(tmp_path / "slips.json").untold == []
    again.told()
    assert SlipRegister.read(tmp_path / "slips.json").unanswered == ""


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    register = SlipRegister.read(tmp_path / "slips.json")
    for number in range(40):
        register.add(slip(float(number)))

    assert register.slips[0].stamp.at == "8.000000"


def test_three_in_ten_minutes_are_too_many(tmp_path: Path) -> None:
    register = SlipRegister.read(tmp_path / "slips.json")
    register.add(slip(0.0))
    register.add(slip(300.0))
    register.verify(LIMIT, stamp(300.0))
    register.add(slip(599.0))

    with pytest.raises(RunError, match=r"E-RUN-010 .*\(3 within 10 minutes, the last: E-RUN-009 KeyError"):
        register.verify(LIMIT, stamp(600.0))
    register.verify(LIMIT, stamp(601.0))  # the first is older than ten minutes


@pytest.mark.parametrize(
    ("now", "counts"),
    [
        (stamp(5.0, boot="other", utc="2026-01-01T00:09:00.000Z"), True),
        (stamp(5.0, boot="other", utc="2026-01-01T00:11:00.000Z"), False),
        (stamp(5.0, boot="other", utc="2026-01-01T00:11:00.000Z", trusted=False), True),
        (stamp(5.0, boot="other", utc="2025-01-01T00:00:00.000Z"), True),
    ],
)
def test_where_no_clock_can_tell_a_slip_counts(tmp_path: Path, now: Stamp, counts: bool) -> None:
    register = SlipRegister.read(tmp_path / "slips.json")
    for _ in range(3):
        register.add(slip(0.0))

    if counts:
        with pytest.raises(RunError, match="E-RUN-010"):
            register.verify(LIMIT, now)
    else:
        register.verify(LIMIT, now)


def test_a_lift_ends_the_count_and_is_told_once(tmp_path: Path) -> None:
    register = SlipRegister.read(tmp_path / "slips.json")
    for _ in range(3):
        register.add(slip(0.0))
    register.lift("42 Bo (technician)", "memory replaced", stamp(9.0))

    register.verify(LIMIT, stamp(10.0))
    again = SlipRegister.read(tmp_path / "slips.json")
    assert [each["by"] for each in again.lifts] == ["42 Bo (technician)"]
    again.told()
    assert SlipRegister.read(tmp_path / "slips.json").lifts == []
    again.lift("42 Bo (technician)", "once more", stamp(10.0))
    again.told()
    assert SlipRegister.read(tmp_path / "slips.json").lifts == []


def test_a_slip_is_told_to_the_journal_unless_its_entry_is_there(tmp_path: Path) -> None:
    """The program may have ended between the two files."""
    journal = tmp_path / "journal.db"
    store.create(journal)
    register = SlipRegister.read(tmp_path / "slips.json")
    assert untold(register, journal) == []

    register.add(slip(1.0))
    assert [each.stamp.at for each in untold(register, journal)] == ["1.000000"]

    draft = slip_entry(register.slips[0])
    with closing(store.open_for_writing(journal)) as db:
        store.insert(db, [Entry(1, draft.kind, draft.stamp, draft.body, b"", bytes(32))])
    assert untold(register, journal) == []

    register.add(slip(2.0))
    assert [each.stamp.at for each in untold(register, journal)] == ["2.000000"]


def with_stamp(*words: object) -> bytes:
    kept = {"error": "KeyError", "place": "table.py:1 do", "over": "LOCK", "stamp": words, "frames": ["x"]}
    return json.dumps({"slips": [kept], "lifts": []}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"slips": [{"error": "x"}], "lifts": []}',
        b"[]",
        b'{"slips": 3}',
        b"[" * 100_000,
        # What a start cannot compare with its own time would end it, and the next one, for ever.
        with_stamp("here", "soon", "2026-11-19T20:00:00+00:00", True),
        with_stamp("here", "1.0", "yesterday", True),
        with_stamp("here", "1.0", "2026-11-19T20:00:00", True),
        with_stamp("here", None, None, True),
    ],
)
def test_a_file_that_cannot_be_read_counts_as_too_many(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "slips.json").write_bytes(content)
    register = SlipRegister.read(tmp_path / "slips.json")

    with pytest.raises(RunError, match=r"E-RUN-010 .*slips.json cannot be read"):
        register.verify(LIMIT, stamp(0.0))
    register.lift("42", "the card was replaced", stamp(1.0))
    SlipRegister.read(tmp_path / "slips.json").verify(LIMIT, stamp(2.0))
