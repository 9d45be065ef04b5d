"""The people of a table: a two-digit number, a name, a role, and what is kept of a PIN.

There are no default credentials. A board that was never used has nobody; the first floorperson and the first
technician are enrolled while the key switch is turned, everybody else by two people of different roles. A
PIN is tried one at a time and on a thread, with the attempt counted on the medium before it is tried.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from sabot.firmware.credentials import pins
from sabot.firmware.credentials.atomic_files import PRIVATE, write_whole
from sabot.firmware.credentials.attempts import TABLE, Attempts
from sabot.firmware.credentials.errors import ERRORS, KeepError
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.events import Role

FORMAT = 1
NUMBER_DIGITS = 2
LONGEST_NAME = 16
# How long a role stays unlocked where nobody does anything, at the key switch and at a console alike.
UNLOCKED_S = 180.0
FIRST = (Role.FLOOR, Role.TECHNICIAN)
# Tried in place of a number that nobody has, so that the answer takes as long.
UNKNOWN = pins.KeptPin(bytes(pins.SALT_BYTES), bytes(64), pins.Cost())


@frozen
class Person:
    """Somebody who was enrolled."""

    number: str
    name: str
    role: Role

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class People:
    """Everybody who was enrolled at this board."""

    def __init__(self, path: Path, now: Callable[[], float], cost: pins.Cost | None = None) -> None:
        self._path = path
        self._cost = cost
        self._known = _read(path)
        self._attempts = Attempts(path.with_name("attempts.json"), now)
        # A try or a change has the list to itself: what was looked at is what is written.
        self._one_at_a_time = asyncio.Lock()

    # ------------------------------------------------------------ who there is

    def everybody(self) -> list[Person]:
        """Return all of them, by number."""
        return [self._known[number][0] for number in sorted(self._known)]

    def has(self, role: Role) -> bool:
        """Return whether anybody has this role."""
        return any(person.role is role for person in self.everybody())

    def may_be_first(self, role: Role) -> bool:
        """Return whether a turned key is enough to enrol somebody: the first of each role that enrols."""
        return role in FIRST and not self.has(role)

    def is_locked_out(self, number: str) -> bool:
        """Return whether too many wrong PINs of this person were tried at some door."""
        return self._attempts.is_locked_out(number)

    # ------------------------------------------------------------ proving

    async def check(self, number: str, pin: str, door: str = TABLE) -> Person:
        """Return the person whose number and PIN these are, or raise KeepError with the reason.

        ``door`` is where it is said: wrong ones are counted there, and lock nobody out elsewhere.
        """
        async with self._one_at_a_time:
            self._attempts.verify(number, door)
            # Counted before it is tried, and on the medium before it is
            # (``_try``): a cut of power gives no attempt back.
            self._attempts.count(number, door)
            if not await asyncio.to_thread(self._try, number, pin):
                raise KeepError(ERRORS["E-KEEP-006"], "PIN")
            self._attempts.forgive(number, door)
            await asyncio.to_thread(self._attempts.save)
            return self._known[number][0]

    def _try(self, number: str, pin: str) -> bool:
        """Try a PIN, on a thread; a number that nobody has takes as long as any."""
        self._attempts.save()
        costs = {kept.cost for _, kept in self._known.values()} or {UNKNOWN.cost}
        _, kept = self._known.get(number, (None, UNKNOWN))
        return pins.is_right(pin, kept, sorted(costs)) and number in self._known

    # ------------------------------------------------------------ coming and going

    def verify_new(self, person: Person) -> None:
        """Raise where somebody cannot be enrolled so, with the reason."""
        number, name = person.number, person.name
        if (
            len(number) != NUMBER_DIGITS
            or not (number.isascii() and number.isdigit())
            or number in self._known
        ):
            raise KeepError(ERRORS["E-KEEP-004"], "number", number=number)
        if not (0 < len(name) <= LONGEST_NAME and name.isascii() and name.isprintable()):
            wanted = f"a name of at most {LONGEST_NAME} plain characters"
            raise KeepError(ERRORS["E-KEEP-011"], "name", text=name, wanted=wanted)

    async def enrol(self, person: Person, pin: str) -> None:
        """Enrol somebody new."""
        self.verify_new(person)
        pins.verify_good(pin, person.number)
        kept = await asyncio.to_thread(pins.keep, pin, self._cost)
        # Once more: the digest took its time, and another console may have taken the number.
        async with self._one_at_a_time:
            self.verify_new(person)
            await self._change({**self._known, person.number: (person, kept)})

    def verify_leave(self, number: str) -> None:
        """Raise where somebody cannot be taken off the list, with the reason."""
        person = self.known(number)
        others = [each for each in self.everybody() if each.role is person.role and each != person]
        # Without one of each nobody could enrol the next.
        if person.role in FIRST and not others:
            raise KeepError(ERRORS["E-KEEP-010"], "people", number=number, role=person.role)

    async def forget(self, number: str) -> None:
        """Take somebody off the list."""
        async with self._one_at_a_time:
            self.verify_leave(number)
            await self._change({key: each for key, each in self._known.items() if key != number})

    async def readmit(self, number: str) -> None:
        """Forget the wrong PINs of a person, on the word of two people."""
        self.known(number)
        async with self._one_at_a_time:
            self._attempts.readmit(number)
            await asyncio.to_thread(self._attempts.save)

    def known(self, number: str) -> Person:
        """Return the person of a number."""
        if number not in self._known:
            raise KeepError(ERRORS["E-KEEP-009"], "people", what=f"person {number}")
        return self._known[number][0]

    async def _change(self, known: dict[str, tuple[Person, pins.KeptPin]]) -> None:
        """Change the file first, then what is known of it: what is on the medium counts."""
        try:
            await asyncio.to_thread(write_whole, self._path, _content(known), PRIVATE)
        except OSError as error:
            raise KeepError(ERRORS["E-KEEP-001"], str(self._path), why=error.strerror or error) from error
        self._known = known


def _content(known: dict[str, tuple[Person, pins.KeptPin]]) -> bytes:
    people = [
        {
            "number": person.number,
            "name": person.name,
            "role": person.role.value,
            "salt": kept.salt.hex(),
            "digest": kept.digest.hex(),
            "cost": list(kept.cost),
        }
        for person, kept in known.values()
    ]
    return json.dumps({"format": FORMAT, "people": people}, indent=1).encode()


def _read(path: Path) -> dict[str, tuple[Person, pins.KeptPin]]:
    try:
        content = json.loads(path.read_bytes())
        return {each["number"]: _person(each) for each in content["people"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KeepError(ERRORS["E-KEEP-002"], str(path), name=path.name, why=error) from error


def _person(each: dict[str, str]) -> tuple[Person, pins.KeptPin]:
    n, r, p = (int(part) for part in each["cost"])
    kept = pins.KeptPin(bytes.fromhex(each["salt"]), bytes.fromhex(each["digest"]), pins.Cost(n, r, p))
    return Person(each["number"], each["name"], Role(each["role"])), kept
