"""The reference pads in C: the known answers byte for byte, the lives of a spot, the kit, the driver, and damaged frames."""

from __future__ import annotations

import asyncio
import json
import random
import struct
import subprocess
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.record import NOT_CLAIMED, PASSED
from sabot.statemachine.vocabulary.effects import OpenSpots
from sabot.statemachine.vocabulary.events import LinkLost, WagerSensed
from tests.drivers.pads.padhost import PadHost

from .building import (
    CABLE,
    COMMON,
    PLAIN,
    ROOT,
    Running,
    certified,
    compiled,
    foreign_calls,
    hands_at,
    needs_compiler,
    sanitized,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CORE = (*COMMON, "pads.c")
KNOWN: dict[str, Any] = json.loads((ROOT / "docs/sabot-pads-vectors.json").read_text())
EVERY = 2**64 - 1
SESSION = 0x5AB0AD01
# A pad with the keys and nonces of the page. A line of words is one thing that happens; what it sends is printed.
PROBE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "curve.h"
#include "pads.h"
static struct pads pads;
static struct pads_who who = {.spots = 3, .capabilities = 31, .maker = "Example Works", .model = "Felt 3", .serial = "0007", .firmware = "1.0.0"};
static unsigned draws;
static void draw(void *c, uint8_t *o, size_t n) {
    (void)c;
    if (n == 4) memcpy(o, "\\xb0\\x07\\x1d\\x02", 4);
    else for (size_t i = 0; i < n; i++) o[i] = draws % 2 ? 0x22 : (uint8_t)(0x80 + i);
    draws += n == 32;
}
static size_t bytes_of(const char *hex, uint8_t *out) {
    size_t n = 0;
    for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) out[n++] = (uint8_t)byte;
    return n;
}
int main(void) {
    static char line[4096], word[16], rest[4000];
    static uint8_t bytes[2048], frame[PADS_FRAME];
    uint32_t none[3] = {0, 0, 0}, now = 0, spot, cents;
    memset(who.seed, 0x44, 32);
    ed25519_public(who.public, who.seed);
    while (fgets(line, sizeof line, stdin)) {
        *rest = 0;
        sscanf(line, "%15s %3999[^\\n]", word, rest);
        if (!strcmp(word, "start")) {
            draws = 0;
            pads_start(&pads, &who, draw, NULL, none, now);
            for (int i = 0; i < 3; i++) pads.spots[i].light = 90;
        }
        if (!strcmp(word, "at")) now = (uint32_t)strtoul(rest, NULL, 10);
        if (!strcmp(word, "tick")) pads_tick(&pads, now);
        if (!strcmp(word, "hear")) pads_receive(&pads, bytes, bytes_of(rest, bytes), now);
        if (!strcmp(word, "chips") && sscanf(rest, "%u %u", &spot, &cents) == 2) pads_sense(&pads, (uint8_t)spot, cents, now);
        if (!strcmp(word, "blind")) pads_light(&pads, 0, 254, true, now);
        if (!strcmp(word, "see")) pads_light(&pads, 0, 90, false, now);
        for (size_t n; (n = pads_take(&pads, frame, now)); puts(""))
            for (size_t i = 0; i < n; i++) printf("%02x", frame[i]);
        puts(".");
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sanitized(tmp_path_factory.mktemp("probe"), PROBE, *CORE)


def played(probe: Path, lines: list[str]) -> list[list[str]]:
    """The frames that came of each line."""
    done = subprocess.run([str(probe)], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found: list[list[str]] = [[]]
    for line in done.stdout.splitlines():
        if line == ".":
            found.append([])
        else:
            found[-1].append(line)
    return found[:-1]


def order(sequence: int, *, locked: int, expected: int = 0, seen: int = 0) -> str:
    payload = struct.pack(">QQQ8sH", locked, expected, 0, bytes(8), seen)
    frame = struct.pack(">2sBBBBHIIII", b"SP", 1, 0x10, 0, 0, len(payload), SESSION, sequence, 0, 0) + payload
    return "hear " + (frame + struct.pack(">I", zlib.crc32(frame))).hex()


# ---------------------------------------------------------------- the page


@needs_compiler
@pytest.mark.parametrize(("exchange", "answers"), [("plain", 3), ("authenticated", 4)])
def test_a_session_is_the_pages_to_the_byte(probe: Path, exchange: str, answers: int) -> None:
    """The beginning of each exchange; later the page leaves out the beats between."""
    lines, wanted = ["at 0", "start"], []
    for each in KNOWN[exchange]:
        if each["from"] == "H":
            heard = each["frame"]
            continue
        lines += [f"at {int(each['frame'][40:48], 16)}", f"hear {heard}"]
        wanted.append([each["frame"]])
        if len(wanted) == answers:
            break
    found = [frames for frames in played(probe, lines) if frames]
    assert found == wanted


@needs_compiler
@pytest.mark.parametrize("life", KNOWN["life"], ids=lambda life: life["name"])
def test_a_spot_lives_as_the_page_has_it(probe: Path, life: dict[str, Any]) -> None:
    now, sequence, silences = 5010, 1, 0
    lines = [
        "at 0",
        "start",
        "at 4900",
        f"hear {KNOWN['plain'][0]['frame']}",
        "at 5000",
        order(1, locked=EVERY),
    ]
    for step, _, _ in life["steps"]:
        what, _, cents = step.partition(" ")
        now += 5
        lines.append(f"at {now}")
        if what in ("chips", "lift"):
            lines += [f"chips 0 {cents or 0}", f"at {now + 30}"]
            now += 30
        elif what in ("blind", "see"):
            lines.append(what)
        elif what == "silence":
            now, silences = now + 1000, silences + 1
            lines.append(f"at {now}")
        if what in ("open", "lock", "expect"):
            sequence += 1
            locked, expected = 0 if what == "open" else EVERY, EVERY if what == "expect" else 0
            lines.append(order(sequence, locked=locked, expected=expected, seen=silences))
        lines.append("tick")
    told, states, steps = played(probe, lines), [], 0
    last = ""
    for line, frames in zip(lines, told, strict=True):
        last = frames[-1] if frames else last
        if line == "tick":
            record = bytes.fromhex(last)[24 + 36 :]
            states.append([record[0], record[1]])
            steps += 1
    assert states == [[state, changes] for _, state, changes in life["steps"]]
    assert steps == len(life["steps"])


# ---------------------------------------------------------------- kit and driver


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("pads"), *CORE, "port.c", "pads_posix.c")


@pytest.fixture
def running(program: Path, tmp_path: Path) -> Iterator[Running]:
    device = Running(program, tmp_path, *CABLE)
    yield device
    assert device.close() is None


@needs_compiler
@pytest.mark.parametrize("capabilities", [31, 0])
def test_they_get_a_certificate_for_what_they_claim(program: Path, tmp_path: Path, capabilities: int) -> None:
    device = Running(program, tmp_path, *CABLE, "--capabilities", str(capabilities), "--spots", "12")
    record = certified("sabot-pads", device)
    assert device.close() is None
    found = [(each.name, each.words) for each in record.results if each.outcome not in (PASSED, NOT_CLAIMED)]
    assert found == []
    assert record.verdict == "certificate"
    assert record.device["model"] == "Reference pads"


@needs_compiler
def test_the_driver_plays_with_them_and_knows_when_the_cable_is_out(running: Running) -> None:
    async def play() -> PadHost:
        host = PadHost(backend=f"sabot.hil.simulators.usb_backend:over_stream:{running.port}")
        host.keys["pads"] = running.key
        await host.up(plugged=False)
        await host.until(lambda: host.driver.status().is_up)
        host.driver.perform(OpenSpots(spots=((1, "ante"), (2, "ante"))))
        hands = hands_at(running.hands)
        hands.do(Act("", ("chips 3 500",)), lambda: None)
        sensed = await host.first(WagerSensed)
        assert (sensed.seat, sensed.wager, sensed.cents) == (2, "ante", 500)
        hands.do(Act("", ("restart",)), lambda: None)
        await host.first(LinkLost)
        await host.driver.stop()
        hands._stream.close()
        hands._socket.close()
        return host

    asyncio.run(asyncio.wait_for(play(), 60))


# ---------------------------------------------------------------- the core


@needs_compiler
def test_the_core_of_the_pads_allocates_nothing_and_calls_no_system(tmp_path: Path) -> None:
    assert foreign_calls(tmp_path, *CORE) <= PLAIN


@needs_compiler
@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_a_host_leads_the_pads_astray(probe: Path, seed: int) -> None:
    """Under the sanitizers: frames of the page, damaged and whole, in any order; a good one after them is obeyed."""
    chance = random.Random(seed)
    wires = [bytes.fromhex(each["frame"]) for name in ("plain", "authenticated") for each in KNOWN[name]]
    lines, now = ["at 0", "start"], 0
    for _ in range(1500):
        wire = bytearray(chance.choice(wires))
        for _ in range(chance.randrange(3)):
            wire[chance.randrange(len(wire))] = chance.randrange(256)
        now += chance.randrange(300)
        lines += [f"at {now}", f"hear {wire[chance.randrange(3) :].hex()}", "tick"]
        if chance.random() < 0.2:
            lines.append(f"chips {chance.randrange(3)} {chance.choice((0, 500, 1000))}")
    lines += [f"hear {'00' * 700}", f"hear {KNOWN['plain'][0]['frame']}", order(900, locked=7)]
    told = played(probe, lines)
    assert told[-2]
    assert bytes.fromhex(told[-1][-1])[3] == 0x20
