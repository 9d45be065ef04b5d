"""``sabot settle``: rounds as JSON, one or a stream of them."""

import json
import re
import tempfile
from pathlib import Path

from tests.fuzz.aims.command import REFUSED, BrokenCommandError, run
from tests.quick_medium import quick_medium

CASES = Path(__file__).parents[2] / "data" / "cases"


class Aim:
    """The command, given a file."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-round-", dir=quick_medium())
        self._file = Path(self._folder.name) / "round.json"
        self.seeds = _seeds()
        self.words = tuple(dict.fromkeys(re.findall(rb'"\w+"', b" ".join(self.seeds))))

    def check(self, data: bytes) -> None:
        """Each line is answered in its place, or the whole is refused; ``#`` in front asks for a page to read."""
        as_page = data.startswith(b"#")
        self._file.write_bytes(data.removeprefix(b"#"))
        code, said = run(["settle", *([] if as_page else ["--json"]), str(self._file)])
        if as_page:
            return
        answers = [json.loads(line) for line in said.splitlines()]
        refused = sum("error" in each for each in answers)
        if bool(refused) > (code == REFUSED):
            raise BrokenCommandError(
                f"{refused} of {len(answers)} lines refused, and the exit code is {code}"
            )


def _seeds() -> tuple[bytes, ...]:
    lines = [line for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return tuple(json.dumps(json.loads(line)["round"]).encode() for line in lines)
