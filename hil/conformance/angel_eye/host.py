"""The kit's host of the reading shoe: one command at a time, every report kept and judged."""

from sabot.hil.conformance.angel_eye.ear import LENGTHS, Answer, Ear, Report, folded
from sabot.hil.conformance.hands import Hands
from sabot.hil.conformance.kit import Kit, Line, Setting, WrongError

ANSWER_S, QUIET_S, REPORT_S = 1.0, 0.5, 3.0
FORGETS = ("S", "E", "e")
LINE_CODES = range(1, 10)


class ShoeKit(Kit):
    """A host on one shoe."""

    def __init__(self, line: Line, hands: Hands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        options = setting.options
        self.ear = Ear(str(options.get("lengths", LENGTHS)))
        self.with_stx = bool(options.get("bcc_with_stx", True))
        self.copies = int(options.get("copies", 3))
        self.wraps = (int(options.get("sequence_low", 0)), int(options.get("sequence_high", 255)))
        self.device = {"claims": "nothing: the dialect has no identity"}
        self.reports: list[Report] = []
        self.answers: list[Answer] = []
        self.times: list[float] = []
        self.odd: list[str] = []
        self._last: Report | None = None
        self._copies = 0

    def begin(self) -> None:
        """What has come is of the check before."""
        self.reports.clear()
        self.answers.clear()

    # ---------------------------------------------------------------- hearing

    def pump(self, until: float) -> None:
        """Read once."""
        for came in self.ear.hear(self.read(until), self.line.now()):
            if isinstance(came, Answer):
                self.answers.append(came)
            elif not self._is_copy(came):
                self._judge(came)
                self.reports.append(came)
                self._last = came

    def _is_copy(self, came: Report) -> bool:
        last = self._last
        is_one = last is not None and came.letter != "S" and came[1:] == last[1:]
        self._copies = self._copies + 1 if is_one and self._copies < self.copies else 1
        return is_one and self._copies > 1

    def _judge(self, came: Report) -> None:
        last = self._last
        if last is None or last.letter in FORGETS or came.letter == "S":
            return
        is_again = came.letter == "R" and came.sequence == last.sequence
        if came.sequence != self.after(last.sequence) and not is_again:
            self.odd.append(f"report {came.letter} has number {came.sequence} after {last.sequence}")

    def after(self, sequence: int) -> int:
        """The number that follows."""
        low, high = self.wraps
        return low if sequence >= high else sequence + 1

    # ---------------------------------------------------------------- saying

    def frame(self, kind: str, argument: str) -> bytes:
        """A command."""
        body = b"\x02OP" + (kind + argument).encode("ascii") + b"\x03"
        return body + folded(body if self.with_stx else body[1:])

    def ask(self, raw: bytes) -> Answer | None:
        """Bytes out, and the answer to them."""
        self.answers.clear()
        at = self.send(raw)
        found = self.until(lambda: self.answers, ANSWER_S)
        if found:
            self.times.append(self.answers[0].at - at)
        return self.answers[0] if found else None

    def must(self, kind: str, argument: str) -> None:
        """A command that is acknowledged."""
        answer = self.ask(self.frame(kind, argument))
        if answer is None:
            raise WrongError(f"{kind} {argument} got no answer within {ANSWER_S:g} s")
        if answer.code is not None:
            raise WrongError(f"{kind} {argument} was refused with {answer.code:02X}")

    def refused(self, raw: bytes, words: str, *, may_be_silent: bool = False) -> int:
        """Bytes that must not be acknowledged; the code of the refusal."""
        answer = self.ask(raw)
        if answer is None and not may_be_silent:
            raise WrongError(f"{words}: no answer within {ANSWER_S:g} s, where a refusal belongs")
        if answer is not None and answer.code is None:
            raise WrongError(f"{words}: acknowledged")
        code = answer.code if answer else None
        if code is not None and code not in LINE_CODES:
            raise WrongError(f"{words}: refused with {code:02X}, which the page does not know")
        return code or 0

    def report(self, letters: str, words: str) -> Report:
        """The next report of these letters."""
        found = self.until(
            lambda: next((each for each in self.reports if each.letter in letters), None), REPORT_S
        )
        if found is None:
            raise WrongError(f"{words}: no report {' or '.join(letters)} within {REPORT_S:g} s")
        assert isinstance(found, Report)
        self.reports.remove(found)
        return found

    def free(self) -> None:
        """Unlocked, whatever it was; what it says of that is of no interest."""
        self.must("LK", "01")
        self.wait(QUIET_S)
        self.reports.clear()
