"""What a player loses by folding, chapter by chapter, and what stays alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Box, Game, Post

FORFEITED = {
    "pa641a": {"ante", "prog4", "prog5"},  # 641a.11(b)(1)-(2)
    "md4cp": {"ante", "progressive"},  # MD 11.C(1)-(3)
    "pa679a": {"ante"},  # 679a.11(b)
    "pa682a": {"ante"},  # 682a.11(b)
    "pa683a": {"ante", "raise1", "raise2", "raise3"},  # 683a.11(b), (d), (f)
}
NOT_NAMED_IN_641A = {"bad_beat", "hand_bonus_player", "hand_bonus_dealer"}
CITES_683A = ("683a.11(b)", "683a.11(d)", "683a.11(f)")


def forfeited_by_fold(game: Game) -> set[str]:
    forfeited = FORFEITED[game.chapter]
    if game.reading("fold_unlisted") == "forfeit":
        return forfeited | NOT_NAMED_IN_641A
    return forfeited


def is_lost(game: Game, box: Box, wager: str) -> bool:
    return box.folded and wager in forfeited_by_fold(game)


def forfeit_cite(game: Game, box: Box, wager: str) -> str:
    is_progressive = wager.startswith("prog")
    return {
        "pa641a": "641a.11(b)(2)" if is_progressive else "641a.11(b)",
        "md4cp": "ch.11.C(3)" if is_progressive else "ch.11.C",
        "pa679a": "679a.11(b)",
        "pa682a": "682a.11(b)",
        "pa683a": CITES_683A[min(box.raises, 2)],
    }[game.chapter]


def booked_as_forfeit(game: Game, box: Box, wager: str) -> bool:
    if not is_lost(game, box, wager):
        return False
    game.post(box, wager, forfeit_cite(game, box, wager)).forfeit()
    return True


def live_post(game: Game, box: Box, wager: str, cite: str) -> Post | None:
    """The wager, if it was made and is still to be settled; a forfeit gets its line here."""
    if wager not in box.wagers or booked_as_forfeit(game, box, wager):
        return None
    return game.post(box, wager, cite)
