"""The plugs of an emulated board: usbredir as QEMU speaks it, USB/IP as its kernel does, the way of the lines."""

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sabot.hil.board.chip import BoardChip
from sabot.hil.board.usbip import ForwardedDevice
from sabot.hil.board.usbredir import RedirectedDevice
from sabot.hil.board.world import FINGER_S, BoardLines, PadsOnBoard

HELLO, CONNECT, SET, STATUS, CONTROL, BULK, INTERRUPT = 0, 1, 6, 8, 100, 101, 103
START_INTERRUPT, STOP_INTERRUPT, INTERRUPT_STATUS = 15, 16, 17
PATIENCE_S = 60.0


class Qemu:
    """The emulator's end of a plug."""

    def __init__(self, path: Path) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen(1)
        self.wire: socket.socket

    def accept(self) -> None:
        self.wire, _ = self._listening.accept()
        self.wire.settimeout(PATIENCE_S)  # a plug that says nothing fails a test and ends it
        self._stream = self.wire.makefile("rb")

    def close(self) -> None:
        self._listening.close()
        self.wire.close()

    def send(self, kind: int, number: int, body: bytes) -> None:
        head = struct.pack("<III" if kind == HELLO else "<IIQ", kind, len(body), number)
        self.wire.sendall(head + body)

    def hear(self, *, is_first: bool = False) -> tuple[int, int, bytes]:
        form = "<III" if is_first else "<IIQ"
        kind, length, number = struct.unpack(form, self._stream.read(struct.calcsize(form)))
        return kind, number, self._stream.read(length)


class Parrot:
    """A device that says what was said to it."""

    strings = ("Sabot", "Parrot", "P1")

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self._heard = b""

    def write(self, data: bytes) -> None:
        with self.condition:
            self._heard += data
            self.condition.notify_all()

    def wait(self, timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        with self.condition:
            self.condition.wait_for(lambda: self._heard or is_gone(), timeout_s)
            data, self._heard = self._heard, b""
            return data


@pytest.fixture
def qemu(tmp_path: Path) -> Iterator[Qemu]:
    with closing(Qemu(tmp_path / "plug")) as found:
        yield found


def test_a_device_is_plugged_in_read_and_written_as_qemu_asks(qemu: Qemu, tmp_path: Path) -> None:
    with closing(RedirectedDevice(Parrot(), tmp_path / "plug")):
        qemu.accept()
        assert qemu.hear(is_first=True)[0] == HELLO
        qemu.send(HELLO, 0, bytes(68))
        _interfaces, _endpoints, (kind, _, told) = qemu.hear(), qemu.hear(), qemu.hear()
        assert (kind, told[0], struct.unpack_from("<HH", told, 4)) == (CONNECT, 1, (0x1209, 1))
        qemu.send(SET, 7, b"\1")
        assert qemu.hear() == (STATUS, 7, b"\0\1")
        # The first string: who made it.
        qemu.send(CONTROL, 8, struct.pack("<BBBBHHH", 0x80, 6, 0x80, 0, 0x0301, 0x0409, 255))
        kind, number, told = qemu.hear()
        assert (kind, number, told[3], told[12:].decode("utf-16-le")) == (CONTROL, 8, 0, "Sabot")
        qemu.send(START_INTERRUPT, 9, b"\x81")
        assert qemu.hear() == (INTERRUPT_STATUS, 9, b"\0\x81")
        qemu.send(BULK, 10, struct.pack("<BBHIH", 2, 0, 3, 0, 0) + b"abc")
        heard = {kind: (number, told) for kind, number, told in (qemu.hear(), qemu.hear())}
        assert heard[BULK] == (10, struct.pack("<BBHIH", 2, 0, 3, 0, 0))
        assert heard[INTERRUPT][1] == struct.pack("<BBH", 0x81, 0, 3) + b"abc"


@pytest.fixture
def parrot(qemu: Qemu, tmp_path: Path) -> Iterator[RedirectedDevice]:
    """A device that is plugged in and read."""
    with closing(RedirectedDevice(Parrot(), tmp_path / "plug")) as device:
        greet(qemu)
        qemu.send(START_INTERRUPT, 1, b"\x81")
        assert qemu.hear() == (INTERRUPT_STATUS, 1, b"\0\x81")
        yield device


def greet(qemu: Qemu) -> None:
    qemu.accept()
    assert qemu.hear(is_first=True)[0] == HELLO
    qemu.send(HELLO, 0, bytes(68))
    for _ in range(3):
        qemu.hear()


def clear(qemu: Qemu, endpoint: int) -> None:
    qemu.send(CONTROL, 5, struct.pack("<BBBBHHH", 0, 1, 0x02, 0, 0, endpoint, 0))


def test_the_way_in_halts_until_it_was_cleared_so_often(qemu: Qemu, parrot: RedirectedDevice) -> None:
    halted = struct.pack("<BBH", 0x81, 4, 0)
    parrot.stall(0x81, 2)
    assert qemu.hear()[::2] == (INTERRUPT, halted)
    qemu.send(BULK, 10, struct.pack("<BBHIH", 2, 0, 3, 0, 0) + b"abc")
    assert qemu.hear()[0] == BULK
    clear(qemu, 0x81)
    assert {qemu.hear()[0], qemu.hear()[0]} == {INTERRUPT, CONTROL}
    assert parrot.stalls[0x81] == 1
    clear(qemu, 0x81)
    heard = {kind: told for kind, _, told in (qemu.hear(), qemu.hear())}
    assert heard[INTERRUPT] == struct.pack("<BBH", 0x81, 0, 3) + b"abc"
    assert parrot.stalls[0x81] == 0


def test_a_halt_that_was_cleared_while_nobody_read_is_said_to_the_next_who_does(
    qemu: Qemu, parrot: RedirectedDevice
) -> None:
    parrot.stall(0x81, 2)
    assert qemu.hear()[0] == INTERRUPT
    # QEMU resets an endpoint by stopping to read it, and starts anew when it has been cleared.
    qemu.send(STOP_INTERRUPT, 2, b"\x81")
    assert qemu.hear() == (INTERRUPT_STATUS, 2, b"\0\x81")
    clear(qemu, 0x81)
    assert qemu.hear()[0] == CONTROL
    qemu.send(START_INTERRUPT, 3, b"\x81")
    assert qemu.hear() == (INTERRUPT_STATUS, 3, b"\0\x81")
    assert qemu.hear()[::2] == (INTERRUPT, struct.pack("<BBH", 0x81, 4, 0))
    clear(qemu, 0x81)
    assert qemu.hear()[0] == CONTROL
    assert parrot.stalls[0x81] == 0


def test_the_way_out_takes_nothing_while_it_has_halted(qemu: Qemu, parrot: RedirectedDevice) -> None:
    parrot.stall(2)
    for status in (4, 0):
        qemu.send(BULK, 10, struct.pack("<BBHIH", 2, 0, 3, 0, 0) + b"abc")
        assert qemu.hear()[2][:2] == bytes((2, status))
        if status:
            clear(qemu, 2)
            assert qemu.hear()[0] == CONTROL
    assert qemu.hear()[2] == struct.pack("<BBH", 0x81, 0, 3) + b"abc"


def test_a_cable_that_was_cut_says_nothing_and_is_plugged_in_anew(
    qemu: Qemu, parrot: RedirectedDevice
) -> None:
    parrot.cut()
    assert qemu.wire.recv(100) == b""
    parrot.plug()
    greet(qemu)


def test_a_string_that_is_not_there_stalls(qemu: Qemu, tmp_path: Path) -> None:
    with closing(RedirectedDevice(Parrot(), tmp_path / "plug")):
        qemu.accept()
        qemu.hear(is_first=True)
        qemu.send(HELLO, 0, bytes(68))
        for _ in range(3):
            qemu.hear()
        qemu.send(CONTROL, 1, struct.pack("<BBBBHHH", 0x80, 6, 0x80, 0, 0x0309, 0x0409, 255))
        assert qemu.hear()[2][3] == 4


SUBMIT, DONE = 1, 3


def asked(number: int, endpoint: int, length: int, setup: bytes = bytes(8), data: bytes = b"") -> bytes:
    """Return a transfer as the kernel asks for it (its page: Documentation/usb/usbip_protocol.rst)."""
    head = struct.pack(">5I", SUBMIT, number, 1 << 16 | 2, endpoint >> 7, endpoint & 0x7F)
    return head + struct.pack(">5I", 0, length, 0, 0, 0) + setup + data


def answer_of(wire: socket.socket, *, has_data: bool) -> tuple[int, int, int, bytes]:
    """Return the number of a transfer, its status, its length and what came with it."""
    head = wire.recv(48, socket.MSG_WAITALL)
    command, number = struct.unpack_from(">2I", head)
    status, length = struct.unpack_from(">2i", head, 20)
    assert command == DONE
    return number, status, length, wire.recv(length, socket.MSG_WAITALL) if has_data else b""


def test_a_device_is_a_cable_of_the_board_kernel(qemu: Qemu, tmp_path: Path) -> None:
    with closing(ForwardedDevice(Parrot(), tmp_path / "plug")):
        qemu.accept()
        # The words for the kernel come first: port, the input that is this wire, number of the device, full speed.
        said = b"".join(qemu.wire.recv(1) for _ in range(len("0 0 65538 2\n")))
        assert said == b"0 0 65538 2\n"
        qemu.wire.sendall(asked(1, 0x80, 18, struct.pack("<BBHHH", 0x80, 6, 0x0100, 0, 18)))
        number, status, _length, told = answer_of(qemu.wire, has_data=True)
        assert (number, status, struct.unpack_from("<HH", told, 8)) == (1, 0, (0x1209, 1))
        # A report is waited for before there is one; then it has what was written.
        qemu.wire.sendall(asked(2, 0x81, 64))
        qemu.wire.sendall(asked(3, 0x02, 3, data=b"abc"))
        heard = {number: rest for number, *rest in two_answers(qemu.wire)}
        assert heard == {3: [0, 3, b""], 2: [0, 3, b"abc"]}


def two_answers(wire: socket.socket) -> Iterator[tuple[int, int, int, bytes]]:
    """Return the answers to a transfer in, the second, and one out, the third, in the order in which they come."""
    for _ in range(2):
        (number,) = struct.unpack_from(">I", wire.recv(8, socket.MSG_PEEK | socket.MSG_WAITALL), 4)
        yield answer_of(wire, has_data=number == 2)


def test_a_cable_that_is_pulled_ends_with_no_word_and_goes_into_the_next_plug(
    qemu: Qemu, tmp_path: Path
) -> None:
    with (
        closing(Qemu(tmp_path / "plug-1")) as second,
        closing(PadsOnBoard(tmp_path / "plug", {"spots": 3}, "usbip")) as pads,
    ):
        qemu.accept()
        with pytest.raises(ValueError, match="cannot break"):
            pads.device.cut()
        pads.device.unplug()
        said = qemu.wire.recv(100, socket.MSG_WAITALL)
        # No transfer is asked for or ended by it, and nothing comes behind it.
        assert said == b"0 0 65538 2\n" + bytes(48)
        pads.device.plug()
        second.accept()
        assert second.wire.recv(12, socket.MSG_WAITALL) == b"1 0 65539 2\n"
        assert pads.shows()["halts"] == 0
        pads.device.unplug()
        with pytest.raises(ValueError, match="no plug plug-2"):
            pads.device.plug()


def test_an_endpoint_behind_usbip_halts_until_it_was_cleared(qemu: Qemu, tmp_path: Path) -> None:
    with closing(ForwardedDevice(Parrot(), tmp_path / "plug")) as device:
        qemu.accept()
        qemu.wire.recv(12, socket.MSG_WAITALL)
        device.stall(2, 1)
        for number, status in ((1, -32), (3, 0)):
            qemu.wire.sendall(asked(number, 0x02, 3, data=b"abc"))
            assert answer_of(qemu.wire, has_data=False)[:2] == (number, status)
            clearing = struct.pack("<BBHHH", 0x02, 1, 0, 2, 0)
            qemu.wire.sendall(asked(number + 1, 0x00, 0, clearing))
            assert answer_of(qemu.wire, has_data=False)[:2] == (number + 1, 0)
        assert device.stalls[2] == 0


def test_pads_on_a_board_show_the_felt_and_have_no_edges(qemu: Qemu, tmp_path: Path) -> None:
    with closing(PadsOnBoard(tmp_path / "plug", {"spots": 3})) as pads:
        qemu.accept()
        assert pads.edges() == []
        assert pads.shows()["cents"] == [0, 0, 0]


TRACE = b"""\
           <...>-1     [000] .....     2.1: tracing_mark_write: sabot chip gpiochip1 base 520
          python-373   [001] .....   102.2: gpio_value: 524 set 1
          python-373   [001] .....   102.3: gpio_value: 537 get 0
    irq/57-sabot-99    [001] .....   102.4: gpio_value: 537 get 1
           <...>-210   [000] .....   102.9: tracing_mark_write: sabot program 373 Uid:201 CapEff:0
           <...>-210   [000] .....   103.0: tracing_mark_write: sabot memory MemTotal:         984000 kB
           <...>-210   [000] .....   103.1: tracing_mark_write: sabot memory MemAvailable:     820000 kB
"""


def test_the_lines_are_moved_by_words_and_known_by_the_trace(qemu: Qemu, tmp_path: Path) -> None:
    with closing(BoardChip(tmp_path / "plug")) as chip:
        qemu.accept()
        chip.drive(17, 1)
        chip.ask("go")
        assert qemu.wire.recv(100) == b"17 pull-up\ngo\n"
        qemu.wire.sendall(TRACE)
        while not chip.used_kb:
            time.sleep(0.01)
        assert (chip.number, chip.level(4), chip.used_kb) == (1, 1, 164_000)
        assert (chip.looks.count[17], chip.history) == (1, [(102.2, 4, 1)])
        assert chip.program == (373, "Uid:201 CapEff:0")


def test_a_chip_that_comes_back_has_its_contacts_as_they_were_left(qemu: Qemu, tmp_path: Path) -> None:
    with closing(BoardChip(tmp_path / "plug")) as chip:
        qemu.accept()
        chip.drive(17, 1)
        qemu.wire.sendall(TRACE)
        while not chip.used_kb:
            time.sleep(0.01)
        chip.vanish()
        assert chip.level(4) == 0
        chip.drive(17, 0)
        chip.come_back()
        said = b""
        while said.count(b"\n") < 5:
            said += qemu.wire.recv(100)
        assert said == b"17 pull-up\nvanish\n17 pull-down\nback\n17 pull-down\n"


def test_no_key_is_let_go_sooner_than_a_finger_can(
    qemu: Qemu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("sabot.hil.board.world.asyncio.sleep", sleep)
    with closing(BoardLines(tmp_path / "plug", {"key_ok": 17, "healthy": 4}, [], ["healthy"])) as lines:
        qemu.accept()
        assert qemu.wire.recv(100) == b"17 pull-up\ngo\n"
        # The program's looks are in the trace before anybody waits for them.
        looks = lines._chip.looks
        monkeypatch.setattr(
            lines, "_drive", lambda pin, _level: looks.count.__setitem__(pin, looks.count[pin] + 2)
        )
        asyncio.run(lines.act("press", "key_ok"))
    assert slept == [FINGER_S, FINGER_S]
