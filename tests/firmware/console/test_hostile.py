"""Whoever is at the socket: silent, loud, gone, guessing. The table goes on."""

from __future__ import annotations

import asyncio
import json
import os
import stat

import pytest

from at_the_console import PEOPLE, PINS, Board, console, raw
from sabot.firmware.console import line as line_module
from sabot.firmware.console import record
from sabot.firmware.console.client import Client
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.line import MOST_SENSELESS
from sabot.firmware.console.record import Strangers
from sabot.firmware.console.server import MOST_OF_ONE_USER, STRANGERS
from sabot.firmware.credentials.attempts import LOCKED_AT
from sabot.statemachine.vocabulary.events import DeviceFaulted

NOISE_BYTES = 10_000_000


def still_works(board: Board) -> None:
    """The table takes events, and another console is answered."""
    before = len(board.entries("event"))
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
    assert len(board.entries("event")) == before + 1
    with console(board) as desk:
        assert desk("status")["end"] == "done"


def drained(board: Board) -> bool:
    """Whether every console has gone."""

    async def wait() -> bool:
        for _ in range(1000):
            if not board.server.consoles:
                return True
            await asyncio.sleep(0.01)
        return False

    return board.do(wait())


# ---------------------------------------------------------------- the socket


def test_policy_the_socket_is_for_a_group_and_the_kernel_says_who_is_there(board: Board) -> None:
    assert stat.S_IMODE(board.socket.stat().st_mode) == 0o660
    with console(board) as desk:
        desk("service on")
    assert board.commands()[0]["uid"] == os.getuid()


def test_policy_there_is_a_bound_on_consoles_and_one_user_leaves_a_place_to_others(board: Board) -> None:
    """The board's own serial console is a user apart: a technician gets in, whoever holds the other places."""
    open_ones = [raw(board) for _ in range(MOST_OF_ONE_USER)]
    for each in open_ones:
        assert each.__enter__().recv(10)
    with raw(board) as one_too_many:
        assert json.loads(one_too_many.recv(4096))["code"] == "E-CONS-017"
    with pytest.raises(
        ConsoleError, match=rf"^E-CONS-017 .*: {MOST_OF_ONE_USER} consoles are connected already"
    ):
        Client(board.socket)
    for each in open_ones:
        each.__exit__(None, None, None)
    assert drained(board)
    still_works(board)


def test_policy_a_socket_that_a_dead_program_left_is_taken_over(board: Board) -> None:
    board.do(board.server.stop())
    board.socket.touch()
    board.do(board.server.start())
    still_works(board)


# ---------------------------------------------------------------- loud


@pytest.mark.parametrize(
    "noise", [b"\x00\xff" * 500, b"x" * 1000, b"\n", b"{}\n", b'{"id":1}\n', b'{"id":1,"stop":true}\n']
)
def test_policy_ten_megabytes_of_noise_do_not_reach_the_table(board: Board, noise: bytes) -> None:
    with raw(board) as connection:
        connection.settimeout(1)
        sent, block = 0, noise * (100_000 // len(noise))
        try:
            while sent < NOISE_BYTES:
                sent += connection.send(block)
        except (TimeoutError, ConnectionError):
            pass
        assert sent < NOISE_BYTES, "it was swallowed whole"
        still_works(board)
    assert drained(board)
    assert not board.entries("command")[1:]


def test_policy_a_flood_of_good_commands_is_throttled_and_one_at_a_time(board: Board) -> None:
    with raw(board) as connection:
        line = b'{"id":1,"do":["status"]}\n'
        connection.settimeout(1)
        with pytest.raises((TimeoutError, ConnectionError)):
            connection.sendall(line * 1_000_000)
    assert drained(board)
    assert not board.commands()
    still_works(board)


def test_policy_what_nobody_orders_fills_no_journal(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many refused orders are on record, the rest is counted there and told in the log."""
    monkeypatch.setattr(record, "AT_ONCE", 5.0)
    board.clock.now = lambda: 0.0  # type: ignore[method-assign]
    board.server._desk._strangers = Strangers(board.clock.now)
    with console(board) as desk:
        for _ in range(5 + 9):
            assert desk("service on")["code"] == "E-CONS-003"
        assert len(board.commands()) == 5
        board.clock.now = lambda: 60.0  # type: ignore[method-assign]
        board.server._desk._strangers._now = board.clock.now
        desk("service on")
    assert board.commands()[-1]["passed_over"] == 9


def test_policy_strangers_share_an_allowance_and_people_with_a_role_do_not_wait_for_them(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "PER_SECOND", 0.0)
    with console(board) as technician, console(board) as stranger:
        technician.unlock("42")
        for _ in range(9):
            assert stranger("whoami")["end"] == "done"
            assert technician("whoami")["end"] == "done"
    strangers = board.server._strangers
    assert strangers is not None
    assert strangers._left == STRANGERS * line_module.AT_ONCE - 10  # nine, and the unlocking itself


def test_policy_an_idle_console_leaves_its_place_and_one_that_follows_does_not(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "IDLE_S", 0.2)
    with raw(board) as idle, raw(board) as follows:
        follows.sendall(b'{"id":1,"do":["follow"]}\n')
        lines = idle.makefile("rb")
        assert "hello" in json.loads(lines.readline())
        assert lines.readline() == b""
        board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
        told = follows.makefile("rb")
        assert any(b"lamp" in told.readline() for _ in range(6))


def test_policy_who_hangs_up_and_comes_again_has_no_more_commands(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "PER_SECOND", 0.0)
    for _ in range(5):
        with console(board) as desk:
            assert desk("whoami")["end"] == "done"
        assert drained(board)
    (bucket,) = board.server._buckets
    assert bucket._left == line_module.AT_ONCE - 5


def test_policy_a_line_without_an_end_is_not_kept(board: Board) -> None:
    with raw(board) as connection:
        connection.sendall(b'{"id":1,"do":["' + b"a" * 8000)
        connection.settimeout(10)
        data = b"."
        try:
            while data:
                data = connection.recv(65536)
        except ConnectionError:
            pass
    assert drained(board)
    still_works(board)


def test_policy_senseless_lines_are_answered_until_it_is_enough(board: Board) -> None:
    with raw(board) as connection:
        lines = connection.makefile("rb")
        assert "hello" in json.loads(lines.readline())
        for _ in range(MOST_SENSELESS):
            connection.sendall(b"what?\n")
            assert json.loads(lines.readline()) == {"id": 0, "refused": "a line that makes no sense"}
        assert lines.readline() == b""
    assert drained(board)


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"id": "1", "do": ["status"]},
        {"id": True, "do": ["status"]},
        {"id": 1, "do": "status"},
        {"id": 1, "do": [1]},
        {"id": 1, "do": ["a"] * 17},
        {"id": 1, "do": ["a" * 201]},
        {"id": 1, "do": ["\x1b[2J"]},
        {"id": 1, "do": ["status"], "stop": True},
        {"id": 1, "do": ["status"], "more": 1},
        {"id": 1, "stop": 1},
        {"id": 1, "do": ["status"], "pin": 12345},
    ],
)
def test_policy_what_is_no_request_is_none(board: Board, value: object) -> None:
    with raw(board) as connection:
        lines = connection.makefile("rb")
        lines.readline()
        connection.sendall(json.dumps(value).encode() + b"\n")
        assert "refused" in json.loads(lines.readline())
    assert not board.entries("command")


# ---------------------------------------------------------------- silent, or gone


def test_policy_a_console_that_never_reads_is_dropped(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "STALLED_S", 0.3)
    board.play()
    for _ in range(100):  # more than the kernel keeps for a socket
        board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp " * 1000))
    with raw(board) as connection:
        lines = connection.makefile("rb")
        lines.readline()
        connection.sendall(b'{"id":1,"do":["unlock","08"],"pin":"%s"}\n' % PINS["08"].encode())
        lines.readline(), lines.readline()
        connection.sendall(b'{"id":2,"do":["export","stream"],"why":"audit"}\n')
        still_works(board)
        assert drained(board)


def test_policy_a_live_screen_that_is_not_read_is_dropped(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "STALLED_S", 0.2)
    monkeypatch.setattr("sabot.firmware.console.commands.felt.PAUSE_S", 0.0)
    with raw(board) as connection:
        connection.recv(10)
        connection.sendall(b'{"id":1,"do":["watch"]}\n')

        async def hurry() -> None:
            for number in range(3000):
                assert board.runner is not None
                board.runner.post(
                    DeviceFaulted(at=float(number), device="shoe", fault="device", detail=str(number))
                )
                if not board.server.consoles:
                    return
                await asyncio.sleep(0.002)

        board.do(hurry())
        assert drained(board)
        assert board.runner is not None
        assert board.runner.subscribers == []
    still_works(board)


def test_policy_a_console_that_dies_in_mid_line_leaves_nothing(board: Board) -> None:
    for piece in (b"", b"{", b'{"id":1,"do":["sta'):
        with raw(board) as connection:
            connection.recv(10)
            connection.sendall(piece)
    assert drained(board)
    still_works(board)


def test_policy_a_console_that_dies_in_mid_answer_leaves_nothing(board: Board) -> None:
    board.play()
    for line in (b'{"id":1,"do":["events","1000"]}\n', b'{"id":1,"do":["watch"]}\n'):
        with raw(board) as connection:
            connection.recv(10)
            connection.sendall(line)
            connection.recv(10)
    assert drained(board)
    assert board.runner is not None
    assert board.runner.subscribers == []
    still_works(board)


def test_policy_a_stopped_command_ends_and_the_next_one_is_heard(board: Board) -> None:
    with console(board) as desk:
        said = desk.client.ask(do=["watch"])
        assert "frame" in next(said)
        desk.client.stop()
        assert list(said)[-1]["end"] == "stopped"
        assert desk("status")["end"] == "done"


# ---------------------------------------------------------------- guessing


def test_policy_a_pin_is_not_found_by_guessing(board: Board) -> None:
    with console(board) as desk:
        codes = []
        for guess in range(40):
            board.clock.ahead_s += 1000
            codes.append(desk("unlock 42", pin=f"{guess:05}")["code"])
        assert codes == ["E-KEEP-006"] * LOCKED_AT + ["E-KEEP-008"] * (40 - LOCKED_AT)
        board.clock.ahead_s += 1000
        assert desk("unlock 42", pin=PINS["42"])["code"] == "E-KEEP-008"
        assert desk("unlock 17", pin=PINS["17"])["end"] == "done"
    kept = board.commands()
    assert len([each for each in kept if each["result"] == "refused"]) == 41


def test_policy_guesses_wait_longer_and_longer(board: Board) -> None:
    with console(board) as desk:
        codes = [desk("unlock 42", pin=f"{guess:05}")["code"] for guess in range(5)]
        assert codes == ["E-KEEP-006"] * 3 + ["E-KEEP-007"] * 2
        assert desk("unlock 42", pin=PINS["42"])["code"] == "E-KEEP-007"


def test_policy_guessing_over_all_numbers_waits_too(board: Board) -> None:
    with console(board) as desk:
        codes = [desk(f"unlock {number:02}", pin="55512")["code"] for number in range(50, 60)]
        assert codes == ["E-KEEP-006"] * 6 + ["E-KEEP-007"] * 4


# ---------------------------------------------------------------- secrets


def test_policy_no_pin_and_no_hidden_card_is_in_anything_that_was_said_or_kept(
    board: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    with console(board) as desk:
        for place, recorded in enumerate(board.recording.events):
            board.post(recorded.event)
            if place % 12 == 0:
                for line in ("status", "decks", "events 12", "watch 1" if place % 48 == 0 else "faults"):
                    desk(line)
                    told.append(json.dumps(desk.said))
                    board.clock.ahead_s += 10
        for person in PEOPLE:
            desk(f"unlock {person.number}", pin=PINS[person.number])
            told.append(json.dumps(desk.said))
        desk("unlock 17", pin="13579")
        desk("export stream", why="audit")
        told.append(json.dumps(desk.said))
    said = "\n".join(told) + capsys.readouterr().out + "".join(entry.body for entry in board.entries())
    for pin in (*PINS.values(), "13579"):
        assert pin not in said.replace("\\", "")
    assert "frame" in said
    assert hidden_cards(told) == []


def hidden_cards(told: list[str]) -> list[str]:
    """Events that brought a card and show it in what the console said."""
    found = []
    for text in told:
        for said in json.loads(text):
            body = (json.loads(said["line"]) if "line" in said else said.get("data", {})).get("body")
            event = (json.loads(body) if isinstance(body, str) else body or {}).get("event", {})
            if not isinstance(event, dict):
                continue
            cards = [event.get("card"), *(event.get("cards") or []), *(event.get("composition") or [])]
            found += [str(card) for card in cards if card is not None]
    return found
