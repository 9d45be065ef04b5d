"""The wagers that would go back if it were locked now; a seat is looked at when its wagers changed."""

from collections.abc import Callable, Mapping

Bets = Mapping[int, Mapping[str, int | None]]
Dark = tuple[tuple[int, str], ...]


class Looked:
    """The spots that were looked at since a wager on them changed."""

    __slots__ = ("_changed", "_dark", "is_away")

    def __init__(self) -> None:
        self._dark: dict[int, Dark] = {}
        self._changed: set[int] | None = None
        self.is_away = True

    def changed(self, seat: int) -> None:
        """Look at this seat."""
        if self._changed is not None:
            self._changed.add(seat)

    def away(self) -> None:
        """No wager is taken: look at all of them when bets are open again."""
        self._dark, self._changed, self.is_away = {}, None, True

    def dark(self, bets: Bets, look: Callable[[int, Mapping[str, int | None]], Dark]) -> Dark:
        """Return what would go back, in order."""
        for seat in bets if self._changed is None else self._changed:
            self._dark.pop(seat, None)
            found = look(seat, bets.get(seat, {}))
            if found:
                self._dark[seat] = found
        self._changed, self.is_away = set(), False
        if not self._dark:
            return ()
        return tuple(spot for seat in sorted(self._dark) for spot in self._dark[seat])
