"""Run checks in their turn, and turn what they raise into outcomes.

Checks that all the rest stands on are gates: behind one that is wrong nothing else is tried, so that one
mistake is named once.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sabot.drivers.errors import LinkError
from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.kit import Kit, NotClaimedError, WrongError
from sabot.hil.conformance.record import NOT_CLAIMED, NOT_TRIED, PASSED, WRONG, CheckResult

# A device must answer a PING within 50 ms: a kit that stands still so long is no judge of it.
STOOD_STILL_S = 0.05
BUSY = "the machine was too busy to judge, it stood still for {still_s:.2f} s: {words}"


class ConformanceCheck(NamedTuple):
    """One thing that a conforming device does, and the section that says so."""

    name: str
    title: str
    section: str
    run: Callable[[Any], None]
    is_gate: bool = False


Tell = Callable[[int, int, ConformanceCheck], None]


def run_checks(kit: Kit, checks: Iterable[ConformanceCheck], tell: Tell) -> Iterator[CheckResult]:
    """Yield the result of each check in its turn; behind a gate that is wrong nothing is tried."""
    rows = list(checks)
    shut = ""
    for number, check in enumerate(rows, 1):
        tell(number, len(rows), check)
        if shut:
            yield CheckResult(check.name, check.title, check.section, NOT_TRIED, f"{shut} comes first")
            continue
        result = _run(kit, check)
        if kit.is_lost or (check.is_gate and (result.outcome == WRONG or _is_doubted(result))):
            shut = check.name
        yield result


def _run(kit: Kit, check: ConformanceCheck) -> CheckResult:
    kit.stood_still_s()
    # The call above drops what the machine did before this check.
    kit.measures, kit.began = [], kit.line.now()
    kit.log.clear()
    result = CheckResult(check.name, check.title, check.section, PASSED)
    try:
        kit.revive()
        kit.begin()
        check.run(kit)
        _judge(kit, result)
    except WrongError as error:
        result.outcome, result.words = WRONG, str(error)
    except NotClaimedError as error:
        result.outcome, result.words = NOT_CLAIMED, str(error)
    except NotTriedError as error:
        result.outcome, result.words = NOT_TRIED, str(error)
    except LinkError as error:
        result.outcome, result.words, kit.is_lost = WRONG, f"the device did not come back: {error}", True
    except OSError as error:
        result.outcome, result.words, kit.is_cut = WRONG, f"the wire broke off: {error}", True
    except Exception as error:  # whatever a device says, it gets a judgement and no traceback
        result.outcome, result.words = WRONG, f"nothing can be made of what it said: {error!r}"
    _doubt(result, kit.stood_still_s())
    if result.outcome == WRONG:
        kit.wrong.append(check.name)
    result.measures, result.seconds = kit.measures, round(kit.line.now() - kit.began, 3)
    result.wire = list(kit.log) if result.outcome == WRONG else []
    return result


def _doubt(result: CheckResult, still_s: float) -> None:
    """Take back a fault that a machine without time may have caused; it is no pass either."""
    if result.outcome == WRONG and still_s > STOOD_STILL_S:
        result.outcome, result.words = NOT_TRIED, BUSY.format(still_s=still_s, words=result.words)


def _is_doubted(result: CheckResult) -> bool:
    return result.outcome == NOT_TRIED and result.words.startswith(BUSY.partition(",")[0])


def _judge(kit: Kit, result: CheckResult) -> None:
    outside = [each.words for each in kit.measures if not each.is_within]
    if outside:
        result.outcome, result.words = WRONG, "; ".join(outside)
