"""Sparkplug as others understand it: npm's ``sparkplug-payload`` decodes it, and a host library of PyPI follows it.

    python -m tests.uplink.sparkplug_proof          (make sparkplug-proof)

Neither was written here, and neither may share an environment with the program (the host library wants an older
paho): both are installed into folders of their own. A real telemetry thread speaks through a real broker.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
import venv
from pathlib import Path
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from sabot.floor import table_state
from sabot.floor.broker import tls
from sabot.uplink.telemetry import Telemetry, TelemetryTerms
from tests.floor.brokers import Mosquitto
from tests.floor.making import key
from tests.floor.test_pit import values

NPM, PYPI = "sparkplug-payload@1.0.3", "mqtt-spb-wrapper==2.1.2"
SECONDS = 30.0
DECODE = """
const spb = require("sparkplug-payload").get("spBv1.0");
const plain = v => (v && typeof v === "object" && typeof v.toNumber === "function") ? v.toString() : v;
const said = JSON.parse(require("fs").readFileSync(0, "utf8")).map(([topic, hex]) => {
  const p = spb.decodePayload(Buffer.from(hex, "hex"));
  return [topic, plain(p.seq), p.metrics.map(m => [m.name || null, m.alias === undefined ? null : plain(m.alias), m.type, plain(m.value)])];
});
console.log(JSON.stringify(said));
"""
HOST = """
import json, sys, time
from mqtt_spb_wrapper import MqttSpbEntityScada
host, port, ca, cert, key = sys.argv[1:]
births = []
scada = MqttSpbEntityScada("Lantern", "host", callback_birth=lambda *a: births.append(str(a[0])))
assert scada.connect(host, int(port), use_tls=True, tls_ca_path=ca, tls_cert_path=cert, tls_key_path=key, tls_insecure=True)
def wait(what):
    end = time.time() + 20
    while not what():
        assert time.time() < end, (births, {n: e.data.as_dict() for n, e in scada.entities_eon.items()})
        time.sleep(0.05)
print("ready", flush=True)
wait(lambda: "T001" in scada.entities_eon)
node = scada.entities_eon["T001"]
wait(lambda: node.data.get_names() and node.data.get_value("Table/Phase") == "settling")
before = len(births)
scada.send_command("Table/Phase", "closed", "T001")
time.sleep(1)
refused = len(births)
scada.send_command("Node Control/Rebirth", True, "T001")
wait(lambda: len(births) > refused)
devices = {n: {k: e.data.get_value(k) for k in e.data.get_names()} for n, e in node.entities_eond.items()}
print(json.dumps({"refused_changed": refused - before, "metrics": {k: node.data.get_value(k) for k in node.data.get_names()},
                  "devices": devices}), flush=True)
"""


def installed(folder: Path) -> Path:
    """Both of them, each in its own place."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules").exists():
        subprocess.run(["npm", "install", "--silent", NPM], cwd=folder, check=True)
    if not (folder / "host").exists():
        venv.create(folder / "host", with_pip=True)
        subprocess.run([folder / "host/bin/pip", "install", "--quiet", PYPI], check=True)
    return folder


class Onlooker:
    """Keeps everything that is said."""

    def __init__(self, broker: Mosquitto) -> None:
        address = broker.address("floor")
        self.said: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "onlooker", protocol=mqtt.MQTTv5)
        self._client.tls_set_context(tls(address))
        self._client.on_connect = lambda client, *_: client.subscribe("spBv1.0/#")
        self._client.on_message = lambda _c, _d, m: self.said.append((m.topic, bytes(m.payload)))
        self._client.connect(address.host, address.port)
        self._client.loop_start()

    def wait(self, kind: str, many: int = 1) -> None:
        end = time.monotonic() + SECONDS
        while sum(f"/{kind}/" in topic for topic, _ in self.said) < many:
            assert time.monotonic() < end, [topic for topic, _ in self.said]
            time.sleep(0.02)

    def end(self) -> None:
        self._client.loop_stop()
        self._client.disconnect()


def state(part: int, **changes: Any) -> bytes:
    return table_state.state_of(key("T"), values("T001", part, **changes))


def proved(folder: Path, *, aliases: bool) -> dict[str, Any]:
    """What npm's decoder, and the host where names are told, made of it."""
    with Mosquitto(
        rights="user floor\ntopic readwrite spBv1.0/#\nuser T001\ntopic readwrite spBv1.0/#\n"
    ) as broker:
        onlooker = Onlooker(broker)
        host = None if aliases else _host(folder, broker)
        telemetry = Telemetry(TelemetryTerms(broker.address("T001"), "Lantern", "T001", aliases=aliases))
        telemetry.hear(state(1))
        telemetry.begin()
        onlooker.wait("DBIRTH")
        over = threading.Event()
        threading.Thread(target=_say_on, args=(telemetry, over), daemon=True).start()
        seen = json.loads(host.communicate(timeout=SECONDS)[0].strip().splitlines()[-1]) if host else {}
        onlooker.wait("DDATA")
        over.set()
        telemetry.end()
        onlooker.wait("NDEATH")
        onlooker.end()
    ours = [(topic, raw.hex()) for topic, raw in onlooker.said if "/T001" in topic and "CMD" not in topic]
    decoded = subprocess.run(
        ["node", "-e", DECODE], cwd=folder, input=json.dumps(ours), capture_output=True, text=True, check=True
    )
    return {"npm": json.loads(decoded.stdout), "host": seen, "refused": telemetry.node.refused, "said": ours}


def _host(folder: Path, broker: Mosquitto) -> "subprocess.Popen[str]":
    address = broker.address("floor")
    words = [address.host, address.port, address.ca, address.certificate, address.key]
    host = subprocess.Popen(
        [folder / "host/bin/python", "-c", HOST, *map(str, words)], stdout=subprocess.PIPE, text=True
    )
    assert host.stdout
    assert host.stdout.readline().strip() == "ready"
    return host


def _say_on(telemetry: Telemetry, over: threading.Event) -> None:
    part = 2
    while not over.wait(0.3):
        telemetry.hear(
            state(
                part,
                phase="settling",
                devices=[["shoe", False, "jam"]],
                meters=[["prog4", "main", 2**53 - 1]],
            )
        )
        part += 1


def differences(found: dict[str, Any]) -> list[str]:
    """What is not as it was said."""
    said, host = found["npm"], found["host"]
    birth = {name: value for name, _, _, value in said[0][2]}
    wanted = {
        "Table/Phase": "deciding",
        "Table/Rounds": "7",
        "Meter/prog4/main": "500029",
        "Link/pit/Open": True,
    }
    problems = [
        f"birth: {name} is {birth.get(name)!r}" for name, each in wanted.items() if birth.get(name) != each
    ]
    data = [each for topic, _, metrics in said if "/NDATA/" in topic for each in metrics]
    if not data or any((name is None) == (alias is None) or value is None for name, alias, _, value in data):
        problems.append(f"data: {data}")
    if str(2**53 - 1) not in [value for _, _, _, value in data]:
        problems.append("a large number was rounded")
    numbers = [int(seq) for topic, seq, _ in said if "DEATH" not in topic]
    problems += [f"seq {numbers}"] if numbers[:3] != [0, 1, 2] else []
    problems += [f"last {said[-1][0]}"] if "/NDEATH/" not in said[-1][0] else []
    return problems + (_of_host(found, host) if host else [])


def _of_host(found: dict[str, Any], host: dict[str, Any]) -> list[str]:
    births = sum("/NBIRTH/" in topic for topic, _, _ in found["npm"])
    checks = {
        "one birth and the rebirth that was asked for": births == 2,
        "another command does nothing": not host["refused_changed"] and found["refused"] == 1,
        "the host has the node's data": host["metrics"].get("Table/Phase") == "settling",
        "the host has the device's data": host["devices"].get("shoe", {}).get("Why") == "jam",
    }
    return [f"not so: {words}; {host}" for words, is_so in checks.items() if not is_so]


def main() -> int:
    """Prove it; --keep writes what was said with aliases, and what npm made of it, for the tests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "sabot-sparkplug")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    folder = installed(args.folder)
    found = {aliases: proved(folder, aliases=aliases) for aliases in (True, False)}
    if args.keep:
        pairs = zip(found[True]["said"], found[True]["npm"], strict=True)
        kept = [[topic, raw, seq, metrics] for (topic, raw), (_, seq, metrics) in pairs]
        args.keep.write_text(json.dumps(kept, indent=1) + "\n")
    problems = [each for one in found.values() for each in differences(one)]
    print(json.dumps({"messages": sum(len(one["said"]) for one in found.values()), "problems": problems}))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
