"""The blocks of the contest: ante and second wagers, and the bonuses paid on them."""

from collections.abc import Iterator, Sequence

from sabot.desk.chapter_words import title
from sabot.desk.sign.block import NUMBERS, Block, Posting, pays, source, titles
from sabot.rules.chapter import Bonus, ContestAction, Wager, WagerTimes

# The ends at which a wager of the contest may be paid whatever the hand, and what is said of each.
FIXED_ENDS = {"win": "", "tie": ", tie", "unqualified": ", dealer does not qualify"}
LOSING = ("bad_beat", "lose")
NO, KEPT = "no", "kept"


def contest_blocks(posting: Posting) -> Iterator[Block]:
    """Yield fixed odds first, then every paytable of a winning hand, then those of a losing one."""
    wagers = [posting.chapter.wagers[name] for name in posting.chapter.contest.wagers]
    bounds, notes = posting.bounds(wagers[:1]), tuple(_second_wagers(wagers))
    fixed = _fixed(posting)
    # The ante's bounds and the notes stand once, on whichever block comes first.
    if fixed:
        yield Block(titles(wagers), fixed, f"Ante {bounds}", notes, sources=(_fixed_source(posting, wagers),))
        bounds, notes = "", ()
    for end, result in posting.chapter.contest.results.items():
        for paytable in dict.fromkeys(
            action.paytable for action in result.actions.values() if action.paytable
        ):
            paid = [name for name, action in result.actions.items() if action.paytable == paytable]
            yield _posted(posting, end, paid, bounds, notes)
            bounds, notes = "", ()
    yield from _bonuses(posting)


def _second_wagers(wagers: Sequence[Wager]) -> Iterator[str]:
    """Yield the sizes of the second wagers, alike ones together."""
    alike: dict[str, list[str]] = {}
    for wager in wagers[1:]:
        if wager.times:
            alike.setdefault(times_words(wager.times), []).append(wager.title)
    for words, names in alike.items():
        who = names[0] if len(names) == 1 else f"each {names[0].split()[-1]}"
        yield f"{who[0].upper()}{who[1:]} Wager: {words} the {wagers[0].title}."


def times_words(times: WagerTimes) -> str:
    """Return multiples as the chapters say them."""
    if times.least == times.most:
        return "equal to" if times.most == 1 else f"{NUMBERS[times.most]} times"
    if times.whole:
        *first, last = NUMBERS[times.least : times.most + 1]
        return f"{', '.join(first)} or {last} times"
    return f"{NUMBERS[times.least]} to {NUMBERS[times.most]} times"


def _fixed(posting: Posting) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the fixed payments of a win, a tie and a dealer who does not qualify."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    for end, when in FIXED_ENDS.items():
        result = posting.chapter.contest.results.get(end)
        for name, action in (result.actions if result else {}).items():
            text = _fixed_text(action)
            if text:
                rows.append((f"{title(posting.chapter, name)}{when}", (text,)))
    return tuple(rows)


def _fixed_text(action: ContestAction) -> str:
    if action.returned:
        return "push"
    return pays(action.pays) if action.pays else ""


def _fixed_source(posting: Posting, wagers: Sequence[Wager]) -> str:
    results = posting.chapter.contest.results
    cites = dict.fromkeys(
        cite
        for end in FIXED_ENDS
        for action in (results[end].actions.values() if end in results else ())
        for cite in action.cite.split(", ")
        if not action.paytable
    )
    return f"{titles(wagers)}: {', '.join(cites)}"


def _posted(posting: Posting, end: str, paid: Sequence[str], bounds: str, notes: tuple[str, ...]) -> Block:
    """Return the block of a paytable that wagers of the contest are paid by."""
    contest = posting.chapter.contest
    action = contest.results[end].actions[paid[0]]
    column = posting.house.column(action.paytable)
    name = titles([posting.chapter.wagers[each] for each in paid])
    if end in LOSING:
        notes = (f"On the {name} Wager, when the hand loses.", *notes)
        if posting.house.readings.get(action.keep_stake_reading) == KEPT:
            notes = (*notes, f"The {name} Wager itself is collected.")
        name = title(posting.chapter, end)
    elif contest.qualifies:
        notes = ("When the dealer qualifies.", *notes)
    return Block(name, posting.rows(column), bounds, notes, sources=(source(name, column),))


def _bonuses(posting: Posting) -> Iterator[Block]:
    """Yield bonuses without a stake of their own: each once, with the ends at which it is paid."""
    ends: dict[str, list[str]] = {}
    bonuses: dict[str, Bonus] = {}
    for end, result in posting.chapter.contest.results.items():
        if result.bonus and posting.house.readings.get(result.bonus.reading) != NO:
            bonuses.setdefault(result.bonus.line, result.bonus)
            ends.setdefault(result.bonus.line, []).append(end)
    for line, bonus in bonuses.items():
        column = posting.house.column(bonus.paytable)
        name = title(posting.chapter, line)
        notes = (_when(posting, bonus, ends[line]),)
        yield Block(name, posting.rows(column), "", notes, sources=(source(name, column),))


def _when(posting: Posting, bonus: Bonus, ends: Sequence[str]) -> str:
    base = f"On the {title(posting.chapter, bonus.on)}, "
    if len(ends) > 1:
        return f"{base}whether the hand wins, ties or loses."
    if ends[0] in LOSING:
        back = posting.chapter.contest.results[ends[0]].actions[bonus.on].returned
        name = title(posting.chapter, bonus.on)
        returned = f"; the {name} is returned" if back else ""
        return f"{base}when the hand loses{returned}."
    if posting.house.readings.get(bonus.tie_reading) == NO:
        return f"{base}when the hand is higher than the dealer's."
    return f"{base}when the hand wins or ties."
