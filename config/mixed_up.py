"""Files that were taken for each other: a table file, a Rules Submission, a chapter.

All three are TOML and lie side by side, so one is easily named where another is wanted. A reader that went
by its own keys would answer that some are missing, which leads nobody to the slip.
"""

from sabot.config.errors import ConfigError
from sabot.config.reader import Toml

TABLE, SUBMISSION, CHAPTER = "a table file", "a Rules Submission", "a chapter"
# The keys by which each is known, and what is done with it.
MARKS = {
    TABLE: frozenset({"table", "submission", "storage"}),
    SUBMISSION: frozenset({"chapter", "table", "dealing"}),
    CHAPTER: frozenset({"id", "rankings", "settlement"}),
}
USES = {
    TABLE: "A table file is read by `sabot check`, `sabot selftest` and `sabot run`",
    SUBMISSION: "A Rules Submission is named by `submission` of a table file, and read by"
    " `sabot chapter ID --check`",
    CHAPTER: "A chapter lies in the program or in the folder of --law, and is named by its id",
}


def verify_kind(file: str, data: Toml, wanted: str) -> None:
    """Raise E-CONF-020 where a file has the marks of another kind and not those of the one that is wanted."""
    if MARKS[wanted] <= data.keys():
        return
    for found, marks in MARKS.items():
        if marks <= data.keys():
            raise ConfigError("E-CONF-020", file, found=found, wanted=wanted, use=USES[found])
