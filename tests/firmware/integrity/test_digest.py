import hashlib
import hmac
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from calling import sabot
from sabot.firmware.integrity import digest_process
from sabot.firmware.integrity.covered_files import GROUPS, groups, mapped_libraries
from sabot.firmware.integrity.digest import Digest, digest, lines, read_challenge
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation, here
from small_medium import board

TOOL = Path(__file__).resolve().parents[3] / "tools" / "digest_medium.py"
CHALLENGE = bytes(range(16))
# What tests beside these change here, when they import a module of the library for the first time.
MOVES = re.compile(r"compiled |all |answer to the challenge \(HMAC-SHA-256\): [0-9a-f]{64}$")


@pytest.fixture
def where(tmp_path: Path) -> Installation:
    return board(tmp_path)


def by_name(found: Digest) -> dict[str, str]:
    return {group.name: group.sha256 for group in found.groups}


def test_everything_is_covered_once_under_the_group_it_belongs_to(where: Installation) -> None:
    names = {name: [row.name for row in rows] for name, rows in groups(where)}

    assert list(names) == list(GROUPS)
    assert names["interpreter"] == ["/usr/bin/python3.11"]
    assert names["library"] == ["python3.11/json/__init__.py", "python3.11/os.py"]
    assert names["program"] == ["sabot/__init__.py", "sabot/rules/cards.py"]
    assert names["chapters"] == ["sabot/config/chapters/pa641a.toml"]
    assert names["tables"] == ["settings/release.pub", "settings/submission.toml", "settings/table.toml"]
    assert names["units"] == [
        "etc/systemd/system/sabot.service",
        "etc/systemd/system/sabot.service.d/more.conf",
        "etc/udev/rules.d/70-sabot.rules",
    ]
    assert "release/manifest.sig" in names["release"]
    assert "release/venv/bin/python" not in names["release"]
    assert any(name.startswith("python3.11/json/__pycache__/") for name in names["compiled"])
    assert any("libc" in name for name in names["native"])


@pytest.mark.parametrize(
    ("file", "group"),
    [
        ("usr/bin/python3.11", "interpreter"),
        ("usr/lib/python3.11/os.py", "library"),
        ("opt/sabot/current/venv/lib/python3.11/site-packages/structlog/__init__.py", "dependencies"),
        ("opt/sabot/current/venv/lib/python3.11/site-packages/sabot/rules/cards.py", "program"),
        ("opt/sabot/current/venv/lib/python3.11/site-packages/sabot/config/chapters/pa641a.toml", "chapters"),
        ("etc/sabot/table.toml", "tables"),
        ("etc/systemd/system/sabot.service.d/more.conf", "units"),
        ("opt/sabot/current/venv/pyvenv.cfg", "release"),
    ],
)
def test_a_changed_file_changes_its_group_and_the_whole(where: Installation, file: str, group: str) -> None:
    before = digest(where, CHALLENGE)
    path = where.root / file
    path.write_bytes(path.read_bytes() + b"#")
    after = digest(where, CHALLENGE)

    assert {name for name, each in by_name(after).items() if each != by_name(before)[name]} == {group}
    assert after.sha256 != before.sha256
    assert after.hmac != before.hmac


def test_a_renamed_file_is_a_changed_one(where: Installation) -> None:
    before = digest(where)
    (where.site / "structlog/__init__.py").rename(where.site / "structlog/other.py")

    assert by_name(digest(where))["dependencies"] != by_name(before)["dependencies"]


def test_the_digest_is_that_of_the_stream_which_the_page_describes(where: Installation) -> None:
    stream = b"".join(
        f"{name}\n{row.name}\n{row.path.stat().st_size}\n".encode() + row.path.read_bytes()
        for name, rows in groups(where)
        for row in rows
    )
    found = digest(where, CHALLENGE)

    assert found.sha256 == hashlib.sha256(stream).hexdigest()
    assert found.hmac == hmac.new(CHALLENGE, stream, hashlib.sha256).hexdigest()
    assert found.size == sum(row.path.stat().st_size for _, rows in groups(where) for row in rows)


def test_another_challenge_has_another_answer_and_none_has_none(where: Installation) -> None:
    assert digest(where, CHALLENGE).hmac != digest(where, bytes(16)).hmac
    assert digest(where).hmac == ""


@pytest.mark.parametrize("text", ["zz", "00" * 15, "00" * 65, "0" * 33])
def test_what_is_no_challenge_is_refused(text: str) -> None:
    with pytest.raises(VerifyError, match="E-VERIFY-008"):
        read_challenge(text)


@pytest.mark.parametrize("size", [16, 64])
def test_the_shortest_and_the_longest_challenge_are_taken(size: int) -> None:
    assert read_challenge("0a" * size) == b"\n" * size


def outside(where: Installation, names: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The tool, as somebody runs it on another machine: alone, isolated."""
    return subprocess.run(
        [sys.executable, "-I", str(TOOL), str(where.root), "--names", str(names), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def told(where: Installation, to: Path) -> dict[str, list[dict[str, object]]]:
    """What the board told, but for libraries: those of this machine are not on that medium."""
    found = digest(where, CHALLENGE)
    content: dict[str, list[dict[str, object]]] = {
        "groups": [group._asdict() for group in found.groups if group.name != "native"],
        "native": [],
    }
    to.write_text(json.dumps(content), encoding="utf-8")
    return content


def test_the_tool_from_outside_tells_the_same_of_every_group(where: Installation, tmp_path: Path) -> None:
    names = tmp_path / "board.json"
    content = told(where, names)

    done = outside(where, names, "--json", "--challenge", CHALLENGE.hex())

    found = json.loads(done.stdout)
    assert [group for group in found["groups"] if group["name"] != "native"] == content["groups"]
    assert len(found["groups"]) == len(GROUPS)


def test_the_tool_names_the_group_of_which_the_board_lied(where: Installation, tmp_path: Path) -> None:
    names = tmp_path / "board.json"
    told(where, names)
    (where.site / "sabot/rules/cards.py").write_text("def parse(text):\n    return set()\n", encoding="utf-8")

    done = outside(where, names)

    assert done.returncode == 1
    assert "DIFFERENT: the board told another digest of program" in done.stderr
    assert "of library" not in done.stderr


def test_the_tool_follows_no_link_out_of_the_medium(where: Installation, tmp_path: Path) -> None:
    names = tmp_path / "board.json"
    told(where, names)
    (where.root / "etc/sabot/extra.toml").symlink_to("/etc/hostname")

    found = json.loads(outside(where, names, "--json").stdout)

    tables = next(group for group in found["groups"] if group["name"] == "tables")
    assert tables["files"] == 3


def test_the_tool_needs_nothing_but_the_standard_library() -> None:
    imported = [
        line.split()[1] for line in TOOL.read_text().splitlines() if line.startswith(("import ", "from "))
    ]

    assert {name.partition(".")[0] for name in imported} <= set(sys.stdlib_module_names)


def test_libraries_of_a_process_are_those_it_runs_code_from(tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    maps.write_text(
        "7f00-7f10 r-xp 00000000 08:01 12 /usr/lib/libc.so.6\n"
        "7f10-7f20 r--p 00000000 08:01 12 /usr/share/locale/C.utf8\n"
        "7f20-7f30 r-xp 00000000 00:00 0 [vdso]\n"
        "7f30-7f40 r-xp 00000000 08:01 13 /usr/lib/lib with space.so\n",
        encoding="utf-8",
    )

    assert mapped_libraries(maps) == [Path("/usr/lib/lib with space.so"), Path("/usr/lib/libc.so.6")]


def test_a_library_that_was_replaced_under_the_program_is_found(tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    maps.write_text("7f00-7f10 r-xp 00000000 08:01 12 /usr/lib/libssl.so.3 (deleted)\n", encoding="utf-8")

    with pytest.raises(VerifyError, match="E-VERIFY-010 /usr/lib/libssl"):
        mapped_libraries(maps)


def test_the_page_says_what_was_covered_and_that_it_is_no_proof(where: Installation) -> None:
    text = "\n".join(lines(digest(where, CHALLENGE), where))

    assert "proves nothing" in text
    assert "answer to the challenge" in text
    assert "DEVELOPMENT" not in text
    for name in GROUPS:
        assert f"\n{name} " in text


def test_this_checkout_says_that_it_is_not_for_a_floor() -> None:
    assert here().is_development
    assert "DEVELOPMENT, NOT FOR A FLOOR" in next(lines(Digest((), "", "", ()), here()))


def test_a_bad_challenge_is_bad_input() -> None:
    done = sabot("verify", "--challenge", "xyz")

    assert done.code == 2
    assert "E-VERIFY-008" in done.err


def test_policy_the_running_program_lets_a_process_beside_it_make_its_digests() -> None:
    """Digesting holds an interpreter for more than half a second: that is not the loop's."""
    where = here()
    found = digest(where, CHALLENGE, mapped_libraries())

    told, expected = list(digest_process.digests(CHALLENGE)), list(lines(found, where))
    assert [line for line in told if not MOVES.match(line)] == [
        line for line in expected if not MOVES.match(line)
    ]
    assert sum(map(bool, map(MOVES.match, told))) == 3


def test_policy_a_helper_that_cannot_cover_a_file_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest_process, "mapped_libraries", lambda: [Path("/nowhere/lib.so")])

    with pytest.raises(VerifyError, match=r"E-VERIFY-009 .*No such file"):
        list(digest_process.digests(b""))


def test_policy_whoever_stops_asking_ends_the_helper() -> None:
    asked = digest_process.digests(b"")
    assert next(asked)
    asked.close()
