"""The law in force: the chapters that travel with the program, and over them those of a folder beside it.

A casino's amended chapter, or a game of its own, is a folder of files laid out like this one: ``chapters``,
``submissions`` (an example for each), ``stated.toml``, and a ``shifts`` for the demo. The files of such a
folder are read once, whole, so that what was verified and what is played by are the same bytes.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.feasibility import verify_possible
from sabot.config.reader import Section, Toml, decoded, read_toml, text_of, toml_of
from sabot.rules.chapter import Chapter
from sabot.rules.errors import ALIKE, nearest
from sabot.rules.odds.stated_holds import Stated

HERE = Path(__file__).parent
CHAPTER_IDS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
CHAPTERS, SUBMISSIONS, SHIFTS, STATED = "chapters", "submissions", "shifts", "stated.toml"
# They say who answers for the folder, and are no part of what is answered for.
MANIFEST, SIGNATURE = "law.json", "law.sig"
# A folder is read whole into memory before anybody has checked its signature: so it is bounded.
MOST_FILES, MOST_BYTES = 100, 1_000_000


class ChapterLaw:
    """The chapters of the program, and over them those of a folder where there is one."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.files: Mapping[str, bytes] = _files_of(folder) if folder else {}
        own = [name.stem for name in map(PurePosixPath, self.files) if str(name.parent) == CHAPTERS]
        if folder and not own:
            raise ConfigError("E-CONF-015", str(folder), why="it has no chapters/ID.toml")
        self.ids = (*CHAPTER_IDS, *(name for name in sorted(own) if name not in CHAPTER_IDS))
        # Read when it is first asked for: a table plays by one of them.
        self.known: dict[str, Chapter] = {}

    def chapter(self, chapter_id: str) -> Chapter:
        """Return a chapter by its id, read strictly and proved possible."""
        if chapter_id not in self.known:
            self.known[chapter_id] = self._chapter(chapter_id)
        return self.known[chapter_id]

    def _chapter(self, chapter_id: str) -> Chapter:
        if chapter_id not in self.ids:
            near = nearest(chapter_id, self.ids, ALIKE)
            facts = {"near": f" (did you mean {near}?)" if near else "", "known": " ".join(self.ids)}
            raise ConfigError("E-CONF-009", "chapter", chapter=chapter_id, **facts)
        name = f"{CHAPTERS}/{chapter_id}.toml"
        place = self.place_of(name) if name in self.files else f"{chapter_id}.toml"
        chapter = _proved(place, self.toml(name))
        # Found by the name of its file, known by its id everywhere else: the two must not differ.
        if chapter.id != chapter_id:
            raise ConfigError("E-CONF-004", place, key="id", value=chapter.id, bound=f'"{chapter_id}"')
        return chapter

    def place_of(self, name: str) -> str:
        """Return the place of a file of the law, in the folder where it has one of this name."""
        return str((self.folder if self.folder and name in self.files else HERE) / name)

    def has(self, name: str) -> bool:
        """Return whether the folder or the program has a file of this name."""
        return name in self.files or (HERE / name).is_file()

    def toml(self, name: str) -> Toml:
        """Return the content of a file of the law."""
        if name in self.files:
            return toml_of(self.files[name], self.place_of(name))
        return read_toml(HERE / name)

    def text(self, name: str) -> str:
        """Return a file of the law as it is written."""
        place = self.place_of(name)
        return decoded(self.files[name], place) if name in self.files else text_of(Path(place))

    def stated(self, chapter_id: str) -> Mapping[str, Stated]:
        """Return the holds that a regulator states for the wagers of a chapter."""
        return self._stated.get(chapter_id, {})

    @cached_property
    def _stated(self) -> Mapping[str, Mapping[str, Stated]]:
        own = read_stated(self.place_of(STATED), self.toml(STATED)) if STATED in self.files else {}
        return read_stated(STATED, read_toml(HERE / STATED)) | own

    @cached_property
    def sha256(self) -> str:
        """The digest of a folder's files, each by its name; empty where there is no folder."""
        whole = sha256()
        for name, content in self.files.items():
            # With its length, so that nothing can move from the end of one file into the beginning of the
            # next.
            whole.update(f"{name}\n{len(content)}\n".encode() + content)
        return whole.hexdigest() if self.files else ""


def _files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their names in it; any that is not a plain file of a law is refused."""
    if not folder.is_dir():
        raise ConfigError("E-CONF-015", str(folder), why="there is no such folder")
    # Sorted: the digest runs over the files in this order, and must not depend on the medium.
    paths = [path for path in sorted(folder.rglob("*")) if path.is_symlink() or not path.is_dir()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    files = {name: path for name, path in names.items() if name not in (MANIFEST, SIGNATURE)}
    for name, path in files.items():
        # A link may lead elsewhere tomorrow, and the signature covers content and not where it lies.
        if not _is_of_a_law(PurePosixPath(name)) or path.is_symlink() or not path.is_file():
            raise ConfigError("E-CONF-015", str(path), why="a folder of chapters has no such file")
    if len(files) > MOST_FILES:
        raise ConfigError("E-CONF-015", str(folder), why=f"it has more than {MOST_FILES} files")
    if sum(path.stat().st_size for path in files.values()) > MOST_BYTES:
        raise ConfigError("E-CONF-015", str(folder), why=f"it has more than {MOST_BYTES:,} bytes")
    return {name: path.read_bytes() for name, path in files.items()}


def _is_of_a_law(name: PurePosixPath) -> bool:
    return str(name) == STATED or (
        str(name.parent) in (CHAPTERS, SUBMISSIONS, SHIFTS) and name.suffix == ".toml"
    )


PRINTED = ChapterLaw()


def load_chapter(chapter_id: str) -> Chapter:
    """Return one of the chapters that travel with the program."""
    return PRINTED.chapter(chapter_id)


def _proved(place: str, data: Toml) -> Chapter:
    chapter = read_chapter(place, data)
    verify_possible(chapter, place)
    return chapter


# ------------------------------------------------------------ what a regulator states of the hold
#
# The ranges stand apart from the chapters because they are no law: nothing is settled by them, and the par
# sheet only lays them beside what it counts.

# A text and not a number: it is laid beside what is counted as it was printed.
_PERCENT = re.compile(r"\d{1,2}(\.\d{1,3})?")


def read_stated(file: str, data: Toml) -> dict[str, dict[str, Stated]]:
    """Return all that a file states, by chapter and wager."""
    root = Section(file, "", data)
    root.text("document")
    found = {chapter: _chapter(part) for chapter, part in root.section("chapters").sections()}
    root.finish()
    return found


def _chapter(part: Section) -> dict[str, Stated]:
    cite = part.text("cite")
    return {name: _stated(part.section(name), cite) for name in part.data if name != "cite"}


def _stated(part: Section, cite: str) -> Stated:
    low, high = _percent(part, "low"), _percent(part, "high")
    if float(low) > float(high):
        raise part.wrong("high", high, f"at least the low end, {low}")
    return Stated(cite, low, high, of_total_wagered=part.flag("of_total_wagered"))


def _percent(part: Section, key: str) -> str:
    text = part.text(key)
    if not _PERCENT.fullmatch(text):
        raise part.wrong(key, text, 'percent as printed, such as "2.13"')
    return text
