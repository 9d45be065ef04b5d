"""The journal: every event with its effects, chained, signed and sealed, before anybody sees an effect."""

# How its parts hold together. ``writer`` is the one thread that writes; ``store`` is the file. An entry is
# chained to the one before it (``entry``), and the board signs where the chain stands (``checkpoints``).
# Three things notice what a chain cannot: the mark beside the file (``mark``) that entries at the end are
# gone, the copy and the heads on the second medium (``mirror``) that all of it was written anew, and
# ``board.json`` that there was a journal at all. ``recover`` makes the table out of it: the newest snapshot,
# then every event since, handled again, its effects compared byte for byte. So nothing but the journal has to
# survive a cut of power, and a program that would decide otherwise is found out before it does anything.
