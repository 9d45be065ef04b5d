import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import sabot as package
from calling import started
from sabot.cli import all_commands, parser_of


def test_version_says_the_packages_version() -> None:
    answer = started("--version")

    assert answer == (0, f"sabot {package.__version__}\n", "")


def test_without_a_command_the_help_is_shown() -> None:
    answer = started()

    assert answer.code == 0
    assert all(name in answer.out for name in all_commands())


def test_every_command_explains_itself_with_examples() -> None:
    for name in all_commands():
        answer = started(name, "--help")

        assert answer.code == 0, name
        assert "examples:" in answer.out, name
        assert f"sabot {name}" in answer.out, name


def below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Return each command below a command."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for each in action.choices.values():
                yield each
                yield from below(each)


def nested() -> Iterator[argparse.ArgumentParser]:
    for name in all_commands():
        (whole,) = (each for each in below(parser_of(name)) if each.prog == f"sabot {name}")
        yield from below(whole)


def test_every_command_below_a_command_has_examples_that_it_takes() -> None:
    found = list(nested())

    assert len(found) > 20
    for each in found:
        lines = [line.strip() for line in (each.epilog or "").splitlines()]
        calls = [
            re.split(r"\s{2,}| \| ", line)[0] for line in lines if f"{line} ".startswith(f"{each.prog} ")
        ]
        assert calls, each.prog
        for call in calls:
            words = shlex.split(call.removeprefix(each.prog).replace("HEX", "0" * 64))
            assert "--help" not in words
            each.parse_args(words)


def test_a_word_that_is_missing_below_a_command_is_answered_with_a_call_that_works() -> None:
    assert (
        "Say for example: sabot device monitor /dev/ttyUSB0 --as angel-eye"
        in started("device", "monitor").err
    )


def test_a_command_of_the_board_loads_nothing_of_the_desk() -> None:
    program = (
        "import sys\nfrom sabot.cli import parser_of\nfrom sabot.firmware.commands import COMMANDS\n"
        "for name in COMMANDS: parser_of(name)\n"
        "print(len(COMMANDS), [name for name in sys.modules if name.startswith('sabot.desk')])\n"
        "parser_of('settle'); print('sabot.desk.commands.settle' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-Ic", program], check=True, capture_output=True, text=True)

    assert done.stdout.splitlines() == ["11 []", "True"]


def test_run_says_the_same_of_a_file_with_and_without_an_option() -> None:
    alone, with_option = (started("run", "none.toml", *more) for more in ([], ["--log-level", "info"]))

    assert alone.code == 2
    assert "none.toml" in alone.err
    assert with_option == alone


def test_an_unknown_command_is_bad_input() -> None:
    answer = started("guess")

    assert answer.code == 2
    assert answer.out == ""
    assert "E-CLI-015 sabot: there is no COMMAND 'guess'" in answer.err


def test_a_reader_that_goes_away_is_no_error() -> None:
    script = f"{sys.executable} -Im sabot settle --help | head -1; echo ${{PIPESTATUS[0]}}"

    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""
