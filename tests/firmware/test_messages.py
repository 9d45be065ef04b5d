"""What people type wrongly: each message says what, where and why, and its cure is the one that helps."""

import re
from pathlib import Path

import pytest

from sabot.cli import main
from sabot.config.errors import ConfigError
from sabot.config.loader import HERE
from sabot.config.reader import read_toml
from sabot.firmware import common_arguments
from sabot.firmware.commands import state_folder
from test_check import changed

TABLE = "pa683a-hand"
CALLS = {
    "settl x": ("sabot", "E-CLI-015", "there is no COMMAND 'settl' (did you mean settle?)"),
    "chek x": ("sabot", "E-CLI-015", "did you mean check?"),
    "--vresion": ("sabot", "E-CLI-017", "nothing takes '--vresion' here (did you mean --version?)"),
    "run": ("sabot run", "E-CLI-016", "the table file, or --sim CHAPTER is missing"),
    "run --sim pa64": ("sabot run", "E-CLI-003", "'pa64' is not a chapter (did you mean pa641a?)"),
    "run --sim pa641a --method autoshoe": ("sabot run", "E-CLI-003", "(did you mean auto_shoe?)"),
    "run x.toml --sim pa641a": ("sabot run", "E-CLI-018", "--sim writes a table file of its own"),
    "run x.toml --method hand": ("sabot run", "E-CLI-018", "--method goes with --sim alone"),
    "run x.toml --state y": ("sabot run", "E-CLI-018", "--state goes with --sim alone"),
    "device wire --bogus": (
        "sabot device wire",
        "E-CLI-017",
        "nothing takes '--bogus' here (there are -h, --help, ",
    ),
    "journal export x --day": (
        "sabot journal export",
        "E-CLI-017",
        "nothing takes '--day' here (there are -h, --help, ",
    ),
    "run --log-level loud": ("sabot run", "E-CLI-015", "It may be"),
    "selftest": ("sabot selftest", "E-CLI-016", "Say for example: sabot selftest /etc/sabot/table.toml."),
    "selftest /nowhere/x.toml": ("sabot selftest", "E-CONF-001", "No such file or directory"),
    "check": ("sabot check", "E-CLI-016", "file is missing"),
    "check --jsn x": ("sabot check", "E-CLI-017", "did you mean --json?"),
    "check a b": ("sabot check", "E-CLI-017", "nothing takes 'b' here"),
    "check /": ("sabot check", "E-CONF-001", "Is a directory"),
    "report": ("sabot report", "E-CLI-016", "what (one of day"),
    "report week": ("sabot report", "E-CLI-015", "there is no what 'week'"),
    "report day --date 31.1.2026": (
        "sabot report",
        "E-CLI-003",
        "'31.1.2026' is not a date such as 2026-01-31",
    ),
    "report day --date 2026-02-30": ("sabot report", "E-CLI-003", "is not a date such as 2026-01-31"),
    "report day": ("sabot report", "E-CLI-019", "this machine has no"),
    "report day --table x --state y": ("sabot report", "E-CLI-018", "not allowed with argument --table"),
    "meters": ("sabot meters", "E-CLI-019", "--state"),
    "meters --csv --json": ("sabot meters", "E-CLI-018", "not allowed with argument --csv"),
    "sign": ("sabot sign", "E-CLI-016", "SUBMISSION.toml, -o/--output"),
    "sign x -o y.pdf --size a5": ("sabot sign", "E-CLI-015", "It may be letter, a4, tabloid"),
    "deal": ("sabot deal", "E-CLI-016", "CHAPTER, METHOD"),
    "deal pa641a hand --seats 1;2": ("sabot deal", "E-CLI-003", "numbers separated by commas"),
    "device": ("sabot device", "E-CLI-016", "ACTION (one of list"),
    "device lst": ("sabot device", "E-CLI-015", "did you mean list?"),
    "device test": ("sabot device", "E-CLI-016", "PORT, or --as DRIVER is missing"),
    "device test --as lines --patience soon": ("sabot device test", "E-CLI-003", "a time in seconds"),
    "device monitor": ("sabot device monitor", "E-CLI-016", "PORT is missing"),
    "device send x --as lines": ("sabot device send", "E-CLI-016", "--message, --hex is missing"),
    "device test x --cicle": ("sabot device test", "E-CLI-017", "did you mean --cycle?"),
    "journal": ("sabot journal", "E-CLI-016", "WHAT (one of verify"),
    "journal tial": ("sabot journal", "E-CLI-015", "did you mean tail?"),
    "journal show x": ("sabot journal show", "E-CLI-018", "not a whole number from 1"),
    "update": ("sabot update", "E-CLI-016", "the bundle is missing"),
    "evidence": ("sabot evidence", "E-CLI-016", "--round N or --fault ID"),
    "evidence --round x": ("sabot evidence", "E-CLI-003", "'x' is not a whole number"),
    "evidence verify": ("sabot evidence", "E-CLI-016", "the pack to check is missing"),
    "restore": ("sabot restore", "E-CLI-016", "--cause is missing"),
    "enrol bord": ("sabot enrol", "E-CLI-015", "did you mean board?"),
    "demo --chapter pa1": ("sabot demo", "E-CONF-009", "the chapters are pa641a"),
    "demo --chapter pa641": ("sabot demo", "E-CONF-009", "did you mean pa641a?"),
    "floor metrs": ("sabot floor", "E-CLI-015", "did you mean meters?"),
    "verify --x": ("sabot verify", "E-CLI-017", "nothing takes '--x' here"),
    "safe-outputs lock_opn=3": ("sabot safe-outputs", "E-LINE-002", "Choose one of those"),
    "chapter pa641a --check": ("sabot chapter", "E-CLI-018", "expected one argument"),
    "par pa641a acesup": ("sabot par", "E-ODDS-001", "aces_up"),
    "hil": ("sabot hil", "E-CLI-016", "is missing"),
    "sim shoo": ("sabot sim", "E-CLI-003", "shoe, shuffler"),
    "replay": ("sabot replay", "E-CLI-016", "EVENTS.jsonl is missing"),
    "clear-memory": ("sabot clear-memory", "E-CLI-016", "--export, --cause"),
}


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    try:
        code: object = main(words)
    except SystemExit as left:
        code = left.code
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    return told.err


@pytest.mark.parametrize("call", CALLS)
def test_a_slip_on_the_command_line_is_answered_with_its_cure(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where, code, words = CALLS[call]
    missing = common_arguments.TABLE.with_name("of-no-machine.toml")
    monkeypatch.setattr(state_folder, "TABLE", missing)
    monkeypatch.setattr(common_arguments, "TABLE", missing)
    message = said(call.split(), capsys)

    assert message.splitlines()[-1].startswith(f"{' '.join(where.split()[:2])}")
    assert f" {code} " in message
    assert words in message.replace("\n", " ")
    assert "Traceback" not in message
    if code in ("E-CLI-015", "E-CLI-016", "E-CLI-017", "E-CLI-018") and message.startswith("usage"):
        assert message.startswith(f"usage: {where} ")
    assert len(re.findall(r"[.](?:\s|$)", message.splitlines()[-1])) >= 3


FILES = {
    "a slip in a needed key": (("submission = ", "submision = "), "E-CONF-003", "(is 'submision' meant for it?)"),
    "a slip in a path": (("/pa683a-hand.toml", "/pa683-hand.toml"), "E-CONF-013", "pa683a-hand.toml is there"),
    "a folder": (('"submissions/pa683a-hand.toml"', '"submissions"'), "E-CONF-013", "it is a folder"),
    "no shuffler": (('"counting"', '"conting"'), "E-CONF-014", "did you mean 'counting'?"),
    "no knowledge": (('knowledge = "none"', 'knowledge = "non"'), "E-CONF-014", "count_only, each_card, none, stack"),
    "no amount": (('min = "$10"', "min = 10"), "E-CONF-004", 'in quotes, with the dollar sign (such as "$5")'),
    "no dollar": (('min = "$10"', 'min = "10"'), "E-CONF-004", 'such as "$5"'),
    "the wrong part": (("[cards]", "[cards]\nsimulated = true"), "E-CONF-002", "it belongs to the top of the file"),
    "another part": (("[day]", "[day]\nretention_days = 3"), "E-CONF-002", "it belongs to [storage]"),
    "no device": (("[device.lines]", "[lines]"), "E-CONF-002", "a device is written as [device.lines]"),
    "a time": (('starts = "06:00"', "starts = 06:00:00"), "E-CONF-004", "a text stands in quotes"),
    "a date": (('starts = "06:00"', "starts = 2026-01-31"), "E-CONF-004", "'2026-01-31', expected a time of day"),
    "a moment that is none": (('starts = "06:00"', "starts = 2026-02-31"), "E-CONF-012", "it is not TOML"),
    "an hour": (('starts = "06:00"', "starts = 6"), "E-CONF-004", "a time of day such as 06:00"),
    "no zone": (("America/New_York", "America/NewYork"), "E-CONF-004", "such as America/New_York"),
    "a quoted number": (("retention_days = ", 'retention_days = "40" #'), "E-CONF-004", "without quotes"),
    "a fraction": (("smallest_chip_cents = ", "smallest_chip_cents = 5.0 #"), "E-CONF-004", "without a point"),
    "no yes": (('table = "', 'simulated = "yes"\ntable = "'), "E-CONF-004", "true and false stand without quotes"),
    "no part": (("[cards]", "policies = true\n[cards]"), "E-CONF-004", "a part begins with its name in brackets"),
    "no quotes": (('driver = "lines"', "driver = lines"), "E-CONF-012", "line 25"),
    "no driver": (('driver = "lines"', 'drivr = "lines"'), "E-CONF-003", "is 'drivr' meant for it?"),
    "an unknown driver": (('driver = "lines"', 'driver = "line"'), "E-LINK-004", "the drivers are"),
    "no duty": (('duty = "shuffle"', 'duty = "shufle"'), "E-CONF-014", "did you mean 'shuffle'?"),
    "seats of a pad": (("seats = 6", "seats = 60"), "E-CONF-004", "from 1 to 8"),
    "a part twice": (("[storage]", "[storage]\n[storage]"), "E-CONF-012", "twice"),
    "no chapter": (('chapter = "pa683a"', 'chapter = "pa683"'), "E-CONF-014", "did you mean 'pa683a'?"),
    "no method": (('method = "hand"', 'method = "hnd"'), "E-TABLE-002", "the nearest is 'hand'"),
    "no house": (("house = ", "hous = "), "E-CONF-003", "is 'hous' meant for it?"),
    "no limit": (('max = "', 'maximum = "'), "E-CONF-002", "'max'"),
    "no whole path": (('"/var/lib/sabot"', '"var/lib"'), "E-CONF-004", "such as /var/lib/sabot"),
}  # fmt: skip


@pytest.mark.parametrize("slip", FILES)
def test_a_slip_in_a_table_file_is_answered_with_its_cure(
    slip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    swap, code, words = FILES[slip]
    message = said(["check", str(changed(tmp_path, swap, name=TABLE))], capsys)

    assert message.startswith(f"sabot check: {code} ")
    assert words in message


SUBMITTED, LAID = "config/submissions/pa683a.toml", "config/tables/pa683a-hand.toml"
CHAPTER = "config/chapters/pa683a.toml"
MIXED_UP = {
    f"check {SUBMITTED}": "this is a Rules Submission, and a table file is wanted here",
    f"check {CHAPTER}": "this is a chapter, and a table file is wanted here",
    f"selftest {SUBMITTED}": "`submission` of a table file, and read by `sabot chapter ID --check`",
    f"chapter pa683a --check {LAID}": "this is a table file, and a Rules Submission is wanted here",
    f"sign {LAID} -o x.svg": "A table file is read by `sabot check`, `sabot selftest` and `sabot run`",
}


@pytest.mark.parametrize("call", MIXED_UP)
def test_a_file_that_is_taken_for_another_is_said_to_be_that(
    call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = (HERE / "chapters").resolve().parents[1]
    message = said(
        [str(root / word) if word.startswith("config/") else word for word in call.split()], capsys
    )
    assert " E-CONF-020 " in message
    assert MIXED_UP[call] in message


def test_a_table_file_that_names_another_as_its_submission_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, ('"submissions/pa683a-hand.toml"', '"pa641a-hand.toml"'), name=TABLE)
    message = said(["check", str(path)], capsys)
    assert "this is a table file, and a Rules Submission is wanted here" in message


BYTES = {
    "a mark of UTF-8": ("utf-8-sig", "E-CONF-010", "without BOM"),
    "UTF-16": ("utf-16", "E-CONF-010", "UTF-8 without a mark"),
    "Latin-1": ("latin-1", "E-CONF-011", "line 2 has the byte 0xe9"),
}


@pytest.mark.parametrize("how", BYTES)
def test_a_file_of_another_encoding_is_answered_with_its_cure(how: str, tmp_path: Path) -> None:
    encoding, code, words = BYTES[how]
    path = tmp_path / "table.toml"
    path.write_bytes('# a table\ntable = "Café"\n'.encode(encoding))

    with pytest.raises(ConfigError) as caught:
        read_toml(path)
    assert (caught.value.kind.code, words in str(caught.value)) == (code, True)


def test_a_chapter_file_reads_as_before() -> None:
    assert read_toml(HERE / "chapters" / "pa641a.toml")["id"] == "pa641a"


def test_a_table_file_that_is_not_there_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(["run", "/nowhere/table.toml"], capsys).count("E-CONF-001") == 1
