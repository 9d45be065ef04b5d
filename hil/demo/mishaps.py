"""The mishaps of the demo: devices that fail, and what people do about it beside a round."""

from collections.abc import Callable, Mapping

from sabot.hil.demo.players import Players
from sabot.hil.table.crew import TECHNICIAN
from sabot.hil.table.dealer_eyes import PACK


def face_up(players: Players) -> None:
    """Draw a card that comes out face up; it will not reach its place, and the dealer says so."""
    players.draw_card(players.next_card())
    players.menu("CARD FACE UP")


def unread(players: Players) -> None:
    """Draw a card that the reading shoe cannot read."""
    players.draw_unread()


def device(players: Players, name: str, *words: str) -> None:
    """Do something to a device, in the words of `sabot sim`."""
    players.hands.do(name, " ".join(words))


def retest(players: Players, name: str, fault: str) -> None:
    """Let a technician test the cause of a fault again, at the console."""
    players.order(TECHNICIAN, f"retest {name} {fault}")
    show = players.show
    show.wait(
        f"a good test of {name}",
        lambda: any(held["kind"] == fault and held["retested"] for held in show.felt.seen["held"]),
    )


def short_deck(players: Players, missing: str) -> None:
    """Load a deck that is that many cards short into the shuffler."""
    cards = PACK[int(missing) :]
    players.in_play = "A"
    players.loaded.append("A")
    players.hands.do(players.shuffler(), f"load red {' '.join(cards)}")


def jam_in_the_deal(players: Players) -> None:
    """Jam the exit of the automated shoe when a stack is out."""
    hands = players.hands
    begun = hands.see("shoe")["stacks"]
    hands.wait("a stack", lambda: hands.see("shoe")["stacks"] > begun)
    hands.do("shoe", "jam")


def empty(players: Players) -> None:
    """Take all cards out of the shuffler."""
    players.hands.do(players.shuffler(), "empty")
    players.loaded.clear()


def rack_for_good(players: Players) -> None:
    """Take the deck that was dealt off the table."""
    players.rack_for_good()


def lot(players: Players, color: str) -> None:
    """Register another deck at the console."""
    players.register(color)


def power_cut(players: Players) -> None:
    """Cut the power, and wait for the program to come back."""
    players.show.power_cut()
    players.come_back()


def shows(players: Players, *words: str) -> None:
    """Wait for the display to show these words."""
    players.hands.wait_display(*words)


def wait(players: Players, fault: str) -> None:
    """Wait for the program to tell of a fault."""
    show = players.show
    show.wait(fault, lambda: any(held["kind"] == fault for held in show.felt.seen["held"]))


VERBS: Mapping[str, Callable[..., None]] = {
    "face_up": face_up,
    "unread": unread,
    "device": device,
    "retest": retest,
    "short_deck": short_deck,
    "jam_in_the_deal": jam_in_the_deal,
    "empty": empty,
    "rack_for_good": rack_for_good,
    "lot": lot,
    "power_cut": power_cut,
    "shows": shows,
    "wait": wait,
}
