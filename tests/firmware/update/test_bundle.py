import io
import lzma
import random
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.firmware.update.bundle import unpack, verify_sizes
from sabot.firmware.update.errors import UpdateError
from small_medium import KEY

from .small_release import bundle

Members = list[tuple[tarfile.TarInfo, bytes]]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle(tmp_path_factory.mktemp("bundle"), "1.1.0")


def rewrite(file: Path, to: Path, change: Callable[[Members], Members]) -> Path:
    """The bundle with other members."""
    with tarfile.open(file) as tar:
        members = [(each, tar.extractfile(each).read()) for each in tar]  # type: ignore[union-attr]
    with tarfile.open(to, "w:") as tar:
        for member, data in change(members):
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return to


def refusal(file: Path, folder: Path) -> UpdateError:
    with pytest.raises(UpdateError) as caught:
        unpack(file, KEY.public_key(), folder / "in")
    return caught.value


def test_a_signed_bundle_is_laid_out_byte_for_byte(good: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()

    found = unpack(good, KEY.public_key(), tmp_path / "in")

    assert found.is_signed
    assert found.manifest.version == "1.1.0"
    assert found.manifest.drivers == {"alpha": "sabot.drivers.alpha:KIND"}
    assert sorted(path.name for path in (tmp_path / "in").rglob("*") if path.is_file()) == [
        "70-sabot.rules",
        "manifest.json",
        "manifest.sig",
        "sabot-1.1.0-py3-none-any.whl",
        "sabot-extra.service",
        "sabot.service",
    ]


def test_a_bundle_does_not_say_who_made_it_when(good: Path) -> None:
    with tarfile.open(good) as tar:
        assert {(each.mtime, each.uid, each.gid, each.uname) for each in tar} == {(0, 0, 0, "")}


def header(name: str, size: int, kind: bytes = b"0") -> bytes:
    """A header of an archive that says what it likes; its sum is right."""
    head = bytearray(512)
    head[: len(name)] = name.encode()
    head[124:135], head[156:157], head[257:265] = f"{size:011o}".encode(), kind, b"ustar\x0000"
    head[148:156] = b" " * 8
    head[148:156] = f"{sum(head):06o}\0 ".encode()
    return bytes(head)


@pytest.mark.parametrize(
    ("name", "size", "kind", "why"),
    [
        ("manifest.json", 1_460_000_000, b"0", "it announces more than it has"),
        ("././@LongLink", 1_460_000_000, b"L", "it has a header that no bundle has"),
        ("././@PaxHeader", 1_460_000_000, b"x", "it has a header that no bundle has"),
        ("././@PaxHeader", 2_000, b"g", "it has a header that no bundle has"),
    ],
)
def test_policy_what_a_header_announces_is_not_asked_of_the_memory(
    tmp_path: Path, name: str, size: int, kind: bytes, why: str
) -> None:
    """A file of 4 kB once made the updater take 1.46 GB before any signature was looked at."""
    file = tmp_path / "small.bundle"
    file.write_bytes(header(name, size, kind).ljust(4096, b"x"))
    tracemalloc.start()
    try:
        error = refusal(file, tmp_path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.kind.code == "E-UPDATE-001"
    assert why in str(error)
    assert most < 1_000_000


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (header("a", 512) + bytes(512), ""),
        (header("a", 0) + header("b", 512) + bytes(512), ""),
        (header("a", 1) + bytes(512) + header("b", 512) + bytes(512), ""),
        (header("a", 513) + bytes(512), "it announces more than it has"),
        (header("a", 0) + header("b", 513) + bytes(512), "it announces more than it has"),
        (header("././@PaxHeader", 4_096, b"x") + bytes(4_096), ""),
        (header("././@PaxHeader", 4_097, b"x") + bytes(8_192), "it has a header that no bundle has"),
        (header("a", 0) * 2_000, ""),
        (header("a", 0) * 2_001, "it announces more than it has"),
    ],
)
def test_a_header_may_announce_what_there_is_and_no_byte_more(
    tmp_path: Path, content: bytes, why: str
) -> None:
    file = tmp_path / "x.bundle"
    file.write_bytes(content)
    if not why:
        verify_sizes(file)
        return
    with pytest.raises(UpdateError, match=why):
        verify_sizes(file)


def test_notes_that_follow_notes_are_refused_before_anybody_reads_them(tmp_path: Path) -> None:
    """The library goes one call deeper for each: a megabyte of them was a traceback, and no refusal on record."""
    note = header("././@PaxHeader", 11, b"x") + b"11 path=ab\n".ljust(512, b"\0")
    file = tmp_path / "notes.bundle"
    file.write_bytes(note + header("a", 0) + note + header("b", 0))
    verify_sizes(file)
    file.write_bytes(note * 999)
    assert "it has a header that no bundle has" in str(refusal(file, tmp_path))


def test_a_forged_bundle_is_refused(tmp_path: Path) -> None:
    file = bundle(tmp_path, "1.1.0", Ed25519PrivateKey.generate())
    (tmp_path / "in").mkdir()

    error = refusal(file, tmp_path)

    assert error.kind.code == "E-UPDATE-002"
    assert list((tmp_path / "in").iterdir()) == []


def test_an_unsigned_bundle_is_refused_where_a_key_is_pinned(tmp_path: Path) -> None:
    assert refusal(bundle(tmp_path, "1.1.0", None), tmp_path).kind.code == "E-UPDATE-002"


def test_a_bundle_is_refused_wherever_it_is_cut(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes().rstrip(b"\0")  # an archive ends with empty blocks that nobody misses
    cut = tmp_path / "cut.bundle"
    lasts = [whole.rfind(b"\n"), len(whole) // 2, len(whole) // 4, 700, 512, 100, 0]
    for number, length in enumerate(lasts):
        cut.write_bytes(whole[:length])
        (tmp_path / str(number)).mkdir()
        assert refusal(cut, tmp_path / str(number)).kind.code in ("E-UPDATE-001", "E-UPDATE-003")


def alter_manifest(members: Members) -> Members:
    (member, data), *rest = members
    return [(member, data.replace(b'"1.1.0"', b'"1.9.0"')), *rest]


def flip(members: Members) -> Members:
    return [
        (each, data[:-1] + bytes([data[-1] ^ 1]) if each.name.endswith(".service") else data)
        for each, data in members
    ]


def lengthen(members: Members) -> Members:
    return [(each, data + b"#" if each.name.endswith(".service") else data) for each, data in members]


def leave_out(members: Members) -> Members:
    return members[:-1]


def add(members: Members) -> Members:
    return [*members, (tarfile.TarInfo("wheels/evil-1.0-py3-none-any.whl"), b"evil")]


def repeat(members: Members) -> Members:
    return [*members, members[-1]]


def climb(members: Members) -> Members:
    return [*members, (tarfile.TarInfo("../../etc/passwd"), b"root::0:0::/:/bin/sh")]


def link(members: Members) -> Members:
    member, _ = members[-1]
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/shadow"
    return [*members[:-1], (member, b"")]


def swap_the_head(members: Members) -> Members:
    return [members[1], members[0], *members[2:]]


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (alter_manifest, "E-UPDATE-002", "the pinned key did not make it"),
        (flip, "E-UPDATE-003", "has another content than was signed"),
        (lengthen, "E-UPDATE-003", "has another size than was signed"),
        (leave_out, "E-UPDATE-003", "is missing"),
        (add, "E-UPDATE-003", "is not in its manifest"),
        (repeat, "E-UPDATE-003", "is not in its manifest"),
        (climb, "E-UPDATE-003", "is not in its manifest"),
        (link, "E-UPDATE-003", "is not in its manifest"),
        (swap_the_head, "E-UPDATE-001", "does not begin with"),
    ],
)
def test_an_altered_bundle_is_refused_with_the_reason(
    good: Path, tmp_path: Path, change: Callable[[Members], Members], code: str, said: str
) -> None:
    file = rewrite(good, tmp_path / "altered.bundle", change)

    error = refusal(file, tmp_path)

    assert error.kind.code == code
    assert said in str(error)
    assert not (tmp_path.parent / "etc").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04", bytes(10_240), b"\xff" * 10_240, lzma.compress(random.Random(1).randbytes(4096))],
)
def test_what_is_no_bundle_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.bundle"
    file.write_bytes(content)

    error = refusal(file, tmp_path)
    assert error.kind.code == "E-UPDATE-001"
    assert "literal" not in str(error)


def test_a_bundle_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.bundle", tmp_path).kind.code == "E-UPDATE-001"
