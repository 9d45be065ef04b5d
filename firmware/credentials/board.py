"""The board: its state directory and its two keys.

One key signs heads and evidence, the other seals cards that nobody may see. They are made once, on the board,
and never leave it; what others need is the public half. A directory belongs to a table on the floor or to a
simulated one, and says which: money of one never stands in the ledger of the other.
"""

import json
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from sabot.firmware.credentials.atomic_files import PRIVATE, write_whole
from sabot.firmware.credentials.errors import ERRORS, KeepError
from sabot.rules.frozen import frozen

# AES-256, and the 96 bits of nonce that GCM takes as they are.
KEY_BYTES = 32
NONCE_BYTES = 12


class Seal:
    """The key that seals and opens: AES-GCM, so that what was changed does not open.

    The place that a seal belongs to (an entry's number, a snapshot's) is authenticated with it, so that it
    cannot be moved to another.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def close(self, content: bytes, place: str) -> bytes:
        """Return content, sealed for its place."""
        # Fresh for each seal: the same one twice under one key would open both.
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        """Return content out of its seal; ValueError where it is not what was sealed there."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except InvalidTag as error:
            message = "key or content differs"
            raise ValueError(message) from error


FLOOR, SIMULATED = "floor", "simulated"


@frozen
class Rooms:
    """The places of everything in a state directory."""

    root: Path

    @property
    def board(self) -> Path:
        """Return the file that says what the directory is for, and since when."""
        return self.root / "board.json"

    @property
    def keys(self) -> Path:
        """The board's private keys."""
        return self.root / "keys"

    @property
    def journal(self) -> Path:
        """The journal."""
        return self.root / "journal.db"

    @property
    def people(self) -> Path:
        """The people who were enrolled."""
        return self.root / "people.json"

    @property
    def devices(self) -> Path:
        """The devices that were enrolled."""
        return self.root / "devices.json"

    @property
    def second(self) -> Path:
        """Return the file that says how far the copy on the second medium reached."""
        return self.root / "second.json"

    @property
    def link(self) -> Path:
        """Return the file of messages to and from the floor of linked meters."""
        return self.root / "link.db"

    @property
    def slips(self) -> Path:
        """The slips of the program, beside the journal."""
        return self.root / "slips.json"


class Board:
    """The board's keys at work."""

    def __init__(self, signing: Ed25519PrivateKey, seal: Seal, kind: str) -> None:
        self._signing = signing
        self.seal = seal
        self.kind = kind

    @property
    def public_key(self) -> bytes:
        """The key that verifies this board's signatures."""
        return self._signing.public_key().public_bytes_raw()

    def sign(self, content: bytes) -> bytes:
        """Return a signature of this board."""
        return self._signing.sign(content)


def prepare(rooms: Rooms, kind: str) -> Board:
    """Make a directory the state directory of a table, with new keys; one that is prepared stays as it is."""
    if rooms.board.exists():
        return load(rooms, kind)
    rooms.keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(rooms.keys / "sign.key", Ed25519PrivateKey.generate().private_bytes_raw(), PRIVATE)
    write_whole(rooms.keys / "seal.key", os.urandom(KEY_BYTES), PRIVATE)
    # Last: a directory is prepared once this file is there, so a cut of power leaves none without keys.
    write_whole(rooms.board, json.dumps({"format": 1, "kind": kind}).encode())
    return load(rooms, kind)


def load(rooms: Rooms, kind: str) -> Board:
    """Return the board of a directory that was prepared for this kind of table."""
    found = kind_of(rooms)
    if found != kind:
        raise KeepError(ERRORS["E-KEEP-003"], str(rooms.root), found=found, wanted=kind)
    try:
        signing = Ed25519PrivateKey.from_private_bytes((rooms.keys / "sign.key").read_bytes())
        seal = Seal((rooms.keys / "seal.key").read_bytes())
    except (OSError, ValueError) as error:
        raise KeepError(ERRORS["E-KEEP-002"], str(rooms.keys), name="a key", why=error) from error
    return Board(signing, seal, kind)


def kind_of(rooms: Rooms) -> str:
    """Return the kind of table that a state directory was prepared for."""
    return str(_content(rooms)["kind"])


def has_journal(rooms: Rooms) -> bool:
    """Return whether this board has begun a journal once: then one that is not there was taken away."""
    return bool(_content(rooms).get("journal"))


def note_journal(rooms: Rooms) -> None:
    """Remember with the board's keys that its journal has begun; once, for it says nothing else."""
    if not has_journal(rooms):
        write_whole(rooms.board, json.dumps({**_content(rooms), "journal": True}).encode())


def _content(rooms: Rooms) -> dict[str, object]:
    try:
        content: dict[str, object] = json.loads(rooms.board.read_bytes())
        _ = content["kind"]
    except OSError as error:
        raise KeepError(
            ERRORS["E-KEEP-001"], str(rooms.root), why=f"is not prepared ({error.strerror})"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise KeepError(ERRORS["E-KEEP-002"], str(rooms.board), name=rooms.board.name, why=error) from error
    return content
