"""Counters of a link: codecs raise them, and a device's status shows them."""

from dataclasses import dataclass


@dataclass(slots=True)
class Statistics:
    """Counters of a link since it was started."""

    frames_in: int = 0
    frames_out: int = 0
    crc_errors: int = 0
    resyncs: int = 0
    duplicates: int = 0
    retries: int = 0
    late_answers: int = 0
    refused: int = 0
    opened: int = 0
    buffer_high_water: int = 0
