"""The header of 40 pins that every board of the family has, counted as on the board: odd left, even right.

The numbers of `docs/wiring.md` are the chip's (BCM); a person with a screwdriver counts pins.
"""

from collections.abc import Mapping

POWER_3V3, POWER_5V, GROUND = "3.3 V", "5 V", "ground"
_FIXED: Mapping[int, str] = {
    **dict.fromkeys((1, 17), POWER_3V3),
    **dict.fromkeys((2, 4), POWER_5V),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), GROUND),
}
# The chip's number of each other pin, from pin 3 on.
_CHIP: Mapping[int, int] = dict(
    zip(
        (number for number in range(1, 41) if number not in _FIXED),
        (
            2,
            3,
            4,
            14,
            15,
            17,
            18,
            27,
            22,
            23,
            24,
            10,
            9,
            25,
            11,
            8,
            7,
            0,
            1,
            5,
            6,
            12,
            13,
            19,
            16,
            26,
            20,
            21,
        ),
        strict=True,
    )
)
PINS = range(1, 41)
PIN_OF: Mapping[int, int] = {chip: pin for pin, chip in _CHIP.items()}


def printed(pin: int) -> str:
    """Return the words beside this pin on the board's own page: a voltage, ground, or GPIO and a number."""
    return _FIXED[pin] if pin in _FIXED else f"GPIO{_CHIP[pin]}"


def chip_number(pin: int) -> int | None:
    """Return the chip's number of this pin, None where it is a supply."""
    return _CHIP.get(pin)
