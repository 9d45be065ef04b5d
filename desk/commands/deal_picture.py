"""A deal as a picture of the table: each place with the positions of its cards, as the dealer sees them."""

from collections.abc import Iterator, Sequence

from sabot.rules.chapter import Chapter
from sabot.rules.plan import BONUS_CARD, DISCARD, Placement

BEFORE, AFTER = ("dealer", "community"), ((BONUS_CARD, "bonus card"), (DISCARD, "discard rack"))


def _titles(chapter: Chapter) -> Iterator[tuple[str, str]]:
    """Every shared place with its title, in the order of the picture."""
    yield from ((place, place) for place in BEFORE)
    yield from ((name, wager.title) for name, wager in chapter.wagers.items())
    yield from AFTER


def deal_picture(chapter: Chapter, method: str, seats: Sequence[int], placed: Sequence[Placement]) -> str:
    """The table from the dealer's side: shared places above, seats from the dealer's left below."""
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
