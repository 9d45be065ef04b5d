"""From a sheet to a file: the renderer by the file's ending, and never half a file.

The picture is made whole in memory, written beside its place and then put there in one step, so that whoever
looks at the file sees the old sign or the new one.
"""

import os
from collections.abc import Callable
from pathlib import Path

from sabot.desk.sign.elements import Sheet
from sabot.desk.sign.pdf import pdf
from sabot.desk.sign.png import png
from sabot.desk.sign.svg import svg
from sabot.firmware.errors import CommandError

RENDERERS: dict[str, Callable[[Sheet], bytes]] = {".svg": svg, ".pdf": pdf, ".png": png}


def renderer_for(output: str) -> Callable[[Sheet], bytes]:
    """The renderer that a file's ending asks for."""
    renderer = RENDERERS.get(Path(output).suffix.lower())
    if renderer is None:
        wanted = f"a file ending in {', '.join(RENDERERS)}"
        raise CommandError("E-CLI-003", "--output", text=output, wanted=wanted, command="sign")
    return renderer


def draw(sheet: Sheet, output: str) -> None:
    """Draw a sheet into a file."""
    renderer = renderer_for(output)
    try:
        content = renderer(sheet)
    except ModuleNotFoundError as error:
        facts = {
            "package": (error.name or "").partition(".")[0],
            "what": f"A sign as {Path(output).suffix}",
            "extra": "sign",
        }
        raise CommandError("E-CLI-004", "sign", **facts) from error
    try:
        replace_file(Path(output), content)
    except OSError as error:
        raise CommandError("E-CLI-005", output, why=error.strerror or str(error)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in its place whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
