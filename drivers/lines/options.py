"""What a table file may say of its lines, beside the wiring itself."""

from collections.abc import Mapping

from sabot.drivers.device import Spoken
from sabot.drivers.lines.plan import LOCK, WIRING, make_plan
from sabot.drivers.options import Option, Schema, Value

SCHEMA: Schema = (
    *WIRING,
    Option("lock_wagers", "ante", "the wagers whose open spots energise the lock output"),
    Option("settle_ms", 8.0, "how long a key may bounce (LOCK counts at once)", low=1.0, high=100.0),
    Option("stuck_s", 60.0, "a key that is held so long is stuck", low=5.0, high=600.0),
)


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """The wagers that the lock output goes by, and the lock-out button; two lines on one pin are refused."""
    plan = make_plan(options, name)
    is_wired = any(line.name == LOCK for line in plan.inputs)
    return Spoken(wagers=tuple(str(options["lock_wagers"]).split()), has_lock_out=is_wired)
