"""A Rules Submission: what one house chose among what a chapter leaves open.

The file is read strictly and by itself: a slip of the pen is refused here (one error, nothing used), whatever
the chapter would say of it. What the *law* says of the choices is asked in ``submission_rules``, which finds
everything at once. So a submission may be well written and still not stand.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from sabot.config.errors import ConfigError
from sabot.config.loader import PRINTED, SUBMISSIONS, ChapterLaw
from sabot.config.reader import SUBMISSION, Section, Toml, text_of, toml_of, verify_kind
from sabot.rules.chapter import Chapter, Wager
from sabot.rules.frozen import frozen
from sabot.rules.plan import COMMUNITY, OWN
from sabot.rules.round import Options

DEFAULT_UNIT = 100
MOST_DECKS = 9
MOST_SEATS = 99
LONGEST_NAME = 60
# The code page of the fonts that every printer has: a name outside it could not be put on the sign.
SIGN_LETTERS = "cp1252"


@frozen
class WagerTerms:
    """The least and the most that may be wagered, in cents (None: not said)."""

    least: int | None = None
    most: int | None = None


@frozen
class MeterTerms:
    """The terms of one meter level, where the chapter leaves them to the operator (None: not said)."""

    initial: int | None = None
    reset: int | None = None
    primary_percent: Fraction | None = None
    reserve_percent: Fraction = Fraction(0)


@frozen
class Submission:
    """The choices of one house for one chapter; a wager that is named is offered."""

    file: str
    chapter: str
    house: str
    simulated: bool
    seats: int
    adjacent_boxes: int | None
    method: str
    shuffler: bool
    decks: int
    wagers: Mapping[str, WagerTerms]
    paytables: Mapping[str, str]
    extras: tuple[str, ...]
    pair_bonus_card: str
    progressive_unit: int | None
    payout_limit: int | None
    meters: Mapping[str, Mapping[str, MeterTerms]]
    readings: Mapping[str, str]
    # Of the bytes that were read, empty where no file was: what is on the medium later may be others.
    sha256: str = ""

    def options(self) -> Options:
        """Return the choices as settlement takes them."""
        return Options(
            paytables=self.paytables,
            progressive_unit=self.progressive_unit or DEFAULT_UNIT,
            meter_reset={
                level: terms.reset
                for levels in self.meters.values()
                for level, terms in levels.items()
                if terms.reset is not None
            },
            payout_limit=self.payout_limit,
            pair_bonus_card=self.pair_bonus_card or OWN,
            readings=self.readings,
        )

    def offered(self, chapter: Chapter) -> tuple[Wager, ...]:
        """Return the wagers that the submission names, in the order in which the chapter settles them."""
        return tuple(chapter.wagers[name] for name in chapter.order if name in self.wagers)


def load_submission(path: Path, law: ChapterLaw = PRINTED) -> Submission:
    """Return a submission from its file, understood to the last key."""
    content = text_of(path).encode()
    read = read_submission(str(path), toml_of(content, str(path)), law)
    return replace(read, sha256=sha256(content).hexdigest())


def example_submission(law: ChapterLaw, chapter_id: str) -> Submission:
    """Return the example that lies beside a chapter."""
    name = example_name(law, chapter_id)
    return read_submission(law.place_of(name), law.toml(name), law)


def example_name(law: ChapterLaw, chapter_id: str) -> str:
    """Return the name of the example beside a chapter; raise where there is none."""
    # Asked for its error: a chapter that does not exist is not one that lacks an example.
    law.chapter(chapter_id)
    name = f"{SUBMISSIONS}/{chapter_id}.toml"
    if not law.has(name):
        file = (law.folder or Path()) / name
        raise ConfigError("E-CONF-016", chapter_id, chapter=chapter_id, file=file)
    return name


def read_submission(file: str, data: Toml, law: ChapterLaw = PRINTED) -> Submission:
    """Return the submission that a file holds."""
    verify_kind(file, data, SUBMISSION)
    root = Section(file, "", data)
    table, dealing = root.section("table"), root.section("dealing")
    meters = root.maybe("meters")
    submission = Submission(
        file=file,
        chapter=root.choice("chapter", frozenset(law.ids)),
        house=_house(root),
        simulated=root.flag("simulated"),
        seats=table.number("seats", 1, MOST_SEATS),
        adjacent_boxes=table.number("adjacent_boxes", 1, MOST_SEATS) if "adjacent_boxes" in table else None,
        method=dealing.text("method"),
        shuffler=dealing.flag("shuffler"),
        decks=dealing.number("decks", 1, MOST_DECKS, 1),
        wagers={name: _wager(part) for name, part in root.section("wagers").sections()},
        paytables=root.texts("paytables"),
        extras=root.words("extras", optional=True),
        # Empty where nothing is said: whether the chapter has such a card is the law's check.
        pair_bonus_card=root.choice("pair_bonus_card", frozenset({OWN, COMMUNITY}), ""),
        progressive_unit=_money(root, "progressive_unit"),
        payout_limit=_money(root, "payout_limit"),
        meters={name: _meter(part) for name, part in meters.sections()} if meters else {},
        readings=root.texts("readings"),
    )
    root.finish()
    return submission


def _house(root: Section) -> str:
    house = root.text("house")
    # In capitals too: those of µ and ƒ are outside of the code page.
    if len(house) > LONGEST_NAME or not house.isprintable() or not _on_sign(house + house.upper()):
        raise root.wrong("house", house, f"a name of at most {LONGEST_NAME} Latin letters and signs")
    return house


def _on_sign(name: str) -> bool:
    try:
        name.encode(SIGN_LETTERS)
    except UnicodeEncodeError:
        return False
    return True


def _wager(part: Section) -> WagerTerms:
    return WagerTerms(_money(part, "min"), _money(part, "max"))


def _meter(part: Section) -> dict[str, MeterTerms]:
    return {level: _level(terms) for level, terms in part.sections()}


def _level(part: Section) -> MeterTerms:
    return MeterTerms(
        initial=_money(part, "initial"),
        reset=_money(part, "reset"),
        primary_percent=_percent(part, "primary_percent"),
        reserve_percent=_percent(part, "reserve_percent") or Fraction(0),
    )


def _money(part: Section, key: str) -> int | None:
    return part.cents(key) if key in part else None


def _percent(part: Section, key: str) -> Fraction | None:
    return part.percent(key) if key in part else None
