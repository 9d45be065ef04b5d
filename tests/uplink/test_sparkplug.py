"""Sparkplug B of a table: certificates, aliases, rebirth, and nothing else that a command could do.

``tests/data/sparkplug.json`` has what the telemetry said through a broker, and what npm's ``sparkplug-payload``,
which was not written here, made of it: ``make sparkplug-proof`` makes it anew.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from sabot.config.errors import ConfigError
from sabot.floor.broker import Address
from sabot.uplink import carrier, sparkplug
from sabot.uplink.sparkplug import BOOLEAN, INT64, STRING, Metric, Node, fields
from sabot.uplink.telemetry import Telemetry, TelemetryTerms
from tests.floor.brokers import Authority
from tests.floor.test_pit import told, values

KEPT = Path(__file__).parents[1] / "data" / "sparkplug.json"
KINDS = {"Int64": 4, "UInt64": 8, "Boolean": 11, "String": 12}
AT = 1_700_000_000_000


def node(**changes: Any) -> Node:
    found = Node("Lantern", "T001", lambda: AT, **changes)
    found.begin()
    found.hear(values("T001"))
    return found


def read(raw: bytes) -> dict[str, Any]:
    """A payload by its bytes alone."""
    parts = list(fields(raw))
    metrics = [dict(fields(bytes(each))) for field, each in parts if field == 2 and isinstance(each, bytes)]
    return {"seq": dict(parts).get(3), "metrics": metrics}


def command(*metrics: Metric) -> bytes:
    return sparkplug.payload(AT, [sparkplug._metric(each, AT, 0, named=True) for each in metrics])


def test_sparkplug_what_another_decoder_reads_is_what_these_bytes_say() -> None:
    kept = json.loads(KEPT.read_text())
    for topic, raw, seq, metrics in kept:
        ours = read(bytes.fromhex(raw))
        assert str(ours["seq"]) == str(seq) or "DEATH" in topic
        for found, (name, alias, kind, value) in zip(ours["metrics"], metrics, strict=True):
            assert found.get(1, b"").decode() == (name or "")
            assert str(found.get(2, 0)) == str(alias or 0)
            assert found[4] == KINDS[kind]
            said = found.get(15, b"").decode() if kind == "String" else found.get(14, found.get(11))
            assert str(said).lower() in {
                str(value).lower(),
                str(int(value)) if isinstance(value, bool) else "",
            }
    assert [topic.split("/")[2] for topic, *_ in kept] == ["NBIRTH", "DBIRTH", "NDATA", "DDATA", "NDEATH"]


def test_sparkplug_a_session_has_one_number_in_its_will_and_its_birth() -> None:
    found = Node("Lantern", "T001", lambda: AT)
    will = found.begin()
    assert found.birth() == []  # the table was not heard yet
    found.hear(values("T001"))
    birth = found.birth()

    assert will[0] == "spBv1.0/Lantern/NDEATH/T001"
    assert [topic for topic, _ in birth] == [
        "spBv1.0/Lantern/NBIRTH/T001",
        "spBv1.0/Lantern/DBIRTH/T001/shoe",
    ]
    assert read(will[1])["metrics"][0] == read(birth[0][1])["metrics"][0]
    assert [read(raw)["seq"] for _, raw in birth] == [0, 1]
    again = found.begin()
    assert read(again[1])["metrics"][0][11] == 1
    assert not found.is_born


def test_sparkplug_data_has_what_changed_by_alias_and_with_its_type() -> None:
    found = node()
    found.birth()
    assert found.hear(values("T001", 1)) == []
    ((topic, raw),) = found.hear(values("T001", 2, phase="settling"))

    (metric,) = read(raw)["metrics"]
    assert topic == "spBv1.0/Lantern/NDATA/T001"
    assert (metric.get(1), metric[2], metric[4], metric[15]) == (None, 1, STRING, b"settling")
    named = node(aliases=False)
    named.birth()
    ((_, raw),) = named.hear(values("T001", 2, phase="settling"))
    assert read(raw)["metrics"][0].get(1) == b"Table/Phase"


def test_sparkplug_a_device_that_is_new_is_born() -> None:
    found = node()
    found.birth()
    said = found.hear(values("T001", 3, devices=[["shoe", True, ""], ["pads", True, ""]]))
    assert [topic.split("/", 2)[2] for topic, _ in said] == [
        "NBIRTH/T001",
        "DBIRTH/T001/shoe",
        "DBIRTH/T001/pads",
    ]
    assert [topic.split("/", 2)[2] for topic, _ in found.hear(values("T001", 4, links=[["vault", ""]]))][
        :1
    ] == ["NBIRTH/T001"]


def test_sparkplug_the_sequence_begins_again_after_255() -> None:
    found = node()
    found.birth()
    seen = [read(raw)["seq"] for at in range(300) for _, raw in found.hear(values("T001", phase=f"p{at}"))]
    assert seen[253:257] == [255, 0, 1, 2]


@pytest.mark.parametrize(
    "raw",
    [
        command(Metric("Table/Phase", STRING, "closed")),
        command(Metric("Node Control/Rebirth", BOOLEAN, False)),
        command(Metric("Node Control/Rebirth", BOOLEAN, True), Metric("Node Control/Reboot", BOOLEAN, True)),
        command(Metric("bdSeq", INT64, -1)),
        b"",
        b"\x12\x7f",
        b"\xff" * 40,
        b"\x0d\x01",
        b"\x10" + b"\xff" * 9 + b"\x01",
        b"\x10\x80\x80\x80\x08",
    ],
)
def test_sparkplug_of_commands_only_a_rebirth_is_done(raw: bytes) -> None:
    found = node()
    found.birth()
    assert found.command(raw) == []
    assert found.refused == 1


def test_sparkplug_a_rebirth_says_everything_again() -> None:
    found = node()
    first = found.birth()
    assert found.command(command(Metric("Node Control/Rebirth", BOOLEAN, True))) == first
    assert found.refused == 0


def test_design_8_telemetry_has_no_card_and_no_person() -> None:
    said = b"".join(raw for _, raw in [*node().birth(), *node(aliases=False).birth()])
    assert b"4711" not in said
    assert b"Table/Dealer On" in said
    assert b"ante" not in said


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "uplink.toml"


def test_sparkplug_telemetry_is_told_its_group_node_and_host(file: Path) -> None:
    broker = 'host = "x"\nport = 1\nca = "/none"\ncertificate = "/none"\nkey = "/none"\n'
    file.write_text(f'table = "T1"\n[broker]\n{broker}[telemetry]\ngroup = "Lantern"\nhost = "scada"\n')
    terms = carrier.read_settings(file).telemetry
    assert terms is not None
    assert (terms.group, terms.node, terms.host, terms.aliases, terms.broker.host) == (
        "Lantern",
        "T1",
        "scada",
        True,
        "x",
    )
    file.write_text(f'table = "T1"\n[broker]\n{broker}[telemetry]\ngroup = "a/b"\n')
    with pytest.raises(ConfigError, match="E-CONF-004"):
        carrier.read_settings(file)


def test_sparkplug_nothing_is_said_while_the_primary_host_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    certificate, secret = authority.certificate("T001")
    address = Address("127.0.0.1", 1, tmp_path / "ca.crt", certificate, secret)
    telemetry = Telemetry(TelemetryTerms(address, "Lantern", "T001", "scada"))
    said: list[str] = []
    monkeypatch.setattr(telemetry._client, "publish", lambda topic, *_more, **_words: said.append(topic))
    telemetry.hear(told("T001"))
    assert said == []
    deep = b'{"online":true,"timestamp":' + b"[" * 100_000
    endless = b'{"online":true,"timestamp":Infinity}'
    for payload in (b"no JSON", b"{}", b'{"online":false,"timestamp":4}', endless, deep):
        telemetry._host_is(payload)
    assert said == []
    telemetry._host_is(b'{"online":true,"timestamp":5}')
    assert said[0] == "spBv1.0/Lantern/NBIRTH/T001"
    telemetry._host_is(b'{"online":false,"timestamp":3}')  # an older word of it
    telemetry.hear(told("T001", 2, phase="settling"))
    assert said[-1] == "spBv1.0/Lantern/NDATA/T001"
    telemetry._host_is(b'{"online":false,"timestamp":6}')
    telemetry.hear(told("T001", 3, phase="idle"))
    assert said[-1] == "spBv1.0/Lantern/NDEATH/T001"
    telemetry.hear(b"noise" * 30)
