"""Shoes and signs that are wrong in one thing each, by overriding simulators that are right."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.angel_eye_wire import Orders, ShoeOrder, report

from .virtual import Clock

LOCKED, LOCK = b"\x02", "02"


class BadCopies(AngelEyeShoe):
    """Each report goes out with a wrong check first."""

    def say(self, kind: bytes, data: bytes = b"", *, copies: int = 0) -> bytes:
        frame = report((self.sequence + 1) & 0xFF, kind, data)
        self.send(frame[:-1] + (b"0" if frame[-1:] != b"0" else b"1"))
        return super().say(kind, data, copies=copies)


class SameNumbers(AngelEyeShoe):
    """A card has the number of the report before it."""

    def draw(self, card: str, target: int = 0x11) -> bytes:
        self.sequence -= 1
        return super().draw(card, target)


class LosesNumbers(AngelEyeShoe):
    def draw(self, card: str, target: int = 0x11) -> bytes:
        self.sequence += 1
        return super().draw(card, target)


class LocksInSecret(AngelEyeShoe):
    """It locks, and does not say so."""

    def say(self, kind: bytes, data: bytes = b"", *, copies: int = 0) -> bytes:
        return b"" if kind == b"L" else super().say(kind, data, copies=copies)


class SaysItLocks(AngelEyeShoe):
    """It says that it has locked, and the next card is one in play."""

    @property
    def is_out_of_play(self) -> bool:
        return False


class AnyCheck(AngelEyeShoe):
    """A command is a command, whatever its check."""

    def _obey(self, order: ShoeOrder) -> None:
        super()._obey(order._replace(is_good=True))


class Agreeable(AngelEyeShoe):
    """What it does not know it acknowledges."""

    def _obey(self, order: ShoeOrder) -> None:
        if order.is_good and order.kind not in ("LK", "EC", "GP"):
            self.send(b"\x06")
        else:
            super()._obey(order)


class MisreadsTens(AngelEyeShoe):
    def draw(self, card: str, target: int = 0x11) -> bytes:
        return super().draw(card.replace("T", "9"), target)


class DealsTwice(AngelEyeShoe):
    """A king is told as two cards."""

    def draw(self, card: str, target: int = 0x11) -> bytes:
        if card == "Kh":
            super().draw(card, target)
        return super().draw(card, target)


class StaysInError(AngelEyeShoe):
    """It acknowledges that its error is cleared, and stays in it."""

    def _obey(self, order: ShoeOrder) -> None:
        if order.kind == "EC":
            self.send(b"\x06")
        else:
            super()._obey(order)


class SecretStart(AngelEyeShoe):
    """After a start in the middle of a report it goes on as if nothing had been."""

    def start_in_a_frame(self, card: str) -> None:
        self.is_secret = True
        super().start_in_a_frame(card)
        self.is_secret = False

    def say(self, kind: bytes, data: bytes = b"", *, copies: int = 0) -> bytes:
        is_kept = getattr(self, "is_secret", False) and kind == b"S"
        return b"" if is_kept else super().say(kind, data, copies=copies)


class StartsInSecret(AngelEyeShoe):
    """A start is no event to it."""

    is_in_frame = False

    def start_in_a_frame(self, card: str) -> None:
        self.is_in_frame = True
        super().start_in_a_frame(card)
        self.is_in_frame = False

    def say(self, kind: bytes, data: bytes = b"", *, copies: int = 0) -> bytes:
        is_kept = kind == b"S" and not self.is_in_frame
        return b"" if is_kept else super().say(kind, data, copies=copies)


class InOnePiece(Orders):
    """What does not come whole does not come."""

    def feed(self, data: bytes) -> Iterator[ShoeOrder]:
        self._kept = b""
        return super().feed(data)


class OnePiece(AngelEyeShoe):
    def __init__(self) -> None:
        super().__init__()
        self._reader = InOnePiece(with_stx=True)


class Deaf(AngelEyeShoe):
    def received(self, data: bytes) -> None:
        """Nothing is heard."""


class Stumbling(Orders):
    """Behind garbage two commands are not heard."""

    deaf = 0

    def feed(self, data: bytes) -> Iterator[ShoeOrder]:
        self.deaf = 2 if not self._kept and data[:1] != b"\x02" else self.deaf
        for order in super().feed(data):
            self.deaf -= 1
            if self.deaf < 0:
                yield order


class NoResync(AngelEyeShoe):
    def __init__(self) -> None:
        super().__init__()
        self._reader = Stumbling(with_stx=True)


class AnyChecksum(AlphaSign):
    """What is damaged it shows all the same."""

    def _transmission(self, raw: bytes) -> None:
        head, _, block = raw.partition(b"\x02")
        body, _, _ = block.rpartition(b"\x03")
        if head and body:
            self._obey(chr(body[0]), body[1:])


class WrongAnswers(AlphaSign):
    """Its own answers have a wrong checksum."""

    def send(self, data: bytes) -> None:
        super().send(data[:-2] + (b"0" if data[-2:-1] != b"0" else b"1") + data[-1:])


class KeepsTheHit(AlphaSign):
    """A hit stays until the sign is configured anew."""

    def _obey(self, command: str, data: bytes) -> None:
        if (command, data) != ("A", b"0"):
            super()._obey(command, data)


class KeepsItsOrder(AlphaSign):
    """The order of pages was made at the factory."""

    def _special(self, function: str, content: bytes) -> None:
        if function != "." or not self.sequence:
            super()._special(function, content)


class LosesTheSecond(AlphaSign):
    """One amount at a time: what comes too soon behind another is lost."""

    def received(self, data: bytes) -> None:
        """The tenth writing of a string in a row is not taken."""
        writes = getattr(self, "writes", 0)
        self.writes = writes + 1 if b"\x02G" in data else 0
        if self.writes < 12:
            super().received(data)


class DarkLamps(AlphaSign):
    """Its memory is right, and its lamps show what they like."""

    def shown(self) -> list[str]:
        return ["GREETINGS FROM THE FACTORY"]


class NoResyncSign(AlphaSign):
    """What has begun is read to its end, whatever begins within it."""

    def _transmission(self, raw: bytes) -> None:
        super()._transmission(raw)

    def received(self, data: bytes) -> None:
        """The first start of a transmission counts, and not the last."""
        self._kept += data
        while b"\x04" in self._kept:
            raw, _, self._kept = self._kept.partition(b"\x04")
            self._transmission(raw[raw.find(b"\x01") :] if b"\x01" in raw else b"")


class CutsTexts(AlphaSign):
    """A text is kept without a letter."""

    def _obey(self, command: str, data: bytes) -> None:
        super()._obey(command, data.replace(b"MAJOR", b"MAJO"))


class OtherMemory(AlphaSign):
    """It rounds what it is told to keep."""

    def _special(self, function: str, content: bytes) -> None:
        super()._special(function, content)
        self.memory = self.memory.replace(b"0014", b"0020")


class MixesDigits(AlphaSign):
    """Ten thousand and more it shows in its own way."""

    def _obey(self, command: str, data: bytes) -> None:
        super()._obey(command, data.replace(b"$10,", b"$01,"))


class SaysItTwice(AlphaSign):
    """Each answer is sent with a wrong checksum first."""

    def send(self, data: bytes) -> None:
        super().send(data[:-2] + b"?" + data[-1:])
        super().send(data)


class NeverBack(AlphaSign):
    """Off is off: half a transmission of before spoils everything after."""

    def detached(self) -> None:
        """It stays mute from now on."""
        super().detached()
        self.is_mute = True


SHOES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "no answer": (lambda _: Deaf(), "shoe.answers"),
    "obeys a command with a wrong check": (lambda _: AnyCheck(), "shoe.check"),
    "acknowledges what it does not know": (lambda _: Agreeable(), "shoe.unknown"),
    "means locked by the value for free": (lambda _: AngelEyeShoe(free_value=2, locked_value=1), "shoe.lock"),
    "no resync behind noise": (lambda _: NoResync(), "shoe.noise"),
    "commands in pieces lost": (lambda _: OnePiece(), "shoe.pieces"),
    "a start that is not told": (lambda _: StartsInSecret(), "shoe.start"),
    "locks and does not say so": (lambda _: LocksInSecret(), "shoe.lock"),
    "says that it locks, and deals": (lambda _: SaysItLocks(), "shoe.holds"),
    "reads tens as nines": (lambda _: MisreadsTens(), "shoe.cards"),
    "tells a card twice": (lambda _: DealsTwice(), "shoe.cards"),
    "an error that is never cleared": (lambda _: StaysInError(), "shoe.error"),
    "a start that nobody hears of": (lambda _: SecretStart(), "shoe.cut-short"),
    "a damaged report beside each": (lambda _: BadCopies(), "shoe.reports"),
    "two reports of one number": (lambda _: SameNumbers(), "shoe.numbers"),
    "a number left out": (lambda _: LosesNumbers(), "shoe.numbers"),
}
SIGNS: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "a memory that does not answer": (lambda _: AlphaSign(is_dumb=True), "sign.answers"),
    "answers with a wrong checksum": (lambda _: WrongAnswers(), "sign.answers"),
    "a memory that it keeps otherwise": (lambda _: OtherMemory(), "sign.memory"),
    "digits of an amount mixed": (lambda _: MixesDigits(), "sign.strings"),
    "a damaged answer beside each": (lambda _: SaysItTwice(), "sign.frames"),
    "texts cut short": (lambda _: CutsTexts(), "sign.texts"),
    "an order of pages that stays": (lambda _: KeepsItsOrder(), "sign.order"),
    "a hit that stays": (lambda _: KeepsTheHit(), "sign.hit"),
    "a damaged amount shown": (lambda _: AnyChecksum(), "sign.checksum"),
    "no resync behind half a transmission": (lambda _: NoResyncSign(), "sign.noise"),
    "amounts lost when many come": (lambda _: LosesTheSecond(), "sign.flow"),
    "lamps that show something else": (lambda _: DarkLamps(), "sign.shown"),
    "silence after it was off": (lambda _: NeverBack(), "sign.back"),
}
