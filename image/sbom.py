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
from urllib.parse import quote

from sabot.image import licences
from sabot.image.fetch import Package
from sabot.image.tree import Tree

UNKNOWN = "NOASSERTION"
_DOCUMENTS = "usr/share/doc"
_UNFIT = re.compile(r"[^A-Za-z0-9.-]+")


class ListedPackage(NamedTuple):
    """A row of the list."""

    name: str
    version: str
    licences: tuple[str, ...]
    purl: str
    sha256: str = ""


def debian(package: Package, copyrights: Mapping[str, str]) -> ListedPackage:
    """Return the row of a Debian package; ``copyrights`` are the texts of the unpacked tree by package."""
    told = licences.of_copyright(copyrights.get(package.name, ""))
    purl = f"pkg:deb/debian/{_quoted(package.name)}@{_quoted(package.version)}?arch={package.machine}"
    return ListedPackage(package.name, package.version, told, purl, package.sha256)


def _quoted(words: str) -> str:
    """Return a part of a package URL quoted, but for a version's colon, which its grammar leaves as it is."""
    return quote(words, safe=":")


def copyrights(tree: Tree) -> dict[str, str]:
    """Return the copyright files of an unpacked tree by package; several may share one folder by a link."""
    found = {}
    for name in {path.split("/")[3] for path in tree.below(_DOCUMENTS)}:
        path = tree.resolve(f"{_DOCUMENTS}/{name}/copyright")
        if path in tree:
            found[name] = tree.read(path).decode("utf-8", "replace")
    return found


def wheel(file: Path) -> ListedPackage:
    """Return the row of a wheel of the bundle."""
    with zipfile.ZipFile(file) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(archive.read(name).decode("utf-8", "replace"))
    expression = said.get("License-Expression", "")
    classifiers = [
        row.rpartition(" :: ")[2] for row in said.get_all("Classifier", []) if row.startswith("License ::")
    ]
    words = [expression] if expression else classifiers or [said.get("License", "")[:60]]
    told = tuple(each if each == expression else licences.named(each) for each in words if each)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    purl = f"pkg:pypi/{said['Name'].lower().replace('_', '-')}@{_quoted(said['Version'])}"
    return ListedPackage(said["Name"], said["Version"], told, purl, digest)


def document(name: str, digest: str, rows: Iterable[ListedPackage], epoch: int) -> str:
    """Return the list of an image with this digest, the same for the same image."""
    listed = sorted(rows)
    made = datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [_row(number, each) for number, each in enumerate(listed, 1)]
    told = " ".join(each for row in listed for each in row.licences)
    references = sorted(set(licences.REFERENCES.findall(told)))
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
    # Nothing is concluded here: what a package declares is passed on, and all else is said to be unknown. The
    # number makes a name unique, for a package and a wheel may have the same.
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
    name = reference.removeprefix(licences.REFERENCE)
    words = f"As the package names it: {name}. Its text is in the package."
    return {"licenseId": reference, "extractedText": words}
