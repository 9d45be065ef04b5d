"""``sabot deal``: the order in which a hand is dealt, as JSON or as a picture of the table."""

import argparse
import json

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.firmware.commands.deal_picture import deal_picture
from sabot.firmware.errors import CommandError
from sabot.rules.chapter import Chapter
from sabot.rules.plan import COMMUNITY, ERRORS, OWN, Bets, DealError, plan

EPILOG = """\
The plan comes from the chapter's file, from the seats dealt in, and from the wagers that need cards of
their own. place@N is the N-th card out of the deck; ^ marks a face-up card.

examples:
  sabot deal pa641a manual_shoe --seats 1,3,5 --six-card
  sabot deal pa679a hand --seats 2,4 --pair-bonus 2
  sabot deal pa679a auto_shoe --seats 1,2,3 --pair-bonus 1,3 --pair-bonus-card community
  sabot deal pa682a auto_shoe --seats 1,6 --all-six --face-up 7 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("chapter", metavar="CHAPTER", help=" ".join(CHAPTER_IDS))
    parser.add_argument(
        "method", metavar="METHOD", help="manual_shoe, hand, auto_shoe or auto_shoe_reshuffle"
    )
    parser.add_argument("--seats", required=True, help="seats dealt in, such as 1,3,5")
    parser.add_argument("--six-card", action="store_true", help="somebody placed the Six Card Bonus")
    parser.add_argument("--all-six", action="store_true", help="somebody placed the All-Six Bonus")
    parser.add_argument("--pair-bonus", metavar="SEATS", default="", help="seats with a Pair Bonus Wager")
    parser.add_argument(
        "--pair-bonus-card", choices=(OWN, COMMUNITY), default=OWN, help="whose fourth card the bonus uses"
    )
    parser.add_argument("--face-up", metavar="POS", default="", help="a card found face up at this position")
    parser.add_argument(
        "--reading", action="append", default=[], metavar="NAME=VALUE", help="another reading"
    )
    parser.add_argument("--json", action="store_true", help="the plan as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the plan."""
    chapter = load_chapter(args.chapter)
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
    bonus_seats = frozenset(_numbers(args.pair_bonus, "--pair-bonus"))
    wanted = {
        "six_card": args.six_card,
        "all_six": args.all_six,
        "pair_bonus": bool(bonus_seats) or args.pair_bonus_card == COMMUNITY,
    }
    for wager, given in wanted.items():
        if given and not _deals_for(chapter, wager):
            what = f"{chapter.id} deals no card for {wager}"
            raise DealError(ERRORS["E-DEAL-004"], f"--{wager.replace('_', '-')}", what=what)
    strangers = bonus_seats - set(_numbers(args.seats, "--seats"))
    if strangers:
        what = f"seat {min(strangers)} has a Pair Bonus Wager and is not dealt in"
        raise DealError(ERRORS["E-DEAL-004"], "--pair-bonus", what=what)
    return Bets(args.six_card, args.all_six, bonus_seats, args.pair_bonus_card)


def _deals_for(chapter: Chapter, wager: str) -> bool:
    """Whether the wager has cards of its own, beyond the hands."""
    place = "fourth" if wager == "pair_bonus" else wager
    return place in chapter.hands.places


def _options(chapter: Chapter, bets: Bets) -> dict[str, object]:
    if _deals_for(chapter, "six_card"):
        return {"six_card": bets.six_card}
    if _deals_for(chapter, "all_six"):
        return {"all_six": bets.all_six}
    return {"pair_bonus": sorted(bets.pair_bonus), "pair_bonus_card": bets.pair_bonus_card}
