"""How fast each codec decodes, beside the wire: fifty times what 115,200 baud can bring were aimed at.

A codec that is so much faster than its wire cannot be the reason why an event is late, not even on a board
that is ten times slower than this machine.
"""

from figure import Figure
from fresh import run_job

TITLE = "decoding a byte: good frames in reads of 64 bytes (processor time)"
BYTES_A_SECOND = 115_200 / 10
CODECS = ("alpha", "angel-eye", "escpos", "sabot-link", "sabot-pads")


def measure(*, quick: bool) -> list[Figure]:
    """Nanoseconds a byte, for each codec."""
    return [_figure(name, run_job("decode", name, 1 if quick else 9)) for name in CODECS]


def _figure(name: str, found: dict[str, list[float] | float]) -> Figure:
    samples = found["ns"]
    assert isinstance(samples, list)
    middle = sorted(samples)[len(samples) // 2]
    times = 1e9 / middle / BYTES_A_SECOND
    note = (
        f"{times:,.0f} times the wire's speed; a frame has {found['frame_bytes']:.0f} bytes; processor time"
    )
    return Figure(name, "ns", tuple(samples), None, note)
