"""The law of one table: its chapter and its set-up, and what follows from both once and for all.

A citation follows from them too, but for the way of dealing: what 641a.8 says of a manual shoe, 641a.9 says
of the hand and 641a.10 of an automated shoe. Which paragraph that is the chapter's file says.
"""

from typing import TYPE_CHECKING

from sabot.rules.plan import kept_plans
from sabot.rules.settlement import Settlement
from sabot.rules.settlement.house import House, chosen_readings
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.offers import ACCOUNT, PROGRESSIVE, feeds, links_of, offered_spots, signs, wagers_on
from sabot.statemachine.parts import Devices
from sabot.statemachine.round import Play
from sabot.statemachine.setup import Policies, Setup, verify_money
from sabot.statemachine.standing import kept_verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.rules.chapter import Chapter


class Law:
    """The law of a table, which does not change while it is open."""

    __slots__ = (
        *("setup", "chapter", "policies", "readings", "settlement", "house", "planned", "all_stand"),
        *("offered_spots", "feeds", "counted_wagers", "account_wagers", "from_stations", "signs"),
        *("links", "lives_s", "_devices", "_play", "_cites"),
    )

    def __init__(self, setup: Setup, devices: Devices, play: Play) -> None:
        setup.verify()
        self.setup = setup
        self.chapter: Chapter = setup.chapter
        self.policies: Policies = setup.policies
        self.readings = chosen_readings(setup.chapter, setup.options.readings)
        self.settlement = Settlement(setup.chapter, setup.options)
        verify_money(setup, self.settlement)
        self.house: House = self.settlement.house
        self.planned = kept_plans(setup.chapter, self.readings)
        self.all_stand: Callable[..., bool] = kept_verdicts(setup)
        self.offered_spots = offered_spots(setup)
        self.feeds = feeds(setup)
        self.counted_wagers = wagers_on(setup, PROGRESSIVE)
        self.account_wagers = wagers_on(setup, ACCOUNT)
        self.from_stations = tuple(sorted(self.account_wagers & setup.offers))
        self.signs = signs(setup)
        self.links = links_of(setup)
        self.lives_s = {method: setup.life_s(method) for method in setup.chapter.plans}
        self._devices, self._play = devices, play
        self._cites: dict[tuple[str, str], str] = {}

    def cite(self, section: str) -> str:
        """Return the citation of a procedure, named by its number in 641a (``-``: our own policy)."""
        if section == "-":
            return POLICY
        asked = section, (self._play.round or self._devices).method
        try:
            return self._cites[asked]
        except KeyError:
            self._cites[asked] = cite = self.chapter.section(section, asked[1].partition("_")[0])
            return cite

    @property
    def stub_cite(self) -> str:
        """The rule of the stub count."""
        return self.cite("8(f)")
