from pathlib import Path

import pytest

from sabot.config.errors import ConfigError
from sabot.config.reader import Section, _hint, decoded, read_toml
from sabot.config.table_file import LONGEST_NAME, name_of
from sabot.rules.errors import ALIKE, nearest


def section(**data: object) -> Section:
    return Section("chapter.toml", "table", data)


def refusal(code: str) -> "pytest.RaisesExc[ConfigError]":
    return pytest.raises(ConfigError, match=code)


def test_a_file_that_is_not_toml_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("seats = \n")

    with refusal("E-CONF-012") as caught:
        read_toml(file)

    assert "broken.toml" in str(caught.value)
    assert "line 1" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with refusal("E-CONF-001"):
        read_toml(tmp_path / "missing.toml")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "noise.toml"
    file.write_bytes(b"\xff\xff\x00")

    with refusal("E-CONF-011"):
        read_toml(file)


def test_an_unknown_key_names_the_nearest_known_one() -> None:
    part = section(seats=7, sets=3)
    part.number("seats", 1, 9)

    with refusal("E-CONF-002") as caught:
        part.finish()

    assert str(caught.value).startswith("E-CONF-002 chapter.toml [table]: unknown key 'sets'")
    assert "'seats'" in str(caught.value)


def test_an_unknown_key_of_an_inner_table_is_found() -> None:
    part = section(cards={"deks": 1})
    part.section("cards")

    with refusal("E-CONF-002") as caught:
        part.finish()

    assert "[table.cards]" in str(caught.value)


def test_a_table_all_of_whose_keys_were_asked_for_is_finished() -> None:
    part = section(cards={"decks": 1})
    part.section("cards").number("decks", 1, 2)

    part.finish()


def test_a_missing_key_is_named() -> None:
    with refusal("E-CONF-003") as caught:
        section().text("cite")

    assert "'cite' is missing" in str(caught.value)


@pytest.mark.parametrize("value", [0, 10, True, "7", 7.0, None])
def test_a_number_out_of_its_bounds_is_refused(value: object) -> None:
    with refusal("E-CONF-004") as caught:
        section(seats=value).number("seats", 1, 9)

    assert "a whole number from 1 to 9" in str(caught.value)


@pytest.mark.parametrize("value", ["", "  ", 3])
def test_a_text_must_be_a_text(value: object) -> None:
    with refusal("E-CONF-004"):
        section(cite=value).text("cite")


def test_what_stands_at_its_bound_or_is_given_where_it_need_not_be_is_taken() -> None:
    part = section(least=1, most=9, names=["a", "b"], shared=True)

    assert (part.number("least", 1, 9), part.number("most", 1, 9)) == (1, 9)
    assert part.words("names", optional=True) == ("a", "b")
    assert part.flag("shared") is True
    assert part.flag("none", default=True) is True
    with refusal("E-CONF-003"):
        part.words("other")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_a_file_with_a_mark_of_its_order_is_refused(mark: bytes) -> None:
    with refusal("E-CONF-010"):
        decoded(mark + b"table = 1\n", "table.toml")
    assert decoded(b"table = 1\n", "table.toml") == "table = 1\n"


@pytest.mark.parametrize(
    ("value", "bound", "said"),
    [
        ("x", "a table", "a part begins with its name in brackets"),
        (7.0, "a whole number from 1 to 9", "it stands without a point"),
        ("7", "a whole number from 1 to 9", "a number, true and false stand without quotes"),
        (5, 'dollars such as "$5"', 'such as "$5"'),
        (True, "a name", "a text stands in quotes"),
        ("x", "a list of texts", "a list stands in brackets"),
        ([], "a name", ""),
    ],
)
def test_how_a_value_would_be_written_is_said(value: object, bound: str, said: str) -> None:
    assert said in _hint(value, bound)
    assert bool(_hint(value, bound)) is bool(said)


def test_where_no_word_is_near_none_is_named() -> None:
    assert nearest("seets", ["seats", "cards"], ALIKE) == "seats"
    assert nearest("zzz", ["seats", "cards"], ALIKE) == ""


def test_defaults_stand_in_for_absent_keys() -> None:
    part = section()

    assert part.text("of", "") == ""
    assert part.number("times", 1, 9, 1) == 1
    assert part.flag("shared") is False
    assert part.choice("kind", frozenset({"posted"}), "posted") == "posted"
    assert part.words("extras", optional=True) == ()
    assert part.groups("requires") == ()
    assert part.maybe("fold") is None


def test_a_word_outside_the_choice_names_the_known_ones() -> None:
    with refusal("E-CONF-014") as caught:
        section(kind="guess").choice("kind", frozenset({"posted", "losing_hand"}))

    assert "losing_hand, posted" in str(caught.value)


@pytest.mark.parametrize("value", ["yes", 1])
def test_a_flag_is_true_or_false(value: object) -> None:
    with refusal("E-CONF-004"):
        section(shared=value).flag("shared")


@pytest.mark.parametrize("value", ["A", [1], ["A", "A"], ["A", ""], []])
def test_a_list_of_words_has_only_words_and_none_twice(value: object) -> None:
    with refusal("E-CONF-004"):
        section(letters=value).words("letters")


@pytest.mark.parametrize("value", ["A", ["1 to 1"], ["1 to 1", 2]])
def test_cells_are_one_a_letter(value: object) -> None:
    with refusal("E-CONF-004"):
        section(pays=value).cells("pays", 2)


@pytest.mark.parametrize("value", ["ante", ["ante"], [[]], [[1]]])
def test_groups_are_lists_of_lists(value: object) -> None:
    with refusal("E-CONF-004"):
        section(requires=value).groups("requires")


def test_a_table_must_be_a_table() -> None:
    with refusal("E-CONF-004"):
        section(cards=3).section("cards")


@pytest.mark.parametrize(
    ("name", "is_good"),
    [
        ("Table 7", True),
        ("T" * LONGEST_NAME, True),
        ("T" * (LONGEST_NAME + 1), False),
        ("Tisch \N{LATIN SMALL LETTER U WITH DIAERESIS}", False),
        ("Table\t7", False),
    ],
)
def test_the_name_of_a_table_fits_a_display(name: str, is_good: bool) -> None:
    if is_good:
        assert name_of(section(table=name)) == name
        return
    with refusal("E-CONF-004"):
        name_of(section(table=name))
