"""Why this machine cannot run the rig: said in words, and by an exit code that is neither good nor bad."""

CANNOT_RUN = 77


class CannotRunError(Exception):
    """The machine lacks something that the rig cannot do without; the words say what, and what would help."""


class BlindError(Exception):
    """The rig did not see a loss that was made on purpose: what it has not seen elsewhere proves nothing."""
