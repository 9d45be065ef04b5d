"""The recognition of a device that speaks Sabot Link on another's port: by the kind that IDENTITY names."""

import os
from collections.abc import Mapping

from sabot.drivers.convention import LineSettings, Recognition
from sabot.drivers.options import Value
from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec
from sabot.drivers.sabot_link.messages import IdentityTold
from sabot.drivers.sabot_link.session import GREETING_DEADLINE_S, hello_to_a_stranger

BAUD = 115200


def known_as(kinds: frozenset[int], options: Mapping[str, Value]) -> Recognition:
    """A device that hears HELLO says who it is; nothing follows, and it holds its cards as before."""

    def is_voice(frame: Frame) -> bool:
        return isinstance(frame.message, IdentityTold) and frame.message.kind in kinds

    return Recognition(
        LineSettings(baud=int(options.get("baud", BAUD))),
        SabotLinkCodec,
        lambda: hello_to_a_stranger(os.urandom),
        is_voice,
        lambda _message: False,
        GREETING_DEADLINE_S,
    )
