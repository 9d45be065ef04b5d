"""Which reads of a line a finger may trust: looks at the line itself, never those of a round over all lines."""

from sabot.hil.kernel.devices.chip import ROUND_GAP_S, TracedLooks

PINS = (4, 5, 6, 7)


def looks_of(*reads: tuple[float, int]) -> list[int]:
    looks = TracedLooks()
    looks.know_order(PINS)
    for at, pin in reads:
        looks.note(at, pin)
    return [looks.count[pin] for pin in PINS]


def a_round(at: float, step: float = 0.001) -> list[tuple[float, int]]:
    return [(at + step * number, pin) for number, pin in enumerate(PINS)]


def test_a_look_and_the_one_after_it_are_two() -> None:
    assert looks_of((1.0, 6), (1.008, 6)) == [0, 0, 2, 0]


def test_a_round_is_no_look_at_the_lines_inside_it() -> None:
    assert looks_of(*a_round(1.0), *a_round(2.0), *a_round(3.0)) == [3, 0, 0, 0]


def test_a_round_that_was_held_up_in_the_middle_is_still_one() -> None:
    held_up = [(1.0, 4), (1.001, 5), (1.001 + ROUND_GAP_S * 0.9, 6), (1.1, 7), (2.0, 4)]

    assert looks_of(*held_up)[1:3] == [0, 0]


def test_a_look_right_after_one_at_its_neighbour_counts_once_the_next_read_is_known() -> None:
    assert looks_of((1.0, 5), (1.008, 5), (1.02, 6)) == [0, 2, 0, 0]
    assert looks_of((1.0, 5), (1.008, 5), (1.02, 6), (1.028, 6)) == [0, 2, 2, 0]


def test_a_round_between_two_looks_changes_nothing() -> None:
    reads = [(1.0, 6), *a_round(1.002), (1.008, 6), (2.0, 4)]

    assert looks_of(*reads)[2] == 2


def test_the_time_is_that_of_the_last_look() -> None:
    looks = TracedLooks()
    looks.know_order(PINS)
    for at, pin in [(1.0, 6), (1.008, 6), *a_round(1.5), (1.6, 4)]:
        looks.note(at, pin)

    assert looks.at[6] == 1.008
