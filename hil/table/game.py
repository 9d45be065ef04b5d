"""A game as the people of the rig know it: read from its chapter file and its example, and from nothing else.

They know nothing of the program, so the files are read here once more, plainly: which wagers lie where, how
many cards, of how many a hand is made. What a question is called is what the dealer's display calls it.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import sabot

PROGRAM = Path(sabot.__file__).parent / "config"
LAST_ROWS = frozenset({"NONE OF THESE", "NO PAIR OR BETTER", "TOO LOW", "NO"})
OWN, FIRST = "SEAT", "FIRST"
PLACES = {"own": OWN, "dealer_first": FIRST}
RANKS = "23456789TJQKA"
Toml = dict[str, Any]


def plain(name: str) -> str:
    """Return a name as the display has it."""
    return name.replace("_", " ").upper()


class Look(NamedTuple):
    """The places that a question is about, and the paytables that may be asked: size of a hand and rows."""

    places: tuple[str, ...]
    sheets: tuple[tuple[int, frozenset[str]], ...]
    is_of_color: bool = False

    def size(self, rows: Iterable[str]) -> int:
        """Return the size of the hands that these rows are about."""
        asked = set(rows) - LAST_ROWS
        return next((size for size, known in self.sheets if asked <= known), self.sheets[0][0])


def ids(law: Path | None = None) -> list[str]:
    """Return the chapters there are, those of a folder among them."""
    folders = [PROGRAM, *([law] if law else [])]
    return sorted({path.stem for folder in folders for path in (folder / "chapters").glob("*.toml")})


def read_game(chapter: str, law: Path | None = None) -> "Game":
    """Return the game of a chapter, from the folder if it is there."""
    return Game(_toml(law, f"chapters/{chapter}.toml"), _toml(law, f"submissions/{chapter}.toml"))


def _toml(law: Path | None, name: str) -> Toml:
    own = (law or PROGRAM) / name
    return tomllib.loads((own if own.exists() else PROGRAM / name).read_text(encoding="utf-8"))


def game_of(root: Path) -> "Game":
    """Return the game that a simulated table plays, as its own files say."""
    table = tomllib.loads((root / "table.toml").read_text(encoding="utf-8"))
    submission = tomllib.loads((root / str(table["submission"])).read_text(encoding="utf-8"))
    law = root / table["law"] if "law" in table else None
    return Game(_toml(law, f"chapters/{submission['chapter']}.toml"), submission)


class Game:
    """A game: a chapter with a Rules Submission."""

    def __init__(self, chapter: Toml, submission: Toml) -> None:
        self._chapter, self._submission = chapter, submission
        self.wagers: Toml = chapter["wagers"]
        self.seats: int = submission["table"]["seats"]
        self.dealer_first: int = chapter["hands"].get("dealer_first", {}).get("cards", 0)

    def _offered(self, *, on_account: bool) -> list[str]:
        names = self._submission["wagers"]
        return [name for name in names if (self._device(name) == "account") is on_account]

    def _device(self, name: str) -> str:
        return str(self.wagers[name].get("device", "felt"))

    @property
    def spots(self) -> list[str]:
        """Return the spots of a seat, in the order of the pads: what is offered, and the second wagers."""
        second = [name for name, wager in self.wagers.items() if "of" in wager]
        return [*self._offered(on_account=False), *second]

    @property
    def has_stations(self) -> bool:
        """Return whether a wager of a game account is offered."""
        return bool(self._offered(on_account=True))

    @property
    def counted(self) -> list[str]:
        """Return the wagers whose chips are counted before the deal."""
        return [name for name in self.wagers if self._device(name) == "progressive"]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Return how many cards lie at each place, by the words of the display."""
        hands = {name: size for name, size in self._chapter["hands"].items() if isinstance(size, int)}
        return {OWN if name == "player" else plain(name): size for name, size in hands.items()}

    @property
    def order(self) -> list[str]:
        """Return the hands of the contest, highest first, in the words of the display."""
        return [plain(name) for name in self._ranking(self._chapter["contest"]["ranking"])["order"]]

    @property
    def bonus_rank(self) -> int:
        """Return the rank of the card that moves a wager to another paytable."""
        cards = (wager.get("on_bonus_card") for wager in self.wagers.values())
        return RANKS.index(next(card["rank"] for card in cards if card)) + 2

    @property
    def parts(self) -> list[Mapping[str, str]]:
        """Return the parts into which a stack for several places is divided."""
        plans = self._chapter["plans"].values()
        return [part for plan in plans for step in plan.get("steps", ()) for part in step.get("parts", ())]

    # ------------------------------------------------------------ questions

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Return the subject of each question of the game, by the words of the display."""
        return dict(self._looks())

    def _looks(self) -> Iterator[tuple[str, Look]]:
        contest = self._chapter["contest"]
        places = _places(contest.get("cards", ("own",)))
        sheets = ((int(self._ranking(contest["ranking"])["size"]), frozenset[str]()),)
        yield from ((words, Look(places, sheets)) for words in ("HAND", "SAME: HIGHER?"))
        yield "DEALER'S HAND", Look(("DEALER",), sheets)
        for name in self._chapter["paytables"]:
            yield self._words(name), Look(places, self._sheets("paytables", name))
        for name in self._chapter.get("envy", ()):
            yield self._words(name), Look((OWN,), self._sheets("envy", name))
        for name, wager in self.wagers.items():
            if settles := wager.get("settles"):
                yield self._words(name), self._look(settles)

    def _look(self, settles: Toml) -> Look:
        table = _listed(self._chapter["paytables"][settles["paytable"]])
        is_of_color = self._ranking(table[0]["ranking"])["kind"] == "color"
        return Look(
            _places(settles["cards"]) if "cards" in settles else (OWN,),
            self._sheets("paytables", settles["paytable"]),
            is_of_color,
        )

    def _words(self, name: str) -> str:
        labels = self._chapter.get("labels", {})
        title = self.wagers[name]["name"].upper() if name in self.wagers else plain(name)
        return str(labels.get(name, title))

    def _ranking(self, name: str) -> Toml:
        return dict(self._chapter["rankings"][name])

    def _sheets(self, part: str, name: str) -> tuple[tuple[int, frozenset[str]], ...]:
        return tuple(
            (self._ranking(sheet["ranking"]).get("size", 0), frozenset(map(plain, sheet["rows"])))
            for sheet in _listed(self._chapter[part][name])
        )


def _listed(value: Any) -> list[Toml]:  # noqa: ANN401 - a table, or a list of them
    return list(value) if isinstance(value, list) else [value]


def _places(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(PLACES.get(name) or plain(name) for name in names)
