"""The content of the posted sign, without a thought for where it stands.

The law asks for the odds or amounts of every wager offered, for some phrases word for word, and for the
payout limit where there is one (x.2(b)). A block is one thing a player can win by: a paytable under the
letter chosen, its bounds, and in a line or two on what and when it is paid; a group is what belongs
together. All of it is made from chapter and submission.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from sabot.config.submission import Submission
from sabot.config.submission_limit import covers
from sabot.config.submission_problems import listed
from sabot.desk.chapter_words import title
from sabot.desk.sign.block import Block, Group, Posting, titles
from sabot.desk.sign.contest import contest_blocks
from sabot.desk.sign.optional import optional_groups
from sabot.rules.chapter import Chapter, Limit, Wager
from sabot.rules.payouts import dollars
from sabot.rules.settlement.house import House


@dataclass(frozen=True, slots=True)
class Content:
    """Everything that stands on a sign."""

    game: str
    house: str
    phrases: tuple[str, ...]
    groups: tuple[Group, ...]
    limit: tuple[str, ...]
    small_print: tuple[str, ...]


def sign_content(chapter: Chapter, submission: Submission) -> Content:
    """Return the content of the sign for a submission that stands."""
    posting = Posting(chapter, submission, House(chapter, submission.options()))
    groups = tuple(
        tuple(map(_in_type, group)) for group in (contest_blocks(posting), *optional_groups(posting))
    )
    contest = chapter.contest
    posted = [phrase for phrase in (contest.qualifies, contest.ties) if phrase]
    return Content(
        game=chapter.game,
        house=_quoted(submission.house),
        phrases=tuple(each.phrase for each in posted),
        groups=groups,
        limit=tuple(_limit(posting)),
        small_print=tuple(_small_print(posting, chain(*groups))),
    )


def _quoted(text: str) -> str:
    """Return text with the apostrophes of print."""
    return text.replace("'", "\u2019")


def _in_type(block: Block) -> Block:
    rows = tuple((_quoted(text), cells) for text, cells in block.rows)
    return replace(block, title=_quoted(block.title), rows=rows, notes=tuple(map(_quoted, block.notes)))


def _limit(posting: Posting) -> Iterator[str]:
    """Yield the payout limit, what it is on, and what it leaves out."""
    most, limit = posting.submission.payout_limit, posting.chapter.limit
    if most is None or limit is None:
        return
    yield f"Payout limit: {dollars(most)} per player per round of play"
    names = covers(limit, posting.house.readings)
    wagers = [
        wager
        for wager in posting.chapter.wagers.values()
        if wager.name in names and _is_on_table(posting.submission, wager)
    ]
    bonuses = [title(posting.chapter, name) for name in sorted(names - set(posting.chapter.wagers))]
    on = listed([*(wager.title for wager in wagers), *bonuses]) if bonuses else titles(wagers)
    outside = [title(posting.chapter, name) for name in sorted(limit.not_outcomes)]
    outside += dict.fromkeys(_rows_outside(posting, limit, names))
    yield f"on {on}" + (f", not on the {listed(outside)}" if outside else "")


def _is_on_table(submission: Submission, wager: Wager) -> bool:
    """Return whether a wager can be won by at this table: an optional one only if it is offered."""
    return not wager.optional or wager.name in submission.wagers


def _rows_outside(posting: Posting, limit: Limit, names: frozenset[str]) -> Iterator[str]:
    """Yield the rows of wagers under the limit that it leaves alone, by the name of their hand."""
    for wager in posting.submission.offered(posting.chapter):
        if wager.settles and wager.name in names:
            hits = posting.house.column(wager.settles.paytable).hits
            for hit in (hits[row] for row in hits if row in limit.not_rows):
                hand = hit.text.partition(",")[0]
                yield hand[0].lower() + hand[1:]


def _small_print(posting: Posting, blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the small print: the document, the paragraphs that want it posted, every source."""
    duties, limit = posting.chapter.duties, posting.chapter.limit
    limited = posting.submission.payout_limit is not None and limit is not None
    posted = dict.fromkeys(filter(None, (duties.sign, duties.sign_limit if limited else "")))
    yield f"{posting.chapter.document}, posted under {', '.join(posted)}"
    yield from (each for block in blocks for each in block.sources)
    if limited and limit:
        yield f"Payout limit: {limit.cite}"
