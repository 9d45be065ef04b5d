"""One value or a stream: the first line decides, and a spoilt line of a stream is not read as a page."""

from pathlib import Path

import pytest

from sabot.desk.json_input import Input, open_input, parse_json
from sabot.firmware.errors import CommandError

ONE, MANY = '{"a": 1}', ['{"a": 1}', '{"b": 2}']


def read(path: Path, text: str) -> Input:
    path.write_text(text)
    with open_input(str(path)) as stream:
        found = Input(stream)
        found._read = [line.strip() for line in found.lines]
    return found


@pytest.mark.parametrize(
    ("text", "value", "lines"),
    [
        (ONE, ONE, [ONE]),
        ("\n" + ONE + "\n\n", ONE + "\n", [ONE]),
        ('{\n"a": 1\n}', '{\n"a": 1\n}', ["{", '"a": 1', "}"]),
        pytest.param("[\n1,\n2\n]", "[\n1,\n2\n]", ["[", "1,", "2", "]"], id="a list over lines"),
        ("\n".join(MANY), None, MANY),
        ("{spoilt}\n" + ONE, None, ["{spoilt}", ONE]),
        ("{spoilt\n" + ONE, None, ["{spoilt", ONE]),
        ("no value\nat all", "no value\nat all", ["no value", "at all"]),
        ("", "", []),
    ],
)
def test_one_value_is_a_text_and_many_are_lines(
    tmp_path: Path, text: str, value: str | None, lines: list[str]
) -> None:
    found = read(tmp_path / "in", text)
    assert (found.text, list(found._read)) == (value, lines)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "{", "[" * 100_000])
def test_what_is_no_json_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(CommandError, match="here") as caught:
        parse_json(text, "here")
    assert caught.value.kind.code == "E-CLI-002"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        open_input(str(tmp_path / "nothing"))
    assert caught.value.kind.code == "E-CLI-001"
