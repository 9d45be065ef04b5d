"""The kit's host of a sign: it writes, and believes only what is read out again or what eyes have seen."""

from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting, WrongError

NULS, EOT, MOST = 5, b"\x04", 8192
ANSWER_S, QUIET_S, SETTLE_S = 1.5, 0.4, 0.5
READ_OF = {"A": "B", "G": "H", "E": "F"}


def total(block: bytes) -> bytes:
    """Return the sum from STX through ETX in sixteen bits, as four digits."""
    return b"%04X" % (sum(block) & 0xFFFF)


class SignKit(Kit):
    """A host on one sign."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        options = setting.options
        self.head = (str(options.get("sign_type", "Z")) + str(options.get("address", "00"))).encode("ascii")
        self.settle_s = float(options.get("settle_s", SETTLE_S))
        self.answer_s = float(options.get("deadline_s", ANSWER_S))
        self.device = {"claims": "nothing: the protocol has no identity"}
        self.answers: list[bytes] = []
        self.defects: list[str] = []
        self.times: list[float] = []
        self._held = b""

    def begin(self) -> None:
        """Begin a check: drop whatever the one before has left on the line."""
        self.answers.clear()

    def pump(self, until: float) -> None:
        """Read once; keep each answer's command, label and data."""
        self._held = (self._held + self.read(until))[-MOST:]
        while EOT in self._held:
            raw, _, self._held = self._held.partition(EOT)
            self._take(raw.lstrip(b"\0"))

    def _take(self, raw: bytes) -> None:
        head, stx, block = raw.partition(b"\x02")
        body, etx, digits = block.rpartition(b"\x03")
        rows = (
            (head != b"\x01000", "an answer that is not of type 0 and address 00"),
            (not (stx and etx), "an answer without STX or ETX"),
            (digits != total(stx + body + etx), "an answer with a wrong checksum"),
            (body[:1].decode("latin-1") not in READ_OF, "an answer in another form than that of a writing"),
        )
        wrong = next((words for is_so, words in rows if is_so), "")
        if wrong:
            self.defects.append(f"{wrong}: {raw.hex()}")
        else:
            self.answers.append(body)

    # ---------------------------------------------------------------- saying

    def frame(self, command: str, data: bytes) -> bytes:
        """Return a transmission."""
        block = b"\x02" + command.encode("ascii") + data + b"\x03"
        return bytes(NULS) + b"\x01" + self.head + block + total(block) + EOT

    def write(self, command: str, data: bytes) -> None:
        """Send a writing; the sign answers nothing to it."""
        self.send(self.frame(command, data))

    def ask(self, command: str, label: str) -> bytes | None:
        """Ask the sign for a file; return None if it does not answer."""
        self.answers.clear()
        at = self.send(self.frame(READ_OF[command], label.encode("ascii")))
        start = (command + label).encode("ascii")
        found = self.until(lambda: [each for each in self.answers if each.startswith(start)], self.answer_s)
        if not found:
            return None
        self.times.append(self.line.now() - at)
        content: bytes = found[0][2:]
        return content

    def reads(self, command: str, label: str, wanted: bytes, words: str) -> None:
        """Raise WrongError unless the sign reads out what it was told."""
        found = self.ask(command, label)
        if found is None:
            raise WrongError(f"{words}: no answer within {self.answer_s:g} s")
        if found != wanted:
            raise WrongError(f"{words}: {found!r} is read out, {wanted!r} was written")

    def prepare(self) -> None:
        """Write the files that the checks work on: two pages, each a text that calls a string."""
        self.write("E", b"$" + MEMORY)
        # A sign needs time after its memory was configured (docs/alpha.md).
        self.wait(self.settle_s)
        for label in "AB":
            self.write("A", page(label))
            self.write("G", label.lower().encode("ascii") + b"$0.00")
        self.write("E", b"." + SEQUENCE)


MEMORY = b"AAL0020FF00" + b"BAL0020FF00" + b"aBL00140000" + b"bBL00140000"
SEQUENCE = b"SLAB"
CAPTIONS = {"A": b"MEGA ", "B": b"MAJOR "}


def page(label: str) -> bytes:
    """Return a text on the middle line, held, that calls the string of the same letter."""
    return label.encode("ascii") + b"\x1b b" + CAPTIONS[label] + b"\x10" + label.lower().encode("ascii")
