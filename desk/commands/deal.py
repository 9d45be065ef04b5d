"""``sabot deal``: the order in which a hand is dealt, as JSON or as a picture of the table."""

import argparse
import json
from collections.abc import Iterator, Sequence

from sabot.config import CHAPTER_IDS
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.errors import CommandError
from sabot.rules.chapter import Chapter
from sabot.rules.plan import (
    BONUS_CARD,
    COMMUNITY,
    DISCARD,
    ERRORS,
    OWN,
    Bets,
    DealError,
    Placement,
    bets_of,
    bonus_wager,
    deals_for,
    plan,
)

EPILOG = """\
The plan comes from the chapter's file, from the seats dealt in, and from the wagers that need cards of
their own. place@N is the N-th card out of the deck; ^ marks a face-up card.

examples:
  sabot deal pa641a manual_shoe --seats 1,3,5 --wager six_card
  sabot deal pa679a hand --seats 2,4 --wager pair_bonus=2
  sabot deal pa679a auto_shoe --seats 1,2,3 --wager pair_bonus=1,3 --bonus-card community
  sabot deal pa682a auto_shoe --seats 1,6 --wager all_six --face-up 7 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("chapter", metavar="CHAPTER", help=" ".join(CHAPTER_IDS))
    parser.add_argument(
        "method", metavar="METHOD", help="manual_shoe, hand, auto_shoe or auto_shoe_reshuffle"
    )
    parser.add_argument("--seats", required=True, help="seats dealt in, such as 1,3,5")
    parser.add_argument(
        "--wager",
        action="append",
        default=[],
        metavar="NAME[=SEATS]",
        help="a wager with cards of its own that somebody placed, or these seats; may repeat",
    )
    parser.add_argument(
        "--bonus-card", choices=(OWN, COMMUNITY), help="whose card decides a bonus (default: each its own)"
    )
    parser.add_argument("--face-up", metavar="POS", default="", help="a card found face up at this position")
    parser.add_argument(
        "--reading", action="append", default=[], metavar="NAME=VALUE", help="another reading"
    )
    parser.add_argument("--json", action="store_true", help="the plan as JSON")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Print the plan."""
    chapter = law_of(args).chapter(args.chapter)
    bets = _bets(args, chapter)
    seats = _numbers(args.seats, "--seats")
    face_up = _numbers(args.face_up, "--face-up")
    _verify_face_up(chapter, face_up)
    placed = plan(chapter, args.method, seats, bets, _readings(args.reading, chapter), face_up)
    if not args.json:
        print(deal_picture(chapter, args.method, seats, placed))
        return 0
    answer: dict[str, object] = {
        "chapter": chapter.id,
        "method": args.method,
        "seats": sorted(seats),
        "options": _options(chapter, bets),
        "cite": chapter.plans[args.method].cite,
        "order": [str(each) for each in placed],
    }
    if face_up:
        answer["face_up"] = face_up
    print(json.dumps(answer))
    return 0


def _numbers(text: str, option: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",") if text]
    except ValueError as error:
        wanted = "numbers separated by commas"
        raise CommandError("E-CLI-003", option, text=text, wanted=wanted, command="deal") from error


def _readings(texts: list[str], chapter: Chapter) -> dict[str, str]:
    from sabot.rules.settlement.house import chosen_readings  # noqa: PLC0415 (deal alone needs no settlement)

    chosen: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            wanted = "a reading such as stack_bottom=first"
            raise CommandError("E-CLI-003", "--reading", text=text, wanted=wanted, command="deal")
        chosen[name] = value
    return chosen_readings(chapter, chosen)


def _verify_face_up(chapter: Chapter, positions: list[int]) -> None:
    wrong = [position for position in positions if not 1 <= position <= chapter.deck.pack]
    if wrong:
        what = f"there is no card {wrong[0]} in a pack of {chapter.deck.pack}"
        raise DealError(ERRORS["E-DEAL-004"], "--face-up", what=what)


def _bets(args: argparse.Namespace, chapter: Chapter) -> Bets:
    seats, bonus = _numbers(args.seats, "--seats"), bonus_wager(chapter)
    if args.bonus_card == COMMUNITY and not bonus:
        raise DealError(ERRORS["E-DEAL-004"], "--bonus-card", what=f"{chapter.id} deals no bonus card")
    by_seat: dict[int, list[str]] = {seat: [] for seat in seats}
    for text in args.wager:
        for seat in _seats_of(text, seats, chapter):
            by_seat[seat].append(text.partition("=")[0])
    return bets_of(chapter, by_seat, args.bonus_card or OWN)


def _seats_of(text: str, seats: list[int], chapter: Chapter) -> list[int]:
    """Return the seats that placed a wager: those that are named, or every one."""
    name, _, listed = text.partition("=")
    if not deals_for(chapter, name):
        raise DealError(ERRORS["E-DEAL-004"], "--wager", what=f"{chapter.id} deals no card for {name}")
    placed = _numbers(listed, "--wager") or seats
    strangers = set(placed) - set(seats)
    if strangers:
        what = f"seat {min(strangers)} has a {chapter.wagers[name].title} Wager and is not dealt in"
        raise DealError(ERRORS["E-DEAL-004"], "--wager", what=what)
    return placed


def _options(chapter: Chapter, bets: Bets) -> dict[str, object]:
    """Return what the plan was made from: a wager with a place of its own, or who bet on a bonus card."""
    if bonus := bonus_wager(chapter):
        return {bonus: sorted(bets.bonus_seats), BONUS_CARD: bets.bonus_card}
    return {name: name in bets.placed for name in chapter.wagers if name in chapter.hands.places}


BEFORE, AFTER = ("dealer", "community"), ((BONUS_CARD, "bonus card"), (DISCARD, "discard rack"))


def _titles(chapter: Chapter) -> Iterator[tuple[str, str]]:
    """Yield every shared place with its title, in the order of the picture."""
    yield from ((place, place) for place in BEFORE)
    yield from ((name, wager.title) for name, wager in chapter.wagers.items())
    yield from AFTER


def deal_picture(chapter: Chapter, method: str, seats: Sequence[int], placed: Sequence[Placement]) -> str:
    """Return the table from the dealer's side: shared places above, seats from the dealer's left below."""
    spec = chapter.plans[method]
    dealt = {each.place for each in placed}
    rows = [f"{chapter.document}: {method.replace('_', ' ')}  [{spec.cite}]", ""]
    rows += [_row(title, place, placed) for place, title in _titles(chapter) if place in dealt]
    rows += ["", "  dealer's left  " + "-" * 58 + "  dealer's right"]
    for seat in sorted(seats):
        for place in (f"seat{seat}", f"seat{seat}:fourth"):
            if place in dealt:
                title = f"seat {seat}" + (" fourth" if ":" in place else "")
                rows.append(_row(title, place, placed))
    last = max(each.position for each in placed)
    rows += ["", f"  {len(placed)} cards placed, {chapter.deck.pack - last} left in the stub."]
    rows.append("  A number is a card's position in the deck, 1 first out; ^ lies face up.")
    if spec.needs_shuffler:
        rows.append(f"  An automated shuffler must be in use [{spec.needs_shuffler}].")
    return "\n".join(rows)


def _row(title: str, place: str, placed: Sequence[Placement]) -> str:
    cards = [each for each in placed if each.place == place]
    shown = " ".join(f"{each.position}{'^' if each.face_up else ''}".rjust(3) for each in cards)
    return f"  {title:<16} {shown}"
