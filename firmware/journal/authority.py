"""Two people and a cause: the authority to open a seal, to clear a memory or to restore one."""

from collections.abc import Sequence

from sabot.firmware.credentials.people import Person
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.events import Role

PEOPLE = 2


@frozen
class Authority:
    """The people who ordered it, each proved by a PIN, and their reason."""

    people: tuple[Person, ...]
    cause: str

    def as_json(self) -> dict[str, object]:
        """Return it as the journal keeps it."""
        by = [{"number": each.number, "name": each.name, "role": each.role.value} for each in self.people]
        return {"cause": self.cause, "by": by}


def two(people: Sequence[Person], cause: str) -> Authority:
    """Return the authority of two people of different roles, neither a dealer, who say why; or raise."""
    roles = {each.role for each in people} - {Role.DEALER}
    if len(roles) != PEOPLE or len(people) != PEOPLE or not cause.strip() or not cause.isprintable():
        raise JournalError(ERRORS["E-JRNL-013"], "authority")
    return Authority(tuple(people), cause.strip())
