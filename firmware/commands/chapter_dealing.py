"""How a chapter is dealt and how its cards are handled, in sentences made from the plans themselves."""

from sabot.config.submission_problems import listed
from sabot.firmware.commands.chapter_words import AREAS, CONDITIONS, in_words, words
from sabot.firmware.commands.text_page import Page
from sabot.rules.chapter import Chapter, Part, Step

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
            page.fact("", f"{number}. {_step(step)}")


def _step(step: Step) -> str:
    round_ = [AREAS[place] for place in step.around]
    if step.stack:
        where = f" for {', then '.join(round_)}" if round_ else ""
        text = f"a stack of {step.stack}{where}: {'; '.join(map(_part, step.parts))}"
    else:
        cards = f"{step.cards} card{'s' if step.cards > 1 else ''}{' face up' if step.face_up else ''}"
        text = f"{cards} to {', then '.join(round_)}"
    if step.times > 1:
        text += f", {step.times} times round"
    conditions = [CONDITIONS[step.condition]] if step.condition else []
    conditions += [f"under the reading {name} = {value}" for name, value in step.readings.items()]
    return ", ".join([text, *conditions])


def _part(part: Part) -> str:
    up = " face up" if part.face_up else ""
    condition = f" {CONDITIONS[part.condition]}" if part.condition else ""
    otherwise = f" (without that wager to {AREAS[part.otherwise]})" if part.otherwise else ""
    return f"{_TAKES[part.take]}{up} to {AREAS[part.to]}{otherwise}{condition}"


def handling(page: Page, chapter: Chapter) -> None:
    """Opening, shuffle, cut and stub."""
    deck, rules = chapter.deck, chapter.deck.rules
    page.section("Opening, shuffle, cut and stub")
    page.fact("Opening", ", ".join(map(words, rules["opening"].words)), rules["opening"].cite)
    skipped = rules["preshuffled_skips"]
    page.fact("", f"preshuffled cards are not {in_words(skipped.words, 'or')}", skipped.cite)
    page.fact("Shuffle", listed(map(words, rules["shuffle"].words)), rules["shuffle"].cite)
    wrong = rules["wrong_count"]
    page.fact("", f"if the shuffler counts wrong: {in_words(wrong.words)}", wrong.cite)
    page.fact("Idle table", ", ".join(map(words, rules["idle"].words)), rules["idle"].cite)
    page.fact("Cut", f"after {in_words(rules['cut'].words, 'or')}", rules["cut"].cite)
    depth = f"cover card at least {deck.cut_least_from_top} cards from the top"
    page.fact("", depth, rules["cut_depth"].cite)
    recut = rules["recut"]
    page.fact("", f"a recut may be required by {in_words(recut.words)}", recut.cite)
    exempt = rules["reshuffler_exempt"]
    page.fact("Reshuffling shoe", f"free of {in_words(exempt.words)}", exempt.cite)
    stub = f"counted at least every {deck.stub_count_every_rounds} rounds, unless the shuffler counts"
    page.fact("Stub", stub, rules["stub"].cite)
