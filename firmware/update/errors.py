"""Why a board does not take a release."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-UPDATE-001",
        "the bundle cannot be read ({why})",
        "It was cut off while it was copied, or it is no bundle. Nothing was changed.",
        "Copy it again and compare its size with the original.",
    ),
    (
        "E-UPDATE-002",
        "the bundle is not signed by the release key ({why})",
        "Somebody else made it, or it was altered after it was signed. Nothing was changed.",
        "Do not use it; tell security where it came from.",
    ),
    (
        "E-UPDATE-003",
        "{name} in the bundle {why}",
        "The bundle was altered or damaged after it was signed. Nothing was changed.",
        "Copy it again; if it is the same once more, tell security.",
    ),
    (
        "E-UPDATE-004",
        "the bundle has version {found}, {current} is installed",
        "Going back to an older program may bring back what was mended; two people decide that together.",
        "Name two people of different roles and the cause: --roles 11,42 --because '...'.",
    ),
    (
        "E-UPDATE-005",
        "version {found} is installed already",
        "The bundle has the version that runs.",
        "Nothing is to be done; to repair a damaged installation say --again.",
    ),
    (
        "E-UPDATE-006",
        "the table is not closed ({phase})",
        "A program is changed between two gaming days, never inside one.",
        "Close the table, then start the update again.",
    ),
    (
        "E-UPDATE-007",
        "the journal does not end with a closing snapshot ({why})",
        "The program was not stopped as it should be, or what it wrote last is not signed.",
        "Start Sabot, stop it (`systemctl stop sabot`), and start the update again.",
    ),
    (
        "E-UPDATE-008",
        "the release cannot be installed ({why})",
        "The board has no room, another Python, or lacks the rights. The old release runs on.",
        "Put that right and start the update again, as root.",
    ),
    (
        "E-UPDATE-009",
        "the new release failed its self-test: {why}",
        "It does not fit this board, its table file or its journal. The old release is back.",
        "Keep the old release; send the lines of {log} to whoever made the new one.",
    ),
    (
        "E-UPDATE-010",
        "two people have not agreed ({why})",
        "It takes two people of different roles, each with a PIN, and a cause in words.",
        "Give --roles with two numbers and --because with the cause.",
    ),
    (
        "E-UPDATE-011",
        "the bundle is for {found}, this board has {here}",
        "It was made for another machine or another Python.",
        "Take the bundle that was made for this board.",
    ),
    (
        "E-UPDATE-012",
        "another update is under way",
        "Two updates at once would each know half.",
        "Wait for the other one.",
    ),
    (
        "E-UPDATE-013",
        "the old release could not be put back: {why}",
        "The medium is failing, or somebody changed the installation meanwhile.",
        "Keep the table closed; see docs/technician.md, a controller that does not come back.",
    ),
    (
        "E-UPDATE-014",
        "the journal has format {found}, and there is no way from it to format {known}",
        "It was written by a much older or by a newer program.",
        "Update in steps, or run the version that wrote it.",
    ),
    (
        "E-UPDATE-015",
        "Sabot still runs",
        "Without the service manager the update does not stop it.",
        "Stop it, then start the update again.",
    ),
    (
        "E-UPDATE-016",
        "the settings of the card are not taken ({why})",
        "A file on the settings partition is none of a table, or its check fails. The board keeps its own.",
        "Put that right on a laptop: sabot check names the line. Then start the board again.",
    ),
    (
        "E-UPDATE-017",
        "the bundle has version {found}, the slot that runs has {current}",
        "An image is never older than the one that runs; the way back is the other slot, not a bundle.",
        "Have the older program released again under a newer version.",
    ),
    (
        "E-UPDATE-018",
        "the journal is not in the format of this slot's release: {why}",
        "There is no way from its format to this one, the file before is gone, or the medium has no room.",
        "A new slot gives way by itself; else see docs/technician.md, a controller that does not come back.",
    ),
    (
        "E-UPDATE-019",
        "the state of the table is not prepared: {why}",
        "The medium has no room or is failing, or the state is that of another kind of table.",
        "The table stays out of service; the code in these words, and its cure, say what to do.",
    ),
)


class UpdateError(SabotError):
    """A release, or settings of a card, that a board does not take."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
