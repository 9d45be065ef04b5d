"""Whatever reading is asked for is in the chapter, with the answers that are known: seen where it is loaded."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sabot.config import CHAPTER_IDS
from sabot.config.asked_readings import NEEDED
from sabot.rules import chapter as model
from sabot.rules import paytables
from sabot.rules.settlement.steps import DRAWN

from .raw_chapters import Raw, put, raw, read, refused, refused_with

ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- what the program asks for


@pytest.mark.parametrize("need", NEEDED, ids=lambda need: need.name)
def test_a_chapter_without_a_reading_that_the_program_asks_for_is_refused(need: Any) -> None:
    data = raw("pa641a")
    read(data)
    del data["readings"][need.name]

    message = refused(data, "E-CONF-022")

    assert message.startswith(f"E-CONF-022 chapter.toml [readings]: there is no reading '{need.name}'")
    assert need.where in message
    assert f"[readings.{need.name}]" in message
    assert ", ".join(need.answers) in message


def test_a_chapter_of_ones_own_that_lacks_a_reading_is_refused_where_it_is_loaded(tmp_path: Path) -> None:
    said = refused_with(tmp_path, "[readings.stub_count_scope]", "[readings.stub_counts_cope]")

    assert said.startswith(
        "E-CONF-022 FILE [readings]: there is no reading 'stub_count_scope' (is 'stub_counts_cope' meant?), "
    )


def without_envy(data: Raw) -> None:
    for wager in data["wagers"].values():
        wager.pop("envy", None)


def without_stacks(data: Raw) -> None:
    data["plans"] = {method: plan for method, plan in data["plans"].items() if "auto_shoe" not in method}


def without_meters(data: Raw) -> None:
    del data["meters"]


def with_wrong_numbers_played_on(data: Raw) -> None:
    data["irregularities"]["wrong_count"]["outcome"] = "goes_on"


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (without_envy, {"envy_two_boxes", "envy_folded_holder"}),
        (without_stacks, {"stack_count"}),
        (without_meters, {"T11"}),
        (with_wrong_numbers_played_on, {"void_after_payment"}),
    ],
)
def test_a_reading_that_nothing_in_the_chapter_asks_for_may_be_absent(change: Any, names: set[str]) -> None:
    data = raw("pa641a")
    change(data)
    for name in names:
        del data["readings"][name]
    read(data)


def test_a_game_against_a_paytable_needs_no_tiebreak_until_it_compares_hands() -> None:
    data = raw("pa683a")
    assert "tiebreak" not in data["readings"]
    read(data)
    data["hands"]["dealer"] = 5
    data["wagers"]["board"]["settles"]["kind"] = "losing_hand"

    assert "'tiebreak'" in refused(data, "E-CONF-022")


def test_an_answer_that_the_program_does_not_know_is_refused() -> None:
    data = put(raw("pa641a"), ("readings", "stack_count", "values"), ["void", "halted"])

    message = refused(data, "E-CONF-004")

    assert "chapter.toml [readings.stack_count]: 'values' is 'halted'" in message
    assert "an answer out of void, held" in message
    read(put(raw("pa641a"), ("readings", "stack_count", "values"), ["held"]))


# ---------------------------------------------------------------- what parts of a chapter name

NAMED: dict[tuple[str, str], list[tuple[str, tuple[Any, ...]]]] = {
    ("RankingSpec", "ace_low"): [("pa641a", ("rankings", "five_card", "ace_low"))],
    ("OnFold", "reading"): [("pa641a", ("wagers", "bad_beat", "fold", "reading"))],
    ("Settles", "keep_stake_reading"): [("md4cp", ("wagers", "six_card", "settles", "keep_stake"))],
    ("ContestAction", "keep_stake_reading"): [("pa679a", ("contest", "bad_beat", "play", "keep_stake"))],
    ("Bonus", "reading"): [
        ("pa641a", ("contest", "win", "bonus", "reading")),
        ("md4cp", ("contest", "lose", "bonus", "reading")),
    ],
    ("Bonus", "tie_reading"): [("pa682a", ("contest", "win", "bonus", "tie_reading"))],
    ("Bonus", "for_reading"): [("pa682a", ("contest", "win", "bonus", "for_reading"))],
    ("Chapter", "swap"): [("pa641a", ("settlement", "swap", "reading"))],
    ("Limit", "covers_under"): [("pa682a", ("limit", "covers_under", "reading"))],
    ("EnvyTable", "reads_as"): [("md4cp", ("envy", "envy", 0, "reads_as", "reading"))],
    ("Sheet", "ranks_as"): [("pa682a", ("paytables", "aces_bonus", "ranks_as", "reading"))],
    ("PayRow", "lead_under"): [("pa683a", ("paytables", "board", "rows", "pair", "of_under", "reading"))],
    ("PlanStep", "readings"): [],  # below: there the reading is the key
}
CASES = [(*each, place[-1]) for places in NAMED.values() for each in places for place in each[1:]]


def test_each_part_of_a_chapter_that_may_name_a_reading_has_its_case() -> None:
    parts = {
        (part.__name__, each.name)
        for module in (model, paytables)
        for part in vars(module).values()
        if isinstance(part, type) and hasattr(part, "__dataclass_fields__")
        for each in fields(part)
        if "reading" in each.name or each.name == "ace_low" or "Under[" in str(each.type)
    }

    assert parts - {("Chapter", "readings"), ("Under", "reading")} == NAMED.keys()


@pytest.mark.parametrize(("chapter", "path", "key"), CASES)
def test_a_part_that_names_a_reading_that_is_not_there_is_refused(
    chapter: str, path: tuple[Any, ...], key: str
) -> None:
    read(raw(chapter))

    message = refused(put(raw(chapter), path, "mood"), "E-CONF-022")

    assert "there is no reading 'mood', which is asked for where this part names it" in message
    assert (
        ".".join(str(name) for name in path[:3] if isinstance(name, str)).removesuffix(f".{key}") in message
    )


def test_a_step_that_depends_on_a_reading_nobody_has_is_refused() -> None:
    data = put(raw("pa683a"), ("plans", "hand", "steps", 1, "reading"), {"mood": "good"})

    message = refused(data, "E-CONF-022")

    assert "[plans.hand]: there is no reading 'mood'" in message
    assert "the default first: good and others" in message


@pytest.mark.parametrize(
    ("chapter", "path", "said"),
    [
        ("pa641a", ("settlement", "swap", "value"), "[settlement.swap]: 'hand_bonus_first'"),
        ("pa682a", ("limit", "covers_under", "value"), "[limit.covers_under]: 'limit_682'"),
        ("pa682a", ("paytables", "aces_bonus", "ranks_as", "value"), "aces_bonus.ranks_as]: 'aces_bonus'"),
        ("md4cp", ("envy", "envy", 0, "reads_as", "value"), "[envy.envy.reads_as]: 'md_envy_c'"),
        ("pa683a", ("plans", "hand", "steps", 1, "reading", "community"), "[plans.hand]: 'community'"),
    ],
)
def test_an_answer_that_a_part_waits_for_is_one_that_may_be_given(
    chapter: str, path: tuple[Any, ...], said: str
) -> None:
    message = refused(put(raw(chapter), path, "never"), "E-CONF-004")

    assert f"{said} is 'never', expected an answer out of " in message


def test_an_answer_that_a_part_cannot_take_is_refused() -> None:
    data = put(raw("md4cp"), ("readings", "md_super_royal_stake", "values"), ["returned", "split"])

    assert "an answer out of returned, kept" in refused(data, "E-CONF-004")


def test_an_extra_that_nothing_draws_is_refused() -> None:
    data = raw("pa641a")
    data["extras"]["tip"] = data["extras"]["magic_card"]
    data["wagers"]["hand_bonus_player"]["extras"].append("tip")

    message = refused(data, "E-CONF-008")

    assert "[extras]: 'extras' names 'tip', which is not among lucky_bonus magic_card" in message
    assert set(raw("pa641a")["extras"]) == DRAWN.keys()


# ---------------------------------------------------------------- the table against the code


def trees() -> Iterator[tuple[str, ast.Module]]:
    for room in ("rules", "config", "statemachine", "firmware", "desk", "floor", "hil", "practice", "uplink"):
        for path in (ROOT / room).rglob("*.py"):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def constants(tree: ast.Module) -> dict[str, str]:
    """The texts that a module gives names to."""
    found: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            found |= {
                at.id: value.value
                for at, value in pairs
                if isinstance(at, ast.Name)
                and isinstance(value, ast.Constant)
                and isinstance(value.value, str)
            }
    return found


def keys(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what a module asks a mapping of readings for, or a settlement for the answer of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            asked = node.value
            if getattr(asked, "attr", getattr(asked, "id", "")) == "readings":
                yield node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
            whom = node.func.value
            if node.func.attr in ("answer", "note") and getattr(whom, "id", "") in ("settling", "self"):
                yield node.args[0]


def asked_by_name() -> dict[str, set[str]]:
    """The readings that the code asks for by their names, each with the files that do."""
    every = dict(trees())
    texts = {name: text for tree in every.values() for name, text in constants(tree).items()}
    found: dict[str, set[str]] = {}
    for path, tree in every.items():
        own = constants(tree)
        for key in keys(tree):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.setdefault(key.value, set()).add(path)
            elif isinstance(key, ast.Name) and key.id.isupper():
                found.setdefault(own.get(key.id) or texts[key.id], set()).add(path)
    return found


def test_each_reading_that_the_code_asks_for_by_name_is_in_the_table() -> None:
    asked = asked_by_name()

    assert {path for paths in asked.values() for path in paths} >= {
        "rules/settlement/walk.py",
        "rules/settlement/steps.py",
        "statemachine/stub.py",
        "statemachine/linked.py",
    }
    assert set(asked) == {need.name for need in NEEDED}


def test_the_page_of_own_chapters_has_the_table() -> None:
    page = (ROOT / "docs" / "own-chapters.md").read_text(encoding="utf-8")

    for need in NEEDED:
        assert f"| `{need.name}` | {', '.join(need.answers)} | {need.where} |" in page


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_printed_chapters_have_all_that_is_asked_for(chapter: str) -> None:
    read(raw(chapter))
