"""Whether what was declared is what lies there: the looks of a rig's people beside the program's records.

    PYTHONPATH=. python -m tests.hil.scenarios.witness build/hil/record.json

People of a rig declare what they see, and a step of a scenario could press any row. So each hand that was looked at is
ranked again by the chapter's own ranking, each word of a record is to have been looked at, and a card that a device
read at that place is to be among those that were seen.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sabot.config import load_chapter
from sabot.hil.table.dealer_eyes import HandLooked
from sabot.rules.cards import parse
from sabot.rules.rankings import PokerRanking, RankOrder
from sabot.statemachine.contest import DEALER
from sabot.statemachine.labels import QUESTIONS, plain, question_words, row_words
from sabot.statemachine.reveal_questions import HAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sabot.rules.chapter import Chapter

LOOKED = re.compile(r"(?P<question>.+?): (?P<row>.+) \((?P<cards>[^()]*)\)")
OF_A_HAND = re.compile(rf"S\d+ {QUESTIONS[HAND]}|{QUESTIONS[DEALER]}")
# A hand of no class is said in one of these words; two of them say whether its highest card qualifies.
NO_CLASS = {"NO PAIR OR BETTER": None, "QUALIFIES, NO PAIR": True, "TOO LOW": False}


def looks_in(diary: Iterable[list[Any]]) -> list[HandLooked]:
    """The questions that people answered, as the diary of a scenario has them."""
    found = (LOOKED.fullmatch(str(row[3])) for row in diary if row[1] == "people")
    return [HandLooked(each["question"], each["row"], tuple(each["cards"].split())) for each in found if each]


def records_in(journal: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rounds that a journal has."""
    bodies = (entry.get("body") for entry in journal)
    return [each["record"] for each in bodies if isinstance(each, dict) and each.get("record")]


def untrue(chapter: str, looks: list[HandLooked], records: Iterable[Mapping[str, Any]]) -> list[str]:
    """What was declared and is not so."""
    law = load_chapter(chapter)
    wrong = [f"{look} is {name}" for look in looks if (name := misnamed(law, look))]
    return wrong + list(_unseen(law, looks, records))


def misnamed(law: Chapter, look: HandLooked) -> str:
    """The true name of a hand that was called another one; empty where it was not."""
    if not OF_A_HAND.fullmatch(look.question) or not law.contest.against_dealer:
        return ""
    spec = law.rankings[law.contest.ranking]
    ranking = PokerRanking(RankOrder(spec.size, spec.order))
    name = ranking.name(ranking.score([parse(card) for card in look.cards]))
    if name in spec.order:
        return "" if look.row == plain(name) else plain(name)
    return "" if _says_no_class(law, look) else "NO PAIR OR BETTER"


def _says_no_class(law: Chapter, look: HandLooked) -> bool:
    """Whether a hand without a class was called so, and as high as it is."""
    if look.row not in NO_CLASS:
        return False
    said, least = NO_CLASS[look.row], law.contest.qualifies
    highest = max((parse(card) >> 2) + 2 for card in look.cards)
    return said is None or least is None or said is (highest >= least.lead)


def _unseen(law: Chapter, looks: list[HandLooked], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Words of the records that nobody looked at, and cards that were read there and not seen."""
    seen = Counter(f"{look.question}: {look.row}" for look in looks)
    for record in records:
        for place, key, row in _declared(record):
            said = f"{_question(law, place, key)}: {row_words(_key(place, key), row)}"
            if not seen[said]:
                yield f"{said}: declared, and nobody looked"
                continue
            seen[said] -= 1
            read = set(record["public"].get(place, ()))
            if not any(read <= set(look.cards) for look in looks if f"{look.question}: {look.row}" == said):
                yield f"{said}: {' '.join(sorted(read))} lay there and were not all seen"


def _declared(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for place, words in record["declared"].items():
        yield from ((place, key, row) for key, row in words.items())


def _key(place: str, key: str) -> str:
    """How the table asks for the hand of a place."""
    return DEALER if (place, key) == ("dealer", HAND) else key


def _question(law: Chapter, place: str, key: str) -> str:
    seat = int(place.removeprefix("seat")) if place.startswith("seat") else 0
    return question_words(_key(place, key), seat, law)


def main(record: Path) -> int:
    """Judge a run of scenarios; return how many declared what is not so."""
    stories = json.loads(record.read_text(encoding="utf-8"))["scenarios"]
    found = {each["name"]: looks_in(each["diary"]) for each in stories}
    wrong = {
        each["name"]: words
        for each in stories
        if (words := untrue(each["chapter"], found[each["name"]], records_in(each["journal"])))
    }
    for name, words in wrong.items():
        print(f"{name}: {'; '.join(words)}")
    declaring = sum(map(bool, found.values()))
    print(f"{len(stories)} scenarios, {declaring} declared {sum(map(len, found.values()))} hands and wagers")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1])) else 0)
