"""Cut a paragraph into its clauses: each "shall", "must" and "may not" of each sentence is one.

A paragraph may be held in one half and not in the other, so the ledger goes by clauses. A sentence without such a
word is one clause too, for a list leaves its "shall" in the line above it. A clause is named by its paragraph and its
number there, ``641a.8(h):4``, or by the paragraph alone where there is no other. Its digest leaves out what differs
between chapters that say the same (their own name and number, and what a reference relates to), so that the same
clause of several documents has one digest, and one entry.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from split import Paragraph

# Where a rule binds somebody; "no person may" and "does not forfeit" bind without any of the three words.
BINDING = re.compile(
    r"\b(shall|must|may not|no (?:person|individual) other|does not forfeit)\b", re.IGNORECASE
)
SENTENCE = re.compile(r'(?<=\.) (?=[A-Z])|(?<=\.") (?=[A-Z])')
REFERENCE = re.compile(r" ?\(relating to [^)]*\)")
OWN_NAME = re.compile(r"four card poker|three card prime|four card prime|cajun stud", re.IGNORECASE)
OWN_NUMBER = re.compile(r"\b\d{3}a\.")
DIGITS = 8


@dataclass(frozen=True)
class Clause:
    """One clause as the text has it."""

    id: str
    binds: str
    digest: str


def clauses(paragraph: Paragraph) -> list[Clause]:
    """Return the clauses of a paragraph in their order."""
    found = [
        (binds, f"{sentence} {number}")
        for sentence in SENTENCE.split(REFERENCE.sub("", paragraph.text))
        for number, binds in enumerate(BINDING.findall(sentence) or [""])
    ]
    names = names_of(paragraph.id, len(found))
    return [
        Clause(name, binds.lower(), digest(words)) for name, (binds, words) in zip(names, found, strict=True)
    ]


def whole(paragraph: Paragraph) -> Clause:
    """Return a paragraph that is not cut as its one clause."""
    return Clause(paragraph.id, "", digest(paragraph.text))


def names_of(paragraph: str, count: int) -> list[str]:
    """Return the ids of so many clauses of a paragraph."""
    return [paragraph] if count == 1 else [f"{paragraph}:{number}" for number in range(1, count + 1)]


def paragraph_of(clause: str) -> str:
    """Return the paragraph that a clause is of."""
    return re.sub(r":\d+$", "", clause)


def digest(words: str) -> str:
    """Return the fingerprint of a clause, the same in every chapter that says the same."""
    own = OWN_NUMBER.sub("", OWN_NAME.sub("", words))
    return hashlib.sha256(re.sub(r"[^a-z0-9()]", "", own.lower()).encode()).hexdigest()[:DIGITS]
