import subprocess
import sys

import sabot as package
from calling import sabot
from sabot.firmware.cli import COMMANDS


def test_version_says_the_packages_version() -> None:
    answer = sabot("--version")

    assert answer == (0, f"sabot {package.__version__}\n", "")


def test_without_a_command_the_help_is_shown() -> None:
    answer = sabot()

    assert answer.code == 0
    assert all(name in answer.out for name in COMMANDS)


def test_every_command_explains_itself_with_examples() -> None:
    for name in COMMANDS:
        answer = sabot(name, "--help")

        assert answer.code == 0, name
        assert "examples:" in answer.out, name
        assert f"sabot {name}" in answer.out, name


def test_an_unknown_command_is_bad_input() -> None:
    answer = sabot("guess")

    assert answer.code == 2
    assert answer.out == ""
    assert "invalid choice" in answer.err


def test_a_reader_that_goes_away_is_no_error() -> None:
    script = f"{sys.executable} -Im sabot settle --help | head -1; echo ${{PIPESTATUS[0]}}"

    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""
