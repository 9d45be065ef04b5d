"""Errors of the program itself."""

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
    (
        "E-VERIFY-011",
        "something puts itself before the files of the release: {what}",
        "Somebody set a variable, a library to be preloaded, or another place for packages; no release does.",
        "Take it away, start again; keep the medium and tell security if nobody knows who it was.",
    ),
    (
        "E-VERIFY-012",
        "drop-ins change how the program is run: {what}",
        "Somebody of this site, or somebody else, changed a unit; the table opens all the same.",
        "Read them; what nobody can explain is taken away, and security is told.",
    ),
    (
        "E-VERIFY-013",
        "this is no release key that signs ({why})",
        "The path slipped, or it is the public half, a key of another kind, or one with a passphrase.",
        "Name the file that `make_bundle.py --new-key FILE` or `openssl genpkey -algorithm ed25519` made.",
    ),
    (
        "E-VERIFY-014",
        "the folder of chapters is not signed ({why})",
        "Nobody has signed for these chapters; a table for play is played by none but signed ones.",
        "Have the holder of the release key sign it (docs/own-chapters.md), or take `law` out of the file.",
    ),
    (
        "E-VERIFY-015",
        "the signature of the folder of chapters is not good ({why})",
        "Its manifest was changed after it was signed, or another key signed it.",
        "Keep the folder and tell security; lay the folder there again as it was signed.",
    ),
    (
        "E-VERIFY-016",
        "the folder of chapters is not what was signed: {what}",
        "A file of it was changed, removed or added after it was signed.",
        "Lay it there again as it was signed; tell security if nobody knows who changed it.",
    ),
)


class VerifyError(SabotError):
    """The program is not what it should be, or nobody can tell."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
