"""The checks of a reading shoe: commands and refusals, the lock, every kind of card, errors, power.

The page is a dialect found in public texts, not a maker's word. So a certificate says that the shoe speaks as
the page has it and as the driver of this program needs it; it says nothing of the maker's own papers.
"""

from sabot.hil.conformance.angel_eye.frame_reader import card_of
from sabot.hil.conformance.angel_eye.host import QUIET_S, ShoeKit
from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.kit import middle
from sabot.hil.conformance.run import ConformanceCheck

FRAMES, USES = "angel-eye.md#the-frames", "angel-eye.md#what-we-do-with-it"
WORKED = "angel-eye.md#worked-frames"
TIMES, SHOWN, BACK_S = 10, 3, 60.0
# One of each suit, as a simulator is asked for them; a person draws what comes.
CARDS = ("As", "Kh", "Td", "3c")
IN_ERROR = 0x40
UNREAD = Act("Draw a card that cannot be read (a blank one, or with its code covered).", ("unread",))
REBOOT = Act("Switch the shoe off, and on again.", ("start",))
IN_A_CARD = Act("Draw a card, and switch the shoe off in the same moment; then on again.", ("reboot 7c",))


def answers(kit: ShoeKit) -> None:
    """Ask the question that changes nothing, again and again."""
    kit.wait(QUIET_S)
    kit.ear.clear()
    kit.ear.defects.clear()
    kit.must("GP", "00")
    kit.times.clear()
    for _ in range(TIMES):
        kit.must("GP", "00")
    kit.measure(f"answer, median of {TIMES}", middle(kit.times), most_s=kit.answer_s)
    kit.measure("answer, longest", max(kit.times))


def refuses_wrong_checks(kit: ShoeKit) -> None:
    """Check that a lock with a wrong check is refused and not made."""
    kit.free()
    good = kit.frame("LK", "02")
    code = kit.refused(good[:-2] + (b"00" if good[-2:] != b"00" else b"FF"), "LK 02 with a wrong check")
    kit.count("refusal of a wrong check", code)
    kit.wait(QUIET_S)
    kit.demand(not kit.reports, "a command with a wrong check was obeyed")


def refuses_unknown_commands(kit: ShoeKit) -> None:
    """Check that no unknown command is acknowledged, and that the next known one is answered."""
    kit.count("refusal of an unknown command", kit.refused(kit.frame("XX", "00"), "the command XX"))
    kit.count("refusal of an unknown argument", kit.refused(kit.frame("LK", "77"), "LK 77"))
    kit.must("GP", "00")


def survives_noise(kit: ShoeKit) -> None:
    """Send garbage and half commands; the next good one, or the one behind it, must be answered."""
    good = kit.frame("GP", "00")
    for noise in (bytes(range(0x20, 0x60)), good[:5], good[:7] + b"\x00" + good[8:], b"\x02" * 40):
        kit.send(noise)
        kit.wait(QUIET_S)
        kit.answers.clear()
        answer = kit.ask_while_busy(good)
        if (answer is None or answer.code is not None) and kit.tries > 1:
            answer = kit.ask_while_busy(good)  # what it refused may have been the noise
        kit.demand(answer is not None and answer.code is None, f"no ACK behind {noise[:8].hex()}…")


def takes_commands_in_pieces(kit: ShoeKit) -> None:
    """Send a command byte by byte, as a slow line brings it."""
    *most, last = kit.frame("GP", "00")
    kit.answers.clear()
    for byte in most:
        kit.send(bytes([byte]))
        kit.wait(0.01)
    answer = kit.ask(bytes([last]))
    kit.demand(answer is not None and answer.code is None, "no ACK to a command that came byte by byte")


def locks(kit: ShoeKit) -> None:
    """Check that both ways are acknowledged and told."""
    kit.free()
    for argument, word in (("02", "locked"), ("01", "free")):
        kit.must("LK", argument)
        told = kit.report("L", f"LK {argument} was acknowledged, and the change not told")
        value = kit.lock_values[word]
        kit.demand(
            told.data[0] & 0x0F == value,
            f"LK {argument}, and L tells {told.data.hex()}, not {word} ({value})",
        )


def holds_locked(kit: ShoeKit) -> None:
    """Check that a card out of a locked shoe is told as one out of play."""
    kit.free()
    kit.must("LK", "02")
    kit.wait(QUIET_S)
    drawn = kit.hands.draw("9d", kit.idle)
    # A shoe that holds the card back does better still, but then it must not tell one.
    if not drawn:
        kit.demand(not [each for each in kit.reports if each.letter in "Dd"], "a card was told that was held")
        kit.free()
        return
    told = kit.report("Dd", "a card drawn from the locked shoe")
    kit.demand(told.letter == "d", "a card drawn from the locked shoe is told as D, a card in play")
    kit.demand(card_of(told.data[1]) == drawn, f"{drawn} was drawn, {card_of(told.data[1])} was told")
    kit.free()


def reads_cards(kit: ShoeKit) -> None:
    """Check that each card is told once, in order, whatever value its bytes have."""
    kit.free()
    for wanted in CARDS:
        at = kit.line.now()
        drawn = _drawn(kit, wanted)
        told = kit.report("Dd", f"{drawn} was drawn")
        kit.demand(told.letter == "D", f"{drawn} from a free shoe is told as d: is it in play mode?")
        kit.demand(card_of(told.data[1]) == drawn, f"{drawn} was drawn, byte {told.data[1]:02X} was told")
        kit.measure(f"report of {drawn}, the hand included", kit.line.now() - at)
    kit.wait(QUIET_S)
    twice = [each for each in kit.reports if each.letter in "Dd"]
    kit.demand(not twice, f"{len(twice)} cards more were told than drawn")


def _drawn(kit: ShoeKit, wanted: str) -> str:
    drawn = kit.hands.draw(wanted, kit.idle)
    kit.demand(drawn, "no card comes out of a shoe that was freed")
    return drawn


def stays_in_error(kit: ShoeKit) -> None:
    """Check that a card that cannot be read is an error, cleared by EC and told as cleared."""
    kit.free()
    kit.hands.do(UNREAD, kit.idle)
    told = kit.report("E", "a card that cannot be read")
    number = told.data[0] & 0x3F
    kit.count("error number", number)
    kit.demand(number in {1, 6}, f"error {number}, where 1 and 6 are of the card")
    if told.data[0] & IN_ERROR:
        kit.must("EC", f"{number:02d}")
        kit.report("e", "the error was cleared")
    kit.must("GP", "00")


def starts_anew(kit: ShoeKit) -> None:
    """Check that S comes first, then answers again, then cards."""
    _switch_off(kit, REBOOT)
    kit.report("S", "the shoe started")
    kit.must("GP", "00")
    kit.free()
    drawn = _drawn(kit, "2h")
    told = kit.report("Dd", "a card after the start")
    kit.demand(card_of(told.data[1]) == drawn, f"{drawn} was drawn, {card_of(told.data[1])} was told")


def starts_within_a_report(kit: ShoeKit) -> None:
    """Check that half a report before S is no card, and that what follows is good."""
    _switch_off(kit, IN_A_CARD)
    kit.report("S", "the shoe started")
    kit.must("GP", "00")


def _switch_off(kit: ShoeKit, act: Act) -> None:
    """Switch the shoe off; forgive a frame cut in two and a count that starts anew."""
    kit.free()
    defects, odd = len(kit.ear.defects), len(kit.odd)
    kit.hands.do(act, kit.idle)
    _back(kit)
    del kit.ear.defects[defects:], kit.odd[odd:]


def _back(kit: ShoeKit) -> None:
    """Wait for the shoe to answer again; a pull of its plug may have taken the adapter with it."""
    kit.revive()
    end = kit.line.now() + BACK_S
    while not any(each.letter == "S" for each in kit.reports) and kit.line.now() < end:
        if (answer := kit.ask(kit.frame("GP", "00"))) and answer.code is None:
            break


def sent_good_reports(kit: ShoeKit) -> None:
    """Check that every report of the whole run was good."""
    kit.count("reports that were none", len(kit.ear.defects))
    kit.demand(not kit.ear.defects, "; ".join(kit.ear.defects[:SHOWN]))


def numbered_its_reports(kit: ShoeKit) -> None:
    """Check that numbers came one after the other; a copy has the same number and content."""
    kit.demand(not kit.odd, "; ".join(kit.odd[:SHOWN]))


CHECKS = (
    ConformanceCheck("shoe.answers", "acknowledges a question", FRAMES, answers, is_gate=True),
    ConformanceCheck("shoe.check", "refuses a command whose check is wrong", WORKED, refuses_wrong_checks),
    ConformanceCheck("shoe.unknown", "refuses unknown commands", FRAMES, refuses_unknown_commands),
    ConformanceCheck("shoe.noise", "reads on behind noise", FRAMES, survives_noise),
    ConformanceCheck("shoe.pieces", "takes commands in pieces", FRAMES, takes_commands_in_pieces),
    ConformanceCheck("shoe.lock", "locks, frees, and tells both", USES, locks),
    ConformanceCheck("shoe.holds", "tells a card out of a locked shoe so", USES, holds_locked),
    ConformanceCheck("shoe.cards", "tells every card drawn, once and right", FRAMES, reads_cards),
    ConformanceCheck("shoe.error", "tells an unreadable card, and its clearing", FRAMES, stays_in_error),
    ConformanceCheck("shoe.start", "tells that it started", USES, starts_anew),
    ConformanceCheck("shoe.cut-short", "starts anew within a report", USES, starts_within_a_report),
    ConformanceCheck("shoe.reports", "sent nothing but good reports", FRAMES, sent_good_reports),
    ConformanceCheck(
        "shoe.numbers", "numbered its reports without gap or repetition", USES, numbered_its_reports
    ),
)
