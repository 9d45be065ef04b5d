"""The checker stands alone: no line of Sabot in it, nothing but the standard library, one folder to copy."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .streams import Line, stream

FOLDER = Path(__file__).parents[2] / "tools" / "procedure"
DONE, NO, BAD = 0, 1, 2


def imported(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module))
    return {name.partition(".")[0] for name in names}


def test_it_imports_the_standard_library_and_itself() -> None:
    for file in FOLDER.glob("*.py"):
        assert imported(file) <= {*sys.stdlib_module_names, "procedure"}, file.name


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-I", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "procedure", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "procedure"


def written(tmp_path: Path, lines: list[Line]) -> str:
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_copied_folder_says_that_there_is_nothing_to_object_to(alone: Path, tmp_path: Path) -> None:
    lines = stream("pa683a-manual_shoe-each_card", 0)[:40]
    answer = run(alone, written(tmp_path, lines))
    assert answer.returncode == DONE, answer
    assert answer.stdout.startswith("NOTHING TO OBJECT TO (0 rounds, 39 events)"), answer.stdout
    assert "has no record yet and was not judged" in answer.stdout


def test_an_objection_is_exit_code_1_in_words_and_in_json(alone: Path, tmp_path: Path) -> None:
    lines = stream("pa683a-manual_shoe-each_card", 0)
    next(line for line in lines if "record" in line)["record"]["dealer"] = "somebody"
    file = written(tmp_path, lines)
    answer = run(alone, file)
    assert answer.returncode == NO
    assert "the record names somebody" in answer.stdout
    answer = run(alone, "--json", file)
    assert answer.returncode == NO
    said = json.loads(answer.stdout)
    assert not said["good"]
    assert said["objections"][0]["rule"] == "dealer there"
    assert said["objections"][0]["paragraph"] == "our policy"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: not JSON"),
        ("[]\n", "line 1: not an object"),
        ('{"a": 1}\n', "line 1: neither a journal's export nor an event stream"),
        ('{"sabot_stream": 1, "table": {"chapter": "x"}}\n', "line 1: a table without a chapter"),
        (
            '{"sabot_stream": 1, "table": {"chapter": "pa679a"}}\n{"event": 1}\n',
            "line 2: an event without its effects",
        ),
        ('{"sabot_journal": 1}\n{"number": 1}\n', "line 2: not an entry of a journal"),
    ],
)
def test_what_cannot_be_read_is_exit_code_2_with_its_line(
    alone: Path, tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "bad.jsonl").write_text(text, encoding="utf-8")
    answer = run(alone, str(tmp_path / "bad.jsonl"))
    assert answer.returncode == BAD
    assert words in answer.stderr
    assert not answer.stdout


def test_a_file_that_is_not_there_is_exit_code_2(alone: Path, tmp_path: Path) -> None:
    answer = run(alone, str(tmp_path / "none.jsonl"))
    assert answer.returncode == BAD
    assert "No such file" in answer.stderr
