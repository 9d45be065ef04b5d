"""The letters and readings of a submission, beside those that the chapter prints.

Which paytables a house must choose follows from its wagers: those of the contest always, those of an optional
wager when it is offered. An envy table follows its progressive by letter unless the submission says otherwise
(reading E5).
"""

from collections.abc import Iterable, Iterator

from sabot.config.submission import Submission
from sabot.config.submission_problems import Problem, listed, problem
from sabot.rules.chapter import Chapter, Wager
from sabot.rules.errors import ANY, nearest
from sabot.rules.paytables import Paytable
from sabot.rules.settlement.house import DEFAULT, choosable
from sabot.rules.settlement.steps import contest_tables


def tables_in_play(submission: Submission, chapter: Chapter) -> dict[str, str]:
    """Return every paytable and envy table that the submission brings into play, with its title."""
    return _titles(chapter, submission.offered(chapter))


def _titles(chapter: Chapter, wagers: Iterable[Wager]) -> dict[str, str]:
    """Return the tables of the contest and of these wagers, each with its title."""
    contest = contest_tables(chapter.contest.results)
    titles = {name: name.replace("_", " ") for name in chapter.paytables if name in contest}
    for wager in wagers:
        if wager.settles:
            titles[wager.settles.paytable] = wager.title
        if wager.bonus_card:
            titles[wager.bonus_card.paytable] = f"{wager.title} on a bonus card"
        if wager.envy:
            titles[wager.envy.paytable] = f"the envy bonus of {wager.title}"
    return titles


def check_paytables(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that every open paytable in play has a printed letter, and that no other table has a letter."""
    in_play, choices = tables_in_play(submission, chapter), choosable(chapter)
    for name, title in in_play.items():
        if name in choices and name not in chapter.envy and name not in submission.paytables:
            facts = {"name": name, "title": title, "known": listed(choices[name].letters, "or")}
            yield problem("E-SUBM-040", f"paytables.{name}", _cite(choices[name]), **facts)
    for name, letter in submission.paytables.items():
        yield from _letter(chapter, choices, in_play, name, letter)


def _letter(
    chapter: Chapter, choices: dict[str, Paytable], in_play: dict[str, str], name: str, letter: str
) -> Iterator[Problem]:
    key = f"paytables.{name}"
    if name not in choices:
        facts = {"name": name, "nearest": nearest(name, in_play.keys() & choices.keys(), ANY)}
        yield problem("E-SUBM-043", key, chapter.duties.wagers, **facts)
        return
    # The titles of all wagers: the table may be that of one that is not offered.
    paytable, title = choices[name], _titles(chapter, chapter.wagers.values())[name]
    if name not in in_play:
        yield problem("E-SUBM-042", key, _cite(paytable), title=title)
    if letter not in paytable.letters:
        facts = {"letter": letter, "title": title, "known": listed(paytable.letters)}
        yield problem("E-SUBM-041", key, _cite(paytable), **facts)


def _cite(paytable: Paytable) -> str:
    return paytable.sheets[0].cite


def check_readings(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that every reading is one of the chapter's, with one of its answers."""
    for name, value in submission.readings.items():
        key, reading = f"readings.{name}", chapter.readings.get(name)
        if reading is None:
            facts = {"name": name, "nearest": nearest(name, chapter.readings, ANY)}
            yield problem("E-SUBM-070", key, chapter.cite, **facts)
        elif value not in (*reading.values, DEFAULT):
            facts = {"name": name, "value": value, "known": listed(reading.values, "or")}
            yield problem("E-SUBM-071", key, reading.cite, **facts)
