"""The kit's host of the reading shoe: one command at a time, every report kept and judged."""

from sabot.hil.conformance.angel_eye.frame_reader import (
    LENGTHS,
    ShoeAnswer,
    ShoeFrameReader,
    ShoeReport,
    folded,
)
from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting, WrongError

ANSWER_S, QUIET_S, REPORT_S = 1.0, 0.5, 3.0
TRIES = 3
# The refusals of the moment, busy and write busy: the page has them tried again.
BUSY = (8, 9, *b"89")
# After these the next report may have any number.
FORGETS = ("S", "E", "e")
ACK = b"\x06"


class ShoeKit(Kit):
    """A host on one shoe."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        options = setting.options
        self.ear = ShoeFrameReader(str(options.get("lengths", LENGTHS)), int(options.get("refusal_bytes", 1)))
        self.with_stx = bool(options.get("bcc_with_stx", True))
        self.acknowledges = bool(options.get("acknowledge_reports", False))
        self.copies = int(options.get("copies", 3))
        self.answer_s = float(options.get("deadline_s", ANSWER_S))
        self.tries = int(options.get("tries", TRIES))
        self.lock_values = {
            "free": int(options.get("free_value", 1)),
            "locked": int(options.get("locked_value", 2)),
        }
        self.wraps = (int(options.get("sequence_low", 0)), int(options.get("sequence_high", 255)))
        self.device = {"claims": "nothing: the dialect has no identity"}
        self.reports: list[ShoeReport] = []
        self.answers: list[ShoeAnswer] = []
        self.times: list[float] = []
        self.odd: list[str] = []
        self._last: ShoeReport | None = None
        self._copies = 0

    def begin(self) -> None:
        """Begin a check: drop whatever the one before has left on the line."""
        self.reports.clear()
        self.answers.clear()

    # ---------------------------------------------------------------- hearing

    def pump(self, until: float) -> None:
        """Read once; keep every new report, and judge its number."""
        for came in self.ear.hear(self.read(until), self.line.now()):
            if isinstance(came, ShoeAnswer):
                self.answers.append(came)
                continue
            if self.acknowledges:
                self.send(ACK)
            if not self._is_copy(came):
                self._judge(came)
                self.reports.append(came)
                self._last = came

    def _is_copy(self, came: ShoeReport) -> bool:
        last = self._last
        is_one = last is not None and came.letter != "S" and came[1:] == last[1:]
        self._copies = self._copies + 1 if is_one and self._copies < self.copies else 1
        return is_one and self._copies > 1

    def _judge(self, came: ShoeReport) -> None:
        last = self._last
        if last is None or last.letter in FORGETS or came.letter == "S":
            return
        is_again = came.letter == "R" and came.sequence == last.sequence
        if came.sequence != self.after(last.sequence) and not is_again:
            self.odd.append(f"report {came.letter} has number {came.sequence} after {last.sequence}")

    def after(self, sequence: int) -> int:
        """Return the number that follows."""
        low, high = self.wraps
        return low if sequence >= high else sequence + 1

    # ---------------------------------------------------------------- saying

    def frame(self, kind: str, argument: str) -> bytes:
        """Return a command."""
        body = b"\x02OP" + (kind + argument).encode("ascii") + b"\x03"
        return body + folded(body if self.with_stx else body[1:])

    def ask(self, raw: bytes) -> ShoeAnswer | None:
        """Send bytes, and return the answer to them; None if none comes."""
        self.answers.clear()
        at = self.send(raw)
        found = self.until(lambda: self.answers, self.answer_s)
        if found:
            self.times.append(self.answers[0].at - at)
        return self.answers[0] if found else None

    def ask_while_busy(self, raw: bytes) -> ShoeAnswer | None:
        """Ask; ask a busy shoe again, as often as the driver does."""
        answer = self.ask(raw)
        for _ in range(self.tries - 1):
            if answer is None or answer.code not in BUSY:
                break
            self.wait(QUIET_S)
            answer = self.ask(raw)
        return answer

    def must(self, kind: str, argument: str) -> None:
        """Send a command that has to be acknowledged."""
        answer = self.ask_while_busy(self.frame(kind, argument))
        if answer is None:
            raise WrongError(f"{kind} {argument} got no answer within {self.answer_s:g} s")
        if answer.code is not None:
            raise WrongError(f"{kind} {argument} was refused with {answer.code:02X}")

    def refused(self, raw: bytes, words: str) -> int:
        """Send bytes that must be refused; return the code, which the page is not sure of."""
        answer = self.ask(raw)
        if answer is None:
            raise WrongError(f"{words}: no answer within {self.answer_s:g} s, where a refusal belongs")
        if answer.code is None:
            raise WrongError(f"{words}: acknowledged")
        return answer.code

    def report(self, letters: str, words: str) -> ShoeReport:
        """Return the next report of these letters; raise WrongError if it does not come in time."""
        found = self.until(
            lambda: next((each for each in self.reports if each.letter in letters), None), REPORT_S
        )
        if found is None:
            raise WrongError(f"{words}: no report {' or '.join(letters)} within {REPORT_S:g} s")
        assert isinstance(found, ShoeReport)
        self.reports.remove(found)
        return found

    def free(self) -> None:
        """Unlock the shoe, whatever it was; what it reports of that is dropped."""
        self.must("LK", "01")
        self.wait(QUIET_S)
        self.reports.clear()
