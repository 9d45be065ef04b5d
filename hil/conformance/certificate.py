"""The words of a record: a line a check, then the certificate, or what to fix with its sections."""

from collections.abc import Iterator

from sabot.hil.conformance.record import (
    CERTIFICATE,
    NOT_CLAIMED,
    NOT_TRIED,
    PASSED,
    TO_FIX,
    WRONG,
    CheckResult,
    Record,
)

MARKS = {PASSED: "ok", WRONG: "WRONG", NOT_TRIED: "not tried", NOT_CLAIMED: "not claimed"}
RULE = "-" * 78


def line_of(result: CheckResult) -> str:
    """Return one check in one line, its measurements behind it."""
    measured = "; ".join(each.words for each in result.measures)
    head = f"{MARKS[result.outcome]:<11} {result.name:<18} {result.title}"
    return f"{head} · {measured}" if measured and result.outcome == PASSED else head


def verdict_of(record: Record) -> str:
    """Return the verdict on the whole run."""
    return "\n".join([RULE, *_VERDICTS.get(record.verdict, _incomplete)(record), *_facts(record)])


def _certificate(record: Record) -> Iterator[str]:
    yield f"CERTIFICATE: this device speaks as {record.page} says"
    yield f"  {len(record.of(PASSED))} checks passed, none wrong, none left out"
    for each in record.of(NOT_CLAIMED):
        yield f"  not part of it: {each.name}: {each.words}"


def _to_fix(record: Record) -> Iterator[str]:
    wrong = record.of(WRONG)
    yield f"NO CERTIFICATE: {len(wrong)} to fix"
    for each in wrong:
        yield f"  {each.name}: {each.words}"
        yield f"      see docs/{each.section}"
    yield from _left_out(record)


def _incomplete(record: Record) -> Iterator[str]:
    yield "NO CERTIFICATE: nothing is wrong in what was tried, and not all was tried"
    yield from _left_out(record)


def _left_out(record: Record) -> Iterator[str]:
    left_out = record.of(NOT_TRIED)
    if left_out:
        yield f"  {len(left_out)} not tried, and a check that was not tried is none that passed:"
    for each in left_out:
        yield f"  {each.name}: {each.words}"


_VERDICTS = {CERTIFICATE: _certificate, TO_FIX: _to_fix}


def _facts(record: Record) -> Iterator[str]:
    yield ""
    rows = {"port": record.port, "date": record.date, **_claims(record), **record.conditions}
    for name, value in rows.items():
        yield f"  {name:<20} {value}"
    yield f"  {'sha256 of all this':<20} {record.digest}"


def _claims(record: Record) -> dict[str, str]:
    """Return the device's own claims, which the kit has not proved."""
    return {f"device {name}": value for name, value in record.device.items()}
