"""Sabot Link: shufflers, packet shoes and whatever speaks the convention of `docs/sabot-link.md`.

The layers, from the wire up: ``frame`` (COBS and CRC), ``codec`` (headers and messages), ``reliable`` and
``session`` (one session, from greeting to end), ``conversation`` (one device over all its sessions), with
``reporter`` and ``intake`` that turn what it says into events; ``driver`` puts it on a port.
"""

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import DriverKind
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.driver import NAME, SabotLinkDriver
from sabot.drivers.sabot_link.monitor import compose, describe
from sabot.drivers.sabot_link.options import SCHEMA

TITLE = "Sabot Link: shuffler, packet shoe"
KIND = DriverKind(NAME, TITLE, "serial", SCHEMA, SabotLinkDriver)
CONVENTION = Convention("sabot-link", TITLE, LineSettings(baud=115200), SabotLinkCodec, describe, compose)
