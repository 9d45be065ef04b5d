"""Both stores for each test that takes one: a file of SQLite, a schema of a real PostgreSQL."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from .keeping import Kept
from .servers import Server

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server.fresh() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of a store that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "floor.db")
    found: Server = request.getfixturevalue("server")
    return found.schema(f"floor{next(_NUMBERS)}")


@pytest.fixture
def kept(where: str) -> Iterator[Kept]:
    """A floor of two tables on one link, in a store, with its committer."""
    with Kept.linked(where, "T1", "T2") as found:
        yield found
