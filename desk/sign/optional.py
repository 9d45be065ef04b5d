"""The blocks of the optional wagers: paytables, bonus cards, meters, envy bonuses, extras."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sabot.config.submission_problems import listed
from sabot.desk.sign.block import NUMBERS, Block, Group, Posting, pays, source, titles
from sabot.rules.chapter import EnvyOf, OnBonusCard, Settles, Wager
from sabot.rules.payouts import dollars
from sabot.rules.paytables import Column
from sabot.rules.plan import COMMUNITY
from sabot.rules.rankings import ACE

MAIN, PROGRESSIVE = "main", "Progressive"
_RANK_WORDS = {11: "jack", 12: "queen", 13: "king", ACE: "ace"}


def optional_groups(posting: Posting) -> Iterator[Group]:
    """Yield a group for each paytable that wagers on offer share: its block, then what goes with it."""
    shared: dict[str, list[Wager]] = {}
    for wager in posting.submission.offered(posting.chapter):
        if wager.settles:
            shared.setdefault(wager.settles.paytable, []).append(wager)
    for wagers in shared.values():
        settles = wagers[0].settles
        assert settles is not None  # only such wagers were gathered
        envy = wagers[0].envy
        envies = [_envy(posting, wagers[0], envy)] if envy else []
        yield (_posted(posting, wagers, settles), *_extras(posting, wagers), *envies)


def _posted(posting: Posting, wagers: Sequence[Wager], settles: Settles) -> Block:
    name, column = titles(wagers), posting.house.column(settles.paytable)
    notes = (*_on_what(posting, wagers, settles, column), *_restarts(posting, settles.paytable))
    block = Block(name, posting.rows(column), posting.bounds(wagers), notes, sources=(source(name, column),))
    return _with_bonus_card(posting, block, wagers[0].bonus_card) if wagers[0].bonus_card else block


def _on_what(posting: Posting, wagers: Sequence[Wager], settles: Settles, column: Column) -> Iterator[str]:
    """Yield what the wagers are on, where their title does not say it."""
    if settles.kind == "losing_hand":
        yield "Pays the losing hand, player's or dealer's; a tie loses."
    choices = [wager.title.partition(", ")[2] for wager in wagers if ", " in wager.title]
    if choices:
        yield f"On {listed([*(f'the {each}' for each in choices), 'both'], 'or')}."
    if any(wager.settles and wager.settles.shared for wager in wagers):
        yield "Meter payouts on the dealer's hand are divided equally."
    sheet = posting.chapter.paytables[settles.paytable].sheet(column.letter)
    if sheet.ranks_as:
        under = sheet.ranks_as
        ranking = under.instead if under.holds(posting.house.readings) else sheet.ranking
        size = NUMBERS[posting.chapter.rankings[ranking].size]
        yield f"Royal flush, straight flush, flush and straight are hands of {size} cards."


def _restarts(posting: Posting, paytable: str) -> Iterator[str]:
    """Yield the amount at which a meter begins again after a hit."""
    for meter in posting.chapter.meters.values():
        if meter.paytable != paytable:
            continue
        letter = posting.house.letter(posting.chapter.paytables[paytable])
        unit = posting.house.options.progressive_unit
        resets = posting.house.options.meter_reset
        amounts = {
            level: resets.get(level, 0) if terms.reseed_for_1 is None else terms.reseed_for_1 * unit
            for level, terms in meter.levels[letter].items()
        }
        if MAIN in amounts:
            yield f"Won in full, the meter restarts at {dollars(amounts[MAIN])}."
        else:
            named = (f"{dollars(cents)} ({level})" for level, cents in amounts.items())
            yield f"Won in full, a meter restarts at {listed(named)}."


def _with_bonus_card(posting: Posting, block: Block, bonus: OnBonusCard) -> Block:
    """Add a second column to a block, for the card that moves the wager to another paytable."""
    column = posting.house.column(bonus.paytable)
    rank = f"{'an' if bonus.rank == ACE else 'a'} {_RANK_WORDS.get(bonus.rank, str(bonus.rank))}"
    higher = dict(posting.rows(column))
    shared = posting.house.options.pair_bonus_card == COMMUNITY
    whose = "one community card" if shared else "the player's own fourth card"
    return replace(
        block,
        rows=tuple((text, (*cells, *higher[text])) for text, cells in block.rows),
        notes=(*block.notes, f"The bonus card is {whose}."),
        heads=("other card", f"card is {rank}"),
        sources=(*block.sources, source(f"{block.title}, card is {rank}", column)),
    )


def _extras(posting: Posting, wagers: Sequence[Wager]) -> Iterator[Block]:
    """Yield the block of draws by the table game system for the holders of these wagers."""
    chapter = posting.chapter
    names = [name for name in posting.submission.extras if any(name in wager.extras for wager in wagers)]
    extras = [chapter.extras[name] for name in names]
    if extras:
        name = listed(extra.title for extra in extras)
        rows = tuple((extra.title, (pays(extra.pays),)) for extra in extras)
        note = f"When drawn, with a {titles(wagers)} Wager."
        sources = f"{name}: {', '.join(dict.fromkeys(extra.cite for extra in extras))}"
        yield Block(name, rows, notes=(note,), sources=(sources,))


def _envy(posting: Posting, wager: Wager, envy: EnvyOf) -> Block:
    unit = posting.house.options.progressive_unit
    column = posting.house.envy_column(envy.paytable, unit)
    name = f"{wager.title.removesuffix(PROGRESSIVE).strip()} Envy Bonus".strip()
    note = f"For each other player's hand, with a {dollars(unit)} wager."
    return Block(name, posting.rows(column), notes=(note,), sources=(source(name, column),))
