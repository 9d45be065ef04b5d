"""A checked Rules Submission for people: what is wrong with it, or a page that a floor manager can sign."""

from collections.abc import Iterator, Sequence

from sabot.config.submission import Submission
from sabot.config.submission_limit import covered, most_won
from sabot.config.submission_problems import Problem, listed
from sabot.config.submission_tables import tables_in_play
from sabot.desk.chapter_words import words
from sabot.firmware.pages.text_page import Page
from sabot.rules.chapter import Chapter, Limit
from sabot.rules.payouts import dollars
from sabot.rules.settlement.house import House, choosable

_LINE = "." * 34


def problem_list(submission: Submission, found: Sequence[Problem]) -> str:
    """Return every problem with its paragraph and its cure."""
    page = Page()
    count = f"{len(found)} problem{'s' if len(found) > 1 else ''}"
    page.title(f"{submission.file} does not stand: {count}")
    for each in found:
        page.lines.append(f"{each.code}  {each.key}")
        page.note(f"{each.what}.", 4)
        page.note(f"{each.why} {each.cure}", 4)
    return str(page)


def summary(submission: Submission, chapter: Chapter) -> str:
    """Return the summary of a submission without problems, with a place for the signature."""
    page = Page()
    page.title(f"{submission.house}: {chapter.game}".upper(), chapter.id)
    page.note(f"This Rules Submission stands under {chapter.document}.", 0)
    if submission.simulated:
        page.note("SIMULATED: NOT FOR PLAY", 0)
    _table(page, submission, chapter)
    _wagers(page, submission, chapter)
    _tables(page, submission, chapter)
    _meters(page, submission, chapter)
    _readings(page, submission, chapter)
    page.lines += ["", "", f"Floor manager {_LINE}    Date {_LINE}"]
    return str(page)


def _table(page: Page, submission: Submission, chapter: Chapter) -> None:
    plan = chapter.plans[submission.method]
    page.section("Table")
    page.fact("Seats", f"{submission.seats} of at most {chapter.seats}", chapter.seats_cite)
    page.fact("Adjacent boxes", str(submission.adjacent_boxes), chapter.duties.adjacent_boxes)
    page.fact("Dealing", words(submission.method), plan.cite)
    shuffler = "with an automated shuffler" if submission.shuffler else "without an automated shuffler"
    page.fact("Decks", f"{submission.decks}, {shuffler}", chapter.deck.rules["two_decks"].cite)
    if submission.pair_bonus_card:
        page.fact("Pair Bonus card", f"{submission.pair_bonus_card} card", chapter.hands.cite)


def _wagers(page: Page, submission: Submission, chapter: Chapter) -> None:
    page.section("Wagers on offer")
    unit = submission.progressive_unit
    for wager in submission.offered(chapter):
        terms = submission.wagers[wager.name]
        if terms.least is None or terms.most is None:
            page.fact(wager.title, dollars(unit or 0), wager.cite)
        else:
            page.fact(wager.title, f"{dollars(terms.least)} to {dollars(terms.most)}", wager.cite)
    for name in submission.extras:
        page.fact(chapter.extras[name].title, chapter.extras[name].pays.text, chapter.extras[name].cite)
    if chapter.limit:
        page.facts("Payout limit", _limit(submission, chapter, chapter.limit))


def _limit(submission: Submission, chapter: Chapter, limit: Limit) -> Iterator[tuple[str, str]]:
    if submission.payout_limit is None:
        yield "none", limit.cite
        return
    titles = listed(wager.title for wager in covered(submission, chapter, limit))
    yield f"{dollars(submission.payout_limit)} per player and round, on {titles}", limit.cite
    won = dollars(most_won(submission, chapter, limit))
    yield f"(at the minimum wagers one patron could win {won} of these)", ""


def _tables(page: Page, submission: Submission, chapter: Chapter) -> None:
    house, choices = House(chapter, submission.options()), choosable(chapter)
    page.section("Paytables")
    for name, title in tables_in_play(submission, chapter).items():
        if name in choices:
            letter = house.letters[name]
            page.fact(name, f"{letter}, for {title}", choices[name].sheet(letter).cite)


def _meters(page: Page, submission: Submission, chapter: Chapter) -> None:
    if not submission.meters:
        return
    page.section("Meters", chapter.duties.meter_amounts)
    for levels in submission.meters.values():
        for level, terms in levels.items():
            amounts = f"initial {dollars(terms.initial or 0)}, reset {dollars(terms.reset or 0)}"
            rates = (
                f"primary {float(terms.primary_percent or 0):g}%, reserve {float(terms.reserve_percent):g}%"
            )
            page.fact(level, f"{amounts}, {rates}")


def _readings(page: Page, submission: Submission, chapter: Chapter) -> None:
    chosen = House(chapter, submission.options()).readings
    page.section("Readings that differ from the default")
    others = [name for name, value in chosen.items() if value != chapter.readings[name].default]
    for name in others:
        reading = chapter.readings[name]
        page.fact(name, f"{chosen[name]} instead of {reading.default}", f"{reading.id}: {reading.cite}")
    if not others:
        page.note("None.")
