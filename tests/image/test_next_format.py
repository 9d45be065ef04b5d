"""The release of a trial whose journal has another format: signed whole, and its way from format to format walked."""

import json
from pathlib import Path

import pytest

from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Listed, Manifest, from_bytes, to_bytes
from sabot.firmware.integrity.signature import verify
from sabot.firmware.journal import store
from sabot.firmware.update import migration
from sabot.image.errors import ImageError
from sabot.image.next_format import CHANGES, NEXT, make_next
from sabot.image.tree import Tree
from tests.image import tiny

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "opt/sabot/releases/1.0"
SITE = f"{RELEASE}/venv/lib/python3.13/site-packages"
STORE, MIGRATION = CHANGES
COMPILED = [
    f"sabot/firmware/journal/__pycache__/{name}.cpython-313.pyc" for name in ("store", "store_of_more")
]


def released() -> Tree:
    tree = Tree()
    for module in CHANGES:
        tree.write(f"{SITE}/{module}", (ROOT / module.removeprefix("sabot/")).read_bytes())
    for name in COMPILED:
        tree.write(f"{SITE}/{name}", b"compiled")
    files = tuple(Listed(name, 1, "00") for name in ("other.py", *CHANGES))
    manifest = Manifest(
        version="1.0", python="3.13", machine="linux_aarch64", journal_format=store.FORMAT, drivers={},
        files=files, bundle=(),
    )  # fmt: skip
    tree.write(f"{RELEASE}/{MANIFEST}", to_bytes(manifest))
    tree.write(f"{RELEASE}/compiled.json", json.dumps({name: [1, "00"] for name in COMPILED}))
    tree.link("opt/sabot/current", "releases/1.0")
    return tree


def test_it_is_signed_whole_and_what_was_compiled_of_its_changes_is_gone() -> None:
    tree = released()
    make_next(tree, tiny.key())
    data = tree.read(f"{RELEASE}/{MANIFEST}")
    verify(data, tree.read(f"{RELEASE}/{SIGNATURE}"), tiny.key().public_key(), MANIFEST)
    found = from_bytes(data)
    assert found.journal_format == NEXT
    sizes = {each.path: each.size for each in found.files}
    assert sizes == {"other.py": 1, **{name: len(tree.read(f"{SITE}/{name}")) for name in CHANGES}}
    assert [name in tree for name in (f"{SITE}/{each}" for each in COMPILED)] == [False, True]
    assert list(json.loads(tree.read(f"{RELEASE}/compiled.json"))) == COMPILED[1:]


def test_its_way_leads_from_todays_format_to_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = released()
    make_next(tree, tiny.key())
    assert f"\nFORMAT = {NEXT}\n" in tree.read(f"{SITE}/{STORE}").decode()
    journal = tmp_path / "journal.db"
    store.create(journal)
    before = journal.read_bytes()
    monkeypatch.setattr(store, "FORMAT", NEXT)
    there: dict[str, object] = {}
    exec(tree.read(f"{SITE}/{MIGRATION}"), there)
    assert there["migrate"](journal) == NEXT - 1  # type: ignore[operator]
    assert migration.format_of(journal) == NEXT
    assert journal.with_name(f"journal.format-{NEXT - 1}.db").read_bytes() == before


def test_a_release_that_has_its_words_no_more_is_none_of_the_trial() -> None:
    tree = released()
    tree.write(f"{SITE}/{STORE}", "FORMAT = 7\n")
    with pytest.raises(ImageError, match="has not one 'FORMAT"):
        make_next(tree, tiny.key())
