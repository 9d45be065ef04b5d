"""Our gist of a paragraph: each of its clauses in our words, as the ledger of coverage has them.

``clauses`` is a link to that ledger, so a gist is written down once: where a lab reads what is held by which
test.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

# "641a.8(f), 641a.9(d)" cites two; "641a.13(b):2" is a clause of a paragraph; "ch.5.G-H" two paragraphs.
_SEVERAL = re.compile(r",\s*|\s+and\s+")
_CLAUSE = re.compile(r":\d+$")
# Clauses that a page has room for.
MOST = 6


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, tuple[str, ...]]:
    """Return our words for each paragraph, clause by clause."""
    found: dict[str, list[str]] = {}
    for path in sorted((files("sabot.practice") / "clauses").iterdir(), key=lambda each: each.name):
        if path.name.endswith(".toml"):
            for clause in tomllib.loads(path.read_text(encoding="utf-8")).get("clause", ()):
                for cite in clause["of"]:
                    found.setdefault(_CLAUSE.sub("", cite), []).append(clause["says"])
    return {cite: tuple(dict.fromkeys(says)) for cite, says in found.items()}


@lru_cache(maxsize=512)
def gist_of(cited: str) -> list[str]:
    """Return our words for what is cited; for a paragraph with none, those of the paragraphs under it."""
    says: list[str] = []
    for cite in _SEVERAL.split(cited):
        own = _clauses().get(cite, ())
        under = (each for name, some in _clauses().items() if name.startswith(f"{cite}(") for each in some)
        says += own or under
    return list(dict.fromkeys(says))[:MOST]
