import re
from pathlib import Path

from pages import WHERE, error_codes, stale
from sabot.rules.errors import SabotError

ROOT = Path(__file__).resolve().parents[2]
# Its table of mutants has the names of the day of the run.
OF_ANOTHER_DAY = {"testing.md"}
PYTHON_S_OWN = "python3.13/os.py"


def test_generated_pages_say_what_the_program_says() -> None:
    assert stale() == []


def test_every_error_code_names_its_group_and_speaks_in_whole_sentences() -> None:
    codes = error_codes()

    assert len(codes) > 20
    for code, each in codes.items():
        assert code.split("-")[1] in WHERE
        assert each.cause.endswith(".") or each.cause.endswith("}.")
        assert each.cure.endswith(".")


def test_an_error_message_has_code_place_cause_and_cure() -> None:
    kind = error_codes()["E-CARD-001"]

    message = str(SabotError(kind, "dealer[2]", text="1x"))

    assert message.startswith("E-CARD-001 dealer[2]: '1x' is not a card. ")
    assert message.endswith("Write it as in As, Td or 10d.")


def test_a_page_names_no_file_that_is_not_there() -> None:
    folders = [each for each in ROOT.iterdir() if each.is_dir() and not each.name.startswith(".")]
    there = {file.name for folder in folders for file in folder.rglob("*.py")}
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    gone = [
        (page.name, name)
        for page in pages
        if page.name not in OF_ANOTHER_DAY | {"CHANGELOG.md"}
        for name in re.findall(r"`([\w./-]+\.py)`", page.read_text(encoding="utf-8"))
        if Path(name).name not in there and name != PYTHON_S_OWN
    ]
    assert gone == []
