"""What the pages name exists: commands with their options, error codes, make targets, pages, keys, lists."""

import argparse
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from pages import DOCS, error_codes
from sabot.cli import rooms
from sabot.firmware.console.catalogue import COMMANDS as CONSOLE
from sabot.firmware.credentials.people import UNLOCKED_S
from sabot.statemachine.table import ACTIONS
from sabot.statemachine.vocabulary.events import DIGITS, Key, Role

ROOT = DOCS.parent
MODULE_OF = {name: f"{room.__name__}.{name.replace('-', '_')}" for room in rooms() for name in room.COMMANDS}
PAGES = {
    path.name: path.read_text(encoding="utf-8") for path in sorted([*DOCS.glob("*.md"), ROOT / "README.md"])
}
SPAN = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^ {4,}(.+?)(?:  .*)?$", re.MULTILINE)
# `sabot copy` is no call: it opens what a copy on the second medium signs.
NO_CALLS = frozenset({"copy"})
OWN = ("install.md", "operator.md", "security.md", "technician.md", "verify.md")
WORDS = {
    Key.ONE: "1×", Key.TWO: "2×", Key.THREE: "3×", Key.FOLD: "FOLD", Key.LEFT: "SEAT ◂", Key.RIGHT: "SEAT ▸",
    Key.MINUS: "COUNT −", Key.PLUS: "COUNT +", Key.MENU: "MENU", Key.FLOOR: "FLOOR", Key.OK: "OK", Key.BACK: "BACK",
    Key.LOCK: "LOCK",
}  # fmt: skip


def said(page: str) -> list[str]:
    """What a page gives to be typed."""
    return [*SPAN.findall(PAGES[page]), *BLOCK.findall(PAGES[page])]


def calls(page: str) -> list[list[str]]:
    """The calls of ``sabot`` on a page, in words."""
    found = [re.search(r"(?:^|/bin/|&& |-u sabot )sabot ([a-z].*)$", text) for text in said(page)]
    calls = [re.split(r"\s+", each[1]) for each in found if each]
    return [words for words in calls if words[0] not in NO_CALLS]


@cache
def options(command: str) -> frozenset[str]:
    """Every option of a command, those of its parts too."""
    parser = argparse.ArgumentParser()
    import_module(MODULE_OF[command]).add_arguments(parser)
    return frozenset(_options(parser)) | {"--help"}


def _options(parser: argparse.ArgumentParser) -> list[str]:
    found: list[str] = []
    for action in parser._actions:
        found += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                found += _options(part)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_exists_with_its_options(page: str) -> None:
    assert [slip for name, *words in calls(page) for slip in slips(name, words)] == []


def slips(name: str, words: list[str]) -> list[str]:
    """What of a call does not exist."""
    if name not in MODULE_OF:
        return [f"sabot {name}"]
    named = [found[0] for word in words if (found := re.match(r"--[a-z-]+", word))]
    return [f"sabot {name} {option}" for option in named if option not in options(name)]


def test_commands_are_found_on_the_pages_at_all() -> None:
    named = {words[0] for page in OWN for words in calls(page)}

    assert {"verify", "update", "selftest", "check", "device", "console", "journal", "restore"} <= named


@pytest.mark.parametrize("page", PAGES)
def test_every_error_code_that_a_page_names_exists(page: str) -> None:
    codes = error_codes()

    assert [code for code in re.findall(r"E-[A-Z]+-\d{3}", PAGES[page]) if code not in codes] == []


def test_every_group_of_codes_on_the_technicians_page_exists() -> None:
    groups = {code.rpartition("-")[0] for code in error_codes()}
    named = set(re.findall(r"\bE-[A-Z]+\b", PAGES["technician.md"]))

    assert (
        {"E-VERIFY", "E-RUN", "E-KEEP", "E-JRNL", "E-LINK", "E-LINE", "E-CONS", "E-UPDATE"} <= named <= groups
    )


@pytest.mark.parametrize("page", OWN)
def test_every_make_target_and_page_that_is_named_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for target in (found for text in said(page) for found in re.findall(r"^make ([a-z-]+)", text)):
        assert target in targets, f"make {target}"
    for link in re.findall(r"\]\(([^)#]+)", PAGES[page]):
        assert (DOCS / link).exists(), link


@pytest.mark.parametrize("page", ["operator.md", "technician.md", "install.md"])
def test_every_command_of_the_console_that_is_named_exists(page: str) -> None:
    first = {name.split()[0] for name in CONSOLE}
    for text in SPAN.findall(PAGES[page]):
        words = text.split()
        if words[0] in first and not text.startswith(("sabot", "make")) and words[0] != "help":
            assert any(text == name or text.startswith(f"{name} ") for name in CONSOLE), text


def test_the_operators_page_has_every_key_and_every_line_of_the_floor() -> None:
    page = PAGES["operator.md"]
    dealer, floor, _ = (
        page.partition("## Floorperson")[0],
        *page.partition("## Floorperson")[2].split("## The contr", 1),
    )

    for key in Key:
        assert f"**{WORDS[key]}**" in dealer, key
    titles = {action.title for action in ACTIONS.values() if action.by is not Role.DEALER}
    assert titles == set(re.findall(r"^\| ([A-Z][A-Z ]+\??) \|", floor, re.MULTILINE))


def test_the_digits_of_a_pin_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| (\d) \| (.+?) \| (\d) \| (.+?) \|$", PAGES["operator.md"], re.MULTILINE)
    named = {digit: key for row in rows for digit, key in (row[:2], row[2:])}

    assert named == {digit: WORDS[key] for key, digit in DIGITS.items()}
    assert UNLOCKED_S == 180
    assert "after three minutes" in PAGES["operator.md"]
    assert "After three minutes without a command" in PAGES["console.md"]


def test_lines_of_the_display_that_are_named_are_said_somewhere() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in Path(ROOT, "statemachine").rglob("*.py"))
    sources += "\n".join(path.read_text(encoding="utf-8") for path in Path(ROOT, "firmware/run").glob("*.py"))

    for words in (
        "OUT OF SERVICE",
        "JOURNAL NOT WRITTEN",
        "RESTARTED",
        "DEALER RELIEVED",
        "CARD FACE UP",
        "TABLE CLEARED",
    ):
        assert words in PAGES["operator.md"] + PAGES["technician.md"]
        assert f'"{words}' in sources, words
