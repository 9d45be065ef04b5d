"""The verbs that move something: people act, and things happen to devices."""

from contextlib import suppress
from functools import partial

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.floor import FOLLOW_S, PEOPLE, Act, ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.observation_verbs import shows
from sabot.hil.table.hands import NotListedError, NotSeenError

MOST_STEPS, LIGHT_S = 100_000, 10.0


def people(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Do what people do between rounds."""
    crew = floor.crew
    match step.words.split():
        case ["sign", "on", *who]:
            crew.sign_on(PEOPLE[who[0] if who else "dealer"])
        case ["turn", "key", who]:
            crew.turn_key(PEOPLE[who])
        case ["turn", "back"]:
            crew.turn_back()
        case ["register", color]:
            crew.register(color)
        case ["load", deck]:
            crew.load(deck)
        case _:
            _wait_for_shuffle(floor, step)


def _wait_for_shuffle(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Wait until every deck that was to be shuffled is; those not in play lie ready."""

    def count(word: str) -> int:
        return sum(word in line for line in floor.journal())

    floor.wait(
        step,
        lambda: count("ShuffleCompleted") >= count("StartShuffle"),
        lambda: floor.journal()[-6:],
        every_s=0.1,
    )


def of_list(person: str) -> Act:
    """Return the act that takes a title of a list, of the dealer's own or with a key and a PIN."""

    def act(floor: ScenarioFloor, step: ScenarioStep) -> None:
        title, _, value = step.words.partition(" > ")
        if person == "menu":
            floor.crew.menu(title, value)
        else:
            floor.crew.floor(title, value, PEOPLE[person])

    return act


def not_listed(person: str) -> Act:
    """Return the act that looks for a title in a list that must not have it."""
    take = of_list(person)

    def act(floor: ScenarioFloor, step: ScenarioStep) -> None:
        try:
            take(floor, step)
        except NotListedError:
            return
        message = f"expected: {step}\ncame: it was in the list"
        raise NotSeenError(message)

    return act


def follow(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Let people do what the display says, until it shows what is waited for."""
    patience_s = floor.patience_s(step, FOLLOW_S)
    end = floor.now() + patience_s
    # What the display said since, for the words of a failure.
    floor.crew.told = []

    def until(lines: tuple[str, str]) -> bool:
        if shows(lines, step.words):
            return True
        if floor.now() > end:
            message = f"expected within {patience_s:g} s: {step}\ncame: {floor.crew.told[-8:]}"
            raise NotSeenError(message)
        return False

    floor.crew.follow(until, MOST_STEPS)


def cards(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Arrange for these cards: drawn next out of a reading shoe, stacked in a machine."""
    names = step.words.split()
    if floor.method in known.MACHINE:
        floor.crew.hands.do("shoe", f"stack {step.words}")
    else:
        floor.crew.draw_next(names)


def hand(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Lay a hand for people to see; a device that reads has cards of its own."""
    names = step.words.split()
    place = 2 if names[0] == "seat" else 1
    floor.crew.eyes.plan(" ".join(names[:place]).upper(), names[place:])


def draw(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Draw that many cards out of a reading shoe."""
    for _ in range(int(step.words)):
        floor.crew.draw()


def _spot(floor: ScenarioFloor, step: ScenarioStep) -> tuple[int, int]:
    """Return the number of a spot, and the cents if there are some."""
    _, seat, wager, *cents = step.words.split()
    wagers = known.wagers(floor.chapter)
    return (int(seat) - 1) * len(wagers) + wagers.index(wager), int(cents[0]) if cents else 0


def chips(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Lay chips when the spot is open, and wait until its lamp says that they are accepted."""
    number, cents = _spot(floor, step)
    floor.wait(
        step, lambda: not floor.crew.hands.see("pads")["locked"] >> number & 1, lambda: "a locked spot"
    )
    floor.crew.hands.do("pads", f"chips {number} {cents}")
    lit = partial(floor.crew.hands.see, "pads")
    floor.wait(step, lambda: bool(lit()["lit"] >> number & 1), lambda: "no lamp: it was not accepted")


def chips_late(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Lay chips, whatever the spot says."""
    number, cents = _spot(floor, step)
    floor.crew.hands.do("pads", f"chips {number} {cents}")


def lift(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Take chips away."""
    if step.words != "all":
        chips_late(floor, step)
        return
    for number, cents in enumerate(floor.crew.hands.see("pads")["cents"]):
        if cents:
            floor.crew.hands.do("pads", f"chips {number} 0")


def device(name: str) -> Act:
    """Return the act that does something to a device, in the words of its simulator."""
    return lambda floor, step: floor.crew.hands.do(name, step.words)


def player(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Plan how a seat will answer."""
    _, seat, *keys = step.words.split()
    floor.crew.answers[int(seat)] = " ".join(keys)


def power(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Switch the controller's power."""
    # Read what the journal had while the console answers; a program may have ended by itself already.
    with suppress(FileNotFoundError, ConnectionError):
        floor.journal()
    floor.note("power", step.words)
    floor.crew.leave_desk()
    floor.since = floor.now()
    floor.crew.hands.mark()
    floor.table.power(step.words)
    if step.words == "on":  # whoever reads what an old program has left there reads nothing
        floor.crew.hands.wait_behind(floor.crew.hands.did, LIGHT_S)


def console(who: str) -> Act:
    """Return the act that gives a command at the console, as somebody."""

    def act(floor: ScenarioFloor, step: ScenarioStep) -> None:
        floor.said = floor.ask(who, step.words)
        floor.note("console", f"{who} {step.words}".strip())

    return act


def link(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Do something to the link, to the floor, or to the other table."""
    floor.note("link", step.words)
    floor.at_the_floor(step.words)
