"""The reference device in C: built strictly, free of allocation and of the system, certified by the kit, dealt with by the driver."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.record import NOT_CLAIMED, PASSED
from sabot.statemachine.vocabulary.effects import Dispense, EjectStub, StartShuffle
from sabot.statemachine.vocabulary.events import Exit, ShuffleCompleted, StackDispensed, StubEjected
from tests.drivers.sabot_link.link_pair import options
from tests.drivers.sabot_link.test_driver import Table

from .building import (
    COMMON,
    HOME,
    LINE,
    PAGE,
    PLAIN,
    ROOT,
    Running,
    certified,
    compiled,
    foreign_calls,
    hands_at,
    needs_arm,
    needs_compiler,
    sanitized,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CORE = (*COMMON, "link.c", "works.c")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("reference"), *CORE, "port.c", "link_posix.c")


@pytest.fixture
def running(program: Path, tmp_path: Path) -> Iterator[Running]:
    device = Running(program, tmp_path, *LINE)
    yield device
    assert device.close() is None


@pytest.fixture(scope="module")
def records(program: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of the whole device, and of a plain counting shuffler; at a time, for most of a run is waiting."""
    more = {"whole": (), "shuffler": ("--capabilities", "5", "--kind", "1")}
    devices = {
        name: Running(program, tmp_path_factory.mktemp(name), *LINE, *words) for name, words in more.items()
    }
    with ThreadPoolExecutor() as pool:
        found = dict(zip(devices, pool.map(partial(certified, "sabot-link"), devices.values()), strict=True))
    assert [device.close() for device in devices.values()] == [None, None]
    return found


@needs_compiler
def test_it_gets_a_certificate(records: dict[str, Any]) -> None:
    record = records["whole"]
    assert [(each.name, each.words) for each in record.results if each.outcome != PASSED] == []
    assert record.verdict == "certificate"
    assert record.device["model"] == "Reference in C"


@needs_compiler
def test_a_plain_shuffler_of_it_is_certified_for_what_it_claims(records: dict[str, Any]) -> None:
    found = [each for each in records["shuffler"].results if each.outcome != PASSED]
    assert [(each.name, each.words) for each in found if each.outcome != NOT_CLAIMED] == []
    assert records["shuffler"].verdict == "certificate"
    assert found


@needs_compiler
def test_the_driver_shuffles_and_deals_with_it(running: Running) -> None:
    from sabot.drivers.sabot_link.driver import SabotLinkDriver  # noqa: PLC0415

    async def play() -> Table:
        table = Table(running.key)
        driver = SabotLinkDriver("shoe", options(port=running.port), table)
        await driver.start()
        await table.until(lambda: driver.status().is_up)
        hands = hands_at(running.hands)
        hands.do(Act("", ("load",)), lambda: None)
        driver.perform(StartShuffle(deck="A"))
        await table.event(ShuffleCompleted)
        driver.perform(Dispense(count=5, deck="A"))
        await table.event(StackDispensed)
        driver.perform(EjectStub(deck="A"))
        await table.event(StubEjected)
        await driver.stop()
        hands._stream.close()
        hands._socket.close()
        return table

    table = asyncio.run(play())
    done = next(each for each in table.events if isinstance(each, ShuffleCompleted))
    stack = next(each for each in table.events if isinstance(each, StackDispensed))
    stub = next(each for each in table.events if isinstance(each, StubEjected))
    assert (done.count, len({each.card for each in done.composition})) == (52, 52)
    assert (len(stack.cards), stack.exit, stub.deck, stub.count) == (5, Exit.SENSED, "A", 47)


@needs_compiler
def test_it_keeps_its_key(program: Path, tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        device = Running(program, tmp_path, *LINE, "--key-file", str(tmp_path / "key"))
        keys.append(device.key)
        device.close()
    assert keys[0] == keys[1]


@needs_compiler
def test_the_core_allocates_nothing_and_calls_no_system(tmp_path: Path) -> None:
    assert foreign_calls(tmp_path, *CORE) <= PLAIN


@needs_compiler
def test_it_shares_nothing_with_driver_or_simulator() -> None:
    for path in HOME.glob("*.[ch]"):
        included = re.findall(r"^#include [<\"](.+)[>\"]", path.read_text(), re.MULTILINE)
        own = {each.name for each in HOME.glob("*.h")}
        assert all(each in own or not each.startswith(("sabot", "..")) for each in included)


NOISE = """
#include <stdio.h>
#include <string.h>
#include "works.h"
static struct link line; static struct works works; static struct link_who who = {.kind = 3, .capabilities = 0x3ff, .maker = "a", .model = "b", .serial = "c", .firmware = "d"};
static unsigned char last[512]; static size_t size;
static void send(void *c, const uint8_t *b, size_t n) { (void)c; memcpy(last, b, n); size = n; }
static void draw(void *c, uint8_t *o, size_t n) { (void)c; memset(o, 7, n); }
static uint8_t in(void *c) { (void)c; return 52; }
static void none(void *c) { (void)c; }
static void mix(void *c, uint8_t s, bool h) { (void)c; (void)s; (void)h; }
static void out(void *c, uint8_t f, uint8_t n) { (void)c; (void)f; (void)n; }
static void test(void *c, uint8_t f) { works_tested(&works, f, true); (void)c; }
int main(void) {
    const struct works_motors motors = {NULL, in, none, mix, none, out, none, test};
    const struct link_works calls = {&works, works_command, works_state, works_no_host, send, draw};
    struct works_start start = {.mode = 1};
    unsigned char bytes[600]; int n; uint32_t now = 0;
    link_start(&line, &who, &calls, 0);
    works_init(&works, &line, &motors, who.capabilities, &start);
    while ((n = getchar()) != EOF) {
        size_t got = fread(bytes, 1, (size_t)n, stdin);
        link_receive(&line, bytes, got, now += 3);
        if (now % 5 == 0) works_door(&works, 1, now % 2);
        if (now % 7 == 0) { struct works_card c = {2, 0, 1, 1, 99}; works_card(&works, c); works_put_out(&works, bytes, 5); }
        link_tick(&line, now);
    }
    return 0;
}
"""


@needs_compiler
@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_a_host_leads_it_astray(tmp_path: Path, seed: int) -> None:
    """Under the sanitizers: frames of the page, damaged and whole, in any order."""
    from tests.drivers.sabot_link.link_vectors import vectors  # noqa: PLC0415

    chance = random.Random(seed)
    known = vectors()
    wires = [bytes.fromhex(each["wire"]) for row in known["exchanges"] for each in row["lines"]]
    wires += [bytes.fromhex(each["wire"]) for each in (*known["frames"], *known["bad"])]
    program = sanitized(tmp_path, NOISE, *CORE)
    sent = b""
    for _ in range(3000):
        wire = bytearray(chance.choice(wires[:8]) if chance.random() < 0.5 else chance.choice(wires))
        for _ in range(chance.randrange(3)):
            wire[chance.randrange(len(wire))] = chance.randrange(256)
        wire = wire[:255]
        sent += bytes([len(wire)]) + wire
    done = subprocess.run([str(program)], input=sent, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_arm
@pytest.mark.parametrize("device", ["", "pads-"])
def test_the_figures_of_the_page_are_those_of_the_build(device: str) -> None:
    done = subprocess.run(
        ["make", f"reference-{device}size"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    counted = re.search(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s", done.stdout, re.MULTILINE)
    assert counted is not None
    flash, memory = int(counted[1]) + int(counted[2]), int(counted[2]) + int(counted[3])
    said = re.findall(r"([\d,]+) bytes of flash, ([\d,]+) of RAM", PAGE.read_text())[bool(device)]
    for found, told in zip((flash, memory), said, strict=True):
        number = int(told.replace(",", ""))
        assert abs(found - number) <= 0.05 * number, (found, number)


def test_the_page_names_every_file() -> None:
    text = PAGE.read_text()
    assert [path.name for path in HOME.iterdir() if f"`{path.name}`" not in text] == []
