"""Errors of a journal."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-JRNL-001",
        "the journal cannot be opened ({why})",
        "The medium is missing, read-only or full, or another program holds the file.",
        "Check the medium; stop the other program. Nothing was changed.",
    ),
    (
        "E-JRNL-002",
        "the file is damaged ({why})",
        "A medium lost or changed what was written, or the file is no journal.",
        "Keep the file for audit; `sabot restore` goes on from the second medium.",
    ),
    (
        "E-JRNL-003",
        "format {found}, this program knows {known}",
        "Another version of Sabot wrote this journal.",
        "Run that version, or `sabot update` to one that knows the format.",
    ),
    (
        "E-JRNL-004",
        "entry {number} does not follow from the one before it ({why})",
        "An entry was altered, taken out or put in after it was written.",
        "Treat everything from this entry on as unproven; keep the medium, tell audit.",
    ),
    (
        "E-JRNL-005",
        "the signed head at entry {number} is not good ({why})",
        "The journal was cut or rewritten, or it belongs to another device.",
        "Compare with the heads on the second medium and with earlier exports.",
    ),
    (
        "E-JRNL-006",
        "the seal of entry {number} does not open ({why})",
        "The sealed card data or its key is not the one it was sealed with.",
        "Use the key store of the board that wrote it.",
    ),
    (
        "E-JRNL-007",
        "replay of entry {number} gives other effects than those recorded",
        "The program, the chapter file or the journal is not the one that wrote the entry.",
        "Run the version named in the journal's last start entry.",
    ),
    (
        "E-JRNL-008",
        "there is no {what}",
        "It was never recorded here, or retention has exported and removed it.",
        "Look in the exports, or see `sabot journal tail`.",
    ),
    (
        "E-JRNL-009",
        "entry {known} was on the medium, but the journal ends at entry {last} ({why})",
        "The file or its log was deleted, cut, put back from an old copy, or damaged in its middle.",
        "Nothing was changed. Keep all of it for audit; `sabot restore` goes on from the second medium.",
    ),
    (
        "E-JRNL-010",
        "another program writes this journal (process {pid})",
        "The table's program is running.",
        "`unseal` and `retain` are commands of its console too; for anything else stop the program first.",
    ),
    (
        "E-JRNL-011",
        "{why}",
        "The file is no export of a journal, or it was cut or altered.",
        "Export again; if the journal is gone, treat what this file says as unproven.",
    ),
    (
        "E-JRNL-012",
        "round {round} is not closed",
        "Its cards are still on the table, or its number is wrong.",
        "Wait until its record is written; `sabot journal tail` shows the rounds.",
    ),
    (
        "E-JRNL-013",
        "it takes two people of different roles, each with a PIN, and a cause in words",
        "Some things nobody does alone, and nobody without saying why.",
        "Give --cause, and let both people enter number and PIN.",
    ),
    (
        "E-JRNL-014",
        "meter {account} is {found} where the journal explains {explained}",
        "Money moved that no entry speaks of, or an entry was lost.",
        "Close the table; keep journal, exports and second medium for audit.",
    ),
    (
        "E-JRNL-015",
        "the table is not closed ({phase})",
        "Its day was not ended before the program was stopped, or a round is still on it.",
        "Start the program, let a floorperson close the table, stop it, then do it again.",
    ),
)


class JournalError(SabotError):
    """A journal that cannot be opened, read, trusted or replayed."""
