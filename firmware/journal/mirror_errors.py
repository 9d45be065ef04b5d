"""What can be wrong with the copy on the second medium."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-MIRROR-001",
        "the copy cannot be used ({why})",
        "The second medium lost or changed it, or it is no copy of a Sabot table.",
        "Keep the medium for audit; a running table writes a new copy by itself.",
    ),
    (
        "E-MIRROR-002",
        "the copy is of another board ({board}...)",
        "The medium belongs to another table, or the board was changed.",
        "Put the right medium in, or `sabot restore` on the new board.",
    ),
    (
        "E-MIRROR-003",
        "{why}",
        "Somebody wrote into the file of heads, or the medium changed it.",
        "Keep the medium for audit; compare with the exports.",
    ),
    (
        "E-MIRROR-004",
        "the head at entry {head} is not in the journal, which ends at entry {last}",
        "The journal was cut or written anew after the board had signed it, even if it is whole in itself.",
        "Close the table; keep journal and second medium for audit.",
    ),
    (
        "E-MIRROR-005",
        "{what} says {found}, the copy says {copied}",
        "The export is of another table or was made after the copy, or one of them was altered.",
        "Take the newest export and the medium that was in the board last.",
    ),
    (
        "E-MIRROR-006",
        "the journal is whole and agrees with the copy",
        "Nothing is lost, so nothing is restored.",
        "`sabot run` goes on from it; `sabot clear-memory` begins anew.",
    ),
)


class MirrorError(SabotError):
    """A copy that is not to be trusted."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
