"""One spot of a simulated pad: its chips, its sensor, and the table of states from the page."""

EMPTY, COVERED, LATE, LIFTED, CHANGED, BLIND = range(6)
_UNKNOWN_CENTS, _NEVER = 0xFFFFFFFF, 0xFFFF
_DIM, _BLINDING = 90, 254
# What happens, and the state before: the state after where the move is free, and where it is late.
_MOVES = {
    ("come", EMPTY): (COVERED, LATE),
    ("come", LIFTED): (COVERED, LATE),
    ("value", COVERED): (COVERED, CHANGED),
    ("value", LATE): (LATE, LATE),
    ("value", CHANGED): (CHANGED, CHANGED),
    ("go", COVERED): (EMPTY, LIFTED),
    ("go", LATE): (EMPTY, EMPTY),
    ("go", CHANGED): (EMPTY, LIFTED),
}
_WHEN_OPENED = {LIFTED: EMPTY, CHANGED: COVERED}


class FeltSpot:
    """The chips on a spot, and what the pad makes of them."""

    def __init__(self, *, has_values: bool) -> None:
        self._has_values = has_values
        self.cents = 0
        self.cover, self.changes, self.light = EMPTY, 0, _DIM
        self.changed_at: float | None = None

    def lay(self, cents: int, at: float, *, is_free: bool) -> bool:
        """Lay that much there, and return whether the sensor sees a difference."""
        before, self.cents = self.cents, cents
        what = "come" if not before else "go" if not cents else "value"
        is_seen = before != cents and (what != "value" or self._has_values)
        if not is_seen or (what, self.cover) not in _MOVES:
            return False
        self._become(_MOVES[what, self.cover][0 if is_free else 1], at)
        return True

    def open(self) -> None:
        """Open the spot: what was lifted or changed late is forgiven."""
        self.cover = _WHEN_OPENED.get(self.cover, self.cover)

    def blind(self, at: float) -> None:
        """Blind the sensor."""
        self.light = _BLINDING
        self._become(BLIND, at)

    def see(self, at: float, *, is_open: bool) -> None:
        """Let the sensor see again: what lies there is new to it."""
        self.light = _DIM
        self._become(EMPTY if not self.cents else COVERED if is_open else LATE, at)

    def restart(self) -> None:
        """Lose power: nobody knows when what lies there came."""
        self.changes, self.changed_at = 0, None
        self.cover = LATE if self.cents else EMPTY

    def record(self, now: float) -> tuple[int, int, int, int, int]:
        """Return state, changes, light, age and value, as a report has them."""
        age = _NEVER if self.changed_at is None else min(_NEVER, round((now - self.changed_at) * 1000))
        lies = self.cover in (COVERED, LATE, CHANGED)
        cents = (self.cents if self._has_values else _UNKNOWN_CENTS) if lies else 0
        return self.cover, self.changes % 256, self.light, age, cents

    def _become(self, cover: int, at: float) -> None:
        self.cover, self.changed_at = cover, at
        self.changes += 1
