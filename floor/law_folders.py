"""The chapters that links are of: the program's own, and folders of chapters that people have signed for.

A configuration of a link names the folder that its chapter is of by the digest of its files, so two people
sign what the wager pays with what it feeds. The floor is given the folders; whoever proves a ledger of years
gives all of them, for an old configuration was read by the chapters of its day.
"""

from collections.abc import Iterable
from pathlib import Path

from sabot.config.loader import PRINTED, ChapterLaw
from sabot.floor.errors import FloorError
from sabot.floor.link_plan import LinkTerms
from sabot.rules.chapter import Chapter

OF_THE_PROGRAM = ""


class Laws:
    """The program's chapters and those of folders, by the digest that a configuration names."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        own = [ChapterLaw(folder) for folder in folders]
        self._known = {OF_THE_PROGRAM: PRINTED} | {law.sha256: law for law in own}

    def chapter(self, terms: LinkTerms) -> Chapter:
        """Return the chapter that a configuration names, out of the folder that it names."""
        law = self._known.get(terms.law)
        if law is None:
            known = " ".join(filter(None, self._known)) or "none"
            facts = {"digest": terms.law, "chapter": terms.chapter, "known": known}
            raise FloorError("E-FLOOR-025", f"link {terms.link}", **facts)
        return law.chapter(terms.chapter)


PRINTED_ALONE = Laws()
