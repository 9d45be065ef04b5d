"""A simulated electronic wagering system, written from docs/sabot-accounts.md and never from the driver."""

from sabot.hil.simulators.sabot_accounts.device import AccountsDevice
from sabot.hil.simulators.sabot_accounts.system import System, SystemLies

__all__ = ["AccountsDevice", "System", "SystemLies"]
