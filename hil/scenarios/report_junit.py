"""A run as JUnit XML, the form that CI systems read: a suite for each file of scenarios."""

import xml.etree.ElementTree as ET
from itertools import groupby
from pathlib import Path

from sabot.hil.scenarios.record import ERROR, FAIL, SKIP, PlayedScenario, ScenarioRun

TAGS = {FAIL: "failure", ERROR: "error", SKIP: "skipped"}


def write(run: ScenarioRun, path: Path) -> None:
    """Write the whole run."""
    whole = ET.Element("testsuites", {"name": "sabot hil", **_counts(run.scenarios)})
    for file, group in groupby(run.scenarios, key=lambda each: each.file):
        whole.append(_suite(run, file, list(group)))
    ET.indent(whole)
    path.write_text(ET.tostring(whole, encoding="unicode", xml_declaration=True) + "\n", encoding="utf-8")


def _suite(run: ScenarioRun, file: str, scenarios: list[PlayedScenario]) -> ET.Element:
    suite = ET.Element(
        "testsuite", {"name": file, "hostname": run.rig, "timestamp": run.started} | _counts(scenarios)
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in {"rig": run.title, **run.environment}.items():
        ET.SubElement(properties, "property", name=name, value=value)
    suite.extend(_case(each) for each in scenarios)
    return suite


def _case(played: PlayedScenario) -> ET.Element:
    case = ET.Element(
        "testcase",
        name=played.name,
        classname=f"{played.chapter}.{played.method}",
        time=f"{played.seconds:.3f}",
    )
    if played.outcome in TAGS:
        first, _, rest = played.why.partition("\n")
        ET.SubElement(case, TAGS[played.outcome], message=first).text = rest or first
    measured = [
        f"{name}: {each.measured_value:g} {each.units}, limit {each.limit}, {each.outcome}"
        for phase in played.phases
        for name, each in phase.measurements.items()
    ]
    if measured:
        ET.SubElement(case, "system-out").text = "\n".join(measured)
    return case


def _counts(scenarios: list[PlayedScenario]) -> dict[str, str]:
    def count(outcome: str) -> str:
        return str(sum(each.outcome == outcome for each in scenarios))

    return {
        "tests": str(len(scenarios)),
        "failures": count(FAIL),
        "errors": count(ERROR),
        "skipped": count(SKIP),
        "time": f"{sum(each.seconds for each in scenarios):.3f}",
    }
