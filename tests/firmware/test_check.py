"""`sabot check`: the examples of every chapter and way to deal stand; a table that cannot be is one message."""

import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

import pytest

from calling import sabot
from sabot.cli import main
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.loader import PRINTED, SIGNATURE, ChapterLaw
from sabot.config.table_file import KNOWLEDGE, POLICIES, SHUFFLERS, TableFile
from sabot.firmware.commands.check_text import WIDTH
from sabot.firmware.run.table_check import felt_wagers, place_of, read, spoken_of
from sabot.firmware.run.table_notes import facts_of, notes_of
from sabot.rules.errors import SabotError

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "config" / "tables"
EXAMPLES = [f"{chapter}-{method}" for chapter in CHAPTER_IDS for method in load_chapter(chapter).plans]
MOST_SPOTS = 64


def example(name: str) -> Path:
    return TABLES / f"{name}.toml"


# ---------------------------------------------------------------- the examples


def test_there_is_an_example_for_each_chapter_and_each_way_to_deal_and_none_besides() -> None:
    assert sorted(path.stem for path in TABLES.glob("*.toml")) == sorted(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_stands_and_its_page_can_be_signed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(example(name))]) == 0

    page = capsys.readouterr().out
    file, setup = read(example(name))
    assert max(map(len, page.splitlines())) <= WIDTH == 80
    assert page.startswith(f"{file.name}\n{setup.chapter.document}\n")
    assert f"dealt from     {setup.method.replace('_', ' ')} (" in page
    assert re.search(r"floor manager +\.{20,}$", page, re.MULTILINE)
    assert sha256(example(name).read_bytes()).hexdigest() in page
    for device in file.devices:
        assert f"driver {device.driver}\n" in page
    for terms in (level for levels in setup.meters.values() for level in levels.values()):
        assert f"grows by {float(terms.primary_percent):g}%" in page


def test_the_limits_of_the_house_are_those_of_the_table() -> None:
    _, setup = read(example("pa641a-hand"))

    assert setup.limits == {"ante": (1_500, 50_000), "aces_up": (500, 10_000), "prog4": (0, 0)}


def test_a_device_is_named_as_its_file_has_it() -> None:
    file, _ = read(example("pa641a-manual_shoe"))
    device = file.devices[0]

    assert place_of(file, device) == device.place
    assert place_of(file, replace(device, place="elsewhere.toml [shoe]")) == "elsewhere.toml [shoe]"
    assert place_of(file, replace(device, place="")) == f"{file.file} [device.{device.name}]"


def test_what_a_table_lacks_is_said_in_words_and_not_left_blank() -> None:
    file, setup = read(example("pa641a-hand"))

    had = dict(facts_of(file, setup))
    bare = dict(facts_of(file, replace(setup, meters={}, offers=frozenset())))

    assert (had["meters"], had["optional wagers"], had["policies off"]) == ("prog4", "prog4", "none")
    assert (bare["meters"], bare["optional wagers"]) == ("none", "none")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_wired_for_all_that_it_offers(name: str) -> None:
    file, setup = read(example(name), is_whole=True)
    chapter, method = name.split("-")

    assert (setup.chapter.id, setup.method) == (chapter, method)
    spots = [spot for device in file.devices for spot in spoken_of(file, device).spots]
    played = [
        wager
        for wager in felt_wagers(setup.chapter)
        if wager in setup.offers or not setup.chapter.wagers[wager].optional
    ]
    assert sorted(spots) == sorted(
        (seat, wager) for seat in range(1, setup.seat_count + 1) for wager in played
    )
    assert len(spots) <= MOST_SPOTS
    shown = [meter for device in file.devices for meter in spoken_of(file, device).meters]
    assert sorted(shown) == sorted(
        f"{meter}.{level}" for meter, levels in setup.meters.items() for level in levels
    )
    assert all(
        "/dev/serial/by-id/" in str(device.options.get("port", "/dev/serial/by-id/"))
        for device in file.devices
    )
    off = [
        f"Our own rule {rule.replace('_', ' ')} is switched off."
        for rule in POLICIES
        if not file.policies[rule]
    ]
    assert [each for each in notes_of(file, setup) if "game account" not in each] == off


def test_the_examples_show_every_level_of_knowledge_and_every_way_to_shuffle() -> None:
    files = [read(example(name))[0] for name in EXAMPLES]

    assert {file.knowledge for file in files} == KNOWLEDGE
    assert {file.shuffler for file in files} == SHUFFLERS
    assert {file.one_machine for file in files} == {True, False}
    assert {device.driver for file in files for device in file.devices} >= {
        "alpha",
        "angel-eye",
        "escpos",
        "lines",
        "sabot-accounts",
        "sabot-link",
        "sabot-pads",
    }


def test_the_examples_are_installed_with_the_package() -> None:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = content["tool"]["setuptools"]["package-data"]["sabot.config"]

    for path in TABLES.rglob("*.toml"):
        name = path.relative_to(ROOT / "config")
        assert any(fnmatch(str(name), each) and len(Path(each).parts) == len(name.parts) for each in patterns)


# ---------------------------------------------------------------- a table that is not as it should be


def changed(folder: Path, *swaps: tuple[str, str], name: str = "pa641a-auto_shoe") -> Path:
    """An example with these words in place of others; each must be there."""
    (folder / "tables" / "submissions").mkdir(parents=True)
    (folder / "submissions").mkdir()
    for path in [*TABLES.rglob("*.toml"), *(ROOT / "config" / "submissions").glob("*.toml")]:
        target = folder / path.relative_to(ROOT / "config")
        target.write_bytes(path.read_bytes())
    target = folder / "tables" / f"{name}.toml"
    for file in (target, read_path(target)):
        text = file.read_text(encoding="utf-8")
        for old, new in swaps:
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    assert any(
        new in file.read_text(encoding="utf-8") for _, new in swaps for file in (target, read_path(target))
    )
    return target


def read_path(target: Path) -> Path:
    """The submission of a table file, which need not be readable as a whole."""
    found = re.search(
        r"^submission = \"(.*)\"", (TABLES / target.name).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found
    return target.parent / found[1]


REFUSED = {
    "unknown key": (("one_machine", "one_machin"), "E-CONF-002", "[cards]", "'one_machine'"),
    "unknown part": (("[storage]", "[storrage]"), "E-CONF-003", "auto_shoe.toml", "'storage' is missing"),
    "missing key": (('knowledge = "stack"', ""), "E-CONF-003", "[cards]", "'knowledge' is missing"),
    "unknown driver": (('"escpos"', '"escposs"'), "E-LINK-004", "[device.display]", "escpos,"),
    "unknown option": (('duty = "both"', 'dutty = "both"'), "E-CONF-002", "[device.shoe]", "'duty'"),
    "option out of bounds": (("key_ok = 5", "key_ok = 28"), "E-CONF-004", "[device.lines]", "from -1 to 27"),
    "option missing": (("meters =", "# meters ="), "E-CONF-003", "[device.sign]", "'meters' is missing"),
    "two lines on a pin": (("key_ok = 5", "key_ok = 4"), "E-LINE-001", "[device.lines]", "pin 4"),
    "two devices on a port": (("A130SBD", "A130SBS"), "E-TABLE-008", "[device.shoe]", "display"),
    "no wager": (('"ante play', '"antte play'), "E-TABLE-003", "[device.pads]", "nearest is 'ante'"),
    "account wager": (
        ('"ante play', '"hand_bonus_player play'),
        "E-TABLE-003",
        "[device.pads]",
        "hand_bonus",
    ),
    "lock without a wager": (
        ('lock_wagers = "ante"', 'lock_wagers = "all"'),
        "E-TABLE-003",
        "[device.lines]",
        "'all'",
    ),
    "too many spots": (('six_card"', 'six_card - - -"'), "E-PAD-002", "[device.pads]", "70 spots"),
    "no meter": (("prog5.mega=", "prog5.mego="), "E-TABLE-004", "[device.sign]", "prog5.mega,"),
    "no list of meters": (("prog4.main=FOUR CARD", "prog4"), "E-ALPHA-001", "[device.sign]", "meter.level"),
    "a wager withdrawn": (("prog4 = {}", ""), "E-TABLE-002", "submissions/pa641a.toml", "paytable"),
    "law": (("seats = 7 ", "seats = 8 "), "E-TABLE-002", "submissions/pa641a.toml table.seats", "8 seats"),
    "slip in the submission": (
        ("[dealing]", "[deeling]"),
        "E-CONF-003",
        "submissions/pa641a.toml",
        "'dealing'",
    ),
    "no submission": (
        ("../submissions/pa641a", "../submissions/pa"),
        "E-CONF-013",
        "auto_shoe.toml",
        "submissions/pa.toml (no such file)",
    ),
    "what shuffles": (('"counting"', '"hand"'), "E-TABLE-001", "auto_shoe.toml", "two decks without"),
    "known how": (('"stack"', '"each_card"'), "E-TABLE-001", "auto_shoe.toml", "auto_shoe cannot know"),
    "zone": (("America/New_York", "Mars/Olympus"), "E-CONF-004", "[day]", "such as America/New_York"),
    "time": (('"06:00"', '"²6:00"'), "E-CONF-004", "[day]", "such as 06:00"),
    "folder": (('"/var/lib/sabot"', '"sabot"'), "E-CONF-004", "[storage]", "the whole path"),
    "device name": (("[device.sign]", '[device."a sign\\n"]'), "E-CONF-004", "[device]", "small letters"),
    "name": (('"Table 13"', '"The table by the door"'), "E-CONF-004", "auto_shoe.toml", "at most 20"),
    "no TOML": (("[cards]", "[cards"), "E-CONF-012", "auto_shoe.toml", "line"),
    "no path": (
        ("../submissions/pa641a.toml", "\\u0000"),
        "E-CONF-004",
        "auto_shoe.toml",
        "Rules Submission",
    ),
}


def assert_refused(path: Path, code: str, place: str, words: str) -> None:
    answer = sabot("check", str(path))

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"sabot check: {code} ")
    assert answer.err.count("\n") == 1
    message = answer.err.removeprefix(f"sabot check: {code} ")
    where, _, said = message.partition(": ")
    assert place in where
    assert words in said
    # What happened, the likely cause and the cure: three sentences at the least.
    assert len(re.findall(r"[.](?:\s|$)", said)) >= 3


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_is_wrong_is_one_message_with_code_place_and_cure(tmp_path: Path, wrong: str) -> None:
    swap, code, place, words = REFUSED[wrong]

    assert_refused(changed(tmp_path, swap), code, place, words)


OTHERS = {
    "one machine dealt from": (
        "pa682a-manual_shoe",
        ("[cards]", "[cards]\none_machine = true"),
        "E-TABLE-005",
        "[cards]",
        "manual_shoe",
    ),
    "fraction": (
        "md4cp-auto_shoe",
        ("primary_percent = 6", "primary_percent = 6.555"),
        "E-TABLE-006",
        "md4cp-auto_shoe.toml [meters.progressive.major]",
        "primary_percent is 6.555% of a wager of $5",
    ),
    "fraction of the reserve": (
        "md4cp-auto_shoe",
        ("reserve_percent = 2", "reserve_percent = 0.005"),
        "E-TABLE-006",
        "md4cp-auto_shoe.toml [meters.progressive.mega]",
        "reserve_percent is 0.005% of a wager of $5",
    ),
    "seat": (
        "pa679a-auto_shoe_reshuffle",
        ("seats = 5 ", "seats = 4 "),
        "E-TABLE-007",
        "[device.pads]",
        "seat 5",
    ),
    "shuffler not submitted": (
        "pa683a-auto_shoe",
        ('shuffler = "hand"', 'shuffler = "plain"'),
        "E-TABLE-009",
        "[cards]",
        "shuffler = false",
    ),
    "payout limit": (
        "pa682a-manual_shoe",
        ('aces_bonus = { min = "$5", max = "$100" }', 'aces_bonus = { min = "$200", max = "$500" }'),
        "E-TABLE-002",
        "pa682a.toml payout_limit",
        "E-SUBM-062",
    ),
    "lengths of a shoe": (
        "pa682a-manual_shoe",
        ('shoe_game = "none"', 'lengths = "S P2"'),
        "E-LINK-008",
        "[device.shoe]",
        "'S P2'",
    ),
}


@pytest.mark.parametrize("wrong", OTHERS)
def test_what_is_wrong_at_another_table(tmp_path: Path, wrong: str) -> None:
    name, swap, code, place, words = OTHERS[wrong]

    assert_refused(changed(tmp_path, swap, name=name), code, place, words)


def test_a_start_leaves_the_least_payout_limit_to_the_check_and_nothing_else(tmp_path: Path) -> None:
    name, swap, *_ = OTHERS["payout limit"]
    path = changed(tmp_path, swap, name=name)

    read(path)
    with pytest.raises(SabotError, match="E-SUBM-062"):
        read(path, is_whole=True)


def test_641a_2c_a_sign_may_show_a_linked_meter(tmp_path: Path) -> None:
    """Found by a scenario: a linked meter is none of the table's own, and its sign was refused."""
    path = changed(tmp_path, ("one_machine", "one_machine"))
    with path.open("a", encoding="utf-8") as file:
        file.write(f'\n[floor]\nkey = "{"ab" * 32}"\n[floor.links]\nprog5 = "pit"\n')

    assert "E-TABLE-004" not in sabot("check", str(path)).err
    assert "prog5" in path.read_text(encoding="utf-8")


def test_the_program_opens_no_table_that_the_check_refuses(tmp_path: Path) -> None:
    path = changed(tmp_path, REFUSED["law"][0], ('state = "/var/lib/sabot"', f'state = "{tmp_path}"'))
    checked = sabot("check", str(path))
    environment = os.environ | {"RUNTIME_DIRECTORY": str(tmp_path)}

    order = [sys.executable, "-Im", "sabot", "run", str(path)]
    with subprocess.Popen(order, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as started:
        assert started.stderr is not None
        said = started.stderr.readline().decode()
        assert started.stdout is not None
        told = next(line for line in started.stdout if b'"out of service"' in line).decode()
        started.terminate()
        assert started.wait(60) == 0

    assert said == checked.err.replace("sabot check: ", "sabot run: ")
    assert json.loads(told)["level"] == "error"
    assert not (tmp_path / "journal.db").exists()


# ---------------------------------------------------------------- what cannot be played or locked

LINES = "[device.lines]"
UNPLAYABLE = {
    "no display": ("pa683a-hand", [('"escpos"', '"angel-eye"')], "E-TABLE-016", "no device shows the dealer's prompts"),
    "no OK": ("pa683a-hand", [(LINES, f"{LINES}\nkey_ok = -1")], "E-TABLE-017", "no device has the key OK. Without it nothing is confirmed"),
    "no LOCK": ("pa683a-hand", [(LINES, f"{LINES}\nkey_lock = -1")], "E-TABLE-017", "no device has the key LOCK."),
    "no FLOOR": ("pa683a-hand", [(LINES, f"{LINES}\nkey_floor = -1")], "E-TABLE-017", "no device has the key FLOOR. Without it nobody opens the floor's list"),
    "no FOLD": ("pa683a-hand", [(LINES, f"{LINES}\nkey_fold = -1")], "E-TABLE-017", "no device has the key FOLD. Without it no hand can be folded"),
    "no lock relay": ("pa683a-hand", [(LINES, f"{LINES}\nlock_open = -1")], "E-TABLE-018", "the output lock_open"),
    "no red lamp": ("pa683a-hand", [(LINES, f"{LINES}\nhealthy = -1")], "E-TABLE-018", "the output healthy"),
    "a reserved pin": ("pa683a-hand", [(LINES, f"{LINES}\nkey_ok = 14")], "E-LINE-009", "key_ok is on pin 14, which belongs to the serial console"),
    "a pin of a default": ("pa683a-hand", [(LINES, f"{LINES}\nkey_back = 4")], "E-LINE-001", "key_lock (its usual pin)"),
    "a pin of two devices": ("pa683a-hand", [(LINES, '[device.more]\ndriver = "lines"\n\n[device.lines]')], "E-TABLE-015", "is that of more too"),
    "cards of no device": ("pa682a-auto_shoe", [('knowledge = "none"', 'knowledge = "count_only"')], "E-TABLE-019", "known as 'count_only', and no device of the table tells them so"),
    "cards of another device": ("pa679a-auto_shoe", [('"count_only"', '"stack"')], "E-TABLE-019", "the devices that are listed tell count_only"),
    "no shuffler that counts": ("pa683a-hand", [('duty = "shuffle"', 'duty = "dispense"')], "E-TABLE-020", "no device of the table counts"),
    "one medium": ("pa683a-hand", [('"/mnt/sabot"', '"/var/lib/sabot/../sabot/copy"')], "E-TABLE-021", "are one place"),
    "one medium, the other way": ("pa683a-hand", [('"/mnt/sabot"', '"/var/lib"')], "E-TABLE-021", "are one place"),
}  # fmt: skip
# Lines on one pin are refused wherever they are: their driver could not even open them.
EVEN_SIMULATED = ("E-LINE-001", "E-LINE-009", "E-TABLE-015")


@pytest.mark.parametrize("wrong", UNPLAYABLE)
def test_a_table_for_play_that_cannot_be_played_or_locked_is_refused(tmp_path: Path, wrong: str) -> None:
    name, swaps, code, words = UNPLAYABLE[wrong]

    assert_refused(changed(tmp_path, *swaps, name=name), code, "", words)


@pytest.mark.parametrize("wrong", [each for each in UNPLAYABLE if UNPLAYABLE[each][2] not in EVEN_SIMULATED])
def test_a_simulated_table_may_lack_it_and_is_told(tmp_path: Path, wrong: str) -> None:
    name, swaps, code, _ = UNPLAYABLE[wrong]
    path = changed(tmp_path, ('table = "', 'simulated = true\ntable = "'), *swaps, name=name)

    assert [each for each in notes(path) if each.startswith("For play: ") and f"({code})" in each]


def test_what_else_is_not_wired_is_worth_a_thought(tmp_path: Path) -> None:
    words = "\n".join(f"{line} = -1" for line in ("key_back", "key_menu", "key_switch", "door", "call"))
    words += '\nlock_wagers = ""'
    said = notes(changed(tmp_path, (LINES, f"{LINES}\n{words}"), name="pa683a-hand"))

    assert "No device has the keys BACK, MENU: no PIN with their digits, nothing that they say." in said
    assert "lines: no contact of the service door: nobody is told that it is open." in said
    assert "lines: there is no key switch: the floor can be there only at the console." in said
    assert "lines: no lamp says that somebody is called." in said
    assert "lines: lock_wagers names no wager: what hangs on lock_open is never open." in said


# ---------------------------------------------------------------- worth a thought


def notes(path: Path) -> list[str]:
    return notes_of(*read(path))


PROGRESSIVES = [("pa641a-hand", "prog4"), ("md4cp-manual_shoe", "progressive")]


@pytest.mark.parametrize(("name", "wager"), PROGRESSIVES, ids=[name for name, _ in PROGRESSIVES])
@pytest.mark.parametrize("what", ["wager", "seat", "button"])
def test_2c_a_progressive_is_taken_at_each_position_and_locked_out_by_a_button(
    tmp_path: Path, name: str, wager: str, what: str
) -> None:
    title = load_chapter(name.partition("-")[0]).wagers[wager].title
    missing = f"the {title} is offered, and nothing takes it at seat"
    swap, code, words = {
        "wager": ((f' {wager}"\nseats', ' -"\nseats'), "E-TABLE-010", f"{missing} 1, 2, 3, 4, 5, 6, 7."),
        "seat": ((f'{wager}"\nseats = 7', f'{wager}"\nseats = 6'), "E-TABLE-010", f"{missing} 7."),
        "button": (("[device.lines]", "[device.lines]\nkey_lock = -1"), "E-TABLE-011", "no lock-out button"),
    }[what]

    path = changed(tmp_path, swap, name=name)

    assert_refused(path, code, "[device]", words)


PLACES = [
    ("pa641a-hand", "aces_up", "641a.2(b)"),
    ("md4cp-manual_shoe", "aces_up", "ch.2.B"),
    ("pa679a-hand", "pair_bonus", "679a.2(b)"),
    ("pa682a-hand", "raise", "682a.2(b)"),
    ("pa683a-hand", "raise2", "683a.2(b)"),
]


@pytest.mark.parametrize(("name", "wager", "cite"), PLACES, ids=[name for name, _, _ in PLACES])
@pytest.mark.parametrize("what", ["wager", "seat"])
def test_x_2b_each_player_has_a_place_for_every_wager_on_offer(
    tmp_path: Path, name: str, wager: str, cite: str, what: str
) -> None:
    text = example(name).read_text(encoding="utf-8")
    (spots,) = re.findall(r'^spots = "(.*)"$', text, re.MULTILINE)
    (seats,) = re.findall(r"^seats = (\d)", text, re.MULTILINE)
    without = " ".join("-" if each == wager else each for each in spots.split())
    # A second pad brings the wager to the first seats alone.
    pads = f'[device.pads2]\ndriver = "sabot-pads"\nspots = "{wager}"\nseats = 2\n\n[device.display]'
    second = [("[device.display]", pads)] if what == "seat" else []
    path = changed(tmp_path, (spots, without), *second, name=name)
    lacking = range(3 if second else 1, int(seats) + 1)
    seats_words = ", ".join(map(str, lacking))
    title = load_chapter(name.partition("-")[0]).wagers[wager].title

    words = f"nothing takes the {title} at seat {seats_words}. Each player has a place for every wager"
    assert_refused(path, "E-TABLE-012", "[device]", f"{words} on offer ({cite})")


NO_ACCOUNTS = "No device brings {} from a game account: it cannot be wagered here."
STATIONS = """
[device.accounts]
driver = "sabot-accounts"
port = "/dev/serial/by-id/usb-Example_Works_Stations_7_0001-if00-port0"
wagers = "hand_bonus_player hand_bonus_dealer"
seats = 7
"""


def test_641a_2b5_a_table_without_a_link_to_the_game_accounts_says_so(tmp_path: Path) -> None:
    said = notes(changed(tmp_path, (STATIONS, "")))
    assert said == [NO_ACCOUNTS.format("hand_bonus_player, hand_bonus_dealer")]

    half = notes(changed(tmp_path / "half", ("hand_bonus_player hand_bonus_dealer", "hand_bonus_dealer")))
    assert half == [NO_ACCOUNTS.format("hand_bonus_player")]

    assert notes(example("pa641a-auto_shoe")) == []


def test_641a_2b5_each_betting_position_has_a_station(tmp_path: Path) -> None:
    path = changed(tmp_path, (STATIONS, STATIONS.replace("seats = 7", "seats = 5")))

    words = "the Five Card Hand Bonus, player's hand is offered, and no station takes it at seat 6, 7"
    assert_refused(path, "E-TABLE-013", "[device]", words)


def test_x_stations_beyond_the_seats_of_the_table_are_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, (STATIONS, STATIONS.replace("seats = 7", "seats = 8")))

    assert_refused(path, "E-TABLE-007", "[device.accounts]", "it has a spot at seat 8")


@pytest.mark.parametrize("wager", ["ante", "hand_bonus"])
def test_x_a_system_brings_wagers_on_game_accounts_and_no_others(tmp_path: Path, wager: str) -> None:
    path = changed(tmp_path, (STATIONS, STATIONS.replace("hand_bonus_dealer", wager)))

    words = f"it brings the wager '{wager}', and the wagers on game accounts are"
    assert_refused(path, "E-TABLE-014", "[device.accounts]", words)


def test_641a_2d_wagers_from_accounts_are_locked_out_by_a_button(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        ("key_lock = 4", "key_lock = -1"),
        (" prog4 prog5", ""),
        ("prog4.main=FOUR CARD, prog5.mega=MEGA, prog5.major=MAJOR, prog5.minor=MINOR, ", ""),
        ("prog4 = {}\nprog5 = {}\n", ""),
    )
    submission = read_path(path)
    text = submission.read_text(encoding="utf-8")
    submission.write_text(re.sub(r"(?m)^(prog4|prog5|envy4).*\n", "", text), encoding="utf-8")

    assert_refused(
        path, "E-TABLE-011", "[device]", "player's hand is offered, and there is no lock-out button"
    )


def test_md_12d3a_a_rate_with_a_fraction_opens_and_stands_on_the_page() -> None:
    told = sabot("check", str(example("md4cp-auto_shoe")))

    assert told.code == 0
    assert re.search(r"minor +\$500, grows by 4\.25%$", told.out, re.MULTILINE)


def test_what_is_allowed_and_worth_a_thought_stands_on_the_page(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        ("second = ", "# second = "),
        ('table = "', 'simulated = true\ntable = "'),
        ("prog4.main=FOUR CARD, ", ""),
    )

    said = sabot("check", str(path)).out
    assert notes(path) == [
        "This table is simulated: NOT FOR PLAY.",
        "There is no second medium: a lost board loses its meters.",
        "No sign shows prog4.main.",
    ]
    assert "  3  No sign shows prog4.main.\n" in said
    assert said.endswith("NOT FOR PLAY: this page is not to be signed.\n")


def test_chapters_of_a_folder_are_worth_a_thought_until_somebody_signs_them(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/pa641a.toml").write_text(PRINTED.text("chapters/pa641a.toml"), encoding="utf-8")
    file, setup = read(example("pa641a-hand"))

    def said() -> list[str]:
        return [each for each in notes_of(replace(file, law=ChapterLaw(tmp_path)), setup) if "signed" in each]

    assert said() == [
        "The chapters of its folder are not signed: a table for play stays closed (E-VERIFY-014)."
    ]
    (tmp_path / SIGNATURE).write_bytes(b"signed")
    assert said() == []


def test_spots_of_a_wager_that_is_not_offered_never_open(tmp_path: Path) -> None:
    path = changed(tmp_path, ('"ante play', '"ante play prog5'), name="pa641a-hand")

    assert notes(path) == ["The spots of prog5 never open: the submission does not offer them."]


def test_the_same_as_json() -> None:
    answer = sabot("check", "--json", str(example("md4cp-auto_shoe")))
    told = json.loads(answer.out)
    file: TableFile = read(example("md4cp-auto_shoe"))[0]

    assert answer.code == 0
    assert told["table"] == "Table 23"
    assert told["notes"] == []
    assert told["devices"] == {each.name: {"driver": each.driver, **each.options} for each in file.devices}
    assert told["sha256"]["table file"] == sha256(example("md4cp-auto_shoe").read_bytes()).hexdigest()
