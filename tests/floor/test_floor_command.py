"""``sabot floor``: what people and programs read of a floor, from both stores, and its exit codes."""

import csv
import io
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sabot.cli import main
from sabot.floor import order_file, reports
from sabot.floor.errors import FloorError
from sabot.floor.open_store import open_store
from sabot.floor.order_file import OrderFile
from sabot.floor.order_socket import OrderSocket
from sabot.floor.wire import hex_of

from .keeping import Kept
from .making import key
from .test_stores import sql
from .test_verify import evening

FLOOR_KEY = hex_of(key("floor"))


def asked(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["floor", *words]) == code
    out, err = capsys.readouterr()
    assert not err or code == 2
    return out + err


def as_json(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    return json.loads(asked(capsys, *words, "--json", code=code))


def test_prog_10_meters_show_each_level_and_what_stands_beside_it(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(kept)

    found = as_json(capsys, "meters", "--store", kept.where)
    text = asked(capsys, "meters", "--store", kept.where)

    (link,) = found["links"]
    assert (link["link"], link["running"], link["config"], link["tables"]) == ("pit", True, 2, ["T1", "T2"])
    mega = link["levels"][0]
    assert mega["meter_units"] == kept.units("pit.mega")
    assert mega["cents"] == kept.units("pit.mega") // 10_000
    assert (mega["base_cents"], mega["reset_cents"], mega["limit_cents"]) == (1_000_000, 1_000_000, None)
    assert (mega["hits"], mega["won_cents"]) == (2, 1_000_040)
    assert found["balanced"] is True
    assert found["world_units"]["winners"] == 1_000_040 * 10_000
    for words in ("LINKED METERS of The Lantern Casino", "wagers of $1", "base $10,000, reset $10,000, 10% and 0%",
                  "hits 2, won $10,000.40", "all accounts together come to nothing"):  # fmt: skip
        assert words in text


def test_prog_6_tables_show_how_far_each_was_heard_and_what_was_wrong(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(kept)

    found = as_json(capsys, "tables", "--store", kept.where)
    text = asked(capsys, "tables", "--store", kept.where)

    one, two, nobody = found
    assert (one["table"], one["applied"], one["said"], one["unheard"]) == ("T1", 5, 2, 2)
    assert (two["table"], two["links"], two["rounds"]) == ("T2", ["pit"], {"pit": 2})
    assert nobody["wrong"]["malformed"]["times"] == 1
    assert "nobody that is known" in text
    assert "malformed: 1 times, from 2026-11-20T06:00:00Z" in text


def test_prog_10_the_newest_hits_come_first(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    evening(kept)

    found = as_json(capsys, "hits", "--store", kept.where)
    text = asked(capsys, "hits", "--store", kept.where, "-n", "1")

    assert [(each["table"], each["level"], each["cents"], each["state"]) for each in found] == [
        ("T2", "mega", 1_000_000, "taken back"),
        ("T2", "major", 100_032, "taken back"),
        ("T1", "mega", 1_000_040, "validated"),
    ]
    assert "pit.mega" in text
    assert "taken back, by hand" in text
    assert len(text.splitlines()) == 2


def test_prog_2_a_gaming_day_as_page_json_and_csv(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    evening(kept)
    where = ("report", "--store", kept.where, "--date", "2026-11-20")

    found = as_json(capsys, *where)
    text = asked(capsys, *where)
    rows = list(csv.reader(io.StringIO(asked(capsys, *where, "--csv"))))

    assert found["handled"] == [
        {"day": "2026-11-20", "table": "T1", "link": "pit", "wager": "prog5", "wagers": 3, "cents": 300},
        {"day": "2026-11-20", "table": "T2", "link": "pit", "wager": "prog5", "wagers": 0, "cents": 0},
    ]
    assert found["accounts_units"]["pit.mega"]["contribution"] == 40 * 10_000
    assert [each["entry"] for each in found["hits"]] == [9, 8]
    assert "GAMING DAY 2026-11-20 of The Lantern Casino" in text
    assert "contribution" in text
    assert ["wagers", "T1", "pit", "prog5", "3", "300", "", ""] in rows
    assert ["moved", "pit.mega", "", "base", "", "", str(10_000 * 1_000_000), ""] in rows
    assert ["hit", "T1", "pit", "royal_flush", "", "1000040", "", ""] in rows
    assert as_json(capsys, *where[:3], "--date", "2026-11-19")["handled"] == []
    assert found["figures"] == [
        {"link": "pit", "wager": "prog5", "wagers": 3, "handle_cents": 300, "from_meters_cents": 1_000_040,
         "win_cents": -999_740, "hold_percent": "-333246.67"},
    ]  # fmt: skip
    assert ["win", "", "pit", "prog5", "3", "-999740", "", ""] in rows
    assert "-$9,997.40" in text


def test_prog_2_without_a_date_the_report_is_of_the_gaming_day_that_runs(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(kept)
    state = kept.reader.load().state()
    before = reports.today(state)

    found = as_json(capsys, "report", "--store", kept.where)

    assert before <= found["day"] <= reports.today(state)


def test_prog_10_a_gaming_day_of_one_table(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    evening(kept)
    where = ("report", "--store", kept.where, "--date", "2026-11-20", "--table")

    found = as_json(capsys, *where, "T2")

    assert ([each["table"] for each in found["handled"]], found["accounts_units"]) == (["T2"], {})
    assert [each["table"] for each in found["hits"]] == ["T2"]
    assert [(each["wagers"], each["from_meters_cents"]) for each in found["figures"]] == [(0, 0)]
    assert "GAMING DAY 2026-11-20 of The Lantern Casino, table T1" in asked(capsys, *where, "T1")


def test_prog_10_a_report_of_no_table_and_of_two_forms_is_refused(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("report", "--store", kept.where)

    assert "'T9' is not one of T1 T2" in asked(capsys, *where, "--table", "T9", code=2)
    assert "E-CLI-003" in asked(capsys, *where, "--json", "--csv", code=2)


def test_prog_12_verify_says_what_it_proved(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    evening(kept)

    found = as_json(capsys, "verify", "--store", kept.where, "--key", FLOOR_KEY)
    text = asked(capsys, "verify", "--store", kept.where)

    assert (found["good"], found["entries"], found["key"]) == (True, kept.last.number, "given")
    assert found["link"] == kept.last.link.hex()
    assert "THE LEDGER IS WHOLE" in text
    assert "compare it with the floor's" in text


def test_prog_12_verify_names_what_does_not_follow(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    evening(kept)
    sql(kept.where, "UPDATE balance SET units = units + 1 WHERE account = 'pit.mega'")

    text = asked(capsys, "verify", "--store", kept.where, code=1)
    found = as_json(capsys, "verify", "--store", kept.where, code=1)

    assert text.startswith("BROKEN: E-FLOOR-015 store: account pit.mega is ")
    assert (found["good"], found["code"]) == (False, "E-FLOOR-015")


def test_prog_12_an_export_is_proved_without_a_store(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(kept)
    file = tmp_path / "floor.jsonl"

    written = as_json(capsys, "export", str(file), "--store", kept.where)
    text = asked(capsys, "export", "-", "--store", kept.where)

    assert written["entries"] == kept.last.number
    assert text == file.read_text(encoding="utf-8")
    assert as_json(capsys, "verify", "--file", str(file))["beside"] == "not in an export"
    assert "bytes, ends with" in asked(capsys, "export", str(tmp_path / "two.jsonl"), "--store", kept.where)
    file.write_text(text.replace("grant", "grunt", 1), encoding="utf-8")
    assert "BROKEN" in asked(capsys, "verify", "--file", str(file), code=1)


def test_prog_12_bad_input_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none = str(tmp_path / "none.db")

    for what in ("meters", "tables", "hits", "report", "verify"):
        assert "E-FLOOR-010" in asked(capsys, what, "--store", none, code=2)
    assert "E-FLOOR-010" in asked(capsys, "export", str(tmp_path / "x"), "--store", none, code=2)
    assert "E-FLOOR-010" in asked(capsys, "verify", "--file", none, code=2)
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at " * 20)
    assert "E-FLOOR-010" in asked(capsys, "meters", "--store", str(tmp_path / "text.db"), code=2)
    with pytest.raises(SystemExit):
        main(["floor", "verify", "--key", "AB"])
    assert not (tmp_path / "none.db").exists()


def test_prog_12_a_name_that_can_be_no_store_says_why_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    said = {
        "folder": "it is a folder",
        "pipe": "it is a device, a socket or a pipe",
        "x" * 300: "File name too long",
    }
    for name, why in said.items():
        found = asked(capsys, "meters", "--store", str(tmp_path / name), code=2)
        assert f"E-FLOOR-026 {tmp_path / name}: no store can be used under that name ({why})" in found
        assert "Name the file itself" in found
    with pytest.raises(FloorError, match=r"E-FLOOR-026 .*there is no folder"):
        open_store(str(tmp_path / "none" / "floor.db"), new=True)


def test_prog_12_a_file_that_is_named_for_the_socket_of_orders_is_not_removed(
    kept: Kept, tmp_path: Path
) -> None:
    (tmp_path / "other.db").write_bytes(b"a year of hits")

    with pytest.raises(FloorError, match=r"E-FLOOR-021 .*in use"):
        OrderSocket(tmp_path / "other.db", kept.committer)
    assert (tmp_path / "other.db").read_bytes() == b"a year of hits"


def test_prog_12_an_order_that_breaks_the_service_leaves_a_trace_and_one_who_hangs_up_leaves_none(
    kept: Kept, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = OrderSocket(tmp_path / "orders", kept.committer)
    breaks = iter((BrokenPipeError(), ZeroDivisionError()))

    def parse(*_: object) -> OrderFile:
        raise next(breaks)

    monkeypatch.setattr(order_file, "parse", parse)
    for _ in range(2):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(tmp_path / "orders"))
            line.sendall(b"{}\n")
            assert line.recv(10) == b""
    place.close()

    said = capfd.readouterr().err
    assert said.count("Traceback") == 1
    assert "ZeroDivisionError" in said


def as_another_account(code: str) -> str:
    """What a program prints that may not pass over the rights of files, as root may."""
    words = [sys.executable, "-Ic", code]
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv") or pytest.skip("no setpriv: sudo apt-get install util-linux")
        words = [setpriv, "--bounding-set=-dac_override,-dac_read_search", *words]
    return subprocess.run(words, check=False, capture_output=True, text=True).stderr


OPEN = """
from sabot.cli import main
main(["floor", "meters", "--store", {0!r}])
"""
MAKE = """
import sys
from sabot.floor.errors import FloorError
from sabot.floor.order_socket import OrderSocket
from sabot.floor.open_store import open_store
try:
    open_store({0!r}, new=True)
except FloorError as error:
    print(error, file=sys.stderr)
"""


def test_prog_12_who_may_not_read_the_store_is_told_so(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir()
    for each in (shut / "floor.db", tmp_path / "mine.db"):
        each.touch()
        each.chmod(0)
    shut.chmod(0)

    said = as_another_account(OPEN.format(str(shut / "floor.db")))
    assert "E-FLOOR-026" in said
    assert "Permission denied" in said
    assert "Traceback" not in said
    assert "this user may not read it" in as_another_account(OPEN.format(str(tmp_path / "mine.db")))
    shut.chmod(0o500)
    made = as_another_account(MAKE.format(str(shut / "new.db")))
    assert f"this user may make no file in {shut}" in made


def test_605a_8_a_board_without_the_floor_says_so() -> None:
    """The bundle for a board leaves the package out."""
    program = "import sys; sys.modules['sabot.floor'] = None; from sabot.cli import main; sys.exit(main())"

    done = subprocess.run(
        [sys.executable, "-c", program, "floor", "meters"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "E-CLI-012 floor: the floor is not here" in done.stderr


def test_605a_8_a_store_in_postgresql_wants_its_driver() -> None:
    program = "import sys; sys.modules['psycopg'] = None; from sabot.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", program, "floor", "meters", "--store", "postgresql://127.0.0.1/x"]

    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "E-FLOOR-016 --store: psycopg is not installed" in done.stderr
    assert "pip install 'sabot[floor]'" in done.stderr


def test_605a_8_the_service_wants_what_speaks_mqtt() -> None:
    program = "import sys; sys.modules['paho'] = None; from sabot.cli import main; sys.exit(main())"

    done = subprocess.run(
        [sys.executable, "-c", program, "floor", "run"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "E-CLI-004 floor: paho-mqtt is not installed" in done.stderr


def test_605a_8_the_command_line_knows_nothing_of_the_floor_until_it_is_asked() -> None:
    program = (
        "import sys; import sabot.cli; sys.exit(any(name.startswith('sabot.floor') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
