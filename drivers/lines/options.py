"""What a table file may say of its lines, beside the wiring itself."""

from collections.abc import Mapping

from sabot.drivers.device import Spoken
from sabot.drivers.lines.plan import HEALTHY, KEYS, LOCK, LOCK_OPEN, MISSED, WIRING, make_plan, verify_pins
from sabot.drivers.options import Option, Schema, Value

SCHEMA: Schema = (
    *WIRING,
    Option("lock_wagers", "ante", "the wagers whose open spots energise the lock output"),
    Option("settle_ms", 8.0, "how long a key may bounce (LOCK counts at once)", low=1.0, high=100.0),
    Option("stuck_s", 60.0, "a key that is held so long is stuck", low=5.0, high=600.0),
)


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return keys, outputs and the lock's wagers; a pin that is reserved or given twice is refused."""
    plan = make_plan(options, name)
    verify_pins(plan, name)
    wired = {line.name: line.pin for line in (*plan.inputs, *plan.outputs)}
    return Spoken(
        wagers=tuple(str(options["lock_wagers"]).split()),
        has_lock_out=LOCK in wired,
        holds_lock=LOCK_OPEN in wired,
        shows_health=HEALTHY in wired,
        keys=tuple(key for line, key in KEYS.items() if line in wired),
        pins=tuple(wired.values()),
        lacks=tuple(words for line, words in MISSED.items() if line not in wired),
    )
