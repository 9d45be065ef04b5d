"""Scenarios of the floor on devices of this machine's kernel, as an order wants them."""

import json
import sys

from sabot.hil.kernel import order
from sabot.hil.kernel.inside.report import command, say
from sabot.hil.scenarios import report_json, runner
from sabot.hil.scenarios.record import PlayedScenario
from sabot.hil.scenarios.rig import read_rig, strategy_of


def mount() -> None:
    """Mount the share with the order, which is also where the answer goes."""
    order.PLACE.mkdir(parents=True, exist_ok=True)
    options = "trans=virtio,version=9p2000.L,msize=512000"
    command("mount", "-t", "9p", "-o", options, order.SHARE, str(order.PLACE))


def keep(played: PlayedScenario, done: int, _count: int, _left_s: float) -> None:
    """Keep a scenario where the other side finds it, and only then say that it is there."""
    report_json.keep(played, order.played_at(order.PLACE, done))
    say(f"{order.MARK} {done}")


def main() -> int:
    """Play all scenarios of the order, one table after the other."""
    mount()
    wanted, library = order.read(order.PLACE)
    rig = read_rig(wanted.target)
    record = runner.run(wanted.scenarios, rig, strategy_of(rig, library), rig.jobs, keep)
    (order.PLACE / order.ENVIRONMENT).write_text(json.dumps(record.environment), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
