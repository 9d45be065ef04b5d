"""``sabot-uplink`` between a table's program, a real broker and a real floor; and each of them killed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.uplink import carrier, packets
from tests.floor.brokers import Mosquitto
from tests.floor.servers import Server

from .campaign import Site

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mosquitto() -> Iterator[Mosquitto]:
    with Mosquitto() as found:
        yield found


def test_prog_6_whatever_is_killed_the_money_is_the_same(
    mosquitto: Mosquitto, server: Server, tmp_path: Path
) -> None:
    site = Site(tmp_path, mosquitto, server.schema("campaign"), ["T1"], floors=1)
    with site.running():
        site.until_played(4)
        for what, table in (("uplink", "T1"), ("table", "T1"), ("floor", ""), ("broker", "")):
            site.kill(what, table)
            site.until_played(2)
        server.crash()
        server.start()
        site.until_played(2)
        site.finish()

    assert site.differences() == []
    _verify_that_the_checker_sees(site)


def _verify_that_the_checker_sees(site: Site) -> None:
    """A wager that was never said, a hit that nobody granted."""
    with (site.folder / "T1" / "journal").open("a") as journal:
        for more in (
            {"what": "lock", "accepted": {"1": {}}},
            {"what": "hit", "row": "royal_flush", "seat": 1},
        ):
            journal.write(json.dumps({"round": 99_999, **more}) + "\n")

    found = site.differences()

    assert [each.split()[0] for each in found] == ["T1:", "players"]


def test_prog_7_an_uplink_says_what_is_wrong_with_its_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "uplink.toml"
    broker = '[broker]\nhost = "x"\nport = 1\nca = "/none"\ncertificate = "/none"\nkey = "/none"\n'
    for text, code in (
        ('table = "a/b"\n', "E-CONF-004"),
        ('tables = "T1"\n', "E-CONF-003"),
        ('table = "T1"\n', "E-FLOOR-018"),
    ):
        file.write_text(text + broker)
        assert carrier.main([str(file)]) == 2
        assert code in capsys.readouterr().err


def test_prog_7_an_uplink_whose_table_is_gone_when_it_is_told_calls_again(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Found by the campaign: it ended with a slip, and its service had to start it again."""
    listening = packets.packet_socket()
    listening.bind(str(tmp_path / "link"))
    listening.listen(1)
    uplink = carrier.Carrier(
        carrier.UplinkSettings("T1", tmp_path / "link", mosquitto.address("T1")), lambda _words: None
    )
    uplink._turn()
    table, _ = listening.accept()
    table.close()
    uplink._told = None

    uplink._turn()

    assert uplink._line is None
    uplink._turn()
    assert uplink._line is not None
    uplink._hang_up()
    listening.close()
