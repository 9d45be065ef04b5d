"""Hold a list of packages (SPDX 2.3) against what others wrote: ``check_package_list.py LIST.spdx.json``.

It runs where spdx-tools and packageurl-python are (``make image-check`` makes that environment), without
Sabot. SPDX's validator says whether the list is one; its list of licences, whether a reference stands where
SPDX has a name; the library of package URLs, whether it would write each as it stands there.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from license_expression import get_spdx_licensing
from packageurl import PackageURL
from spdx_tools.spdx.parser.error import SPDXParsingError
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

VERSION, REFERENCE = "SPDX-2.3", "LicenseRef-"


def objections(path: Path) -> Iterator[str]:
    """Return everything that somebody else's program objects to."""
    try:
        found = validate_full_spdx_document(parse_file(str(path)), VERSION)
    except SPDXParsingError as error:
        yield from error.get_messages()
        return
    yield from sorted({each.validation_message for each in found})
    plain = json.loads(path.read_text(encoding="utf-8"))
    yield from _named_by_spdx(plain)
    yield from _other_urls(plain)


def _named_by_spdx(plain: dict[str, list[dict[str, str]]]) -> Iterator[str]:
    symbols = get_spdx_licensing().known_symbols.items()
    known = {name.lower(): name for name, symbol in symbols if not symbol.is_exception}
    for each in plain["hasExtractedLicensingInfos"]:
        name = each["licenseId"].removeprefix(REFERENCE)
        if name.lower() in known:
            yield f"{each['licenseId']}: SPDX has a name for it, {known[name.lower()]}"


def _other_urls(plain: dict[str, list[dict[str, list[dict[str, str]]]]]) -> Iterator[str]:
    for package in plain["packages"]:
        for each in package["externalRefs"]:
            written = each["referenceLocator"]
            meant = PackageURL.from_string(written).to_string()
            if written != meant:
                yield f"{written} is written {meant}"


def main() -> int:
    """Say what is objected to, and how many packages were looked at; 1 where anything is."""
    path = Path(sys.argv[1])
    found = list(objections(path))
    count = len(json.loads(path.read_text(encoding="utf-8"))["packages"])
    print("\n".join(found) or f"{count} packages: nothing objected to")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
