"""What every test of the console begins with: a table's program, and a console at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from at_the_console import Board, Console, at_the_table, console


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with at_the_table(tmp_path) as found:
        yield found


@pytest.fixture
def desk(board: Board) -> Iterator[Console]:
    with console(board) as found:
        yield found
