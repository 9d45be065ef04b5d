"""The journal's record of a command: who gave it, what it was, why, and what became of it. Never a PIN.

Only arguments that were understood are kept: a word at a place where none belongs may be a PIN that
somebody typed too early. What somebody without a role reads is in the log and not in the journal, and what
such a person tries has a share of it: whoever reaches the socket can neither fill the medium nor wear it
out.
"""

from collections.abc import Callable, Mapping

import structlog

from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.console.session import ConsoleSession
from sabot.firmware.credentials.people import Person
from sabot.firmware.journal.content import compact
from sabot.firmware.journal.entry import Draft

COMMAND = "command"
LONGEST_REASON = 300
# Entries of people who have proved nothing: so many at once, then so many a second.
AT_ONCE, PER_SECOND = 60.0, 1.0


class Strangers:
    """The share of the journal that is left to those who have proved nothing."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._left, self._at = AT_ONCE, now()
        self._passed_over = 0

    def may_enter(self) -> bool:
        """Return whether there is room for another entry; what is passed over is counted."""
        now = self._now()
        self._left = min(AT_ONCE, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        if self._left < 1.0:
            self._passed_over += 1
            return False
        self._left -= 1.0
        return True

    def passed_over(self) -> int:
        """Return how many were passed over since the last entry; they are in the log."""
        found, self._passed_over = self._passed_over, 0
        return found


def tell(
    session: ConsoleSession,
    command: str,
    arguments: Mapping[str, str],
    second: Person | None = None,
    **facts: str,
) -> dict[str, object]:
    """Put a command into the log; return the body that a record of it has."""
    person = session.person
    body: dict[str, object] = {
        "command": command,
        "arguments": dict(arguments),
        "by": str(person) if person else "",
        "role": person.role.value if person else "",
        "second": str(second) if second else "",
        "session": session.number,
        "uid": session.peer.uid,
        **{name: text[:LONGEST_REASON] for name, text in facts.items() if text},
    }
    structlog.get_logger().info("command", **body)
    return body


def keep(
    program: ConsoleProgram,
    session: ConsoleSession,
    command: str,
    arguments: Mapping[str, str],
    second: Person | None = None,
    strangers: Strangers | None = None,
    **facts: str,
) -> int:
    """Record a command; return the number of its entry, 0 where it has none (the log has it then).

    ``strangers`` is given for what somebody without a role tried.
    """
    body = tell(session, command, arguments, second, **facts)
    if program.runner is None or (strangers is not None and not strangers.may_enter()):
        return 0
    # The next entry says how many there was no room for: nothing is passed over in silence.
    if strangers is not None and (missing := strangers.passed_over()):
        body["passed_over"] = missing
    draft = Draft(COMMAND, program.clock.stamp(program.clock.now()), compact(body).decode())
    return program.runner.keep(lambda _number, _before: draft)
