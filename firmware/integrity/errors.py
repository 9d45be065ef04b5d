"""What can be wrong with the program itself."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-VERIFY-001",
        "this is a development installation, not for a floor",
        "Nobody has signed for it: it comes from a source tree or from a bundle without a signature.",
        "On a floor install a signed bundle; anywhere else run a simulated table.",
    ),
    (
        "E-VERIFY-002",
        "the manifest cannot be read ({why})",
        "The file is damaged, or another program wrote it.",
        "Install the release again with `sabot update`; keep the medium if nobody knows why.",
    ),
    (
        "E-VERIFY-003",
        "the signature of the manifest is not good ({why})",
        "The manifest was changed after the release was signed, or another key signed it.",
        "Keep the medium and tell security; install the release again with `sabot update`.",
    ),
    (
        "E-VERIFY-004",
        "no release key is pinned here ({why})",
        "The installation was never told whose releases to trust, or the file was removed.",
        "Put the public key of the release there as the installation page says (docs/install.md).",
    ),
    (
        "E-VERIFY-005",
        "the program is not what was released: {what}",
        "A file was changed, removed or added, or the medium loses what was written.",
        "Keep the medium and tell security; install the release again with `sabot update`.",
    ),
    (
        "E-VERIFY-006",
        "the driver {driver!r} is not named in the manifest",
        "It was added to this board after the release; the release knows {known}.",
        "Name another driver in the table file, or have a release made with this one in it.",
    ),
    (
        "E-VERIFY-007",
        "the driver {driver!r} would be loaded from {found}, the manifest names {named}",
        "Another package offers a driver of the same name.",
        "Keep the medium and tell security; install the release again with `sabot update`.",
    ),
    (
        "E-VERIFY-008",
        "{text!r} is no challenge",
        "A challenge is 16 to 64 bytes in hexadecimal digits, new each time.",
        "Let whoever checks choose one, such as the output of `openssl rand -hex 16`.",
    ),
    (
        "E-VERIFY-009",
        "a file cannot be covered ({why})",
        "Its rights were changed, or the medium is failing.",
        "Run `sabot verify` as root; if that fails too, keep the medium.",
    ),
    (
        "E-VERIFY-010",
        "the running program has a library that is no longer on the medium",
        "It was replaced while the program runs.",
        "Start Sabot again; if nobody updated the board, tell security.",
    ),
)


class VerifyError(SabotError):
    """The program is not what it should be, or nobody can tell."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
