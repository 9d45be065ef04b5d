"""The chapters that travel with the program."""

from functools import cache
from pathlib import Path

from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.possible import verify_possible
from sabot.config.reader import read_toml
from sabot.rules.chapter import Chapter

CHAPTERS_DIR = Path(__file__).parent / "chapters"
CHAPTER_IDS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")


@cache
def load_chapter(chapter_id: str) -> Chapter:
    """One of the five chapters by its id."""
    if chapter_id not in CHAPTER_IDS:
        raise ConfigError("E-CONF-009", "chapter", chapter=chapter_id, known=" ".join(CHAPTER_IDS))
    return load_chapter_file(CHAPTERS_DIR / f"{chapter_id}.toml")


def load_chapter_file(path: Path) -> Chapter:
    """A chapter from any file, read strictly and proved possible."""
    chapter = read_chapter(path.name, read_toml(path))
    verify_possible(chapter, path.name)
    return chapter
