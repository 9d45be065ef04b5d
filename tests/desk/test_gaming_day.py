"""A gaming day out of the journal, entry by entry."""

import json
from datetime import date

from sabot.config.table_file import DaySettings
from sabot.desk.gaming_day import DayReport, bounds
from sabot.firmware.journal.entry import Entry, Stamp


def entry(number: int, kind: str, body: dict[str, object], *, trusted: bool = True) -> Entry:
    stamp = Stamp("boot", "1.000000", "2026-01-01T00:00:00.000Z", trusted)
    return Entry(number, kind, stamp, json.dumps(body), b"", b"")


def event(name: str, *effects: str, **more: object) -> dict[str, object]:
    told = [{"effect": effect, "fault": "jam"} for effect in effects]
    return {"event": {"event": name, **more}, "effects": told}


def test_what_happened_is_counted_by_its_kind_and_money_by_its_cause() -> None:
    day = DayReport("", "")
    day.take(entry(7, "start", {"moves": {"seed": {"prog4 main": 100}}}))
    day.take(entry(8, "event", event("RoleUnlocked")))
    day.take(entry(9, "event", event("KeyPressed", "VoidRound", "RecordRound", "ShowPrompt")))
    day.take(entry(10, "event", event("Resumed", "FreezeHit", "RaiseFault"), trusted=False))
    day.take(entry(11, "event", event("HitValidated", "FreezeHit")))
    day.take(entry(12, "event", event("MeterAdjusted", cause="by hand")))
    day.take(entry(13, "start", {}))

    assert dict(day.counts) == {
        "start": 2,
        "unlocks": 1,
        "voids": 1,
        "rounds": 1,
        "faults": 1,
        "hits frozen": 1,
    }
    assert dict(day.faults) == {"jam": 1}
    assert (day.first, day.last, day.untrusted) == (7, 13, 1)
    assert day.causes == ["entry 12: by hand"]
    assert day.as_json()["moves"] == {"seed": {"prog4 main": 100}}


def test_a_day_begins_at_its_hour_there_and_is_an_hour_short_in_spring() -> None:
    day = DaySettings(6 * 60 + 30, "America/New_York")
    assert bounds(day, date(2026, 1, 5)) == ("2026-01-05T11:30:00.000Z", "2026-01-06T11:30:00.000Z")
    assert bounds(day, date(2026, 3, 7)) == ("2026-03-07T11:30:00.000Z", "2026-03-08T10:30:00.000Z")
