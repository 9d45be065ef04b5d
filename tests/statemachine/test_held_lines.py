from sabot.statemachine.cures import CALLED, CURES, INSTEAD
from sabot.statemachine.faults import FAULT_ROWS, FAULTS
from sabot.statemachine.labels import HELD_LINES, WIDTH


def test_every_fault_says_in_two_whole_lines_what_it_is_and_who_is_wanted() -> None:
    assert set(FAULT_ROWS) == set(HELD_LINES) == set(CURES)
    for row in FAULTS:
        assert len(f"HELD: {HELD_LINES[row.kind]}") <= WIDTH, row.kind
        for step in CURES[row.kind]:
            assert len(f"{CALLED[step.by or row.role]}: {step.short}") <= WIDTH, (row.kind, step)


def test_a_cure_ends_with_a_line_of_a_list_that_there_is() -> None:
    assert all(rows[-1].action == "release" for rows in CURES.values())
    assert all(row.action for row in INSTEAD)
