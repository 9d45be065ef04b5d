"""Commands about people and devices: proving a role here, signing on, and who and what is enrolled.

A PIN is never a word of a command. It is asked for apart, and stands in no record.
"""

from sabot.drivers.enrolment import KEY_BYTES, fingerprint
from sabot.firmware.console.call import SOURCE, Call
from sabot.firmware.console.command import (
    DECIDERS,
    SOMEBODY,
    TECHNICIAN,
    Argument,
    Command,
    device_names,
    hexadecimal,
    one_of,
    person_number,
    plain_word,
)
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.program import KEY_SWITCH, ConsoleProgram
from sabot.firmware.credentials import pins
from sabot.firmware.credentials.devices import read_key
from sabot.firmware.credentials.people import Person
from sabot.statemachine.action import Refused
from sabot.statemachine.vocabulary.events import DealerSignedOn, Role

NUMBER = Argument("number", person_number)
ROLES = tuple(role.value for role in Role)
ENROLLERS = DECIDERS
# Who may confirm, with another role than whoever orders: an auditor too, who orders nothing here.
WITNESSES = frozenset({Role.FLOOR, Role.TECHNICIAN, Role.AUDITOR})


async def _checked(call: Call) -> Person:
    return await call.program.people.check(call.get("number"), call.request.pin, call.session.door)


async def unlock(call: Call) -> None:
    """Unlock this console for a person who proves a role."""
    # First: whoever fails to prove a role must not go on with that of another.
    call.session.lock()
    person = await _checked(call)
    call.session.unlock(person)
    await call.say(f"unlocked: {call.session.who}", person=person.number, role=person.role.value)


async def lock(call: Call) -> None:
    """Lock this console."""
    call.session.lock()
    await call.say("locked")


async def whoami(call: Call) -> None:
    """Show who has unlocked this console."""
    await call.say(f"{call.session.who}, session {call.session.number}", who=call.session.who)


def verify_relief(call: Call) -> None:
    """Raise within a round: a dealer takes the table between rounds."""
    if call.table.state.play.round is not None:
        raise Refused("relief only between rounds")


async def sign_on(call: Call) -> None:
    """Let a dealer take the table, with a PIN of their own."""
    person = await _checked(call)
    if person.role is not Role.DEALER:
        raise ConsoleError("E-CONS-004", "console", role=person.role, roles="dealer")
    await call.order(DealerSignedOn(at=call.now, source=SOURCE, person=str(person)))
    await call.say(f"dealer {person} on", person=person.number)


async def people(call: Call) -> None:
    """Show everybody who is enrolled."""
    for person in call.program.people.everybody():
        is_out = call.program.people.is_locked_out(person.number)
        words = f"{person.number}  {person.name:<16}  {person.role}{'  LOCKED OUT' if is_out else ''}"
        await call.say(
            words, person=person.number, name=person.name, role=person.role.value, locked_out=is_out
        )


# ---------------------------------------------------------------- coming and going


def _new(call: Call) -> Person:
    return Person(call.get("number"), call.get("name"), Role(call.get("role")))


def is_first(call: Call) -> bool:
    """Return whether a turned key is enough; raise before there are a floorperson and a technician."""
    everybody, role = call.program.people, Role(call.get("role"))
    # A new board knows nobody who could enrol the first: a turned key is all that it can ask for.
    if everybody.may_be_first(role) and call.program.is_line_active(KEY_SWITCH):
        return True
    if not (everybody.has(Role.FLOOR) and everybody.has(Role.TECHNICIAN)):
        raise ConsoleError("E-CONS-016", "console", role=role)
    return False


def verify_enrol(call: Call) -> None:
    """Raise where number or name is taken or does not fit, or the PIN, once it is there, is a poor one."""
    call.program.people.verify_new(_new(call))
    if call.request.new_pin:
        pins.verify_good(call.request.new_pin, call.get("number"))


async def enrol(call: Call) -> None:
    """Enrol somebody new, who has typed a PIN of their own."""
    person = _new(call)
    await call.program.people.enrol(person, call.request.new_pin)
    await call.say(f"{person} is enrolled as {person.role}", person=person.number, role=person.role.value)


def verify_forget(call: Call) -> None:
    """Raise where nobody has this number, or it is the last of a role that enrols others."""
    call.program.people.verify_leave(call.get("number"))


async def forget(call: Call) -> None:
    """Take somebody off the list."""
    await call.program.people.forget(call.get("number"))
    await call.say(f"person {call.get('number')} is no longer enrolled", person=call.get("number"))


def verify_known(call: Call) -> None:
    """Raise where nobody has this number."""
    call.program.people.known(call.get("number"))


async def readmit(call: Call) -> None:
    """Forget the wrong PINs of a person, at every door."""
    await call.program.people.readmit(call.get("number"))
    await call.say(f"person {call.get('number')} may try again", person=call.get("number"))


def _numbers(program: ConsoleProgram) -> list[str]:
    return [person.number for person in program.people.everybody()]


# ---------------------------------------------------------------- devices


async def enrol_device(call: Call) -> None:
    """Enrol a device's public key; two people have compared its fingerprint with the label."""
    public = read_key(call.get("key"))
    await call.program.keyring.enrol(call.get("name"), public)
    words = f"{call.get('name')} is enrolled with the fingerprint {fingerprint(public)}"
    await call.say(words, device=call.get("name"), fingerprint=fingerprint(public))


def verify_enrolled(call: Call) -> None:
    """Raise where no such device is enrolled."""
    call.program.keyring.verify_known(call.get("name"))


async def forget_device(call: Call) -> None:
    """Take a device's key off the list."""
    await call.program.keyring.forget(call.get("name"))
    await call.say(f"{call.get('name')} is no longer enrolled", device=call.get("name"))


async def keys(call: Call) -> None:
    """Show every enrolled device with the fingerprint of its key."""
    for name, printed in call.program.keyring.fingerprints().items():
        await call.say(f"{name:<14} {printed}", device=name, fingerprint=printed)


def _enrolled(program: ConsoleProgram) -> list[str]:
    return list(program.keyring.fingerprints())


COMMANDS = (
    Command(
        "unlock", "prove a role at this console with number and PIN", unlock, takes=(NUMBER,), asks="pin"
    ),
    Command("lock", "end what was unlocked", lock),
    Command("whoami", "who has unlocked this console", whoami),
    Command(
        "sign-on",
        "a dealer takes the table, with number and PIN",
        sign_on,
        takes=(NUMBER,),
        asks="pin",
        needs_table=True,
        orders=True,
        verify=verify_relief,
    ),
    Command("people", "everybody who is enrolled", people, SOMEBODY),
    Command(
        "enrol person",
        "enrol somebody; two people, but for the first of floor and technician at a turned key",
        enrol,
        ENROLLERS,
        (NUMBER, Argument("role", one_of(*ROLES), lambda _program: ROLES), Argument("name", takes_rest=True)),
        second=WITNESSES,
        orders=True,
        asks="new_pin",
        verify=verify_enrol,
        first_of_all=is_first,
    ),
    Command(
        "forget person",
        "take somebody off the list; two people",
        forget,
        ENROLLERS,
        (Argument("number", person_number, _numbers),),
        second=WITNESSES,
        needs_why=True,
        orders=True,
        verify=verify_forget,
    ),
    Command(
        "person readmit",
        "let somebody in again who was locked out; two people",
        readmit,
        ENROLLERS,
        (Argument("number", person_number, _numbers),),
        second=WITNESSES,
        needs_why=True,
        orders=True,
        verify=verify_known,
    ),
    Command("keys", "the enrolled devices and the fingerprints of their keys", keys),
    Command(
        "enrol device",
        "enrol a device's public key; two people compare its fingerprint with the label",
        enrol_device,
        TECHNICIAN,
        (Argument("name", plain_word, device_names), Argument("key", hexadecimal(KEY_BYTES, KEY_BYTES))),
        second=WITNESSES,
        needs_why=True,
        orders=True,
    ),
    Command(
        "forget device",
        "take a device's key off the list; two people",
        forget_device,
        TECHNICIAN,
        (Argument("name", offer=_enrolled),),
        second=WITNESSES,
        needs_why=True,
        orders=True,
        verify=verify_enrolled,
    ),
)
