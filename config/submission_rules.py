"""The law's check of a Rules Submission: every problem at once, each with its paragraph.

A check is a function that yields problems; ``CHECKS`` lists them in the order of the file. Nothing here
knows a chapter by name: the bounds come from the chapter, the bare duties too.
"""

from collections.abc import Callable, Iterator

from sabot.config.submission import Submission, WagerTerms
from sabot.config.submission_money import check_limit, check_meters, check_unit
from sabot.config.submission_problems import Problem, listed, problem
from sabot.config.submission_tables import check_paytables, check_readings
from sabot.rules.chapter import RESHUFFLES, Chapter, Wager
from sabot.rules.errors import ANY, nearest
from sabot.rules.payouts import dollars

Check = Callable[[Submission, Chapter], Iterator[Problem]]

PAIR_BONUS_CARD = "pair_bonus_card"


def problems(submission: Submission, chapter: Chapter) -> list[Problem]:
    """Return everything that stands between a submission and the law, empty when nothing does."""
    if submission.chapter != chapter.id:
        facts = {"theirs": submission.chapter, "ours": chapter.id}
        # Alone: by another chapter everything else would be wrong too, and tell nothing.
        return [problem("E-SUBM-001", "chapter", chapter.cite, **facts)]
    return [found for check in CHECKS for found in check(submission, chapter)]


def check_table(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check seats and adjacent boxes."""
    seats, boxes = submission.seats, submission.adjacent_boxes
    if seats > chapter.seats:
        facts = {"seats": seats, "most": chapter.seats}
        yield problem("E-SUBM-010", "table.seats", chapter.seats_cite, **facts)
    key, cite = "table.adjacent_boxes", chapter.duties.adjacent_boxes
    if boxes is None:
        yield problem("E-SUBM-011", key, cite)
    elif boxes > seats:
        yield problem("E-SUBM-012", key, cite, boxes=boxes, seats=seats)


def check_dealing(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check the dealing method, the shuffler and the number of decks."""
    method = submission.method
    plan = chapter.plans.get(method)
    if plan is None:
        cite = ", ".join(each.cite for each in chapter.plans.values())
        known, near = listed(chapter.plans, "or"), nearest(method, chapter.plans, ANY)
        yield problem("E-SUBM-020", "dealing.method", cite, method=method, nearest=near, known=known)
    # A reshuffling shoe is a shuffler itself, whatever its plan says.
    elif not submission.shuffler and (plan.needs_shuffler or method == RESHUFFLES):
        cite = plan.needs_shuffler or chapter.deck.rules["reshuffler_exempt"].cite
        yield problem("E-SUBM-021", "dealing.shuffler", cite, method=method)
    deck = chapter.deck
    most = deck.decks_with_shuffler if submission.shuffler else deck.decks
    if submission.decks > most:
        when = "with a shuffler" if submission.shuffler else "without a shuffler"
        facts = {"decks": submission.decks, "most": most, "when": when}
        yield problem("E-SUBM-022", "dealing.decks", deck.rules["two_decks"].cite, **facts)


def check_pair_bonus_card(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that a Pair Bonus card is chosen only where a wager on offer uses one."""
    if not submission.pair_bonus_card:
        return
    if PAIR_BONUS_CARD not in chapter.hands.places:
        yield problem("E-SUBM-023", PAIR_BONUS_CARD, chapter.hands.cite, chapter=chapter.id)
    elif not any(wager.bonus_card for wager in submission.offered(chapter)):
        yield problem("E-SUBM-024", PAIR_BONUS_CARD, chapter.hands.cite)


def check_wager_names(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that every wager is the chapter's, and that those it always has are there."""
    before_deal = [name for name, wager in chapter.wagers.items() if not wager.after_deal]
    for name in submission.wagers:
        key, wager = f"wagers.{name}", chapter.wagers.get(name)
        if wager is None:
            facts = {"name": name, "nearest": nearest(name, before_deal, ANY)}
            yield problem("E-SUBM-030", key, chapter.duties.wagers, **facts)
        elif wager.after_deal:
            yield problem("E-SUBM-032", key, wager.cite, title=wager.title)
    for name in before_deal:
        wager = chapter.wagers[name]
        if name not in submission.wagers and not wager.optional:
            yield problem("E-SUBM-031", f"wagers.{name}", wager.cite, title=wager.title)


def check_prerequisites(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that no wager is offered without one that a player must have placed before it."""
    for wager in submission.offered(chapter):
        for group in wager.requires:
            if not any(name in submission.wagers for name in group):
                needs = listed((chapter.wagers[name].title for name in group), "or")
                facts = {"title": wager.title, "needs": needs}
                yield problem("E-SUBM-033", f"wagers.{wager.name}", wager.cite, **facts)


def check_choices_of_hand(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that a house offers all wagers on one meter or none: they are a player's choice of hand."""
    for meter in chapter.meters.values():
        offered = [name for name in meter.wagers if name in submission.wagers]
        if offered and len(offered) < len(meter.wagers):
            wager = chapter.wagers[offered[0]]
            both = listed(chapter.wagers[name].title for name in meter.wagers)
            yield problem("E-SUBM-034", f"wagers.{wager.name}", wager.cite, title=wager.title, both=both)


def check_bounds(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check the least and the most of every wager on offer."""
    for wager in submission.offered(chapter):
        terms = submission.wagers[wager.name]
        if wager.after_deal:
            continue
        if wager.envy:
            if terms != WagerTerms():
                yield problem("E-SUBM-038", f"wagers.{wager.name}", wager.cite, title=wager.title)
        else:
            yield from _bounds(wager, terms)


def _bounds(wager: Wager, terms: WagerTerms) -> Iterator[Problem]:
    key, title = f"wagers.{wager.name}", wager.title
    for end, value in (("min", terms.least), ("max", terms.most)):
        if value is None:
            yield problem("E-SUBM-035", f"{key}.{end}", wager.cite, title=title, end=end)
    if terms.least == 0:
        yield problem("E-SUBM-037", f"{key}.min", wager.cite, title=title)
    if terms.least is not None and terms.most is not None and terms.least > terms.most:
        facts = {"least": dollars(terms.least), "most": dollars(terms.most)}
        yield problem("E-SUBM-036", key, wager.cite, title=title, **facts)


def check_extras(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that every extra goes with a wager on offer."""
    offered = {name for wager in submission.offered(chapter) for name in wager.extras}
    known = listed(chapter.extras, "or") if chapter.extras else "none"
    for name in submission.extras:
        if name not in offered:
            extra = chapter.extras.get(name)
            cite = extra.cite if extra else chapter.duties.wagers
            yield problem("E-SUBM-039", "extras", cite, name=name, known=known)


CHECKS: tuple[Check, ...] = (
    check_table,
    check_dealing,
    check_pair_bonus_card,
    check_wager_names,
    check_prerequisites,
    check_choices_of_hand,
    check_bounds,
    check_extras,
    check_paytables,
    check_unit,
    check_limit,
    check_meters,
    check_readings,
)
