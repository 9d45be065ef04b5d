"""What a chapter file says, in the short form in which the tests write it down.

Each function asks the loader anew and returns plain values, so that a test is a table beside the law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table_talk import law

if TYPE_CHECKING:
    from sabot.rules.chapter import Chapter, ContestResult, RankingSpec

Facts = dict[str, tuple[object, ...]]


def rankings(chapter_id: str) -> Facts:
    """Name: paragraph, how many cards make a hand, whether the ace may be low, the hands highest first."""
    return {name: _ranking(spec) for name, spec in law(chapter_id).rankings.items()}


def _ranking(spec: RankingSpec) -> tuple[object, ...]:
    if spec.kind == "color":
        return spec.cite, spec.own, "color"
    return spec.cite, spec.size, spec.ace_low, " ".join(spec.order)


def wagers(chapter_id: str) -> Facts:
    """Name: title, paragraph, offered always or by the Rules Submission, what it needs beside it."""
    return {
        name: (
            wager.title,
            wager.cite,
            "submission" if wager.optional else "always",
            " and ".join(" or ".join(group) for group in wager.requires),
        )
        for name, wager in law(chapter_id).wagers.items()
    }


def second_wagers(chapter_id: str) -> Facts:
    """Name of a wager after the deal: of which, least and most times, in whole multiples or any amount."""
    return {
        name: (wager.of, wager.times.least, wager.times.most, "whole" if wager.times.whole else "any")
        for name, wager in law(chapter_id).wagers.items()
        if wager.times and wager.after_deal
    }


def before_the_deal(chapter_id: str) -> list[str]:
    """The wagers that are placed before `no more bets`."""
    return [name for name, wager in law(chapter_id).wagers.items() if not wager.after_deal]


def devices(chapter_id: str) -> dict[str, str]:
    """The wagers that are not placed on the felt."""
    return {n: wager.device for n, wager in law(chapter_id).wagers.items() if wager.device != "felt"}


def folds(chapter_id: str) -> Facts:
    """Name: kept, lost, or the reading that decides; paragraph."""
    return {
        name: (
            {True: "kept", False: "lost", None: wager.on_fold.reading}[wager.on_fold.keeps],
            wager.on_fold.cite,
        )
        for name, wager in law(chapter_id).wagers.items()
        if wager.on_fold
    }


def settled(chapter_id: str) -> Facts:
    """Name: paragraphs, the cards it goes by, its paytable, and what is special."""
    return {
        name: (
            wager.settles.cite,
            " ".join(wager.settles.cards),
            wager.settles.paytable,
            *(["losing hand"] if wager.settles.kind == "losing_hand" else []),
            *(["shared"] if wager.settles.shared else []),
            *([wager.settles.keep_stake_reading] if wager.settles.keep_stake_reading else []),
            *wager.extras,
        )
        for name, wager in law(chapter_id).wagers.items()
        if wager.settles
    }


def contest(chapter_id: str) -> dict[str, object]:
    """The contest of Ante and second wagers, without what its results pay."""
    part = law(chapter_id).contest
    return {
        "cite": part.cite,
        "against": "dealer" if part.against_dealer else "paytable",
        "ranking": part.ranking,
        "cards": " ".join(part.cards),
        "wagers": " ".join(part.wagers),
        "forfeit": part.forfeit_cites,
    }


def results(chapter_id: str) -> dict[str, dict[str, str]]:
    """For each end of the contest: wager: what becomes of it, and under which paragraph."""
    return {end: _result(result) for end, result in law(chapter_id).contest.results.items()}


def _result(result: ContestResult) -> dict[str, str]:
    return {
        name: f"{action.paytable or (action.pays.text if action.pays else 'returned')} by {action.cite}"
        for name, action in result.actions.items()
    }


def irregularities(chapter_id: str) -> Facts:
    """Kind: paragraph, what becomes of the round and of the deck, and when."""
    return {
        kind: (each.cite, str(each.fate), *filter(None, ["deck removed" * each.removes_deck, each.only_when]))
        for kind, each in law(chapter_id).irregularities.items()
    }


def letters(chapter_id: str) -> dict[str, str]:
    """The letters of each paytable, envy tables included."""
    chapter = law(chapter_id)
    tables = dict(chapter.paytables) | {
        name: next(iter(e.by_unit.values())) for name, e in chapter.envy.items()
    }
    return {name: " ".join(table.letters) for name, table in tables.items()}


def hand_sizes(chapter_id: str) -> dict[str, int]:
    """How many cards each place gets, and of how many the dealer's first are."""
    hands = law(chapter_id).hands
    return dict(hands.places) | ({"dealer_first": hands.dealer_first} if hands.dealer_first else {})


def meters(chapter_id: str) -> Facts:
    """Name: paragraph, the wagers that feed it, the paytable whose letters its levels go by."""
    return {m.name: (m.cite, " ".join(m.wagers), m.paytable) for m in law(chapter_id).meters.values()}


def envy(chapter_id: str) -> Facts:
    """Name: the progressive it follows unless chosen, the units there are amounts for."""
    return {name: (e.follows, *e.by_unit) for name, e in law(chapter_id).envy.items()}


def limit(chapter: Chapter) -> tuple[object, ...]:
    """Paragraph, least dollars, covered, and what may not be included."""
    assert chapter.limit is not None
    part = chapter.limit
    return part.cite, part.least_dollars, set(part.covers), set(part.not_outcomes), set(part.not_rows)
