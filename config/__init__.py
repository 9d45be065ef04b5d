"""Chapters, submissions and table files: reading, checking, and saying what is wrong with them."""

from sabot.config.loader import CHAPTER_IDS, PRINTED, ChapterLaw, load_chapter

__all__ = ["CHAPTER_IDS", "PRINTED", "ChapterLaw", "load_chapter"]
