"""The manual pages and the completion are as the parser is, and shells and typesetter take them."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

import make_manual
from sabot.cli import all_commands

WHOLE = make_manual.tree()
NODES = [node for node in WHOLE.all() if node.words]
BASH = make_manual.SHARE / make_manual.BASH


def test_what_is_kept_is_as_the_parser_is() -> None:
    assert make_manual.stale() == []


def test_every_command_and_every_option_is_in_its_page_and_in_every_completion() -> None:
    files = make_manual.files()
    shells = [files[name] for name in (make_manual.BASH, make_manual.ZSH, make_manual.FISH)]
    assert {node.words[0] for node in NODES} == set(all_commands())
    assert sum(len(node.words) > 1 for node in NODES) >= 20
    for node in NODES:
        page = files[f"{make_manual.PAGES}/sabot-{node.words[0]}.1"]
        for flag in (flag for option in node.options for flag in option.option_strings):
            assert make_manual.roff(flag) in page
            assert all(flag.lstrip("-") in shell for shell in shells)
        assert all(node.words[-1] in shell for shell in shells)
        assert make_manual.roff(node.words[0]) in files[f"{make_manual.PAGES}/sabot.1"]


@pytest.mark.parametrize("node", [node for node in WHOLE.all() if node.words and node.below])
def test_a_summary_that_names_the_commands_below_names_each(node: make_manual.Node) -> None:
    parts = {each.words[-1] for each in node.below}
    named = parts & set(re.findall(r"[a-z-]+", node.summary.partition(": ")[2]))
    assert len(named) < 2 or named == parts


def test_examples_are_no_part_of_the_option_before_them() -> None:
    for name, text in make_manual.files().items():
        lines = text.splitlines() if name.endswith(".1") else []
        before = {lines[number - 1] for number, line in enumerate(lines) if line == ".nf"}
        assert before <= {".PP", ".SH NOTES"}, name


def test_no_word_of_a_help_is_an_order_to_the_typesetter() -> None:
    assert make_manual.roff(".so /etc/passwd\n'x \\fB-b") == "\\&.so /etc/passwd\n\\&'x \\efB\\-b"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed here")
def test_the_typesetter_has_nothing_to_say() -> None:
    pages = sorted((make_manual.SHARE / make_manual.PAGES).glob("*.1"))
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", "-Tutf8", *map(str, pages)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("de", "device deal demo"),
        ("device mon", "monitor"),
        ("device --as x", ""),
        ("device list --", "--help --as --json"),
        ("journal ver", "verify"),
        ("run --log-level w", "warning"),
        ("run --state x", ""),
    ],
)
def test_a_real_bash_completes(typed: str, offered: str) -> None:
    script = f"source '{BASH}'; COMP_WORDS=(sabot {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_sabot\n"
    done = subprocess.run(
        ["bash", "-u", "-c", script + 'echo "${COMPREPLY[*]-}"'], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (offered, "")
