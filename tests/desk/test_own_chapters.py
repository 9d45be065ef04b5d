"""CONTRIBUTING's recipe: a sixth chapter is one file, and everything that takes a chapter takes it.

The chapter is Three Card Poker as a house would write it (``tests/config/ours``). Its Pair Plus pays 40, 30, 6, 4
and 1 to 1, of which the hold is published: 512 of 22,100 hands' stakes, 2.3167 %; so is that of the Ante, 3.37 %.
"""

import json
import re
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from calling import Answer, sabot
from sabot.config.errors import ConfigError
from sabot.config.loader import CHAPTER_IDS, PRINTED, ChapterLaw
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation
from sabot.firmware.integrity.law import PURPOSE, law_checks, sign_law, verify_law
from sabot.firmware.integrity.signature import sign as sign_release

OURS = Path(__file__).resolve().parents[1] / "config" / "ours"
SCENARIOS = OURS.parent / "ours_scenarios"
SUBMISSION = OURS / "submissions" / "tcp.toml"


def ours(*words: str, stdin: str = "") -> Answer:
    return sabot(*words, "--law", str(OURS), stdin=stdin)


def round_of(own: str, dealer: str, **decision: object) -> str:
    seat = {"seat": 1, "wagers": {"ante": 1000, "pair_plus": 500}, "cards": own.split(), "decision": decision}
    options = {"paytables": {"pair_plus": "A"}}
    return json.dumps({"chapter": "tcp", "options": options, "seats": [seat], "dealer": dealer.split()})


def settled(own: str, dealer: str, **decision: object) -> dict[str, tuple[str, int]]:
    answer = ours("settle", "--json", stdin=round_of(own, dealer, **decision))
    assert answer.code == 0, answer.err
    return {line["wager"]: (line["result"], line["paid"]) for line in json.loads(answer.out)["lines"]}


# ---------------------------------------------------------------- the recipe, command by command


def test_a_sixth_chapter_is_listed_and_printed() -> None:
    assert "Three Card Poker, house rules, 7 seats" in ours("chapter").out
    page = ours("chapter", "tcp").out
    assert "the hands tie" in page
    assert "player's hand is higher\n" in page
    assert "higher or equal" not in page


def test_its_submission_is_checked_by_its_own_duties(tmp_path: Path) -> None:
    assert "[TCP.7(e)]" in ours("chapter", "--check", str(SUBMISSION)).out

    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SUBMISSION.read_text().replace("adjacent_boxes = 2", ""))
    answer = ours("chapter", "--check", str(wrong))
    assert answer.code == 1
    assert "E-SUBM-011" in answer.out
    assert "TCP.7(e)" in answer.out


def test_its_sign_is_drawn_with_its_tie(tmp_path: Path) -> None:
    answer = ours("sign", str(SUBMISSION), "-o", str(tmp_path / "sign.svg"))

    assert answer.code == 0, answer.err
    drawn = (tmp_path / "sign.svg").read_text()
    assert "Ties push." in drawn
    assert "Pair Plus" in drawn
    assert "tie" in drawn


def test_it_is_dealt() -> None:
    plan = json.loads(ours("deal", "tcp", "auto_shoe", "--seats", "1,4", "--json").out)

    assert plan["order"] == [
        *("seat1@1", "seat1@2", "seat1@3", "seat4@4", "seat4@5", "seat4@6"),
        *("dealer@7", "dealer@8", "dealer@9"),
    ]
    assert plan["options"] == {}


def test_tcp_11c_it_is_settled_and_a_tie_pushes() -> None:
    lines = settled("Qc Qd 7h", "Qh Qs 7d", play=1000)

    assert lines == {"ante": ("push", 0), "play": ("push", 0), "pair_plus": ("win", 500)}


def test_tcp_12c_its_holds_are_the_published_ones() -> None:
    sheet = json.loads(ours("par", "tcp", "pair_plus", "--json").out)
    by_letter = {row["paytable"]: row["hold_pct"] for row in sheet["rows"]}

    assert by_letter["A"] == pytest.approx(100 * 512 / 22_100, abs=1e-6)
    assert by_letter["B"] == pytest.approx(7.28, abs=0.005)


def test_the_demo_plays_a_shift_made_from_the_chapter() -> None:
    answer = ours("demo", "--chapter", "tcp", "--fast", "--lines")

    assert answer.code == 0, answer.err
    assert "Pair Plus" in answer.out
    assert "TCP.13(a)" in answer.out


def test_tcp_11c_a_scenario_plays_a_tie_at_a_whole_table() -> None:
    """The rig's table is ``sabot run --sim tcp`` in a process of its own."""
    answer = ours("hil", "run", "--files", str(SCENARIOS))

    assert answer.code == 0, answer.out + answer.err


def test_the_wager_that_opens_the_contest_has_whatever_name_its_chapter_gives_it(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for file in (each for each in folder.rglob("*") if each.is_file()):
        file.write_text(re.sub(r"\bante\b", "blind", file.read_text()))

    text = round_of("Qc Qd 7h", "Qh Jc 2d", play=1000).replace('"ante"', '"blind"')
    answer = sabot("settle", "--json", "--law", str(folder), stdin=text)
    assert [(line["wager"], line["paid"]) for line in json.loads(answer.out)["lines"]] == [
        ("blind", 1000),
        ("play", 1000),
        ("pair_plus", 500),
    ]

    shown = sabot("demo", "--chapter", "tcp", "--fast", "--lines", "--law", str(folder))
    assert shown.code == 0, shown.err
    assert "TCP.13(a)" in shown.out


# ---------------------------------------------------------------- the folder


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(OURS, folder / "law"))


def test_a_folder_may_amend_a_chapter_of_the_program(tmp_path: Path) -> None:
    folder = tmp_path / "amended"
    (folder / "chapters").mkdir(parents=True)
    printed = PRINTED.text("chapters/pa679a.toml")
    (folder / "chapters" / "pa679a.toml").write_text(printed.replace("seats = 6", "seats = 5"))
    law = ChapterLaw(folder)

    assert law.ids == CHAPTER_IDS
    assert (law.chapter("pa679a").seats, PRINTED.chapter("pa679a").seats) == (5, 6)
    assert law.chapter("pa641a") == PRINTED.chapter("pa641a")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (shutil.rmtree, "there is no such folder"),
        (lambda folder: shutil.rmtree(folder / "chapters"), "no chapters/ID.toml"),
        (lambda folder: (folder / "run.py").write_text(""), "no such file"),
        (lambda folder: (folder / "chapters" / "x.toml").symlink_to("/etc/passwd"), "no such file"),
        (lambda folder: (folder / "stated.toml").write_text("#" * 1_000_001), "more than 1,000,000 bytes"),
    ],
)
def test_a_folder_that_is_none_is_refused(tmp_path: Path, spoil: object, said: str) -> None:
    folder = copied(tmp_path)
    spoil(folder)  # type: ignore[operator]

    with pytest.raises(ConfigError, match=f"E-CONF-015 .*{said}"):
        ChapterLaw(folder)


def test_a_chapter_has_the_id_of_its_file(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "chapters" / "tcp.toml").rename(folder / "chapters" / "other.toml")

    with pytest.raises(ConfigError, match=r"E-CONF-004 .*'id' is 'tcp', expected \"other\""):
        ChapterLaw(folder).chapter("other")


def test_a_simulated_table_wants_an_example(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "submissions" / "tcp.toml").unlink()

    answer = sabot("run", "--sim", "tcp", "--law", str(folder))

    assert answer.code == 2
    assert "E-CONF-016" in answer.err


# ---------------------------------------------------------------- signed as the release is


KEY, STRANGER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()


def board(folder: Path) -> Installation:
    """A board whose settings have the pinned key."""
    pem = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "release.pub").write_bytes(pem)
    return Installation(folder, folder, folder, folder / "python", None, settings=folder)


def signed(folder: Path, key: Ed25519PrivateKey = KEY) -> Path:
    manifest, made = sign_law(ChapterLaw(folder), key)
    (folder / "law.json").write_bytes(manifest)
    (folder / "law.sig").write_bytes(made)
    return folder


def test_a_folder_that_the_pinned_key_signed_is_good(tmp_path: Path) -> None:
    verify_law(ChapterLaw(signed(copied(tmp_path))), board(tmp_path))


def test_a_simulated_table_asks_for_no_signature_and_any_other_does(tmp_path: Path) -> None:
    law, where = ChapterLaw(OURS), board(tmp_path)

    assert law_checks(law, where, is_simulated=True) == ()
    assert law_checks(PRINTED, where, is_simulated=False) == ()
    (check,) = law_checks(law, where, is_simulated=False)
    assert (check.name, check.keeps_closed) == ("law", True)


def _amend(folder: Path) -> None:
    path = folder / "chapters" / "tcp.toml"
    path.write_text(path.read_text().replace("40 to 1", "50 to 1"))


def _of_another_format(folder: Path) -> None:
    manifest = b'{"format": 2, "files": {}}'
    (folder / "law.json").write_bytes(manifest)
    (folder / "law.sig").write_bytes(sign_release(manifest, KEY, PURPOSE))


def _as_a_release(folder: Path) -> None:
    (folder / "law.sig").write_bytes(sign_release((folder / "law.json").read_bytes(), KEY))


@pytest.mark.parametrize(
    ("spoil", "code", "said"),
    [
        (lambda folder: (folder / "law.sig").unlink(), "E-VERIFY-014", "No such file"),
        (lambda folder: signed(folder, STRANGER), "E-VERIFY-015", "the pinned key did not make it"),
        (_as_a_release, "E-VERIFY-015", "the pinned key did not make it"),
        (_of_another_format, "E-VERIFY-015", "its manifest cannot be read"),
        (_amend, "E-VERIFY-016", "chapters/tcp.toml was changed"),
        (
            lambda folder: (folder / "chapters" / "new.toml").write_text(""),
            "E-VERIFY-016",
            "chapters/new.toml was added",
        ),
        (
            lambda folder: (folder / "submissions" / "tcp.toml").unlink(),
            "E-VERIFY-016",
            "submissions/tcp.toml is missing",
        ),
    ],
)
def test_a_folder_that_is_not_what_was_signed_is_refused(
    tmp_path: Path, spoil: object, code: str, said: str
) -> None:
    folder = signed(copied(tmp_path))
    spoil(folder)  # type: ignore[operator]

    with pytest.raises(VerifyError, match=f"{code} .*{said}"):
        verify_law(ChapterLaw(folder), board(tmp_path))


def test_a_release_signature_and_a_folder_signature_are_no_use_for_each_other() -> None:
    manifest, made = sign_law(ChapterLaw(OURS), KEY)

    assert made != sign_release(manifest, KEY)
