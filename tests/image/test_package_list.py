"""The list of packages: licences in the words of SPDX, and the list of a tiny board before SPDX's own validator."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sabot.firmware.integrity.manifest import Manifest
from sabot.firmware.update.bundle import WHEELS, Bundle
from sabot.image import licences, sbom
from sabot.image.build import NAME, ImageBuild
from sabot.image.fetch import Package
from tests.image import tiny

# An interpreter that has spdx-tools and packageurl-python: `make image-check` and .ci/run make one and name it.
SPDX = os.environ.get("SPDX_PYTHON", "")
CHECK = Path(__file__).parents[2] / "tools/check_package_list.py"
needs_dpkg = pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not installed")
needs_spdx = pytest.mark.skipif(
    not SPDX, reason="SPDX_PYTHON names no interpreter with spdx-tools (make image-check has one)"
)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("GPL-2+ and Expat", ("GPL-2.0-or-later", "MIT")),
        ("odd one", ("LicenseRef-odd-one",)),
        ("GFDL-NIV-1.3+", ("LicenseRef-GFDL-NIV-1.3-or-later",)),
        ("GPL-2.0+ OR bsd-2-clause", ("(BSD-2-Clause OR GPL-2.0-or-later)",)),
        ("GPL-2+ or AFL-2.1, and Expat and Tcl-BSDish", ("(AFL-2.1 OR GPL-2.0-or-later)", "LicenseRef-Tcl-BSDish", "MIT")),
        ("MPL-1.1 or GPL-2 and ISC, or X11", ("(GPL-2.0-only AND ISC OR MPL-1.1 OR X11)",)),
        ("GFDL-1.3+ or GFDL-1.3-or-later", ("GFDL-1.3-or-later",)),
        ("GPL-2+ with Libtool exception and GPL-3+ with Autoconf exception", ("GPL-2.0-or-later", "GPL-3.0-or-later")),
        ("GPL-2+ with distribution exception, Expat and GPL-2+", ("GPL-2.0-or-later", "MIT")),
        ("GPL-3.0-or-later-WITH-Autoconf-exception-macro", ("GPL-3.0-or-later",)),
        ("BSD-with-attribution", ("LicenseRef-BSD-with-attribution",)),
    ],
)  # fmt: skip
def test_licences_are_those_that_the_package_names(row: str, told: tuple[str, ...]) -> None:
    assert licences.of_copyright(f"Format: https://x\n\nFiles: *\nLicense: {row}\n text\n") == told


def test_a_text_for_people_names_no_licence() -> None:
    assert licences.of_copyright("This is free software.\nLicense: GPL-2\n") == ()


def test_the_list_is_spdx_and_the_same_each_time() -> None:
    rows = [sbom.debian(Package("b", "1:1-2+b1", "arm64", "b", "ab" * 32), {}),
            sbom.debian(Package("a", "3", "arm64", "a", "cd" * 32), {"a": "Format: x\nLicense: ISC\n"})]  # fmt: skip
    texts = {sbom.document("x", "00", each, 1_750_000_000) for each in (rows, rows[::-1])}
    assert len(texts) == 1
    found = json.loads(texts.pop())
    assert found["spdxVersion"] == "SPDX-2.3"
    assert [(row["name"], row["licenseDeclared"]) for row in found["packages"]] == [
        ("a", "ISC"),
        ("b", "NOASSERTION"),
    ]
    assert (
        found["packages"][1]["externalRefs"][0]["referenceLocator"]
        == "pkg:deb/debian/b@1:1-2%2Bb1?arch=arm64"
    )
    assert found["creationInfo"]["created"] == "2025-06-15T15:06:40Z"


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """The list that the build writes of a tiny board."""
    image = tiny.image(tmp_path)
    order = tiny.order(tmp_path)
    tiny.packages(order.work, tmp_path / "bundle" / WHEELS)
    manifest = Manifest(
        version="1.2.3", python="", machine="", journal_format=1, drivers={}, files=(), bundle=()
    )
    ImageBuild(order).write_lists(image, Bundle(manifest, tmp_path / "bundle", is_signed=True))
    return order.out / f"{NAME}.spdx.json"


@needs_dpkg
def test_each_package_of_a_board_is_listed_with_its_licences(listed: Path) -> None:
    found = {row["name"]: row["licenseDeclared"] for row in json.loads(listed.read_text())["packages"]}
    tool = "(AFL-2.1 OR GPL-2.0-or-later) AND (GPL-2.0-or-later OR LGPL-3.0-or-later) AND LicenseRef-Tcl-BSDish AND MIT"
    assert found == {
        "tool": tool, "tool-bin": tool, "library": "BSD-3-Clause AND LicenseRef-UMich AND OLDAP-2.8",
        "old": "NOASSERTION", "linux-image-6.12.0-tiny": "NOASSERTION", "Some_Wheel": "MIT",
    }  # fmt: skip


def asked(listed: Path) -> tuple[int, str]:
    done = subprocess.run([SPDX, str(CHECK), str(listed)], capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout.strip()


@needs_dpkg
@needs_spdx
def test_others_object_to_nothing_in_it(listed: Path) -> None:
    assert asked(listed) == (0, "6 packages: nothing objected to")


@needs_dpkg
@needs_spdx
@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("SPDXRef-2-", "SPDXRef-2_", "spdx_id must only contain"),
        ("BSD-3-Clause AND ", "BSD-Three-Clause AND ", "BSD-Three-Clause"),
        ("LicenseRef-UMich", "LicenseRef-isc", "SPDX has a name for it, ISC"),
        ("%2Bb1", "+b1", "is written pkg:deb/debian/tool@1:1.2-3%2Bb1"),
        ("urn:sha256:", "", "document_namespace must be a valid URI"),
    ],
)
def test_they_object_to_what_is_wrong(listed: Path, right: str, wrong: str, said: str) -> None:
    text = listed.read_text()
    assert right in text
    listed.write_text(text.replace(right, wrong))
    code, words = asked(listed)
    assert code == 1
    assert said in words
