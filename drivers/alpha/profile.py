"""The options of a sign in the table file: how it differs from the next, and which meters it shows.

``meters`` names them in their order, each as ``meter.level`` with an optional caption: ``prog5.mega=MEGA,
prog5.major=MAJOR``. Each becomes one text that calls one string. An amount is never written as more than the
meter holds.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from sabot.drivers.alpha.files import SignPage
from sabot.drivers.convention import LineSettings
from sabot.drivers.device import Spoken
from sabot.drivers.errors import ERRORS as LINK_ERRORS
from sabot.drivers.errors import DriverError
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.rules.errors import SabotError, table
from sabot.rules.frozen import frozen

ERRORS = table(
    (
        "E-ALPHA-001",
        "{said!r} is not {wanted}",
        "The meters of a sign are written as meter.level=CAPTION, separated by commas.",
        "Write it as in prog5.mega=MEGA, prog5.major=MAJOR.",
    ),
)


class SignError(SabotError):
    """An option of a sign that means nothing."""


class AmountFormat(StrEnum):
    """The ways to write an amount."""

    CENTS = "cents"
    DOLLARS = "dollars"
    PLAIN = "plain"


def written(cents: int, how: AmountFormat) -> str:
    """Return ``$12,345.67``, ``$12,345`` (cents cut off, not rounded) or ``12345.67``."""
    dollars, rest = divmod(cents, 100)
    # Cut off, not rounded up: a sign never shows more than the meter holds.
    if how is AmountFormat.DOLLARS:
        return f"${dollars:,}"
    return f"{dollars}.{rest:02}" if how is AmountFormat.PLAIN else f"${dollars:,}.{rest:02}"


# Each meter is a text and a string with a label of its own.
TEXTS, STRINGS = "ABCDEFGH", "abcdefgh"
CAPTION_MOST = 32

SCHEMA: Schema = (
    Option("port", None, "the serial port, best by its stable name", kind=str),
    Option("meters", None, "what it shows: meter.level=CAPTION, separated by commas", kind=str),
    Option("baud", 9600, "speed of the line", choices=(1200, 2400, 4800, 9600, 19200, 38400)),
    Option("frame", "7E1", "bits, parity and stop bits; newer signs want 8N1", choices=("7E1", "8N1")),
    Option("dtr", False, "raise DTR when the port is opened; some signs are reset by it"),
    Option("sign_type", "Z", "which signs listen: Z is every one"),
    Option("address", "00", "the address of the sign: 00 is every one"),
    Option("format", "cents", "how an amount is written", choices=tuple(AmountFormat)),
    Option("read_back", True, "the sign answers questions: what it shows is proved"),
    Option("check_s", 30.0, "seconds between two looks at what it shows", low=1.0, high=600.0),
    Option("settle_s", 0.5, "seconds a sign needs after its memory was configured", low=0.0, high=30.0),
    Option("deadline_s", 1.5, "seconds to wait for an answer", low=0.05, high=10.0),
    Option("tries", 3, "how often something is written or asked", low=1, high=20),
)


@frozen
class SignProfile:
    """One sign."""

    pages: tuple[SignPage, ...]
    line: LineSettings
    sign_type: str
    address: str
    how: AmountFormat
    reads_back: bool
    check_s: float
    settle_s: float
    deadline_s: float
    tries: int


def pages_of(meters: str, device: str) -> tuple[SignPage, ...]:
    """Return the pages that the option names; raise SignError for none, or one that no sign can show."""
    words = [word.strip() for word in meters.split(",") if word.strip()]
    if not 0 < len(words) <= len(TEXTS):
        _refuse(device, meters, f"one to {len(TEXTS)} meters")
    pages = []
    for word, text, string in zip(words, TEXTS, STRINGS, strict=False):
        name, _, caption = word.partition("=")
        meter, dot, level = name.strip().partition(".")
        if not (meter and dot and level):
            _refuse(device, word, "meter.level, with =CAPTION if you like")
        if len(caption) > CAPTION_MOST or not (caption.isascii() and (caption or "x").isprintable()):
            _refuse(device, caption, f"a caption of at most {CAPTION_MOST} plain characters")
        pages.append(SignPage(meter, level, caption.strip(), text, string))
    return tuple(pages)


def _refuse(device: str, said: str, wanted: str) -> None:
    raise SignError(ERRORS["E-ALPHA-001"], f"{device}.meters", said=said, wanted=wanted)


# What stands in the head of a frame: a letter of a kind of signs, two digits of one sign with ? for any.
HEAD = {
    "sign_type": (re.compile(r"[!-~]"), "one plain character, such as Z for every sign"),
    "address": (re.compile(r"[0-9A-F?]{2}"), "two hexadecimal digits, such as 00 for every sign"),
}


def _verify_head(said: Mapping[str, Value], device: str) -> None:
    for option, (form, bound) in HEAD.items():
        if not form.fullmatch(str(said[option])):
            facts = {"option": option, "value": said[option], "bound": bound}
            raise DriverError(LINK_ERRORS["E-LINK-008"], device, **facts)


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return the meters that the sign shows; raise where an option means nothing."""
    pages = profile_of(options, name).pages
    return Spoken(meters=tuple(f"{page.meter}.{page.level}" for page in pages))


def profile_of(options: Mapping[str, Value], device: str = "sign") -> SignProfile:
    """Return the profile that the options name; what they do not say is as in the schema."""
    said = defaults(SCHEMA) | dict(options)
    _verify_head(said, device)
    frame = str(said["frame"])
    return SignProfile(
        pages=pages_of(str(said["meters"]), device),
        line=LineSettings(int(said["baud"]), int(frame[0]), frame[1], int(frame[2]), dtr=bool(said["dtr"])),
        sign_type=str(said["sign_type"]),
        address=str(said["address"]),
        how=AmountFormat(str(said["format"])),
        reads_back=bool(said["read_back"]),
        check_s=float(said["check_s"]),
        settle_s=float(said["settle_s"]),
        deadline_s=float(said["deadline_s"]),
        tries=int(said["tries"]),
    )
