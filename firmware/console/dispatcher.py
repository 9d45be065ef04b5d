"""The dispatcher: every command passes the same checks in the same order, and every outcome is recorded.

Known, rightly put, by a role that may, at a table in service, allowed by the table's own rules, with a reason
where one is due, confirmed by a second person where two are needed: then it is recorded, an order waits until
its record is on the medium, and only then is anything done. Whatever is refused is recorded with its reason.
"""

import asyncio
from collections.abc import Mapping

from sabot.firmware.console import record
from sabot.firmware.console.call import DURABLE_S, Call, CallWire
from sabot.firmware.console.command import Command, role_words
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.console.session import CONFIRM_S, ConsoleSession
from sabot.firmware.console.wire import Request
from sabot.firmware.credentials.people import Person
from sabot.rules.errors import ALIKE, SabotError, nearest
from sabot.statemachine.action import Refused

MOST_WORDS_OF_A_NAME = 2


class Asked(Exception):  # noqa: N818 (it is a question)
    """Raised where something is missing that the console can ask for."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field, self.words = field, words


class CommandDispatcher:
    """Carries out commands for all consoles."""

    def __init__(self, program: ConsoleProgram, commands: Mapping[str, Command]) -> None:
        self.program = program
        self.commands = commands
        self._strangers = record.Strangers(program.clock.now)

    # ------------------------------------------------------------ one command

    async def answer(self, request: Request, session: ConsoleSession, wire: CallWire) -> None:
        """Carry a command out or refuse it; an end is always said, but where the console is gone."""
        if session.person is not None:
            session.touch()
        try:
            end = await self._answer(request, session, wire)
        except Asked as asked:
            await wire.send(id=request.id, ask=asked.field, words=asked.words)
            return
        await wire.send(id=request.id, who=session.who, **end)

    async def _answer(self, request: Request, session: ConsoleSession, wire: CallWire) -> dict[str, str]:
        arguments, command = dict[str, str](), None
        try:
            command = self._find(request.do)
            arguments = command.arguments(request.do[len(command.name.split()) :])
            call = Call(self.program, session, wire, request, arguments, is_of_table=command.needs_table)
            await self._admit(command, call)
            await self._keep(command, call)
            await command.run(call)
        except (SabotError, Refused) as reason:
            refusal = reason if isinstance(reason, SabotError) else _rules(reason)
            self._record(command, session, arguments, result="refused", reason=str(refusal))
            return {"end": "refused", "code": refusal.kind.code, "why": str(refusal)}
        return {"end": "done"}

    def _record(
        self,
        command: Command | None,
        session: ConsoleSession,
        arguments: Mapping[str, str],
        second: Person | None = None,
        **facts: str,
    ) -> int:
        """Put a command on record: all that people with a role do, and of the others not what they read."""
        name, strangers = command.name if command is not None else "?", None
        # What a stranger reads is in the log alone: whoever reaches
        # the socket could fill the medium with questions.
        if session.person is None:
            if command is not None and command.only_reads:
                record.tell(session, name, arguments, second, **facts)
                return 0
            strangers = self._strangers
        return record.keep(self.program, session, name, arguments, second, strangers, **facts)

    def _find(self, words: tuple[str, ...]) -> Command:
        """Return the command with the longest name that the words begin with."""
        # The longest name first: `meters adjust` is not `meters` with a word too many.
        for length in range(MOST_WORDS_OF_A_NAME, 0, -1):
            found = self.commands.get(" ".join(words[:length]))
            if found is not None:
                return found
        near = nearest(" ".join(words[:MOST_WORDS_OF_A_NAME]), self.commands, ALIKE)
        raise ConsoleError("E-CONS-001", "console", nearest=f" (perhaps `{near}`)" if near else "")

    # ------------------------------------------------------------ the checks

    async def _admit(self, command: Command, call: Call) -> None:
        """Raise where anything does not hold that must before a command is recorded as given."""
        is_first = command.first_of_all is not None and command.first_of_all(call)
        if not is_first:
            _verify_role(command, call.session)
        if command.needs_table:
            _ = call.runner  # out of service there is none, and that is the reason
        # Before a reason or a second person is asked for: nobody is called for what cannot be done.
        if command.verify is not None:
            command.verify(call)
        if command.needs_why and not call.request.why.strip():
            raise Asked("why", "Why")
        if command.second and not is_first:
            await self._confirm(command, call)
        # The PIN last: it is not typed for a command that would be refused.
        if command.asks and not getattr(call.request, command.asks):
            raise Asked(command.asks, "PIN" if command.asks == "pin" else "New PIN")

    async def _confirm(self, command: Command, call: Call) -> None:
        """Ask for a second person of another role, with a PIN of their own, in this session and now."""
        request, session = call.request, call.session
        # The time runs from the first question on, not from each one.
        if not (request.second and request.second_pin):
            session.wait_for_second(request.do)
            if request.second:
                raise Asked("second_pin", "PIN of the second person")
            raise Asked("second", f"Number of a second person ({role_words(command.second)})")
        if not session.is_second_in_time(request.do):
            session.confirmed()
            raise ConsoleError("E-CONS-009", "console", seconds=CONFIRM_S)
        second = await self.program.people.check(request.second, request.second_pin, session.door)
        first = session.person
        is_other = first is not None and second.number != first.number and second.role is not first.role
        if second.role not in command.second or not is_other:
            raise ConsoleError(
                "E-CONS-008", "console", person=second, roles=role_words(command.second - {call.person.role})
            )
        call.second = second

    async def _keep(self, command: Command, call: Call) -> None:
        """Record a command as given; an order waits until its record is on the medium."""
        facts = {"why": call.request.why, "result": "given"}
        number = self._record(command, call.session, call.arguments, call.second, **facts)
        call.session.confirmed()
        if not command.orders:
            return
        runner = call.runner
        try:
            # An order that is not on record is not carried out: a cut of
            # power must not leave a deed without its name.
            await asyncio.wait_for(runner.written(number), DURABLE_S)
        except TimeoutError as error:
            raise ConsoleError("E-CONS-007", "console", seconds=DURABLE_S) from error

    # ------------------------------------------------------------ completion

    def complete(self, words: tuple[str, ...]) -> list[str]:
        """Return the words that may stand in the last place."""
        *before, begun = words or ("",)
        names = [name.split() for name in self.commands]
        found = {
            name[len(before)] for name in names if name[: len(before)] == before and len(name) > len(before)
        }
        for length in range(min(len(before), MOST_WORDS_OF_A_NAME), 0, -1):
            command = self.commands.get(" ".join(before[:length]))
            if command is not None and len(before) - length < len(command.takes):
                found |= set(command.takes[len(before) - length].offer(self.program))
                break
        return sorted(word for word in found if word.startswith(begun))


def _verify_role(command: Command, session: ConsoleSession) -> None:
    if not command.roles:
        return
    person, roles = session.person, role_words(command.roles)
    if person is None:
        raise ConsoleError("E-CONS-003", "console", roles=roles)
    if person.role not in command.roles:
        raise ConsoleError("E-CONS-004", "console", role=person.role, roles=roles)


def _rules(reason: Refused) -> ConsoleError:
    return ConsoleError("E-CONS-006", "console", why=str(reason))
