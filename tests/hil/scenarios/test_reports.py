"""The three reports of a run: the record against its schema, JUnit XML, and a page that fetches nothing."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from sabot.hil.scenarios import report_html, report_json, report_junit
from sabot.hil.scenarios.record import (
    ERROR,
    FAIL,
    PASS,
    SKIP,
    Measured,
    PlayedScenario,
    RecordedPhase,
    ScenarioRun,
    summary,
)

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[3] / "docs" / "hil-record.schema.json").read_text(encoding="utf-8")
)


def played(name: str, outcome: str, why: str = "") -> PlayedScenario:
    event = {"event": "KeyPressed", "at": 1.2, "source": "lines", "key": "LOCK"}
    effect = {"effect": "LockWagers", "cite": "679a.7(c)"}
    return PlayedScenario(
        name=name,
        paragraph="679a.7(c)",
        chapter="pa679a",
        method="hand",
        file="floor/a.toml" if outcome != SKIP else "floor/b.toml",
        start="bets-open",
        about="<once> & for all",
        started="2026-01-31T12:00:00.000+00:00",
        outcome=outcome,
        why=why,
        seconds=1.5,
        phases=[
            RecordedPhase("key: LOCK", PASS, 0.1, 0.2),
            RecordedPhase(
                "measure: key to lock", outcome, 0.2, 0.3, why, {"key to lock": Measured.of(12.25, 10.0)}
            ),
            RecordedPhase("see line: lock_open = 0", SKIP),
        ],
        diary=[
            [-0.5, "display", "lines.0", "BETS OPEN", "showed"],
            [0.1, "lines", "", "press key_lock", "did"],
            [0.11, "lines", "lock_open", 0, "showed"],
            [0.15, "display", "lines.0", "CHIPS: 0", "showed"],
        ],
        journal=[{"number": 3, "kind": "event", "at_s": 0.12, "body": {"event": event, "effects": [effect]}}],
        attachments={"program.log": "<log>"},
    )


@pytest.fixture
def run() -> ScenarioRun:
    scenarios = [
        played("holds", PASS),
        played("falls short", FAIL, "expected: see line: lock_open = 0\ncame: lock_open = 1"),
        played("cannot be played", ERROR, "no console"),
        played("is skipped", SKIP, "the rig bench has no sign"),
    ]
    return ScenarioRun("bench", "a bench", ["lines"], {"digest": "ab" * 32}, "begin", "end", 6.0, scenarios)


def test_the_worst_outcome_is_that_of_the_run_and_a_skip_is_no_pass(run: ScenarioRun) -> None:
    assert run.outcome == ERROR
    assert summary(run) == (
        "ERROR: 4 scenarios on bench: 1 held, 1 fell short, 1 could not be played, 1 skipped; 6 s"
    )
    run.scenarios = run.scenarios[-1:]
    assert run.outcome == SKIP
    run.scenarios = []
    assert run.outcome == SKIP


def test_a_measurement_beyond_its_limit_fell_short() -> None:
    assert Measured.of(12.25, 10.0).outcome == FAIL
    assert Measured.of(9.75, 10.0).outcome == PASS
    assert Measured.of(1e9, None).outcome == PASS


def test_the_record_is_as_its_schema_says(run: ScenarioRun, tmp_path: Path) -> None:
    report_json.write(run, tmp_path / "r.json")
    record = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert list(_wrong(record, SCHEMA, "record")) == []
    assert record["scenarios"][1]["phases"][1]["measurements"]["key to lock"]["measured_value"] == 12.25
    record["scenarios"][0]["outcome"] = "MAYBE"
    del record["rig"]
    assert list(_wrong(record, SCHEMA, "record")) == [
        "record.rig is missing",
        "record.scenarios.0.outcome: MAYBE",
    ]


def _wrong(value: Any, schema: dict[str, Any], place: str) -> Any:
    """What of a value is not as the schema says; as much of JSON Schema as ours uses."""
    kinds: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "number": (int, float),
        "null": type(None),
    }
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if wanted and not any(isinstance(value, kinds[name]) for name in wanted):
        yield f"{place}: no {wanted}"
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        yield f"{place}: {value}"
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        yield from (f"{place}.{name} is missing" for name in schema.get("required", []) if name not in value)
        for name, each in value.items():
            if name not in known and rest is False:
                yield f"{place}.{name} is unknown"
            yield from _wrong(each, known.get(name, rest or {}), f"{place}.{name}")
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _wrong(each, schema.get("items", {}), f"{place}.{number}")


def test_junit_has_a_suite_for_each_file_and_tells_skips_failures_and_errors_apart(
    run: ScenarioRun, tmp_path: Path
) -> None:
    report_junit.write(run, tmp_path / "r.xml")
    whole = ET.parse(tmp_path / "r.xml").getroot()
    assert [whole.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert [suite.get("name") for suite in whole] == ["floor/a.toml", "floor/b.toml"]
    cases = {case.get("name"): case for case in whole.iter("testcase")}
    failure = cases["falls short"].find("failure")
    assert failure is not None
    assert failure.get("message") == "expected: see line: lock_open = 0"
    assert failure.text == "came: lock_open = 1"
    assert cases["holds"].find("failure") is None
    assert cases["is skipped"].find("skipped") is not None
    assert cases["cannot be played"].find("error") is not None
    assert "key to lock: 12.25 ms" in (cases["holds"].findtext("system-out") or "")


def test_the_page_has_a_picture_of_each_scenario_and_fetches_nothing(
    run: ScenarioRun, tmp_path: Path
) -> None:
    report_html.write(run, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    for words in ("BETS OPEN", "CHIPS: 0", "LockWagers", "KeyPressed LOCK", "expected: see line", "ab" * 32):
        assert words in page
    assert "&lt;log&gt;" in page
    assert "<once>" not in page
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\(|@import|https?:", page)


def test_what_fell_short_stands_at_the_top_and_is_open(run: ScenarioRun, tmp_path: Path) -> None:
    report_html.write(run, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    head = page.partition("</header>")[0]
    assert "falls short" in head
    assert "cannot be played" in head
    assert "is skipped" not in head.partition("<ul>")[2]
    assert re.search(r'<details id="falls-short" class="FAIL" open>', page)
    assert re.search(r'<details id="holds" class="PASS">', page)
