"""The checker that needs no Sabot: RFC 8032's vectors, and the same tamperings named at the same entry."""

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from journal.shifts import CHAPTERS, SEALED, Shift, play
from journal.tampering import AT, ROWS, change, export_lines, rewrite, write_lines
from sabot.firmware.journal import export, store

TOOL = Path(__file__).parents[2] / "tools" / "check_journal.py"

# RFC 8032, section 7.1: key, message, signature.
VECTORS = {
    "test 1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "test 2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "test 3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "test sha(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_journal", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    return play(tmp_path_factory.mktemp("kept"), "pa679a")


def exported(journal: Path, shift: Shift, name: str = "out.jsonl", *, with_sealed: bool = False) -> Path:
    with closing(store.open_for_reading(journal)) as db:
        part = export.whole(db, with_sealed=with_sealed)
        return export.export(db, journal.with_name(name), part, shift.board).file


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_signatures_of_the_rfc_hold_and_no_others(tool: ModuleType, vector: tuple[str, str, str]) -> None:
    key, message, signature = (bytes.fromhex(part) for part in vector)

    assert tool.signature_holds(key, message, signature)
    assert not tool.signature_holds(key, message + b"x", signature)
    for place in (0, 31, 32, 63):
        altered = bytearray(signature)
        altered[place] ^= 1
        assert not tool.signature_holds(key, message, bytes(altered))


def test_a_signature_is_not_taken_with_the_order_added(tool: ModuleType) -> None:
    """RFC 8032, 5.1.7: S must be below the order, or a second signature could be made from the first."""
    key, message, signature = (bytes.fromhex(part) for part in VECTORS["test 2"])
    more = int.from_bytes(signature[32:], "little") + tool.ORDER

    assert not tool.signature_holds(key, message, signature[:32] + more.to_bytes(32, "little"))


def test_what_is_no_point_is_no_key(tool: ModuleType) -> None:
    _, message, signature = (bytes.fromhex(part) for part in VECTORS["test 1"])

    for key in (b"", bytes(31), b"\xff" * 32, (2).to_bytes(32, "little")):
        assert not tool.signature_holds(key, message, signature)


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("with_sealed", [False, True])
def test_every_recorded_shift_is_whole(
    tmp_path: Path, tool: ModuleType, chapter: str, with_sealed: bool
) -> None:
    shift = play(tmp_path, chapter)
    checker = tool.Checker(shift.board.public_key)

    with exported(shift.rooms.journal, shift, with_sealed=with_sealed).open("rb") as rows:
        checker.check(rows)

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert (checker.number, checker.link) == (store.last_of(db)[0], store.last_of(db)[1].hex())
    assert checker.rounds == shift.table.state.books.rounds
    assert bool(checker.sealed) == (with_sealed and chapter in SEALED)


def broken(tool: ModuleType, path: Path) -> tuple[int, str]:
    with path.open("rb") as rows, pytest.raises(tool.BrokenError) as found:
        tool.Checker().check(rows)
    return found.value.entry, found.value.words


@pytest.mark.parametrize("name", [name for name in ROWS if name != "beginning cut off"])
def test_a_tampering_before_the_export_is_named_at_its_entry(
    tmp_path: Path, kept: Shift, tool: ModuleType, name: str
) -> None:
    journal = Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))
    change(journal, *ROWS[name].orders)

    entry, _ = broken(tool, exported(journal, kept))

    assert entry == ROWS[name].entry


def test_a_journal_written_anew_fails_at_its_next_head(tmp_path: Path, kept: Shift, tool: ModuleType) -> None:
    journal = Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))
    rewrite(journal, AT)
    path = exported(journal, kept)
    next_head = next(line["number"] for line in export_lines(path)[AT:] if line.get("kind") == "head")

    entry, words = broken(tool, path)

    assert entry == next_head
    assert "the head" in words


@pytest.mark.parametrize("field", ["kind", "boot", "at", "utc", "trusted", "body", "seal", "link"])
def test_an_altered_line_is_named(tmp_path: Path, kept: Shift, tool: ModuleType, field: str) -> None:
    journal = Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))
    path = exported(journal, kept)
    lines = export_lines(path)
    lines[AT][field] = True if field == "trusted" else "00"
    write_lines(path, lines)

    assert broken(tool, path)[0] == AT


@pytest.mark.parametrize("cut", ["closing line", "last entry", "an entry", "something after"])
def test_a_gap_is_found(tmp_path: Path, kept: Shift, tool: ModuleType, cut: str) -> None:
    journal = Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))
    path = exported(journal, kept)
    lines = export_lines(path)
    left = {
        "closing line": lines[:-1],
        "last entry": [*lines[:-2], lines[-1]],
        "an entry": lines[:AT] + lines[AT + 1 :],
        "something after": [*lines, lines[-1]],
    }
    words = {
        "closing line": "without its closing line",
        "last entry": "here are others",
        "an entry": f"entry {AT} is missing",
        "something after": "something follows",
    }
    write_lines(path, left[cut])

    assert words[cut] in broken(tool, path)[1]


def test_a_seal_that_was_altered_is_named(tmp_path: Path, tool: ModuleType) -> None:
    shift = play(tmp_path, "pa641a", last=70)
    path = exported(shift.rooms.journal, shift, with_sealed=True)
    lines = export_lines(path)
    place = next(place for place, line in enumerate(lines) if "link" in line and "sealed" in line)
    lines[place]["sealed"] = "00"
    write_lines(path, lines)

    assert broken(tool, path) == (place, "its seal was changed")


def test_the_file_runs_alone(tmp_path: Path, kept: Shift) -> None:
    """An interpreter without site packages, away from the source tree."""
    alone = Path(shutil.copy(TOOL, tmp_path / "check_journal.py"))
    journal = Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))
    path = exported(journal, kept)
    order = [sys.executable, "-S", "-I", str(alone), str(path)]

    good = subprocess.run(order, capture_output=True, text=True, check=False, cwd=tmp_path)
    other = subprocess.run(
        [*order, "--key", "00" * 32], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    missing = subprocess.run(
        [*order[:-1], "nothing"], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (good.returncode, good.stdout.split(":")[0]) == (0, "WHOLE")
    assert kept.board.public_key.hex() in good.stdout
    assert (other.returncode, other.stdout.split(":")[0]) == (1, "BROKEN")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert json.loads(path.read_text().splitlines()[0])["sabot_journal"] == 1
