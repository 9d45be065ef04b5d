"""A command of the console as a row: its words, who may give it, what it takes, and what does it.

A row says all that a command wants; the dispatcher asks the same of each, in the same order, and no command
checks a role or asks for a person by itself. Help, completion and the page of the console are made of rows. A
word is read into its plain form by a function that raises ValueError with what is wanted, so that record and
command have the same word, and what was not understood is in neither.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sabot.firmware.console.errors import ConsoleError
from sabot.rules.frozen import frozen
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.vocabulary.events import Role

if TYPE_CHECKING:
    from sabot.firmware.console.call import Call
    from sabot.firmware.console.program import ConsoleProgram

# No roles are not nobody: anyone at the socket may give it. ``SOMEBODY`` has proved some role.
ANYONE: frozenset[Role] = frozenset()
SOMEBODY = frozenset(Role)
FLOOR = frozenset({Role.FLOOR})
TECHNICIAN = frozenset({Role.TECHNICIAN})
DECIDERS = FLOOR | TECHNICIAN
CONTROLLERS = DECIDERS | {Role.AUDITOR}

Read = Callable[[str], str]
Offer = Callable[["ConsoleProgram"], Sequence[str]]


def as_it_is(text: str) -> str:
    """Return the word as it is: any is right."""
    return text


def nothing(_program: "ConsoleProgram") -> Sequence[str]:
    """Offer no words."""
    return ()


@frozen
class Argument:
    """A word that a command takes; ``read`` gives its plain form, or ValueError with what is wanted."""

    name: str
    read: Read = as_it_is
    offer: Offer = nothing
    may_lack: bool = False
    takes_rest: bool = False


@frozen
class Command:
    """A command; ``second`` are the roles of whoever must confirm it, ``asks`` is what is typed unseen."""

    name: str
    help: str
    run: "Callable[[Call], Awaitable[None]]"
    roles: frozenset[Role] = ANYONE
    takes: Sequence[Argument] = ()
    second: frozenset[Role] = ANYONE
    needs_why: bool = False
    needs_table: bool = False
    # Its record is on the medium before it is carried out.
    orders: bool = False
    asks: str = ""
    # What the table itself has against it now, before anybody is asked for anything.
    verify: "Callable[[Call], None] | None" = None
    # Whether it is one of the first two enrolments, which need neither role nor second person.
    first_of_all: "Callable[[Call], bool] | None" = field(default=None)

    @property
    def only_reads(self) -> bool:
        """Return whether it changes nothing and proves nobody: anybody at the socket may do it."""
        return not (self.roles or self.orders or self.asks)

    @property
    def usage(self) -> str:
        """Return how it is typed."""
        return " ".join((self.name, *map(_shown, self.takes)))

    def arguments(self, words: Sequence[str]) -> dict[str, str]:
        """Return the words after the name, by the names of the arguments; raise where they do not fit."""
        given = list(words)
        found: dict[str, str] = {}
        for each in self.takes:
            # A name of several words needs no quotes.
            if each.takes_rest:
                given = [" ".join(given)] if given else []
            if given:
                found[each.name] = self._read(each, given.pop(0))
            elif not each.may_lack:
                raise self._wrong(f"{each.name.upper()} is missing")
        if given:
            raise self._wrong("there is a word too many")
        return found

    def _read(self, argument: Argument, word: str) -> str:
        try:
            return argument.read(word)
        except ValueError as error:
            raise self._wrong(f"{argument.name.upper()} is {error}") from error

    def _wrong(self, what: str) -> ConsoleError:
        return ConsoleError("E-CONS-002", "console", what=what, usage=self.usage, name=self.name)


def _shown(argument: Argument) -> str:
    name = argument.name.upper()
    return f"[{name}]" if argument.may_lack else name


def role_words(roles: frozenset[Role]) -> str:
    """Return roles in words."""
    return " or ".join(role.value for role in Role if role in roles)


# ---------------------------------------------------------------- what many arguments are


def count(most: int, least: int = 1) -> Read:
    """Return a reader of a whole number from the least to the most."""

    def read(text: str) -> str:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            message = f"a number from {least} to {most}"
            raise ValueError(message)
        return str(int(text))

    return read


def one_of(*known: str) -> Read:
    """Return a reader of one of these words."""

    def read(text: str) -> str:
        if text not in known:
            message = f"one of {' '.join(known)}"
            raise ValueError(message)
        return text

    return read


def hexadecimal(least: int, most: int) -> Read:
    """Return a reader of so many bytes, two digits for each."""

    def read(text: str) -> str:
        try:
            # It passes over blanks between bytes, which is why the length is compared too.
            size = len(bytes.fromhex(text))
        except ValueError:
            size = -1
        if not least <= size <= most or len(text) != 2 * size:
            fewest = "" if least == most else f"{2 * least} to "
            message = f"{fewest}{2 * most} hexadecimal digits"
            raise ValueError(message)
        return text.lower()

    return read


def plain_word(text: str) -> str:
    """Return a word of plain characters that a display can show, or raise ValueError."""
    if not (text.isascii() and text.isprintable() and 0 < len(text) <= WIDTH):
        message = f"a word of at most {WIDTH} plain characters"
        raise ValueError(message)
    return text


def person_number(text: str) -> str:
    """Return two digits; whoever types a PIN behind them is refused before anything is recorded."""
    if len(text) != len("00") or not (text.isascii() and text.isdigit()):
        message = "a person's two digits"
        raise ValueError(message)
    return text


def device_names(program: "ConsoleProgram") -> Sequence[str]:
    """Return the names of the devices at work."""
    return [driver.name for driver in program.drivers]
