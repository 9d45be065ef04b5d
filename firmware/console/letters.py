"""Letters for a terminal: nothing that moves its cursor, and plain ASCII where it knows no more."""

_SIGNS = (
    "\N{EN DASH}- —- \N{MINUS SIGN}- ─- ═= │| ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ \N{MULTIPLICATION SIGN}x ·. ◂< ▸> "
    '\N{RIGHT SINGLE QUOTATION MARK}\' “" ”" ¢c ♠s ♥h ♦d ♣c'
)
_PLAIN = str.maketrans({sign[0]: sign[1:] for sign in _SIGNS.split()} | {"…": "...", "§": "s."})


def shown(text: str, *, is_ascii: bool) -> str:
    """A line as the terminal can show it."""
    safe = "".join(letter if letter.isprintable() else "?" for letter in text)
    return safe.translate(_PLAIN).encode("ascii", "replace").decode() if is_ascii else safe
