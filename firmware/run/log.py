"""The log: JSON lines to standard output, for the service manager to keep.

The log is for technicians and is no record: the journal is. It is given words and figures, never an event's
cards (their ``repr`` is a mask in any case) and never what somebody typed for a PIN.
"""

import sys

import structlog
from structlog.tracebacks import ExceptionDictTransformer

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(level: str = "info") -> None:
    """Set the log up, once for the life of the program."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without the locals of each frame: a PIN or a card may be among them.
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(default=str),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stdout),
        cache_logger_on_first_use=False,
    )
