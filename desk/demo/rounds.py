"""The worked rounds: one of each chapter, settled and explained."""

import json
from collections.abc import Iterator
from importlib.resources import files

from sabot.config import Law
from sabot.firmware.pages.settle_table import outcome_table
from sabot.rules.outcomeform import outcome_json
from sabot.rules.roundform import chapter_id, read_round
from sabot.rules.settlement import KeptSettlements


def print_rounds(law: Law, *, as_json: bool) -> None:
    """Settle and print each of them."""
    for story, value in worked_rounds():
        print(_shown(law, story, value, as_json=as_json), flush=True)


def worked_rounds() -> Iterator[tuple[str, object]]:
    """The story and the JSON of each round."""
    text = (files("sabot.desk.demo") / "rounds.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        each = json.loads(line)
        yield each["story"], each["round"]


def _shown(law: Law, story: str, value: object, *, as_json: bool) -> str:
    chapter = law.chapter(chapter_id(value))
    round_, settlement = read_round(value, chapter, KeptSettlements(), {})
    outcome = settlement.settle(round_)
    if as_json:
        return json.dumps(outcome_json(outcome))
    rule = "=" * 78
    return f"{rule}\n{story}.\n{rule}\n{outcome_table(chapter, round_, outcome)}\n"
