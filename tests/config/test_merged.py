"""A table file and the parts that it includes are one; what is wrong is named where it stands."""

import tomllib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from sabot.config.driver_options import OptionShape
from sabot.config.errors import ConfigError
from sabot.config.includes import MOST_PARTS, as_toml, read_merged
from sabot.config.loader import ChapterLaw
from sabot.config.salvage import salvage
from sabot.config.table_file import TableFile, load_table_file
from sabot.drivers.registry import load

OURS = Path(__file__).parent / "ours"
PIT = """\
# What every table of the pit has.
simulated = true
submission = "house.toml"
law = "ours"
smallest_chip_cents = 500

[cards]
knowledge = "each_card"
shuffler = "counting"

[storage]
retention_days = 90

[device.display]
driver = "escpos"
baud = 19200
"""
TABLE = """\
include = "pits/3.toml"
table = "TCP 14"

[storage]
state = "/var/lib/sabot"

[device.display]
port = "/dev/ttyUSB0"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "pits").mkdir()
    (tmp_path / "pits" / "3.toml").write_text(PIT)
    (tmp_path / "house.toml").write_text((OURS / "submissions" / "tcp.toml").read_text())
    for name in ("chapters", "submissions"):
        (tmp_path / "ours" / name).mkdir(parents=True)
        (tmp_path / "ours" / name / "tcp.toml").write_text((OURS / name / "tcp.toml").read_text())
    path = tmp_path / "table.toml"
    path.write_text(TABLE)
    return path


def read(path: Path) -> TableFile:
    return load_table_file(path, lambda driver, place: load(driver, place).schema)


def wrong(path: Path) -> ConfigError:
    with pytest.raises(ConfigError) as refused:
        read(path)
    return refused.value


def part(table: Path, before: str, after: str) -> None:
    """Write something else into the common part."""
    path = table.parent / "pits" / "3.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_what_a_table_and_its_pit_say_is_one_table(table: Path) -> None:
    file = read(table)

    assert (file.name, file.is_simulated, file.smallest_chip_cents) == ("TCP 14", True, 500)
    assert (str(file.storage.state), file.storage.retention_days) == ("/var/lib/sabot", 90)
    assert file.devices[0].options["baud"] == 19200
    assert file.devices[0].options["port"] == "/dev/ttyUSB0"
    assert file.law.chapter("tcp").game == "Three Card Poker"


def test_a_table_goes_before_its_parts_and_a_later_part_before_an_earlier(table: Path) -> None:
    (table.parent / "later.toml").write_text("smallest_chip_cents = 200\nidle_after_min = 7\n")
    table.write_text(
        'include = ["pits/3.toml", "later.toml"]\nidle_after_min = 9\n' + TABLE.partition("\n")[2]
    )
    file = read(table)

    assert (file.smallest_chip_cents, file.idle_after_min) == (200, 9)


def test_a_part_may_include_another_from_its_own_folder(table: Path) -> None:
    (table.parent / "pits" / "house.toml").write_text('[day]\nzone = "America/New_York"\n')
    part(table, "simulated = true", 'simulated = true\ninclude = "house.toml"')

    assert read(table).day.zone == "America/New_York"


@pytest.mark.parametrize(
    ("before", "after", "code", "where"),
    [
        ("smallest_chip_cents = 500", "smallest_chip_cents = 0", "E-CONF-004", "3.toml, line 5:"),
        ('knowledge = "each_card"', 'knowledge = "eachcard"', "E-CONF-014", "3.toml, line 8 [cards]"),
        ("retention_days = 90", "retenton_days = 90", "E-CONF-002", "3.toml, line 12 [storage]"),
        ("baud = 19200", "baud = 1", "E-CONF-004", "3.toml, line 16 [device.display]"),
        ("[cards]", "[cards", "E-CONF-012", "3.toml:"),
        ('submission = "house.toml"', 'submission = "home.toml"', "E-CONF-013", "3.toml, line 3"),
        ('law = "ours"', 'law = "../ours"', "E-CONF-017", "3.toml, line 4:"),
    ],
)
def test_an_error_names_the_part_and_the_line_where_it_stands(
    table: Path, before: str, after: str, code: str, where: str
) -> None:
    part(table, before, after)
    found = wrong(table)

    assert found.kind.code == code
    assert f"{table.parent / 'pits'}/{where}" in str(found)


def test_an_error_of_the_table_itself_names_its_line_too(table: Path) -> None:
    table.write_text(TABLE.replace('table = "TCP 14"', "table = 14"))

    assert f"{table}, line 2:" in str(wrong(table))


def test_what_is_missing_everywhere_is_missing_in_the_table_file(table: Path) -> None:
    table.write_text(TABLE.replace('table = "TCP 14"\n', ""))

    assert str(wrong(table)).startswith(f"E-CONF-003 {table}: 'table' is missing")


@pytest.mark.parametrize(
    ("include", "code"),
    [
        ('"../pit.toml"', "E-CONF-017"),
        ('"/etc/passwd"', "E-CONF-017"),
        ('"link.toml"', "E-CONF-017"),
        ('"table.toml"', "E-CONF-018"),
        ('"round.toml"', "E-CONF-018"),
        ('"none.toml"', "E-CONF-019"),
        ("7", "E-CONF-004"),
        ("[]", "E-CONF-004"),
        ('["pits/3.toml", "pits/3.toml"]', "E-CONF-004"),
    ],
)
def test_a_part_from_elsewhere_a_circle_and_no_part_are_refused(
    table: Path, tmp_path_factory: pytest.TempPathFactory, include: str, code: str
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "pit.toml"
    outside.write_text("simulated = true\n")
    (table.parent / "link.toml").symlink_to(outside)
    (table.parent / "round.toml").write_text('include = "table.toml"\n')
    table.write_text(TABLE.replace('"pits/3.toml"', include))

    assert wrong(table).kind.code == code


def test_a_slip_in_the_path_of_a_part_is_answered_with_the_file_beside_it(table: Path) -> None:
    table.write_text(TABLE.replace('"pits/3.toml"', '"pits/common-2.toml"'))
    (table.parent / "pits" / "common-3.toml").write_text("")

    assert f"; {table.parent / 'pits' / 'common-3.toml'} is there" in str(wrong(table))


def test_no_table_is_made_of_hundreds_of_parts(table: Path) -> None:
    for number in range(MOST_PARTS + 2):
        (table.parent / f"{number}.toml").write_text(f'include = "{number + 1}.toml"\n')
    table.write_text(TABLE.replace('"pits/3.toml"', '"0.toml"'))

    assert wrong(table).kind.code == "E-CONF-004"


def test_the_merged_file_reads_as_what_it_was_merged_from(table: Path) -> None:
    merged = read_merged(table).data

    assert tomllib.loads(as_toml(merged)) == merged
    odd = {"a b": {"c": [1, 'x"\\\n', {"d": True}]}, "empty": {}, "when": 1.5}
    assert tomllib.loads(as_toml(odd)) == odd


def test_every_part_has_its_digest(table: Path) -> None:
    before = read(table).digests
    assert list(before) == ["table file", "part pits/3.toml", "submission", "law"]

    part(table, "retention_days = 90", "retention_days = 91")
    after = read(table).digests

    assert {name for name in before if before[name] != after[name]} == {"part pits/3.toml"}


def test_the_digest_of_the_submission_is_of_the_bytes_that_the_table_is_played_by(table: Path) -> None:
    house = table.parent / "house.toml"
    before = house.read_bytes()

    def amended_meanwhile(driver: str, place: str) -> Sequence[OptionShape]:
        # A schema is asked for when the submission has been read.
        house.write_bytes(before + b"# amended\n")
        return load(driver, place).schema

    file = load_table_file(table, amended_meanwhile)

    assert house.read_bytes() != before
    assert file.digests["submission"] == sha256(before).hexdigest()


def test_a_law_that_is_asked_for_takes_the_place_of_the_key(table: Path) -> None:
    part(table, 'law = "ours"', 'law = "elsewhere"')
    file = load_table_file(table, lambda driver, place: load(driver, place).schema, ChapterLaw(OURS))

    assert file.law.folder == OURS


def test_a_chapter_that_is_amended_changes_the_digest_of_the_law(table: Path) -> None:
    before = read(table).digests
    path = table.parent / "ours" / "chapters" / "tcp.toml"
    path.write_text(path.read_text() + "# amended\n")

    assert read(table).digests["law"] != before["law"]


def test_a_table_whose_part_is_gone_can_still_say_so(table: Path) -> None:
    (table.parent / "pits" / "3.toml").unlink()
    table.write_text(TABLE.replace("[device.display]", '[device.display]\ndriver = "escpos"'))
    said = wrong(table)

    found = salvage(
        table, said, lambda driver, place: load(driver, place).schema, lambda _place, _device: None
    )

    assert found.wrong is said
    assert (found.name, str(found.storage.state)) == ("TCP 14", "/var/lib/sabot")
    assert [device.name for device in found.devices] == ["display"]
