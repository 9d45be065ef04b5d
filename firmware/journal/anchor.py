"""The anchor: a signed entry that retention leaves for those that it removed, to prove the rest.

It is an entry of the journal. It says up to which entry everything was exported and removed, the link of that
entry, where the export went and its digest, and what the meters had moved by then, by cause: so every cent is
still explained.
"""

import json
from typing import NamedTuple

from sabot.firmware.journal.authority import Authority
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.checkpoints import Signer, is_signed
from sabot.firmware.journal.content import ANCHOR, compact
from sabot.firmware.journal.entry import Draft, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError


class Removed(NamedTuple):
    """The exported entries that may go: up to which, to which file, their moves and start, by whose order."""

    last: int
    link: bytes
    file: str
    digest: str
    moves: Moves
    start: str
    authority: Authority


def signed_text(last: int, link: str, digest: str) -> bytes:
    """Return the text under an anchor's signature; the rest of it is covered by the head that follows."""
    # Lines of text, so that a stranger can check the signature without our JSON.
    return f"sabot journal anchor\n{last}\n{link}\n{digest}".encode()


def draft(signer: Signer, stamp: Stamp, removed: Removed) -> Draft:
    """Return the anchor as an entry."""
    link = removed.link.hex()
    body = {
        "entries": removed.last,
        "link": link,
        "export": removed.file,
        "digest": removed.digest,
        "carried": removed.moves,
        # The set-up that was in force: entries that stay may have been written under it.
        "start": removed.start,
        **removed.authority.as_json(),
        "key": signer.public_key.hex(),
        "signature": signer.sign(signed_text(removed.last, link, removed.digest)).hex(),
    }
    return Draft(ANCHOR, stamp, compact(body).decode())


def verify(entry: Entry, key: bytes) -> tuple[int, bytes]:
    """Return the number and link that an anchor vouches for; raise where it is not this board's word."""
    return verify_body(entry.number, entry.body, key)


def verify_body(number: int, text: str, key: bytes) -> tuple[int, bytes]:
    """Do the same as ``verify`` with the body alone."""
    try:
        body = json.loads(text)
        last, link = int(body["entries"]), bytes.fromhex(body["link"])
        signature = bytes.fromhex(body["signature"])
        is_good = is_signed(key, signature, signed_text(last, body["link"], body["digest"]))
    except (ValueError, KeyError, TypeError):
        is_good = False
    if not is_good:
        why = "the anchor is not this board's word"
        raise JournalError(ERRORS["E-JRNL-005"], "journal", number=number, why=why)
    return last, link


def carried(entry: Entry) -> Moves:
    """Return the movements of the meters before the first entry that is kept."""
    found: Moves = json.loads(entry.body)["carried"]
    return found


def start(entry: Entry) -> str:
    """Return the body of the last start entry before the first entry that is kept."""
    return str(json.loads(entry.body)["start"])
