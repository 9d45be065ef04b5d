from sabot.statemachine.events import Role
from sabot.statemachine.faults import FAULTS
from sabot.statemachine.labels import HELD_LINES, WIDTH

CALLED = {Role.FLOOR: "FLOOR", Role.TECHNICIAN: "TECH"}


def test_every_fault_says_in_two_whole_lines_what_it_is_and_who_is_wanted() -> None:
    assert {row.kind for row in FAULTS} == set(HELD_LINES)
    for row in FAULTS:
        why, cure = HELD_LINES[row.kind]
        assert len(f"HELD: {why}") <= WIDTH, row.kind
        assert len(f"{CALLED[row.role]}: {cure}") <= WIDTH, row.kind
