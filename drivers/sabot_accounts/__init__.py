"""Sabot accounts: an electronic wagering system with its stations and draws (`docs/sabot-accounts.md`).

It stands on Sabot Link: frames, sessions and authentication are those of ``drivers.sabot_link``. ``books``
keeps what was asked, taken, drawn and credited and believes none of it twice; ``talk`` says what the table
wants and repeats what was not confirmed; ``driver`` puts it on a port.
"""

from functools import partial

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import DriverKind
from sabot.drivers.sabot_accounts.driver import NAME, SabotAccountsDriver
from sabot.drivers.sabot_accounts.options import SCHEMA, speaks_of
from sabot.drivers.sabot_link import known_as
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.monitor import compose, describe
from sabot.drivers.sabot_link.words import WAGERING_SYSTEMS

TITLE = "Sabot accounts: electronic wagering system"
KIND = DriverKind(
    NAME, TITLE, "serial", SCHEMA, SabotAccountsDriver, speaks_of, partial(known_as, WAGERING_SYSTEMS)
)
CONVENTION = Convention(NAME, TITLE, LineSettings(baud=115200), SabotLinkCodec, describe, compose)
