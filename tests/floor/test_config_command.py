"""``sabot floor config``: against the chapter, as an order, and every one that ever was."""

import json
from pathlib import Path
from typing import Any

import pytest

from sabot.cli import main
from sabot.floor import messages, order_file, orders

from .keeping import Kept
from .making import edited, terms_text
from .test_stores import sql

LATER = "2026-11-21T06:00:00Z"
LIMITED = ('threshold = "$20"\n\n[level.major]', 'threshold = "$20"\nlimit = "$250,000"\n\n[level.major]')


def asked(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main(["floor", "config", *map(str, words)]) == code
    out, err = capsys.readouterr()
    return out + err


def as_json(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> Any:
    return json.loads(asked(capsys, *words, "--json", code=code))


def written(folder: Path, *changes: tuple[str, str], begins: str = "2099-11-21T06:00:00Z") -> Path:
    file = folder / "pit.toml"
    file.write_text(edited(terms_text("T1", "T2", begins=begins), *changes))
    return file


def test_641a_12_e_3_a_configuration_is_held_against_its_chapter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, nowhere = written(tmp_path, LIMITED), tmp_path / "none.db"

    text = asked(capsys, good, "--store", nowhere)
    found = as_json(capsys, good, "--store", nowhere)

    assert "pa641a prog5 (641a.12(e)(3)), paytable D" in text
    assert "base $10,000, reset $10,000, 10% and 0% in reserve, limit $250,000" in text
    assert f"the chapter allows it; no store at {nowhere}" in text
    assert (found["problems"], found["levels"]["mega"]["limit_cents"]) == ([], 25_000_000)
    bad = written(tmp_path, ('base = "$10,000"', 'base = "$9,000"'), ("rate = 8", "rate = 9"))
    found = as_json(capsys, bad, "--store", nowhere, code=1)
    assert len(found["problems"]) == 2
    assert "base is $9,000" in found["problems"][0]
    assert "NOT BY THE CHAPTER: E-FLOOR-001" in asked(capsys, bad, "--store", nowhere, code=1)
    shared = written(tmp_path, ('wagers = ["$1"]', 'wagers = ["$1", "$5"]'))
    order = ("--order", tmp_path / "o", "--cause", "x")
    assert "cannot share" in asked(capsys, shared, "--store", nowhere, *order, code=1)
    assert not (tmp_path / "o").exists()
    assert "E-CONF-" in asked(capsys, written(tmp_path, ("rate = 8", "rates = 8")), code=2)
    assert "E-CLI-001" in asked(capsys, tmp_path / "none.toml", code=2)


def test_prog_6_it_says_what_stands_against_it_now(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = written(tmp_path, LIMITED)
    one, _ = kept.tellers
    kept.tell(one.bets(1, 1), one.hit(1, 1))

    assert "refused now: pit runs" in asked(capsys, good, "--store", kept.where)
    kept.order(orders.STOP, link="pit")
    found = as_json(capsys, good, "--store", kept.where)
    assert found["now"].startswith("refused now: the hit of entry ")
    kept.take(one.say(messages.VALIDATED, grant=max(kept.reader.load().state().grants)))
    assert "could be ordered now" in asked(capsys, good, "--store", kept.where)
    past = written(tmp_path, LIMITED, begins="2026-01-01T00:00:00Z")
    assert "refused now: its moment, 2026-01-01T00:00:00Z, is past" in asked(
        capsys, past, "--store", kept.where
    )


def test_prog_6_a_configuration_is_an_order_for_two_and_every_old_one_is_kept(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, order = written(tmp_path, LIMITED, begins=LATER), tmp_path / "order.json"
    words = (good, "--order", order, "--store", kept.where)
    assert "E-CLI-003 --cause" in asked(capsys, *words, code=2)
    assert asked(capsys, *words, "--cause", "a limit").startswith("ORDER 6: configuration, because a limit")
    drawn = order_file.read(order)
    assert (drawn.fields["file"], drawn.fields["order"]) == (good.read_text(), kept.orders + 1)

    kept.order(orders.STOP, link="pit")
    kept.order(orders.CONFIGURATION, file=drawn.fields["file"])
    kept.clock.at = LATER
    kept.order(orders.START, link="pit")
    first, second = as_json(capsys, "--store", kept.where)
    text = asked(capsys, "--store", kept.where)

    assert (first["number"], first["until"], first["signed"]) == (1, LATER, ["11", "12"])
    assert (second["number"], second["in_force"], second["runs"]) == (2, [LATER], True)
    assert f"pit 1: in force from 2026-11-20T06:00:00Z until {LATER}" in text
    assert f"pit 2: IN FORCE since {LATER}" in text
    assert asked(capsys, "--store", kept.where, "--link", "pit", "--number", 2) == good.read_text()
    assert (
        as_json(capsys, "--store", kept.where, "--link", "pit", "--number", 1)["begins"]
        == "2026-11-20T06:00:00Z"
    )
    assert "E-CLI-003 --number" in asked(
        capsys, "--store", kept.where, "--link", "pit", "--number", 3, code=2
    )
    assert asked(capsys, "--store", kept.where, "--link", "moon") == "no such link was ever configured\n"
    kept.order(orders.STOP, link="pit")
    kept.order(orders.CONFIGURATION, file=written(tmp_path, LIMITED).read_text())
    text = asked(capsys, "--store", kept.where)
    assert f"pit 2: IN FORCE since {LATER}, stands still" in text
    assert "pit 3: never in force yet; begins 2099-11-21T06:00:00Z" in text


def test_prog_6_an_older_store_is_brought_forward_with_its_orders(where: str) -> None:
    with Kept.linked(where, "T1"):
        pass
    sql(where, "DROP INDEX entry_ordered")
    sql(where, "DROP TABLE told")
    sql(where, "DELETE FROM meta WHERE name IN ('schema 2', 'schema 3')")

    with_data = Kept.begin(where)
    found = with_data.reader.ordered(orders.TABLE, orders.START)
    with_data.end()

    assert [(each.number, each.kind) for each in found] == [(2, "table"), (4, "start")]
    assert sql(where, "SELECT value FROM meta WHERE name LIKE 'schema %' ORDER BY 1") == [
        ("1",),
        ("2",),
        ("3",),
    ]
    assert sql(where, "SELECT count(*) FROM told") == [(0,)]
