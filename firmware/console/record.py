"""What the journal keeps of a command: who gave it, what it was, why, and what became of it. Never a PIN.

Only arguments that were understood are kept: a word at a place where none belongs may be a PIN that somebody
typed too early.
"""

from collections.abc import Mapping

import structlog

from sabot.firmware.console.program import Program
from sabot.firmware.console.session import Session
from sabot.firmware.journal.content import compact
from sabot.firmware.journal.entry import Draft
from sabot.firmware.keep.people import Person

COMMAND = "command"
LONGEST_REASON = 300


def keep(
    program: Program,
    session: Session,
    command: str,
    arguments: Mapping[str, str],
    second: Person | None = None,
    **facts: str,
) -> int:
    """Record a command; the number of its entry, 0 where no journal is open (the log has it then)."""
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
    if program.runner is None:
        return 0
    draft = Draft(COMMAND, program.clock.stamp(program.clock.now()), compact(body).decode())
    return program.runner.keep(lambda _number, _before: draft)
