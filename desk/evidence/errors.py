"""What can be wrong with an evidence pack."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-EVID-001",
        "the pack cannot be read ({why})",
        "The file is no evidence pack, or it was not copied whole.",
        "Copy it again from where it was made.",
    ),
    (
        "E-EVID-002",
        "the pack does not hold: {why}",
        "Something in it was changed after the board had signed it, or it is of another board.",
        "Keep it as it is and make a new one from the journal.",
    ),
)


class EvidenceError(SabotError):
    """A pack that proves nothing."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
