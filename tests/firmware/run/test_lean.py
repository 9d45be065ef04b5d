"""The program does without TLS, and takes it from nobody."""

from __future__ import annotations

import subprocess
import sys


def said(words: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_program_loads_no_tls() -> None:
    words = "import sys, sabot.firmware.commands.run; print('ssl' in sys.modules, '_ssl' in sys.modules)"
    assert said(words) == "False False"


def test_whoever_wants_tls_afterwards_has_it_and_the_loop_runs() -> None:
    words = (
        "import sabot.firmware.run.lean, asyncio, ssl\n"
        "print(asyncio.run(asyncio.sleep(0, result=ssl.create_default_context().check_hostname)))"
    )
    assert said(words) == "True"


def test_where_asyncio_is_there_already_nothing_is_done() -> None:
    words = "import sys, asyncio, sabot.firmware.run.lean; print('ssl' in sys.modules)"
    assert said(words) == "True"
