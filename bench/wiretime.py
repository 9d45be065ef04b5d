"""What bytes take on a serial wire: the peer of everything that answers by one. Computed, never measured."""

from figure import Figure

BITS_OF_A_BYTE = 10  # start, eight bits, stop
NOTE = "computed: {count} x 10 bits"


def wire_us(count: int, baud: int) -> float:
    """Microseconds that so many bytes take."""
    return count * BITS_OF_A_BYTE / baud * 1e6


def wire_time(words: str, count: int, baud: int) -> Figure:
    """A line of the table."""
    return Figure(f"{words} at {baud:,} baud", "us", (wire_us(count, baud),), None, NOTE.format(count=count))
