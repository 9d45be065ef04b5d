"""``sabot par``: what the house holds of every wager, beside what the Board states."""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence

from sabot.config import CHAPTER_IDS
from sabot.desk.par_table import footer, heading, wager_table
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.errors import CommandError
from sabot.firmware.progress_bar import ProgressBar
from sabot.rules.odds.engine import DEFAULT_ROUNDS, Method
from sabot.rules.odds.estimate import Dice
from sabot.rules.odds.figures import SheetRow
from sabot.rules.odds.par_sheet import ParSheet, verdict_on
from sabot.rules.odds.posted_paytable import FIXED_STAKE
from sabot.rules.odds.row_json import row_json, sheet_json

DEFAULT_SEED = 1
LEAST_ROUNDS = 2

Block = tuple[Sequence[SheetRow], str | None]

EPILOG = """\
A row of the sheet is a wager under one letter of its paytable and one reading of the text; a reading has a
row where it changes a figure. Almost everything is counted exactly. Two figures are estimated, and printed
with one standard error: what the suit of the dealer's card is worth to a player of Four Card Poker, and what
folding costs the wager on the dealer's hand if a fold forfeits it. --rounds says from how many hands, --seed
which.

Counting every meeting of two hands takes a while for pa641a, md4cp and pa682a (docs/odds.md has the times).

examples:
  sabot par pa683a                       every wager of the chapter
  sabot par pa682a aces_bonus            one wager, all letters and readings
  sabot par pa641a six_card --paytable E one letter, with every row's chance
  sabot par md4cp six_card --stake 100   fixed sums weighed against a stake of $1
  sabot par pa641a ante --default-only   without the other readings
  sabot par pa682a --json                as JSON (docs/round-schema.md)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("chapter", metavar="CHAPTER", help=" ".join(CHAPTER_IDS))
    parser.add_argument(
        "wager", metavar="WAGER", nargs="?", help="one wager alone, such as ante or aces_bonus"
    )
    parser.add_argument("--paytable", metavar="LETTER", help="one letter alone")
    parser.add_argument(
        "--default-only", action="store_true", help="the default readings alone, in half the time"
    )
    parser.add_argument("--json", action="store_true", help="the sheet as JSON")
    add_law(parser)
    parser.add_argument(
        "--rounds", metavar="N", default=str(DEFAULT_ROUNDS), help=f"hands for an estimate ({DEFAULT_ROUNDS})"
    )
    parser.add_argument(
        "--seed", metavar="S", default=str(DEFAULT_SEED), help=f"where chance begins ({DEFAULT_SEED})"
    )
    parser.add_argument(
        "--stake", metavar="CENTS", default=str(FIXED_STAKE), help=f"stake for fixed sums ({FIXED_STAKE})"
    )


def run(args: argparse.Namespace) -> int:
    """Print the sheet."""
    seed = _number(args.seed, "--seed", 0)
    method = Method(
        dice=lambda name: _dice(seed, name),
        rounds=_number(args.rounds, "--rounds", LEAST_ROUNDS),
        fixed_stake=_number(args.stake, "--stake", 1),
        default_only=args.default_only,
        stage=ProgressBar().stage,
    )
    law = law_of(args)
    sheet = ParSheet(law.chapter(args.chapter), law.stated(args.chapter), method)
    blocks = _blocks(sheet, _names(sheet, args.wager, args.paytable), args.paytable)
    if args.json:
        forms = [row_json(row, note) for rows, note in blocks for row in rows]
        print(json.dumps(sheet_json(args.chapter, {"rounds": method.rounds, "seed": seed}, forms)))
    else:
        _print_tables(sheet, blocks, seed)
    return 0


def _number(text: str, option: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        wanted = f"a whole number from {least}"
        raise CommandError("E-CLI-003", option, text=text, wanted=wanted, command="par")
    return int(text)


def _dice(seed: int, name: str) -> Dice:
    """Return dice for one estimate, of its own: what is reckoned before it does not move them."""
    return random.Random(f"{seed} {name}")  # noqa: S311 (an estimate, not a game)


def _names(sheet: ParSheet, wager: str | None, letter: str | None) -> Sequence[str]:
    """Return the wagers asked for; a letter alone asks for every wager that has it."""
    if wager is not None:
        sheet.verify(wager, letter)
        return (wager,)
    if letter is None:
        return sheet.wagers()
    names = [name for name in sheet.wagers() if letter in sheet.letters(name)]
    # For a letter that no wager has, any wager words the refusal.
    sheet.verify(names[0] if names else sheet.wagers()[0], letter)
    return names


def _blocks(sheet: ParSheet, names: Sequence[str], letter: str | None) -> Iterator[Block]:
    """Yield the rows of each wager, with the verdict on what the Board states about it.

    A statement is about all letters, and whether it follows is a question to all readings.
    """
    is_whole = letter is None and not sheet.reckoner.method.default_only
    for rows in sheet.rows(names, letter):
        yield rows, verdict_on(rows) if is_whole else None


def _print_tables(sheet: ParSheet, blocks: Iterable[Block], seed: int) -> None:
    print(heading(sheet.chapter))
    shown: list[SheetRow] = []
    for rows, note in blocks:
        print(wager_table(sheet.chapter, rows, note), flush=True)
        shown += rows
    print(footer(shown, sheet.reckoner.method.rounds, seed))
