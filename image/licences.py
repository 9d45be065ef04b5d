"""Licences as packages name them, in the words of SPDX where it has a word for one.

Debian's machine-readable copyright files and the metadata of wheels have names of their own. What SPDX has no
name for is a reference (``LicenseRef-``), by the package's name for it. An exception that is granted beside a
licence is left out: the list then says more duties than there are, never fewer.
"""

import re
from collections.abc import Iterable, Sequence

REFERENCE = "LicenseRef-"
REFERENCES = re.compile(rf"{REFERENCE}[A-Za-z0-9.-]+")
_LICENCE = re.compile(r"^License:[ \t]*(\S[^\n]*)$", re.MULTILINE)
_EXCEPTION = re.compile(r"[ -]with[ -](?:(?! and | or |,).)*exception[^ ,]*", re.IGNORECASE)
# A comma ends what "or" joins; without one "and" binds closer.
_PARTS = re.compile(r",\s+(?:and\s+|(?!or\s))", re.IGNORECASE)
_OR = re.compile(r",?\s+or\s+", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and/or|and)\s+", re.IGNORECASE)
_UNFIT = re.compile(r"[^A-Za-z0-9.-]+")
# What others call the licences that SPDX has a name for.
_OTHERS = {
    "Expat": "MIT", "MIT License": "MIT", "CC0": "CC0-1.0", "PSF-2": "PSF-2.0", "Apache-2": "Apache-2.0",
    "BSL-1": "BSL-1.0", "OpenLDAP-2.8": "OLDAP-2.8",
}  # fmt: skip
# These have the same name there, in whatever case a package writes it.
_SAME = (
    "0BSD", "AFL-2.0", "AFL-2.1", "Apache-2.0", "BSD-2-Clause", "BSD-2-Clause-Patent", "BSD-3-Clause",
    "BSD-3-Clause-Attribution", "BSD-4-Clause", "BSD-4-Clause-UC", "BSL-1.0", "Beerware", "CC-BY-3.0",
    "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC0-1.0", "FSFAP", "FSFUL", "FSFULLR", "IBM-pibs", "ISC", "Intel",
    "Kazlib", "Latex2e", "MIT", "MIT-0", "MIT-CMU", "MPL-1.1", "MS-PL", "OLDAP-2.8", "PSF-2.0", "RSA-MD",
    "SMAIL-GPL", "Sleepycat", "SunPro", "Unicode-DFS-2016", "Unlicense", "X11", "Zlib", "bzip2-1.0.6",
    "curl",
)  # fmt: skip
# GPL-2, GPL-2.0, GPL-2+ and so on: a version alone is that one only, a plus is any later one too.
_GNU = {"GPL": ("1.0", "2.0", "3.0"), "LGPL": ("2.0", "2.1", "3.0"), "GFDL": ("1.2", "1.3")}
_MEANT = {"": "only", "+": "or-later", "-only": "only", "-or-later": "or-later"}
_OF_GNU = {
    f"{family}-{written}{how}": f"{family}-{version}-{meant}"
    for family, versions in _GNU.items()
    for version in versions
    for written in (version, version.removesuffix(".0"))
    for how, meant in _MEANT.items()
}
_NAMES = {**{each: each for each in _SAME}, **_OTHERS, **_OF_GNU}
_KNOWN = {name.lower(): spdx for name, spdx in _NAMES.items()}


def named(words: str) -> str:
    """Return one licence as SPDX names it, or else as a reference."""
    known = _KNOWN.get(words.lower())
    return known or f"{REFERENCE}{_UNFIT.sub('-', words.replace('+', '-or-later')).strip('-')}"


def of_copyright(text: str) -> tuple[str, ...]:
    """Return the licences of a copyright file in Debian's machine-readable form, each or each choice once."""
    if not text.lstrip().startswith("Format:"):
        return ()
    return tuple(sorted({each for row in _LICENCE.findall(text) for each in _terms(row)}))


def _terms(row: str) -> Iterable[str]:
    """Yield the licences that all hold by a row, choices in parentheses."""
    for part in _PARTS.split(_EXCEPTION.sub("", row)):
        choices = [_all_of(each) for each in _OR.split(part) if each.strip()]
        if len(choices) == 1:
            yield from choices[0]
        elif choices:
            yield _choice(choices)


def _all_of(words: str) -> Sequence[str]:
    return sorted({named(each.strip()) for each in _AND.split(words) if each.strip()})


def _choice(choices: Iterable[Sequence[str]]) -> str:
    told = sorted({" AND ".join(each) for each in choices})
    return f"({' OR '.join(told)})" if len(told) > 1 else told[0]
