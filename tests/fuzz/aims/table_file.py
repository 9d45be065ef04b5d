"""``sabot check``: a table file, or the Rules Submission that it names."""

import re
import shutil
import tempfile
from pathlib import Path

from tests.fuzz.aims.command import run
from tests.quick_medium import quick_medium

CONFIG = Path(__file__).parents[3] / "config"
FOLDERS = ("submissions", "tables/submissions")
MARK = b"# submission\n"
_NAMED = re.compile(rb"^submission *=.*$", re.MULTILINE)
_LINE = re.compile(rb"^[\w.\[\]]+ *=? *.*$", re.MULTILINE)


class Aim:
    """The command, given one of the two files; the other one is good."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-table-", dir=quick_medium())
        self._here = Path(self._folder.name) / "tables"
        for name in FOLDERS:
            shutil.copytree(CONFIG / name, Path(self._folder.name) / name)
        tables = [path.read_bytes() for path in sorted((CONFIG / "tables").glob("*.toml"))]
        found = [path for name in FOLDERS for path in sorted((CONFIG / name).glob("*.toml"))]
        self._good = tables[0]
        self.seeds = (*tables, *(MARK + path.read_bytes() for path in found))
        self.words = tuple(dict.fromkeys(each + b"\n" for each in _LINE.findall(b"\n".join(self.seeds))))

    def check(self, data: bytes) -> None:
        """Understood or refused."""
        if data.startswith(MARK):
            (self._here / "fuzzed.toml").write_bytes(data)
            table = _NAMED.sub(b'submission = "fuzzed.toml"', self._good)
        else:
            table = data
        (self._here / "table.toml").write_bytes(table)
        run(["check", str(self._here / "table.toml")])
