"""What a technician may do to simulated pads, by name."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sabot.hil.simulators.pads import Pad

Action = tuple[str, Callable[[str], None]]
LIGHTEST, MOST = 254, 2**32 - 1


def actions_of(pad: "Pad") -> Mapping[str, Action]:
    """Each action: its words, and what does it."""
    garble = pad.garble
    return {
        "chips": (
            "chips SPOT CENTS: so much lies there (0 lifts)",
            lambda words: pad.chips(*numbers(words, 2)),
        ),
        "blind": ("blind SPOT: the sensor cannot tell", lambda words: pad.blind(*numbers(words, 1))),
        "see": ("see SPOT: it can again", lambda words: pad.see(*numbers(words, 1))),
        "light": (
            "light SPOT LEVEL: ambient light, 0 to 254",
            lambda words: pad.light(*numbers(words, 2, LIGHTEST)),
        ),
        "lie": ("lie SPOT: count a refused chip", lambda words: pad.lie(*numbers(words, 1))),
        "liar": (
            "liar lock|lamp: ignore the lock, or light what is refused",
            lambda words: pad.liar.add(_lie(words)),
        ),
        "honest": ("honest: no more lies of that kind", lambda _: pad.liar.clear()),
        "crc": ("crc: the next report is damaged", lambda _: garble.append("crc")),
        "mac": ("mac: the next report is forged", lambda _: garble.append("mac")),
        "drop": ("drop: the next report is lost", lambda _: garble.append("drop")),
        "noise": (
            "noise HEX: bytes before the next report",
            lambda words: garble.append(f"noise {bytes.fromhex(words).hex()}"),
        ),
        "mute": ("mute: no more reports", lambda _: garble.append("mute")),
        "speak": ("speak: reports again", lambda _: garble.clear()),
        "jump": ("jump COUNT: leave numbers out", lambda words: pad.jump(*numbers(words, 1))),
        "restart": ("restart: lose power for a moment", lambda _: pad.restart()),
    }


def _lie(words: str) -> str:
    if words.strip() not in ("lock", "lamp"):
        message = "lock or lamp"
        raise ValueError(message)
    return words.strip()


def numbers(words: str, count: int, most: int = MOST) -> list[int]:
    """So many numbers, none below zero, or an error that says how many."""
    found = [int(word) for word in words.split()]
    if len(found) != count:
        message = f"{count} number(s) wanted"
        raise ValueError(message)
    if not all(0 <= number <= most for number in found):
        message = f"numbers from 0 to {most} wanted"
        raise ValueError(message)
    return found
