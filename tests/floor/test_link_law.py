"""A link's configuration against the chapters: every number that they print, every amount that cannot share."""

import pytest

from sabot.config import load_chapter
from sabot.config.errors import ConfigError
from sabot.floor.errors import FloorError
from sabot.floor.link_file import read_terms
from sabot.floor.link_law import problems, verify
from sabot.rules.chapter import Meter
from sabot.rules.payouts import dollars

from .making import edited, terms_text

HAND_BONUS = """\
link = "bonus"
chapter = "pa641a"
meter = "hand_bonus"
wagers = ["$1"]
tables = ["T1"]
begins = 2026-11-20T06:00:00Z

[level.main]
base = "$10,000"
reset = "$0"
rate = 13
reserve_rate = 8
threshold = "$20"
"""
MARYLAND = """\
link = "maryland"
chapter = "md4cp"
meter = "progressive"
paytable = "D"
wagers = ["$1"]
tables = ["T1"]
begins = 2026-11-20T06:00:00Z

[level.major]
base = "$1,500"
reset = "$1,000"
rate = 12.5
reserve_rate = 0.125
limit = "$50,000"
threshold = "$20"

[level.minor]
base = "$250"
reset = "$250"
rate = 5
reserve_rate = 0
threshold = "$20"
"""


def said(text: str) -> str:
    terms = read_terms(text, "link.toml")
    return " | ".join(each.what.partition(" (")[0] for each in problems(terms, load_chapter(terms.chapter)))


@pytest.mark.parametrize("text", [terms_text("T1", "T2"), HAND_BONUS, MARYLAND])
def test_605a_8_a_link_by_the_chapters_own_numbers_stands(text: str) -> None:
    assert said(text) == ""


def printed(meter: Meter, letter: str, unit: int) -> str:
    """A configuration with what 641a.12 prints for a column."""
    levels = "".join(
        f'[level.{name}]\nbase = "{dollars((each.seed_for_1 or 0) * unit)}"\n'
        f'reset = "{dollars((each.reseed_for_1 or 0) * unit)}"\nrate = {each.primary_percent}\n'
        f'reserve_rate = {each.reserve_percent}\nthreshold = "$100"\n'
        for name, each in meter.levels[letter].items()
    )
    return (
        f'link = "l"\nchapter = "pa641a"\nmeter = "{meter.name}"\npaytable = "{letter}"\n'
        f'wagers = ["{dollars(unit)}"]\ntables = ["T1"]\nbegins = 2026-11-20T06:00:00Z\n{levels}'
    )


@pytest.mark.parametrize("unit", [100, 500])
@pytest.mark.parametrize(
    ("name", "letter"),
    [(meter.name, letter) for meter in load_chapter("pa641a").meters.values() for letter in meter.levels],
)
def test_641a_12_seed_reseed_and_rates_of_every_column_are_held_to_the_cent(
    name: str, letter: str, unit: int
) -> None:
    meter = load_chapter("pa641a").meters[name]
    good = printed(meter, letter, unit)

    assert said(good) == ""
    for level, law in meter.levels[letter].items():
        head = f"[level.{level}]\n"
        for item, cents in (("base", law.seed_for_1), ("reset", law.reseed_for_1)):
            right = f'{item} = "{dollars((cents or 0) * unit)}"'
            before, rest = good.split(head)
            wrong = before + head + rest.replace(right, f'{item} = "{dollars((cents or 0) * unit + 100)}"', 1)
            assert f"level {level}: {item} is" in said(wrong)
        for item, percent in (("rate", law.primary_percent), ("reserve_rate", law.reserve_percent)):
            before, rest = good.split(head)
            wrong = before + head + rest.replace(f"\n{item} = {percent}", f"\n{item} = {percent}.5", 1)
            assert f"level {level}: {item} is {percent}.5%, the chapter has {percent}%" in said(wrong)


def test_641a_12d3_wagers_of_1_and_5_dollars_cannot_share_a_meter() -> None:
    text = edited(terms_text("T1"), ('["$1"]', '["$1", "$5"]'))

    assert "wagers of $1 and $5 cannot share a meter: its seed is based upon the amount of the wager" in said(
        text
    )
    assert "no reading 'linked_units' belongs" in said(text + '\n[readings]\nlinked_units = "any"\n')


def test_md_12d3_wagers_of_1_and_5_dollars_share_a_meter_only_under_the_reading() -> None:
    text = edited(MARYLAND, ('["$1"]', '["$1", "$5"]'), ('threshold = "$20"', 'threshold = "$50"'))

    assert said(text) == "wagers of $1 and $5 share a meter only under the reading linked_units = any"
    assert said(text + '\n[readings]\nlinked_units = "any"\n') == ""
    assert "its answers are one any" in said(text + '\n[readings]\nlinked_units = "all"\n')


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('base = "$1,500"', 'base = "$999"', "level major: base is $999, the least is $1,000"),
        ('reset = "$250"', 'reset = "$249.99"', "level minor: reset is $249.99, the least is $250"),
        ("rate = 12.5", "rate = 96", "the rates come to 101.125% of a wager"),
        ("0.125", "0.00001", "1e-05% of 100 cents cannot be kept exactly"),
        ('limit = "$50,000"', 'limit = "$1,499"', "level major: the limit $1,499 is less than $1,500"),
        ('threshold = "$20"', 'threshold = "$0.80"', "level major: the threshold of a minute $0.80 is less than a full round, $0.88"),
        ('["$1"]', '["$2"]', "a wager of $2, the chapter has $1 or $5"),
        ('wagers = ["$1"]\n', "", "no amount of the wager is named"),
        ('paytable = "D"', 'paytable = "G"', "progressive has no paytable 'G', it has A B C D E F"),
        ('paytable = "D"', 'paytable = "E"', "paytable E has the levels major mega minor, the link has major minor"),
        ('meter = "progressive"', 'meter = "prog4"', "md4cp has no meter 'prog4', its meters are: progressive"),
    ],
)  # fmt: skip
def test_md_12d3_what_the_operator_may_not_choose(old: str, new: str, what: str) -> None:
    assert what in said(edited(MARYLAND, (old, new)))


def test_605a_8_a_chapter_without_meters_has_no_link() -> None:
    assert "pa679a has no meter" in said(edited(MARYLAND, ('"md4cp"', '"pa679a"')))


def test_641a_12_a_problem_names_its_paragraph() -> None:
    terms = read_terms(edited(terms_text("T1"), ("rate = 10\n", "rate = 11\n")), "link.toml")

    with pytest.raises(FloorError, match=r"E-FLOOR-001 link pit: .*11%, .* 10% \(641a.12\(e\)\(3\)\)"):
        verify(terms, load_chapter("pa641a"))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("06:00:00Z", "06:00:00", "a moment with its zone"),
        ("begins = 2026-11-20T06:00:00Z\n", "", "'begins' is missing"),
        ('base = "$10,000"', 'base = "10000"', "an amount in dollars"),
        ("rate = 10\n", "rate = 101\n", "a percentage"),
        ("rate = 10\n", "rte = 10\n", "'rate' is missing"),
        ('link = "pit"', 'link = "the pit"', "small letters"),
        ('tables = ["T1"]', 'tables = ["T1/3"]', "names of 1 to 20"),
        ('tables = ["T1"]', 'tables = ["T1", "T1"]', "nothing twice"),
        ('tables = ["T1"]', 'tables = ["T1"]\ncolour = "red"', "unknown key 'colour'"),
        ("[level.mega]", "[level.mega", "E-CONF-012"),
    ],
)
def test_prog_12_a_configuration_is_read_strictly(old: str, new: str, what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_terms(edited(terms_text("T1"), (old, new)), "link.toml")

    assert what in str(caught.value)


def test_prog_12_a_moment_is_kept_by_utc() -> None:
    text = edited(terms_text("T1"), ("06:00:00Z", "01:00:00-05:00"))

    assert read_terms(text, "link.toml").begins == "2026-11-20T06:00:00Z"
