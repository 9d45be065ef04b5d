"""The floor's report of a gaming day: what tables tell of theirs is kept as they signed it, and what people read."""

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sabot.floor import orders, report_page, reports
from sabot.floor import service as services
from sabot.floor.errors import FloorError
from sabot.floor.open_store import open_store
from sabot.floor.pit import facts
from sabot.floor.service import Service
from sabot.floor.verify import verify
from sabot.floor.wire import hex_of

from .keeping import SOON_S, Kept
from .making import key
from .test_floor_command import as_json, asked
from .test_pit import CHROMIUM, FLAGS, INSTALL, told
from .test_service import serve
from .test_stores import sql
from .test_verify import evening

DAY = "2026-11-20"
AT = DAY + "T{}:00.000Z"


def hear(kept: Kept, *states: bytes) -> Service:
    """A service that hears states, and keeps them."""
    service = Service(kept.committer, key("floor"), kept.clock, lambda _word: None)
    service._tell_page(leads=True)
    kept.committer.ask(lambda _state, _last: None).result(SOON_S)
    for each in states:
        service.hear("sabot/1/state/T1", each)
    service.keep_days()
    kept.committer.ask(lambda _state, _last: None).result(SOON_S)
    return service


def day(table: str, part: int, rounds: int, first: str, last: str, **more: Any) -> bytes:
    """A table's word of its day."""
    values = {"signer": table, "played": [rounds, AT.format(first), AT.format(last)], "faults": [], **more}
    return told(table, part, **values)


def two_tables(kept: Kept) -> None:
    evening(kept)
    hear(
        kept,
        day("T1", 1, 40, "07:00", "08:00", faults=[["jam", 1]]),
        day("T1", 2, 41, "07:00", "08:00", faults=[["count", 1], ["jam", 2]]),
        day("T2", 1, 31, "07:30", "09:00", faults=[["jam", 1]]),
    )


def found(kept: Kept, day: str = DAY, table: str = "") -> dict[str, Any]:
    return reports.report(kept.reader.load().state(), kept.reader, day, table)


# ---------------------------------------------------------------- what is kept


def test_prog_10_rounds_an_hour_and_faults_by_kind_of_each_table_and_of_all(kept: Kept) -> None:
    two_tables(kept)

    report = found(kept)

    one, two = report["tables"]
    assert (one["play"]["rounds"], one["play"]["rounds_an_hour"]) == (41, 40.0)
    assert one["play"]["faults_by_kind"] == {"count": 1, "jam": 2}
    assert (two["play"]["rounds"], two["play"]["rounds_an_hour"]) == (31, 20.0)
    assert report["play"] == {
        "rounds": 72,
        "first": AT.format("07:00"),
        "last": AT.format("09:00"),
        "rounds_an_hour": 28.0,
        "faults_by_kind": {"count": 1, "jam": 3},
    }
    assert [each["table"] for each in found(kept, table="T2")["tables"]] == ["T2"]
    assert found(kept, table="T2")["play"]["rounds"] == 31
    verify(kept.reader)


def test_prog_10_meters_as_the_day_began_and_as_it_ended(kept: Kept) -> None:
    evening(kept)

    first, second = found(kept)["meters"][0], found(kept, "2026-11-21")["meters"][0]

    assert (first["link"], first["level"], first["opened_units"]) == ("pit", "mega", 0)
    assert first["closed_units"] == second["opened_units"]
    assert (second["closed_units"], second["cents"]) == (
        kept.units("pit.mega"),
        kept.units("pit.mega") // 10_000,
    )


def test_prog_10_handle_win_and_hold_of_each_table_add_up_to_those_of_the_floor(kept: Kept) -> None:
    evening(kept)
    report = found(kept)

    for what in ("wagers", "handle_cents", "from_meters_cents", "win_cents"):
        by_table = sum(row[what] for each in report["tables"] for row in each["figures"])
        assert by_table == sum(row[what] for row in report["figures"])
    assert [each["play"] for each in report["tables"]] == [None, None]


def test_prog_6_what_another_key_says_of_a_day_is_not_kept(kept: Kept) -> None:
    service = hear(kept, day("T1", 1, 9, "07:00", "08:00", signer="T2"), day("T9", 1, 9, "07:00", "08:00"))

    assert kept.reader.told() == []
    assert service.pit.refused == 2


def test_prog_6_the_count_of_a_day_never_falls_for_an_old_word_that_is_played_again(kept: Kept) -> None:
    old, new = day("T1", 1, 9, "07:00", "08:00"), day("T1", 2, 10, "07:00", "08:06")
    hear(kept, old, new)
    hear(kept, old)  # a service that took over has heard nothing newer

    assert found(kept)["play"]["rounds"] == 10


def test_prog_6_a_spare_board_counts_beside_the_one_before(kept: Kept) -> None:
    hear(kept, day("T1", 1, 40, "07:00", "08:00", faults=[["jam", 1]]))
    kept.order(orders.TABLE, table="T1", key=hex_of(key("spare")))
    hear(kept, day("T1", 2, 3, "09:00", "09:06", faults=[["jam", 2]], signer="spare"))

    (one,) = found(kept)["tables"]
    assert (one["play"]["rounds"], one["play"]["faults_by_kind"]) == (43, {"jam": 3})
    assert one["play"]["rounds_an_hour"] == round(41 / 1.1, 1)
    verify(kept.reader)


def test_prog_6_the_last_word_of_a_day_is_kept_when_the_next_has_begun(kept: Kept) -> None:
    late = day("T1", 3, 1, "07:00", "07:00", date="2026-11-21")
    hear(kept, day("T1", 1, 9, "07:00", "08:00"), day("T1", 2, 11, "07:00", "08:30"), late)

    assert [(each.day, each.counted) for each in kept.reader.told()] == [(DAY, 11), ("2026-11-21", 1)]


def test_prog_6_what_was_kept_is_not_committed_again(kept: Kept) -> None:
    service = hear(kept, day("T1", 1, 9, "07:00", "08:00"))
    commits = kept.committer.commits
    service.hear("sabot/1/state/T1", day("T1", 2, 9, "07:00", "08:00"))

    assert service.pit.days() == []
    assert kept.committer.commits == commits
    service.hear("sabot/1/state/T1", day("T1", 3, 10, "07:00", "08:01"))
    assert [each.counted for each in service.pit.days()] == [10]


def test_prog_6_a_service_keeps_days_by_the_clock_and_again_what_no_commit_took(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEEP_S", 0.0)
    serving = serve(kept)
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))
    serving.service.hear("sabot/1/state/T1", day("T1", 1, 9, "07:00", "08:00"))
    commit = kept.store.commit
    with monkeypatch.context() as broken:
        broken.setattr(kept.store, "commit", _full)
        serving.service.tick()
        with pytest.raises(FloorError):
            kept.take(kept.tellers[0].bets(1, 1))
    assert kept.store.commit == commit
    assert kept.reader.told() == []

    kept.insist(kept.tellers[0].say("heartbeat"))
    serving.service.tick()
    kept.committer.ask(lambda _state, _last: None).result(SOON_S)

    assert [each.counted for each in kept.reader.told()] == [9]


def _full(_batch: object) -> None:
    raise FloorError("E-FLOOR-010", "store", why="the medium is full")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE told SET body = CAST(replace(CAST(body AS TEXT), '[41,', '[99,') AS BLOB)",
        "UPDATE told SET counted = counted + 1",
        "UPDATE told SET day = '2026-11-19'",
        "UPDATE told SET board = (SELECT max(board) FROM told)",
        "UPDATE told SET table_name = 'T3' WHERE table_name = 'T2'",
    ],
)
def test_prog_12_what_was_altered_of_a_day_is_found(tmp_path: Path, change: str) -> None:
    where = str(tmp_path / "floor.db")
    with Kept.linked(where, "T1", "T2") as kept:
        two_tables(kept)
        verify(kept.reader)
    with sqlite3.connect(where) as db:
        db.execute(change)
    store = open_store(where)

    with pytest.raises(FloorError, match="no board of T"):
        verify(store)
    store.close()


def test_prog_12_a_board_that_was_never_enrolled_is_found(kept: Kept) -> None:
    two_tables(kept)
    sql(kept.where, "UPDATE told SET table_name = 'T2' WHERE table_name = 'T1' AND counted = 44")

    with pytest.raises(FloorError, match="no board of T2 said this of 2026-11-20"):
        verify(kept.reader)


# ---------------------------------------------------------------- what people read


def test_prog_10_a_gaming_day_in_words_and_csv_has_rounds_faults_and_meters(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    two_tables(kept)
    where = ("report", "--store", kept.where, "--date", DAY)

    text = asked(capsys, *where)
    rows = list(csv.reader(io.StringIO(asked(capsys, *where, "--csv"))))

    lines = [line.split() for line in text.splitlines()]
    assert ["T1", "41", "40.0", "count", "1,", "jam", "2"] in lines
    assert ["all", "tables", "72", "28.0", "count", "1,", "jam", "3"] in lines
    assert "as the day began" in text
    assert {len(row) for row in rows} == {8}
    assert ["rounds_an_hour", "T2", "", "", "", "", "", "20.0"] in rows
    assert ["rounds_an_hour", "", "", "", "", "", "", "28.0"] in rows
    assert ["fault", "T1", "", "jam", "2", "", "", ""] in rows
    assert ["handle", "T1", "pit", "prog5", "3", "300", "", ""] in rows
    assert ["meter_opened", "pit.mega", "pit", "", "", "0", "0", ""] in rows
    assert as_json(capsys, *where, "--table", "T1")["meters"] == []
    assert "not told" in asked(capsys, "report", "--store", kept.where, "--date", "2026-11-21")


def test_prog_10_the_page_has_nothing_to_load_and_no_name_as_markup(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    two_tables(kept)

    page = asked(capsys, "report", "--store", kept.where, "--date", DAY, "--html")
    report = found(kept) | {"facility": "The <b>Lantern</b> & Sons"}

    assert not any(word in page for word in ("src=", "href=", "url(", "<script", "http"))
    assert "The &lt;b&gt;Lantern&lt;/b&gt; &amp; Sons" in report_page.page(report)
    assert "Gaming day 2026-11-20, table T1" in report_page.page(found(kept, table="T1"))


@pytest.mark.skipif(CHROMIUM is None, reason=f"no Chromium: {INSTALL}")
def test_prog_10_the_page_in_a_browser_in_the_dark_on_a_tablet_and_on_paper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        two_tables(kept)
        page = tmp_path / "day.html"
        page.write_text(
            asked(capsys, "report", "--store", kept.where, "--date", DAY, "--html"), encoding="utf-8"
        )
    errors: list[str] = []
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        sight = browser.new_page(color_scheme="dark", viewport={"width": 820, "height": 1180})
        sight.on("pageerror", lambda error: errors.append(str(error)))
        sight.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        sight.goto(page.as_uri())
        plays = sight.locator("tr", has_text="all tables").inner_text()
        assert plays.split() == ["all", "tables", "count", "1,", "jam", "3", "72", "28.0"]
        assert sight.locator("h2").all_inner_texts()[:4] == [
            "Wagers, payouts, handle, win and hold", "By table", "Rounds and faults, as the tables say", "Meters",
        ]  # fmt: skip
        assert sight.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        axe = Axe().run(sight)
        assert axe.violations_count == 0, json.dumps(axe.response["violations"])[:2_000]
        sight.emulate_media(media="print")
        assert sight.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert len(sight.pdf()) > 10_000
        browser.close()
    assert errors == []
