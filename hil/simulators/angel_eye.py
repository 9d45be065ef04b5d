"""A reading shoe that speaks the Angel Eye II-EX dialect, written from the page and from nothing else.

It deals what a script tells it to, at the speed of the real line, and does all that a real one might do
wrong: cards that cannot be read, reports that come again or never, a start in the middle of a frame, a lock
that is acknowledged and not made, a game of its own.
"""

import asyncio
from collections.abc import Callable, Mapping

from sabot.hil.simulators.angel_eye_wire import Orders, ShoeOrder, card_byte, report

ACK, NAK = b"\x06", b"\x15"
PLAYER_1 = 0x11
BITS_A_BYTE = 10
GAME_SIZE = 6
# How long after the answer a change of the lock is told.
LOCK_TOLD_S = 0.02
Action = tuple[str, Callable[[str], None]]


class AngelEyeShoe:
    """The shoe; ``baud`` 0 sends as fast as the line takes it."""

    def __init__(
        self,
        *,
        bcc_with_stx: bool = True,
        baud: int = 0,
        copies: int = 1,
        game: bool = False,
        free_value: int = 1,
        locked_value: int = 2,
        starts_locked: bool = False,
    ) -> None:
        self.baud, self.copies, self.has_game = baud, copies, game
        self.is_locked = starts_locked
        self.is_mute = self.lies_about_lock = self.is_in_setting = False
        self.error = 0
        self.sequence = -1
        self.lock_values = {False: free_value, True: locked_value}
        self.tells_every_lock, self.tells_lock_with_answer = False, True
        self.refusals: list[int] = []
        self.orders: list[ShoeOrder] = []
        self.acks = 0
        self._reader = Orders(with_stx=bcc_with_stx)
        self._write: Callable[[bytes], None] | None = None
        self._waiting: list[bytes] = []
        self._timer: asyncio.TimerHandle | None = None
        self._last = b""
        self._dealt = 0

    # ---------------------------------------------------------------- the line

    def attached(self, write: Callable[[bytes], None]) -> None:
        """Take the way to the line."""
        self._write = write

    def detached(self) -> None:
        """Lose the line, and what was on its way."""
        self._write = None
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def received(self, data: bytes) -> None:
        """Take bytes of the host."""
        for order in self._reader.feed(data):
            if order.is_ack:
                self.acks += 1
            elif not self.is_mute:
                self.orders.append(order)
                self._obey(order)

    def send(self, data: bytes) -> None:
        """Send these bytes, right or wrong, after what is being sent."""
        self._waiting.append(data)
        if self._timer is None:
            self._push()

    def _push(self) -> None:
        """Let the next bytes leave when their time on the line is over."""
        self._timer = None
        while self._waiting and not self.baud:
            self._out(self._waiting.pop(0))
        if self._waiting:
            after_s = len(self._waiting[0]) * BITS_A_BYTE / self.baud
            self._timer = asyncio.get_running_loop().call_later(after_s, self._sent)

    def _sent(self) -> None:
        self._out(self._waiting.pop(0))
        self._push()

    def _out(self, data: bytes) -> None:
        if self._write is not None:
            self._write(data)

    # ---------------------------------------------------------------- what it says

    def say(self, kind: bytes, data: bytes = b"", *, copies: int = 0) -> bytes:
        """Send a report under the next number, as often as reports are sent; return its frame."""
        self.sequence = (self.sequence + 1) & 0xFF
        frame = report(self.sequence, kind, data)
        for _ in range(copies or self.copies):
            self.send(frame)
        return frame

    @property
    def is_out_of_play(self) -> bool:
        """Return whether a card that leaves now is none of the game."""
        return self.is_locked or self.is_in_setting or bool(self.error & 0x40)

    def draw(self, card: str, target: int = PLAYER_1) -> bytes:
        """Draw a card; it is read, whatever the shoe thinks of it."""
        self._last = bytes((target, card_byte(card)))
        frame = self.say(b"d" if self.is_out_of_play else b"D", self._last)
        self._dealt += 1
        if self.has_game and self._dealt == GAME_SIZE:
            self.say(b"G", b"\x01")
        if self.has_game and self._dealt > GAME_SIZE:
            self.say(b"E", b"\x02")
        return frame

    def draw_unread(self) -> None:
        """Draw a card that cannot be read."""
        self.fail(0x41)

    def draw_face_up(self) -> None:
        """Draw a card the wrong way round: there is no code where it is looked for."""
        self.fail(0x46)

    def draw_lost(self, card: str) -> None:
        """Draw a card whose report never arrives."""
        self._last = bytes((PLAYER_1, card_byte(card)))
        self.sequence = (self.sequence + 1) & 0xFF

    def again(self, *, under_new_number: bool = False) -> None:
        """Send the last card again."""
        if not self._last:
            raise ValueError("no card was drawn that could be sent again")
        if under_new_number:
            self.say(b"R", self._last)
        else:
            self.send(report(self.sequence, b"R", self._last))

    def fail(self, error: int) -> None:
        """Report an error; with 40h in it the shoe stays in error."""
        self.error = error
        self.say(b"E", bytes((error,)))

    def start(self) -> None:
        """Start as after power or a reset: nothing is remembered."""
        self.is_locked, self.error, self.sequence, self._dealt = False, 0, -1, 0
        self._reader.clear()
        self.say(b"S")
        self.say(b"P")

    def start_in_a_frame(self, card: str) -> None:
        """Lose power in the middle of a card's report, and start."""
        self.sequence = (self.sequence + 1) & 0xFF
        whole = report(self.sequence, b"D", bytes((PLAYER_1, card_byte(card))))
        self.send(whole[: len(whole) // 2])
        self.start()

    # ---------------------------------------------------------------- what it is told

    def _obey(self, order: ShoeOrder) -> None:
        if self.refusals or not order.is_good:
            self.send(NAK + bytes((self.refusals.pop(0) if self.refusals else 2,)))
        elif order.kind == "LK" and order.argument in ("01", "02"):
            self._change_lock(wants=order.argument == "02")
        elif order.kind == "EC" and order.argument.isdigit():
            self.send(ACK)
            if int(order.argument) == self.error & 0x0F:
                self.say(b"e", bytes((self.error,)))
                self.error = 0
        elif (order.kind, order.argument) == ("GP", "00"):
            self.send(ACK)
        else:
            self.send(NAK + b"\x06")

    def _change_lock(self, *, wants: bool) -> None:
        """Acknowledge a lock, and tell what changed, with the answer or a moment later."""
        self.send(ACK)
        changed = wants != self.is_locked or self.tells_every_lock
        self.is_locked = wants and not self.lies_about_lock
        if not changed or self.lies_about_lock:
            return
        told = bytes((self.lock_values[wants],))
        if self.tells_lock_with_answer:
            self.say(b"L", told)
        else:
            asyncio.get_running_loop().call_later(LOCK_TOLD_S, self.say, b"L", told)

    # ---------------------------------------------------------------- a technician's words

    def actions(self) -> Mapping[str, Action]:
        """Return the actions that can be typed, with their help."""
        return {
            "draw": ("draw CARD…: the dealer draws these cards", self._draw_all),
            "unread": ("unread: a card that cannot be read", lambda _: self.draw_unread()),
            "faceup": ("faceup: a card the wrong way round", lambda _: self.draw_face_up()),
            "lose": ("lose CARD: a card whose report is lost", lambda words: self.draw_lost(words.strip())),
            "again": ("again: the last card is sent again", lambda _: self.again()),
            "error": (
                "error HEX: an error; with 40 in it, it stays",
                lambda words: self.fail(int(words, 16)),
            ),
            "cut": ("cut: the cut card is seen", lambda _: self._say_plain(b"C")),
            "game": ("game: the result of a game of its own", lambda _: self._say_plain(b"G", b"\x01")),
            "setting": ("setting: a setting is changed", lambda _: self._say_plain(b"M", b"\x01\x01")),
            "start": ("start: it starts anew", lambda _: self.start()),
            "reboot": ("reboot CARD: it starts anew within this card's report", self._start_in_a_frame),
            "noise": ("noise HEX: bytes that mean nothing", lambda words: self.send(bytes.fromhex(words))),
            "refuse": (
                "refuse HEX: refuse the next command",
                lambda words: self.refusals.append(int(words, 16)),
            ),
            "mute": ("mute on|off: hear no command", self._mute),
            "lie": ("lie on|off: acknowledge a lock and make none", self._lie),
            "copies": ("copies N: how often a report is sent", self._copy),
        }

    def _say_plain(self, kind: bytes, data: bytes = b"") -> None:
        self.say(kind, data)

    def _start_in_a_frame(self, words: str) -> None:
        self.start_in_a_frame(words.strip())

    def _draw_all(self, words: str) -> None:
        for card in words.split():
            self.draw(card)

    def _mute(self, words: str) -> None:
        self.is_mute = words.strip() != "off"

    def _lie(self, words: str) -> None:
        self.lies_about_lock = words.strip() != "off"

    def _copy(self, words: str) -> None:
        self.copies = max(1, int(words))
