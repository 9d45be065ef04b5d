"""Where the programs of the demo keep what is theirs: a folder that goes with the demo, or one that stays.

It stays where a person wanted to look at the journals afterwards, and where something went wrong: then the
message names the log in it.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.firmware.errors import CommandError

FAILED = "E-CLI-011"
_LOOK = """\

NOT FOR PLAY: what a shift's program kept is in {kept}/CHAPTER, its log in {kept}/CHAPTER.log:
  sabot journal verify --state {state}
  sabot journal tail --state {state}
  sabot journal show 1 --state {state}
  sabot meters --state {state}"""


@contextmanager
def folder(kept: Path | None) -> Iterator[Path]:
    """The folder, for as long as the demo plays."""
    found = _new(kept) if kept else Path(tempfile.mkdtemp(prefix="sabot-demo-"))
    is_needed = kept is not None
    try:
        yield found
    except CommandError as error:
        is_needed |= error.kind.code == FAILED
        raise
    finally:
        if not is_needed:
            shutil.rmtree(found, ignore_errors=True)


def _new(kept: Path) -> Path:
    try:
        kept.mkdir(parents=True)
    except OSError as error:
        raise CommandError("E-CLI-005", str(kept), why=error.strerror or str(error)) from error
    return kept.resolve()


def how_to_look(kept: Path, chapter: str) -> str:
    """The commands that show what a shift left."""
    return _LOOK.format(kept=kept, state=kept / chapter)
