"""What devices do when they fail, and what people and the clock do beside a round."""

from sabot.firmware.demo.crew import Crew
from sabot.statemachine import events as ev
from sabot.statemachine.events import Key


def face_up(crew: Crew) -> None:
    """A card comes out face up, and the dealer says so."""
    crew.send(ev.CardDrawn(at=crew.at(1), source="shoe", card=crew.pack.draw_any()))
    crew.choose(Key.MENU, "face_up")


def unreadable(crew: Crew) -> None:
    """A card leaves the shoe for its place, and the shoe cannot say which."""
    crew.take_next()
    crew.send(ev.CardDrawn(at=crew.at(1), source="shoe", card=None))


def count(crew: Crew, cards: str) -> None:
    """The next shuffle finds so many cards."""
    crew.shuffle_count = int(cards)
    crew.finish_shuffle()


def shuffler_stops(crew: Crew, *cause: str) -> None:
    """The shuffler jams, stops or does not finish."""
    deck, crew.shuffling = crew.shuffling, ""
    crew.send(ev.ShufflerStopped(at=crew.at(5), source="shuffler", deck=deck, cause=" ".join(cause)))


def shoe_jams(crew: Crew, *cause: str) -> None:
    """An automated shoe jams."""
    crew.send(ev.DeviceJammed(at=crew.at(5), source="shoe", device="shoe", cause=" ".join(cause)))


def link_lost(crew: Crew, device: str, *reason: str) -> None:
    """Nothing is heard of a device."""
    crew.send(ev.LinkLost(at=crew.at(5), source=device, device=device, reason=" ".join(reason)))


def link_back(crew: Crew, device: str) -> None:
    """A device is heard of again."""
    crew.send(ev.LinkRestored(at=crew.at(30), source=device, device=device))


def retest(crew: Crew, device: str, fault: str) -> None:
    """The cause of a fault is tested again, and is gone."""
    crew.send(ev.DeviceRetested(at=crew.at(30), source=device, device=device, fault=fault, good=True))


# ---------------------------------------------------------------- people and time


def lot(crew: Crew, lot: str, color: str) -> None:
    """A deck is registered on the console."""
    crew.send(ev.LotRegistered(at=crew.at(), source="console", lot=lot, color=color))


def dealer(crew: Crew, person: str) -> None:
    """A dealer takes the table."""
    crew.send(ev.DealerSignedOn(at=crew.at(), person=person))


def restart(crew: Crew, seconds: str) -> None:
    """The controller was down for so long."""
    crew.send(ev.Resumed(at=crew.at(float(seconds)), source="controller", down_s=float(seconds)))


def wait(crew: Crew) -> None:
    """Time passes until the table wants to be woken."""
    crew.now = max(crew.now, crew.wake_at)
    crew.send(ev.TimeReached(at=crew.now, source="clock"))
