"""How a chapter is dealt and how its cards are handled, in sentences made from the plans themselves."""

from sabot.desk.chapter_words import area, condition_words, in_words, words
from sabot.firmware.pages.text_page import Page
from sabot.rules.chapter import Chapter, Part, Step
from sabot.statemachine.phases import ROWS

_TAKES = {
    "top": "its top card",
    "bottom": "its bottom card",
    "next": "the next card",
    "rest": "the rest",
}


def dealing(page: Page, chapter: Chapter) -> None:
    """Every dealing method with its steps."""
    page.section("Dealing")
    for method, plan in chapter.plans.items():
        page.fact(words(method), f"method {method}", plan.cite)
        if plan.needs_shuffler:
            page.fact("", "an automated shuffler must be used", plan.needs_shuffler)
        for number, step in enumerate(plan.steps, 1):
            page.fact("", f"{number}. {_step(chapter, step)}")


def _step(chapter: Chapter, step: Step) -> str:
    round_ = [area(chapter, place) for place in step.around]
    if step.stack:
        where = f" for {', then '.join(round_)}" if round_ else ""
        text = f"a stack of {step.stack}{where}: {'; '.join(_part(chapter, part) for part in step.parts)}"
    else:
        cards = f"{step.cards} card{'s' if step.cards > 1 else ''}{' face up' if step.face_up else ''}"
        text = f"{cards} to {', then '.join(round_)}"
    if step.times > 1:
        text += f", {step.times} times round"
    conditions = [condition_words(chapter, step.condition)] if step.condition else []
    conditions += [f"under the reading {name} = {value}" for name, value in step.readings.items()]
    return ", ".join([text, *conditions])


def _part(chapter: Chapter, part: Part) -> str:
    up = " face up" if part.face_up else ""
    condition = f" {condition_words(chapter, part.condition)}" if part.condition else ""
    otherwise = f" (without that wager to {area(chapter, part.otherwise)})" if part.otherwise else ""
    return f"{_TAKES[part.take]}{up} to {area(chapter, part.to)}{otherwise}{condition}"


def handling(page: Page, chapter: Chapter) -> None:
    """Opening, shuffle, cut and stub."""
    deck, rules = chapter.deck, chapter.deck.rules
    page.section("Opening, shuffle, cut and stub")
    for title, begins in (("Opening", "4"), ("Shuffle and cut", "5")):
        steps = [row for row in ROWS if row.section.startswith(begins)]
        for place, row in enumerate(steps):
            page.fact("" if place else title, row.words, chapter.section(row.section))
    page.fact("", "a shuffler counts wrong: the deck is removed", rules["wrong_count"].cite)
    page.fact("", f"the cover card at least {deck.cut_least_from_top} cards from the top", rules["cut"].cite)
    exempt = rules["reshuffler_exempt"]
    page.fact("Reshuffling shoe", f"free of {in_words(exempt.words)}", exempt.cite)
    stub = f"counted at least every {deck.stub_count_every_rounds} rounds, unless the shuffler counts"
    page.fact("Stub", stub, rules["stub"].cite)
