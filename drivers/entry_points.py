"""The offers of installed packages by entry point, read without importing them or importlib.metadata.

That module brings the reading of mail, of tables and of three kinds of archives with it, 2 MB that a table's
program needs for nothing else. The notes themselves are a few lines of text (the packaging standard's
``entry_points.txt``): a group in brackets, and a name, an equals sign and ``module:object`` on each line.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

NOTES = ("*.dist-info", "*.egg-info")


class Offer(NamedTuple):
    """An object that a package offers under a name."""

    name: str
    value: str
    group: str

    def load(self) -> object:
        """Import and return it; raise ImportError or AttributeError where it is not there."""
        # Behind a bracket stand extras, which the standard advises against and which mean nothing here.
        module, _, attributes = self.value.partition("[")[0].strip().partition(":")
        found: object = import_module(module.strip())
        for attribute in filter(None, attributes.strip().split(".")):
            found = getattr(found, attribute)
        return found


def offers(group: str, name: str = "") -> list[Offer]:
    """Return the offers of a group, or those under one name of it, in the order of the path."""
    # The first on the path counts, as for an import; a place that stands there twice is read once.
    found = [offer for place in dict.fromkeys(sys.path) for offer in _of(Path(place))]
    return [offer for offer in found if offer.group == group and name in ("", offer.name)]


def _of(place: Path) -> Iterator[Offer]:
    for pattern in NOTES:
        for notes in sorted(place.glob(f"{pattern}/entry_points.txt")):
            yield from read(notes.read_text(encoding="utf-8"))


def read(text: str) -> Iterator[Offer]:
    """Yield the offers in one package's notes; a line that is none is passed over."""
    group = ""
    for line in map(str.strip, text.splitlines()):
        name, equals, value = line.partition("=")
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif equals and not line.startswith(("#", ";")):
            yield Offer(name.strip(), value.strip(), group)
