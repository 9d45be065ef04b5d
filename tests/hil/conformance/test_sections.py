"""Every check names a section of a published page, and that section is there."""

import re
from pathlib import Path

import pytest

from sabot.hil.conformance.conventions import KINDS

from .test_broken import ROWS

DOCS = Path(__file__).resolve().parents[3] / "docs"
CHECKS = [(name, check) for name, kind in KINDS.items() for check in kind.checks]


def anchors(page: str) -> set[str]:
    """The anchors that a reader of the page can jump to, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("convention", "check"), CHECKS, ids=[check.name for _, check in CHECKS])
def test_the_section_of_a_check_is_on_the_page_of_its_convention(convention: str, check: object) -> None:
    section = check.section  # type: ignore[attr-defined]
    page, _, anchor = section.partition("#")

    assert f"docs/{page}" == KINDS[convention].page
    assert anchor in anchors(page), section


def test_names_are_unique_and_belong_to_their_convention() -> None:
    names = [check.name for _, check in CHECKS]
    prefixes = {"sabot-link": "link.", "sabot-pads": "pads.", "angel-eye": "shoe.", "alpha": "sign."}

    assert len(set(names)) == len(names)
    assert all(check.name.startswith(prefixes[name]) for name, check in CHECKS)


def test_the_page_on_certifying_lists_every_check_with_its_words() -> None:
    text = (DOCS / "certify.md").read_text(encoding="utf-8")

    missing = [check.name for _, check in CHECKS if f"| `{check.name}` | {check.title} |" not in text]
    assert missing == []
    assert f"wrong in one thing each: {len(ROWS)} of them" in text
