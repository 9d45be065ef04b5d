"""Every check names a section of a published page, and that section is there."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from sabot.hil import conformance
from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.hands import Act

from .test_broken import ROWS

DOCS = Path(__file__).resolve().parents[3] / "docs"
CHECKS = [(name, check) for name, kind in KINDS.items() for check in kind.checks]
# A wagering system is a device of Sabot Link, and has its checks beside those of its own page.
OWN = [
    (name, check) for name, check in CHECKS if name != "sabot-accounts" or not check.name.startswith("link.")
]


def anchors(page: str) -> set[str]:
    """The anchors that a reader of the page can jump to, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("convention", "check"), OWN, ids=[check.name for _, check in OWN])
def test_the_section_of_a_check_is_on_the_page_of_its_convention(convention: str, check: object) -> None:
    section = check.section  # type: ignore[attr-defined]
    page, _, anchor = section.partition("#")

    assert f"docs/{page}" == KINDS[convention].page
    assert anchor in anchors(page), section


def test_names_are_unique_and_belong_to_their_convention() -> None:
    names = [check.name for _, check in OWN]
    prefixes = {
        "sabot-link": "link.",
        "sabot-accounts": "accounts.",
        "sabot-pads": "pads.",
        "angel-eye": "shoe.",
        "alpha": "sign.",
        "escpos": "display.",
    }

    assert len(set(names)) == len(names)
    assert all(check.name.startswith(prefixes[name]) for name, check in OWN)


def test_the_page_on_certifying_lists_every_check_with_its_words() -> None:
    text = (DOCS / "certify.md").read_text(encoding="utf-8")

    missing = [check.name for _, check in CHECKS if f"| `{check.name}` | {check.title} |" not in text]
    assert missing == []
    assert f"wrong in one thing each: {len(ROWS)} of them" in text


def acts() -> set[str]:
    """The first word of every line that a check has hands do."""
    names = [
        each.name for each in walk_packages(conformance.__path__, "sabot.hil.conformance.") if not each.ispkg
    ]
    found = [value for name in names for value in vars(import_module(name)).values()]
    return {line.split()[0] for act in found if isinstance(act, Act) for line in act.lines}


def test_the_page_on_certifying_lists_every_word_of_the_hands() -> None:
    text = (DOCS / "certify.md").read_text(encoding="utf-8")
    part = text.split("### The words of the hands")[1].split("\n## ")[0]

    known = {words.split()[0] for words in re.findall(r"`([a-z][^`]*)`", part)}
    assert len(acts()) > 10
    assert acts() <= known
