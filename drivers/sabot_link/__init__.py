"""Sabot Link: shufflers, packet shoes and whatever speaks the convention of `docs/sabot-link.md`.

The layers, from the wire up: ``frame`` (COBS and CRC), ``codec`` (headers and messages), ``reliable`` and
``session`` (one session, from greeting to end), ``conversation`` (one device over all its sessions), with
``reporter`` and ``intake`` that turn what it says into events; ``driver`` puts it on a port.
"""

from functools import partial

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import DriverKind
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.driver import NAME, SabotLinkDriver
from sabot.drivers.sabot_link.monitor import compose, describe
from sabot.drivers.sabot_link.options import SCHEMA, speaks_of
from sabot.drivers.sabot_link.recognition import known_as
from sabot.drivers.sabot_link.words import CARD_MACHINES

TITLE = "Sabot Link: shuffler, packet shoe"

KIND = DriverKind(NAME, TITLE, "serial", SCHEMA, SabotLinkDriver, speaks_of, partial(known_as, CARD_MACHINES))
CONVENTION = Convention("sabot-link", TITLE, LineSettings(baud=115200), SabotLinkCodec, describe, compose)
