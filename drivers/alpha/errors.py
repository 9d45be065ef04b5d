"""What a table file can say wrong of a sign."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-ALPHA-001",
        "{said!r} is not {wanted}",
        "The meters of a sign are written as meter.level=CAPTION, separated by commas.",
        "Write it as in prog5.mega=MEGA, prog5.major=MAJOR.",
    ),
)


class SignError(SabotError):
    """An option of a sign that means nothing."""
