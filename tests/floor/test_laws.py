"""Links of the chapters of a folder: people sign for the chapters too, and nothing counts by others."""

import json
from pathlib import Path

import pytest

from sabot.cli import main
from sabot.config.errors import ConfigError
from sabot.config.loader import HERE, ChapterLaw
from sabot.floor import orders
from sabot.floor.committer import Committer
from sabot.floor.errors import FloorError
from sabot.floor.export import export
from sabot.floor.founding import state_of
from sabot.floor.law_folders import Laws
from sabot.floor.link_file import read_terms
from sabot.floor.money import DOLLAR
from sabot.floor.open_store import open_store

from .keeping import Clock, Kept
from .making import edited, key, terms_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An amended chapter: the mega of column D begins with $20,000."""
    text = (HERE / "chapters" / "pa641a.toml").read_text(encoding="utf-8")
    amended = edited(
        text,
        ("levels.D.mega = { seed_for_1 = 10000, reseed_for_1 = 10000", "levels.D.mega = { seed_for_1 = 20000, reseed_for_1 = 20000"),
    )  # fmt: skip
    where = tmp_path / "law"
    (where / "chapters").mkdir(parents=True)
    (where / "chapters" / "pa641a.toml").write_text(amended, encoding="utf-8")
    return where


def terms_of(folder: Path) -> str:
    """A configuration by that chapter."""
    text = edited(
        terms_text("T1"), ('base = "$10,000"', 'base = "$20,000"'), ('reset = "$10,000"', 'reset = "$20,000"')
    )
    return f'law = "{ChapterLaw(folder).sha256}"\n{text}'


def begun(where: str, folder: Path) -> Kept:
    """A floor that knows the folder."""
    store = open_store(where, new=True)
    clock = Clock()
    committer = Committer(store, key("floor"), clock, Laws([folder]))
    committer.start()
    kept = Kept(where, store, open_store(where), committer, clock)
    kept.found()
    kept.order(orders.TABLE, table="T1", key=key("T1").public_key().public_bytes_raw().hex())
    return kept


def test_641a_2c_a_link_of_an_amended_chapter_counts_by_it(where: str, folder: Path) -> None:
    kept = begun(where, folder)
    kept.order(orders.CONFIGURATION, file=terms_of(folder))
    kept.order(orders.START, link="pit")
    assert kept.units("pit.mega") == 20_000 * DOLLAR
    kept.end()

    assert state_of(where, Laws([folder])).in_force("pit").terms.law == ChapterLaw(folder).sha256
    with pytest.raises(FloorError, match="E-FLOOR-025"):
        state_of(where).in_force("pit")


def test_641a_2c_the_programs_own_chapter_is_not_the_folders(tmp_path: Path, folder: Path) -> None:
    kept = begun(str(tmp_path / "floor.db"), folder)
    with pytest.raises(FloorError, match=r"base is \$20,000, \$10,000 for 1"):
        kept.order(orders.CONFIGURATION, file=terms_of(folder).partition("\n")[2])
    with pytest.raises(FloorError, match="E-FLOOR-025"):
        kept.order(orders.CONFIGURATION, file=terms_of(folder).replace(ChapterLaw(folder).sha256, "ab" * 32))
    kept.end()


@pytest.mark.parametrize("digest", ["ab", "AB" * 32, "xy" * 32])
def test_641a_2c_a_digest_that_is_none_is_refused(digest: str) -> None:
    with pytest.raises(ConfigError, match="the digest of a folder of chapters"):
        read_terms(f'law = "{digest}"\n{terms_text("T1")}', "pit.toml")


def test_641a_2c_a_chapter_that_the_folder_lacks_is_named(folder: Path) -> None:
    terms = read_terms(terms_of(folder).replace('"pa641a"', '"pa642a"'), "pit.toml")
    with pytest.raises(ConfigError, match="E-CONF-009"):
        Laws([folder]).chapter(terms)


def test_641a_2c_every_command_takes_the_folder(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, file = str(tmp_path / "floor.db"), tmp_path / "pit.toml"
    file.write_text(terms_of(folder), encoding="utf-8")
    words = ("--store", where, "--law", str(folder))
    kept = begun(where, folder)
    assert main(["floor", "config", str(file), *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["law"] == ChapterLaw(folder).sha256
    kept.order(orders.CONFIGURATION, file=terms_of(folder))
    kept.order(orders.START, link="pit")
    export(kept.reader, tmp_path / "floor.jsonl")
    kept.end()

    for command in ("meters", "tables", "hits", "report", "verify"):
        assert main(["floor", command, *words]) == 0
    assert main(["floor", "verify", "--file", str(tmp_path / "floor.jsonl"), "--law", str(folder)]) == 0
    assert "$20,000" in capsys.readouterr().out
    assert main(["floor", "meters", "--store", where]) == 2
    assert "E-FLOOR-025" in capsys.readouterr().err
