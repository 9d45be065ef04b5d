"""Whatever part of a chapter the table asks for by its name is there: seen where the chapter is loaded."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot.config import CHAPTER_IDS
from sabot.config.needed_parts import NEEDED

from .raw_chapters import Raw, put, raw, read, refused, refused_with
from .test_asked_readings import constants, trees, without_stacks

ROOT = Path(__file__).resolve().parents[2]
ALWAYS = [need for need in NEEDED if need.name != "unqualified"]


def without(data: Raw, *path: str) -> Raw:
    part = data
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return data


# ---------------------------------------------------------------- what the program asks for by its name


@pytest.mark.parametrize("need", ALWAYS, ids=lambda need: f"{need.part}.{need.name}")
def test_a_chapter_without_a_part_that_the_program_asks_for_is_refused(need: Any) -> None:
    message = refused(without(raw("pa641a"), need.part, need.name), "E-CONF-023")

    assert message.startswith(f"E-CONF-023 chapter.toml [{need.part}]: {need.name!r} is missing")
    assert need.where in message


def test_a_part_by_another_name_is_named() -> None:
    data = raw("pa641a")
    data["irregularities"]["stub_shorter"] = data["irregularities"].pop("stub_short")

    assert "'stub_short' is missing (is 'stub_shorter' meant?), which is needed " in refused(
        data, "E-CONF-023"
    )


def test_a_chapter_of_ones_own_that_lacks_a_part_is_refused_where_it_is_loaded(tmp_path: Path) -> None:
    said = refused_with(tmp_path, "[irregularities.drawn_in_error]", "[irregularities.drawn_by_error]")

    assert said.startswith(
        "E-CONF-023 FILE [irregularities]: 'drawn_in_error' is missing (is 'drawn_by_error' meant?), "
    )


def test_a_chapter_without_an_automated_shoe_needs_no_rule_for_one_that_stops() -> None:
    data = raw("pa641a")
    without_stacks(data)
    read(without(data, "irregularities", "shoe_jam"))


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_either_automated_shoe_needs_a_rule_for_its_stop(method: str) -> None:
    data = raw("pa641a")
    plan = data["plans"]["auto_shoe"]
    without_stacks(data)
    data["plans"][method] = plan

    assert "[irregularities]: 'shoe_jam'" in refused(
        without(data, "irregularities", "shoe_jam"), "E-CONF-023"
    )


def test_a_dealer_who_has_to_qualify_may_fail_to() -> None:
    message = refused(without(raw("pa679a"), "contest", "unqualified"), "E-CONF-023")

    assert message.startswith("E-CONF-023 chapter.toml [contest]: 'unqualified' is missing")
    data = without(raw("pa679a"), "contest", "unqualified")
    read(without(data, "contest", "dealer_qualifies"))


@pytest.mark.parametrize("chapter", ["pa641a", "pa683a"])
@pytest.mark.parametrize("end", ["win", "lose"])
def test_every_contest_is_won_or_lost(chapter: str, end: str) -> None:
    assert f"[contest]: '{end}'" in refused(without(raw(chapter), "contest", end), "E-CONF-023")


def test_a_game_against_a_paytable_needs_no_dealer_until_it_compares_hands() -> None:
    data = put(raw("pa683a"), ("wagers", "board", "settles", "kind"), "losing_hand")

    assert "[hands]: 'dealer' is missing, which is needed where" in refused(data, "E-CONF-023")


# ---------------------------------------------------------------- ends of the contest


@pytest.mark.parametrize(
    ("chapter", "end", "wager"),
    [("pa641a", "lose", "play"), ("pa679a", "bad_beat", "ante"), ("pa679a", "unqualified", "play")],
)
def test_each_end_says_what_it_does_to_each_wager_of_the_contest(chapter: str, end: str, wager: str) -> None:
    message = refused(without(raw(chapter), "contest", end, wager), "E-CONF-023")

    assert message.startswith(f"E-CONF-023 chapter.toml [contest.{end}]: {wager!r} is missing")


def test_a_bad_beat_has_its_paytable() -> None:
    message = refused(without(raw("pa682a"), "contest", "bad_beat", "paytable"), "E-CONF-023")

    assert message.startswith("E-CONF-023 chapter.toml [contest.bad_beat]: 'paytable' is missing")


def test_a_contest_against_a_paytable_is_won_by_one() -> None:
    data = put(raw("pa683a"), ("contest", "win", "every"), {"pays": "1 to 1", "cite": "ours"})

    message = refused(data, "E-CONF-023")

    assert message.startswith("E-CONF-023 chapter.toml [contest.win.ante]: 'paytable' is missing")


def test_a_contest_against_a_paytable_has_no_bonus() -> None:
    # A bonus is beside what the hand wins from the dealer; by a declared row of the one paytable it is not known.
    bonus = {"line": "more", "on": "ante", "paytable": "main", "cite": "ours"}

    message = refused(put(raw("pa683a"), ("contest", "win", "bonus"), bonus), "E-CONF-002")

    assert message.startswith("E-CONF-002 chapter.toml [contest.win]: unknown key 'bonus'")


def test_a_contest_against_a_paytable_has_no_dealer_who_qualifies() -> None:
    data = raw("pa683a")
    data["contest"]["dealer_qualifies"] = raw("pa679a")["contest"]["dealer_qualifies"]

    assert "[contest]: unknown key 'dealer_qualifies'" in refused(data, "E-CONF-002")


@pytest.mark.parametrize("end", ["tie", "bad_beat", "unqualified"])
def test_a_contest_against_a_paytable_has_no_end_in_which_hands_are_compared(end: str) -> None:
    data = raw("pa683a")
    data["contest"][end] = data["contest"]["lose"]

    assert f"[contest]: unknown key '{end}'" in refused(data, "E-CONF-002")


def test_each_street_has_the_paragraph_of_its_fold() -> None:
    data = put(raw("pa683a"), ("contest", "forfeit"), ["683a.11(b)", "683a.11(d)"])

    message = refused(data, "E-CONF-004")

    assert "[contest]: 'forfeit'" in message
    assert "a paragraph for each of raise1, raise2, raise3" in message


# ---------------------------------------------------------------- names that lead nowhere

NAMES: list[tuple[str, tuple[Any, ...], object, str]] = [
    ("pa682a", ("paytables", "aces_bonus", "ranks_as", "ranking"), "no", "paytables.aces_bonus.ranks_as"),
    ("md4cp", ("envy", "envy", 0, "reads_as", "as"), "no", "envy.envy.reads_as"),
    ("md4cp", ("envy", "envy", 0, "reads_as", "letter"), "no", "envy.envy.reads_as"),
    ("pa641a", ("contest", "win", "bonus", "on"), "no", "contest.win.bonus.on"),
    # Nobody has to have placed it.
    ("pa641a", ("contest", "win", "bonus", "on"), "bad_beat", "contest.win.bonus.on"),
    ("pa683a", ("contest", "cards"), ["own", "no"], "contest.cards"),
]


@pytest.mark.parametrize(("chapter", "path", "name", "place"), NAMES)
def test_a_name_that_leads_nowhere_is_refused(
    chapter: str, path: tuple[Any, ...], name: object, place: str
) -> None:
    message = refused(put(raw(chapter), path, name), "E-CONF-008")

    strange = name[-1] if isinstance(name, list) else name
    assert f"chapter.toml [{place}]: '{place}' names '{strange}', which is not among " in message


def test_an_envy_paytable_follows_one_that_is_there() -> None:
    data = raw("md4cp")
    for sheet in data["envy"]["envy"]:
        sheet["follows"] = "no"

    assert "[envy.envy.follows]: 'envy.envy.follows' names 'no'" in refused(data, "E-CONF-008")


@pytest.mark.parametrize("name", ["no", "ante"])
def test_only_optional_wagers_change_places(name: str) -> None:
    data = raw("pa641a")
    data["settlement"]["swap"]["wagers"][1] = name

    assert f"[settlement.swap.wagers]: 'settlement.swap.wagers' names '{name}'" in refused(data, "E-CONF-008")


@pytest.mark.parametrize("count", [1, 3])
def test_two_wagers_change_places(count: int) -> None:
    data = raw("pa641a")
    data["settlement"]["swap"]["wagers"] = ["bad_beat", "aces_up", "hand_bonus_player"][:count]

    assert "expected two wagers" in refused(data, "E-CONF-004")


# ---------------------------------------------------------------- the table against the code


def asked_irregularities() -> dict[str, set[str]]:
    """The irregularities that the code asks for by their names, each with the files that do."""
    every = dict(trees())
    texts = {name: text for tree in every.values() for name, text in constants(tree).items()}
    found: dict[str, set[str]] = {}
    for path, tree in every.items():
        for key in keys(tree):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.setdefault(key.value, set()).add(path)
            elif isinstance(key, ast.Name) and key.id.isupper():
                found.setdefault(texts[key.id], set()).add(path)
    return found


def keys(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what a module takes out of a mapping of irregularities, or meets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "irregularities":
            yield node.slice
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("irregular", "meet", "_determine")
        ):
            yield node.args[0]


def test_each_irregularity_that_the_code_asks_for_by_name_is_in_the_table() -> None:
    asked = asked_irregularities()

    assert {path for paths in asked.values() for path in paths} >= {
        "rules/plan.py",
        "statemachine/irregular.py",
        "statemachine/alarms.py",
        "statemachine/stub.py",
        "statemachine/voiding.py",
    }
    assert set(asked) == {need.name for need in NEEDED if need.part == "irregularities"}


def test_the_page_of_own_chapters_has_the_table() -> None:
    page = (ROOT / "docs" / "own-chapters.md").read_text(encoding="utf-8")

    for need in NEEDED:
        assert f"| `{need.name}` | `[{need.part}]` | {need.where} |" in page


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_printed_chapters_have_all_that_is_needed(chapter: str) -> None:
    read(raw(chapter))
