"""A simulated Sabot Link device, written from the page and never from the driver."""

from sabot.hil.simulators.sabot_link.device import SabotLinkDevice
from sabot.hil.simulators.sabot_link.inside import Card
from sabot.hil.simulators.sabot_link.link import Who
from sabot.hil.simulators.sabot_link.machine import Lies, Machine, card, pack

__all__ = ["Card", "Lies", "Machine", "SabotLinkDevice", "Who", "card", "pack"]
