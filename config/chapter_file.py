"""From a chapter file to the chapter model.

One function a part of the file, in the order of the file. What a chapter may contain is decided by the
kinds that ``rules`` knows; what it does contain is the file's alone. Cross references and possibility are
checked afterwards, in ``feasibility``.
"""

# Theory of operation. A ``Section`` remembers which keys it was asked for, so the functions below are the
# whole list of known keys: a key that none of them asks for is refused by ``finish`` at the end. A function
# asks for the keys that its part may have in the form that it has; of two forms the other's keys are refused.
# Values are checked here, names are not: whether a paytable or a reading that is named exists can only be
# said when the whole chapter is there. The wagers come first, for hands and contest are named by them.

from dataclasses import MISSING, fields

from sabot.config.plan_file import read_plans
from sabot.config.reader import Section, Toml
from sabot.rules.cards import PACK_SIZE, SUITS, rank_value
from sabot.rules.chapter import (
    EXEMPTIONS,
    Bonus,
    Chapter,
    ContestAction,
    ContestResult,
    ContestRule,
    DeckRule,
    Duties,
    EnvyOf,
    EnvyTable,
    Extra,
    Fate,
    HandSizes,
    IrregularityRule,
    Limit,
    Meter,
    MeterLevel,
    Numbering,
    OnBonusCard,
    OnFold,
    Phrase,
    Qualifies,
    RankingSpec,
    Reading,
    Rule,
    Settles,
    Wager,
    WagerTimes,
)
from sabot.rules.payouts import Payout, parse_payout
from sabot.rules.paytables import ANY_HAND, PayRow, Paytable, Sheet, Span, T, Under
from sabot.rules.plan import BONUS_CARD, FOURTH
from sabot.rules.rankings import HAND_KINDS, HIGH
from sabot.rules.settlement.steps import DRAWN

RANK_NAMES = frozenset({"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"})
DEVICES = frozenset({"felt", "progressive", "account"})
NUMBERING_KEYS = frozenset({"head", "head_stands_once", "by_method"})
# The ends of a contest: only against the dealer are hands compared.
ENDS = {"dealer": ("unqualified", "win", "tie", "lose", "bad_beat"), "paytable": ("win", "lose")}
MOST_SEATS = 9
# A ranking takes no more: its tables count cards by a remainder by seven.
MOST_CARDS = 7


def read_chapter(file: str, data: Toml) -> Chapter:
    """Return the chapter that a file describes, every key of it understood."""
    root = Section(file, "", data)
    wagers = _wagers(root.section("wagers"))
    settlement, hands = root.section("settlement"), _hands(root.section("hands"), wagers)
    chapter = Chapter(
        id=root.text("id"),
        game=root.text("game"),
        document=root.text("document"),
        cite=root.text("cite"),
        seats=root.section("table").number("seats", 1, MOST_SEATS),
        seats_cite=root.section("table").text("cite"),
        deck=_deck(root),
        hands=hands,
        rankings={name: _ranking(name, part) for name, part in root.section("rankings").sections()},
        wagers=wagers,
        order=settlement.words("order"),
        order_cite=settlement.text("cite"),
        swap=_swap(settlement.maybe("swap")),
        abandoned_cite=settlement.section("abandoned").text("cite"),
        contest=_contest(root.section("contest"), wagers),
        limit=_limit(root.maybe("limit")),
        paytables=_paytables(root.section("paytables")),
        extras=_extras(root),
        envy=_envy(root),
        meters={name: _meter(name, part) for name, part in _parts(root, "meters")},
        plans=read_plans(root.section("plans"), hands.places),
        irregularities={
            kind: _irregularity(kind, part) for kind, part in root.section("irregularities").sections()
        },
        out_of_order=Rule(root.section("out_of_order").text("cite")),
        readings={name: _reading(name, part) for name, part in _parts(root, "readings")},
        duties=_duties(root.section("submission")),
        numbering=_numbering(root),
        labels=root.texts("labels"),  # words of the dealer's display where a title is too long for it
    )
    root.finish()
    return chapter


def _duties(part: Section) -> Duties:
    """Return the paragraphs of the chapter's duties; one that it does not have is left empty."""
    asked = {each.name: part.text(each.name, "") for each in fields(Duties) if each.default is not MISSING}
    return Duties(part.text("wagers"), part.text("adjacent_boxes"), part.text("sign"), **asked)


def _numbering(root: Section) -> Numbering:
    part = root.maybe("numbering")
    if part is None:
        return Numbering(f"{root.text('cite')}.")
    head, once = part.text("head", f"{root.text('cite')}."), part.flag("head_stands_once")
    numbers = {number: part.text(number) for number in part.data if number not in NUMBERING_KEYS}
    by_method = {number: _texts(ways) for number, ways in _parts(part, "by_method")}
    return Numbering(head, once, numbers, by_method)


def _texts(part: Section) -> dict[str, str]:
    return {name: part.text(name) for name in part.data}


def _swap(part: Section | None) -> Under[tuple[str, ...]] | None:
    if part is None:
        return None
    wagers = part.words("wagers")
    if len(wagers) != 2:  # noqa: PLR2004
        raise part.wrong("wagers", list(wagers), "two wagers")
    return _under(part, wagers)


def _parts(root: Section, key: str) -> list[tuple[str, Section]]:
    part = root.maybe(key)
    return list(part.sections()) if part else []


def _under(part: Section, instead: T) -> Under[T]:
    return Under(part.text("reading"), part.text("value"), instead, part.text("letter", ""))


def _exempt(part: Section) -> Rule:
    """Return the duties that a reshuffling device frees a table of; any other word is refused."""
    words = part.words("from")
    strange = next((word for word in words if word not in EXEMPTIONS), None)
    if strange is not None:
        raise part.wrong("from", strange, f"some of {', '.join(EXEMPTIONS)}")
    return Rule(part.text("cite"), words)


def _deck(root: Section) -> DeckRule:
    cards, shuffle, cut = root.section("cards"), root.section("shuffle"), root.section("cut")
    stub, hours = root.section("stub"), cards.section("change_hours")
    two_decks = cards.section("decks_with_shuffler")
    return DeckRule(
        # Exactly this: ranks and suits are those of one pack.
        pack=cards.number("pack", PACK_SIZE, PACK_SIZE),
        # One is dealt from; a second waits beside a shuffler, and there is never a third.
        decks=cards.number("decks", 1, 1),
        decks_with_shuffler=two_decks.number("most", 1, 2),
        change_hours={way: hours.number(way, 1, 24) for way in ("hand", "shoe")},
        cut_least_from_top=cut.number("least_from_top", 1, PACK_SIZE - 1),
        stub_count_every_rounds=stub.number("count_every_rounds", 1, 100),
        rules={
            "cards": Rule(cards.text("cite")),
            "two_decks": Rule(two_decks.text("cite")),
            "change": Rule(hours.text("cite")),
            "wrong_count": Rule(shuffle.section("wrong_count").text("cite")),
            "reshuffler_exempt": _exempt(shuffle.section("reshuffler_exempt")),
            "cut": Rule(cut.text("cite")),
            "stub": Rule(stub.text("cite")),
        },
    )


def _hands(part: Section, wagers: dict[str, Wager]) -> HandSizes:
    """Return the number of cards at each place; a place for one wager bears its name."""
    first = part.maybe("dealer_first")
    known = ("player", "dealer", "community", *wagers, FOURTH, BONUS_CARD)
    return HandSizes(
        cite=part.text("cite"),
        places={place: part.number(place, 1, MOST_CARDS) for place in known if place in part},
        dealer_first=first.number("cards", 1, MOST_CARDS) if first else 0,
        dealer_first_cite=first.text("cite") if first else "",
    )


def _ranking(name: str, part: Section) -> RankingSpec:
    cite = part.text("cite")
    if part.choice("kind", frozenset({"poker", "color"})) == "color":
        return RankingSpec(name, cite, "color", own=part.number("own", 1, MOST_CARDS))
    order = part.words("order")
    strange = next((hand for hand in order if hand not in HAND_KINDS), None)
    if strange is not None:
        raise part.fail("E-CONF-008", key="order", value=strange, known=" ".join(sorted(HAND_KINDS)))
    # Yes or no where the text says so; the name of a reading where it leaves it open.
    is_flag = isinstance(part.data.get("ace_low"), bool)
    ace_low = part.flag("ace_low") if is_flag else part.text("ace_low")
    return RankingSpec(name, cite, "poker", part.number("size", 2, 5), order, ace_low)


def _wagers(part: Section) -> dict[str, Wager]:
    # The one wager that needs no other wager and no paytable: the contest itself settles it.
    opening = next((name for name, wager in part.sections() if not {"of", "settles"} & wager.data.keys()), "")
    if not opening:
        raise part.fail("E-CONF-021")
    return {name: _wager(name, wager, opening) for name, wager in part.sections()}


def _wager(name: str, part: Section, opening: str) -> Wager:
    times, bonus_card, envy = part.maybe("times"), part.maybe("on_bonus_card"), part.maybe("envy")
    fold = part.maybe("fold")
    of = part.choice("of", frozenset({opening})) if "of" in part else ""
    settles = None if _in_contest(name, of, opening) else part.section("settles")
    return Wager(
        name=name,
        title=part.text("name"),
        cite=part.text("cite"),
        optional=part.choice("offered", frozenset({"always", "submission"})) == "submission",
        after_deal=part.flag("after_deal"),
        of=of,
        times=_times(times) if times else None,
        requires=part.groups("requires"),
        device=part.choice("device", DEVICES, "felt"),
        on_fold=_on_fold(fold) if fold else None,
        settles=_settles(settles) if settles else None,
        bonus_card=_bonus_card(bonus_card) if bonus_card else None,
        envy=EnvyOf(envy.text("cite"), envy.text("paytable")) if envy else None,
        extras=part.words("extras", optional=True),
    )


def _in_contest(name: str, of: str, opening: str) -> bool:
    """Return whether a wager is settled by the contest: the one that opens it, or a second wager of that."""
    return opening in (name, of)


def _times(part: Section) -> WagerTimes:
    whole = part.choice("step", frozenset({"any", "whole"})) == "whole"
    return WagerTimes(part.number("from", 1, 9), part.number("to", 1, 9), whole)


def _on_fold(part: Section) -> OnFold:
    if "reading" in part:
        return OnFold(part.text("cite"), None, part.text("reading"))
    return OnFold(part.text("cite"), part.flag("keeps"))


def _settles(part: Section) -> Settles:
    return Settles(
        cite=part.text("cite"),
        cards=part.words("cards"),
        paytable=part.text("paytable"),
        kind=part.choice("kind", frozenset({"posted", "losing_hand"}), "posted"),
        shared=part.flag("shared"),
        keep_stake_reading=part.text("keep_stake", ""),
    )


def _bonus_card(part: Section) -> OnBonusCard:
    rank = rank_value(part.choice("rank", RANK_NAMES))
    return OnBonusCard(part.text("cite"), rank, part.text("paytable"))


def _contest(part: Section, wagers: dict[str, Wager]) -> ContestRule:
    against = part.choice("against", frozenset(ENDS))
    in_contest = [wager for wager in wagers.values() if not wager.settles]
    # The wager that opens it before those that are made on it; else in the order of the file.
    base = tuple(wager.name for wager in sorted(in_contest, key=lambda wager: bool(wager.of)))
    qualifies = part.maybe("dealer_qualifies") if against == "dealer" else None
    ties = part.maybe("ties_phrase")
    return ContestRule(
        cite=part.text("cite"),
        against_dealer=against == "dealer",
        ranking=part.text("ranking"),
        cards=part.words("cards", optional=True) or ("own",),
        wagers=base,
        forfeit_cites=_forfeit(part, base[1:]),
        results={end: _result(part.section(end), base, against) for end in ENDS[against] if end in part},
        qualifies=_qualifies(qualifies) if qualifies else None,
        ties=Phrase(ties.text("cite"), ties.text("phrase")) if ties else None,
    )


def _forfeit(part: Section, later: tuple[str, ...]) -> tuple[str, ...]:
    cites = part.words("forfeit")
    if len(cites) < len(later):
        raise part.wrong("forfeit", list(cites), f"a paragraph for each of {', '.join(later)}")
    return cites


def _qualifies(part: Section) -> Qualifies:
    hand = part.choice("hand", HAND_KINDS | {HIGH})
    lead = rank_value(part.choice("of", RANK_NAMES))
    return Qualifies(part.text("cite"), hand, lead, part.text("phrase"))


def _result(part: Section, base: tuple[str, ...], against: str) -> ContestResult:
    # By a declared row of the paytable no other is known, and so no bonus.
    every, bonus = part.maybe("every"), part.maybe("bonus") if against == "dealer" else None
    actions = {name: _action(every or part.section(name)) for name in base if every or name in part}
    return ContestResult(actions, _bonus(bonus) if bonus else None, part.text("paytable", ""))


def _action(part: Section) -> ContestAction:
    cite = part.text("cite")
    if "paytable" in part:
        return ContestAction(
            cite,
            paytable=part.text("paytable"),
            prefix=part.text("prefix", ""),
            keep_stake_reading=part.text("keep_stake", ""),
        )
    if part.text("pays") == "returned":
        return ContestAction(cite, returned=True)
    return ContestAction(cite, pays=_payout(part, "pays", part.text("pays")))


def _payout(part: Section, key: str, text: str) -> Payout:
    payout = parse_payout(text)
    if payout is None:
        bound = "a payout such as 9 to 1, 9 for 1, 10% of meter, $100,000, push or loss"
        raise part.wrong(key, text, bound)
    return payout


def _bonus(part: Section) -> Bonus:
    return Bonus(
        line=part.text("line"),
        on=part.text("on"),
        paytable=part.text("paytable"),
        cite=part.text("cite"),
        reading=part.text("reading", ""),
        tie_reading=part.text("tie_reading", ""),
        for_reading=part.text("for_reading", ""),
    )


def _limit(part: Section | None) -> Limit | None:
    if part is None:
        return None
    under = part.maybe("covers_under")
    return Limit(
        cite=part.text("cite"),
        least_dollars=part.number("least_dollars", 1, 10_000_000),
        covers=frozenset(part.words("covers")),
        not_outcomes=frozenset(part.words("not_outcomes", optional=True)),
        not_rows=frozenset(part.words("not_rows", optional=True)),
        covers_under=_under(under, frozenset(under.words("covers"))) if under else None,
    )


def _paytables(part: Section) -> dict[str, Paytable]:
    return {
        name: Paytable(name, tuple(_sheet(sheet, "pays") for sheet in part.list_of(name)))
        for name in part.data
    }


def _sheet(part: Section, cells: str) -> Sheet:
    letters = part.words("letters")
    ranks_as = part.maybe("ranks_as")
    return Sheet(
        cite=part.text("cite"),
        ranking=part.text("ranking"),
        letters=letters,
        rows=tuple(_row(name, row, letters, cells) for name, row in part.section("rows").sections()),
        ranks_as=_under(ranks_as, ranks_as.text("ranking")) if ranks_as else None,
    )


def _row(name: str, part: Section, letters: tuple[str, ...], cells: str) -> PayRow:
    own = part.number("own", 1, MOST_CARDS, 0)
    under = part.maybe("of_under")
    return PayRow(
        name=name,
        text=part.text("text"),
        # A dash stands where the column has no such row, which is not the same as a row that pays nothing.
        cells=tuple(
            None if cell == "-" else _payout(part, cells, cell) for cell in part.cells(cells, len(letters))
        ),
        hands=() if own else _row_hands(name, part),
        lead=_span(part, "of"),
        second=_span(part, "with"),
        suits=tuple(_suit(part, suit) for suit in part.words("suits", optional=True)),
        own=own,
        others=part.number("others", 1, MOST_CARDS, 0),
        instead=part.text("else", ""),
        lead_under=_under(under, _span(under, "of") or (2, 14)) if under else None,
    )


def _row_hands(name: str, part: Section) -> tuple[str, ...]:
    # A row is most often named after its hand, and then the hand need not be written.
    known = HAND_KINDS | {HIGH, ANY_HAND}
    several = isinstance(part.data.get("hand"), list)
    hands = part.words("hand") if several else (part.text("hand", name),)
    strange = next((hand for hand in hands if hand not in known), None)
    if strange is not None:
        raise part.fail("E-CONF-008", key="hand", value=strange, known=" ".join(sorted(known)))
    return hands


def _span(part: Section, key: str) -> Span | None:
    if key not in part:
        return None
    names = part.data[key]
    if not isinstance(names, list) or len(names) != 2 or not set(names) <= RANK_NAMES:  # noqa: PLR2004
        raise part.wrong(key, names, "two ranks, the lowest and the highest")
    return rank_value(names[0]), rank_value(names[1])


def _suit(part: Section, suit: str) -> int:
    if suit not in SUITS:
        raise part.wrong("suits", suit, "suits of c d h s")
    return SUITS.index(suit)


def _extras(root: Section) -> dict[str, Extra]:
    part = root.maybe("extras")
    strange = next((name for name in part.data if name not in DRAWN), None) if part else None
    if part and strange is not None:
        raise part.fail("E-CONF-008", key="extras", value=strange, known=" ".join(sorted(DRAWN)))
    return {name: _extra(name, each) for name, each in part.sections()} if part else {}


def _extra(name: str, part: Section) -> Extra:
    pays = _payout(part, "pays", part.text("pays"))
    return Extra(name, part.text("name"), part.text("cite"), pays)


def _envy(root: Section) -> dict[str, EnvyTable]:
    part = root.maybe("envy")
    if part is None:
        return {}
    return {name: _envy_table(name, part.list_of(name)) for name in part.data}


def _envy_table(name: str, sheets: list[Section]) -> EnvyTable:
    reads_as = next((sheet.maybe("reads_as") for sheet in sheets if "reads_as" in sheet), None)
    return EnvyTable(
        name=name,
        follows=_agreed(sheets, "follows"),
        by_unit={
            unit: Paytable(name, tuple(_sheet(sheet, f"unit_{unit}") for sheet in sheets))
            for unit in _units(sheets)
        },
        reads_as=_under(reads_as, reads_as.text("as")) if reads_as else None,
    )


def _agreed(sheets: list[Section], key: str) -> str:
    # Asked of every sheet, so that each has to say the same and none is left with an unknown key.
    first = sheets[0].text(key)
    for sheet in sheets:
        sheet.choice(key, frozenset({first}))
    return first


def _units(sheets: list[Section]) -> list[int]:
    # A column is named by the progressive wager that it is for, in cents: ``unit_100``, ``unit_500``.
    keys = {key for sheet in sheets for _, row in sheet.section("rows").sections() for key in row.data}
    return sorted(int(key.removeprefix("unit_")) for key in keys if key.startswith("unit_"))


def _meter(name: str, part: Section) -> Meter:
    return Meter(
        name=name,
        cite=part.text("cite"),
        wagers=part.words("wagers"),
        paytable=part.text("paytable"),
        levels={
            letter: {level: _level(terms) for level, terms in column.sections()}
            for letter, column in part.section("levels").sections()
        },
    )


def _level(part: Section) -> MeterLevel:
    most = 10_000_000
    # Maryland names the least alone and leaves amounts and rates to the operator (reading T2).
    if "minimum_dollars" in part:
        return MeterLevel(minimum_dollars=part.number("minimum_dollars", 1, most))
    return MeterLevel(
        seed_for_1=part.number("seed_for_1", 0, most),
        reseed_for_1=part.number("reseed_for_1", 0, most),
        primary_percent=part.number("primary_percent", 0, 100),
        reserve_percent=part.number("reserve_percent", 0, 100),
    )


def _irregularity(kind: str, part: Section) -> IrregularityRule:
    fate = Fate(part.choice("outcome", frozenset(Fate)))
    removed, places = part.flag("deck_removed"), part.words("places", optional=True)
    return IrregularityRule(kind, part.text("cite"), fate, removed, part.text("only_when", ""), places)


def _reading(name: str, part: Section) -> Reading:
    return Reading(name, part.text("id"), part.text("cite"), part.text("about"), part.words("values"))
