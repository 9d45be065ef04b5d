"""The list of packages of an image, as SPDX 2.3 in JSON: names, versions, licences, digests.

Licences are those that the packages themselves name: Debian's machine-readable copyright files, the metadata
of wheels. Where a package has neither, the list says so and guesses nothing.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

from sabot.image.fetch import Package
from sabot.image.tree import Tree

UNKNOWN = "NOASSERTION"
_COPYRIGHT = ("usr", "share", "doc", "PACKAGE", "copyright")
_LICENCE = re.compile(r"^License:[ \t]*(\S[^\n]*)$", re.MULTILINE)
_UNFIT = re.compile(r"[^A-Za-z0-9.-]+")
# What others call the licences that SPDX has a name for.
SPDX = {
    "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-3": "GPL-3.0-only",
    "GPL-3+": "GPL-3.0-or-later",
    "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later", "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3": "LGPL-3.0-only", "LGPL-3+": "LGPL-3.0-or-later",
    "Expat": "MIT",
    "MIT": "MIT", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause",
    "BSD-4-clause": "BSD-4-Clause",
    "Apache-2.0": "Apache-2.0", "ISC": "ISC", "Zlib": "Zlib", "CC0-1.0": "CC0-1.0", "PSF-2": "PSF-2.0",
}  # fmt: skip


class ListedPackage(NamedTuple):
    """A row of the list."""

    name: str
    version: str
    licences: tuple[str, ...]
    purl: str
    sha256: str = ""


def debian(package: Package, copyrights: Mapping[str, str]) -> ListedPackage:
    """Return a Debian package; ``copyrights`` are the texts of the unpacked tree by package."""
    purl = f"pkg:deb/debian/{package.name}@{package.version}?arch={package.machine}"
    return ListedPackage(
        package.name, package.version, licences_in(copyrights.get(package.name, "")), purl, package.sha256
    )


def licences_in(copyright_text: str) -> tuple[str, ...]:
    """Return the names of licences in a copyright file that a machine can read, each once."""
    if not copyright_text.lstrip().startswith("Format:"):
        return ()
    found = (hit.split(" with ")[0].strip() for hit in _LICENCE.findall(copyright_text))
    names = (name for row in found for name in re.split(r"\s+(?:and/or|and|or)\s+|,\s*", row) if name)
    return tuple(sorted({SPDX.get(name, f"LicenseRef-{_UNFIT.sub('-', name).strip('-')}") for name in names}))


def copyrights(tree: Tree) -> dict[str, str]:
    """Return the copyright files of an unpacked tree by package."""
    found = {}
    for path in tree.below("usr/share/doc"):
        parts = path.split("/")
        if len(parts) == len(_COPYRIGHT) and parts[4] == "copyright":
            found[parts[3]] = tree.read(path).decode("utf-8", "replace") if tree.resolve(path) in tree else ""
    return found


def wheel(file: Path) -> ListedPackage:
    """Return a wheel of the bundle."""
    with zipfile.ZipFile(file) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(archive.read(name).decode("utf-8", "replace"))
    expression = said.get("License-Expression", "")
    classifiers = [
        row.rpartition(" :: ")[2] for row in said.get_all("Classifier", []) if row.startswith("License ::")
    ]
    words = [expression] if expression else classifiers or [said.get("License", "")[:60]]
    licences = tuple(each if each == expression else _reference(each) for each in words if each)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    purl = f"pkg:pypi/{said['Name'].lower()}@{said['Version']}"
    return ListedPackage(said["Name"], said["Version"], licences, purl, digest)


def _reference(words: str) -> str:
    return SPDX.get(words, f"LicenseRef-{_UNFIT.sub('-', words).strip('-')}")


def document(name: str, digest: str, rows: Iterable[ListedPackage], epoch: int) -> str:
    """Return the list of an image with this digest, the same for the same image."""
    listed = sorted(rows)
    made = datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [_row(number, each) for number, each in enumerate(listed, 1)]
    references = sorted({each for row in listed for each in row.licences if each.startswith("LicenseRef-")})
    return json.dumps(
        {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": name,
            "documentNamespace": f"urn:sha256:{digest}",
            "creationInfo": {"created": made, "creators": ["Tool: sabot-image"]},
            "packages": packages,
            "hasExtractedLicensingInfos": [_extracted(each) for each in references],
            "relationships": [
                {
                    "spdxElementId": "SPDXRef-DOCUMENT",
                    "relationshipType": "DESCRIBES",
                    "relatedSpdxElement": row["SPDXID"],
                }
                for row in packages
            ],
        },
        indent=1,
    )


def _row(number: int, each: ListedPackage) -> dict[str, object]:
    checksums = [{"algorithm": "SHA256", "checksumValue": each.sha256}] if each.sha256 else []
    return {
        "SPDXID": f"SPDXRef-{number}-{_UNFIT.sub('-', each.name)}",
        "name": each.name,
        "versionInfo": each.version,
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": False,
        "licenseConcluded": UNKNOWN,
        "licenseDeclared": " AND ".join(each.licences) or UNKNOWN,
        "copyrightText": UNKNOWN,
        "checksums": checksums,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": each.purl}
        ],
    }


def _extracted(reference: str) -> dict[str, str]:
    words = f"As the package names it: {reference.removeprefix('LicenseRef-')}. Its text is in the package."
    return {"licenseId": reference, "extractedText": words}
