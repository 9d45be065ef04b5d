"""The checks of a sign: everything that can be read out again, and, by somebody's eyes, what stands on it.

A sign is output only. What it was told it can be asked for, and that is checked byte for byte; that its lamps
show it nobody learns from the wire, so that one check is a person's.
"""

from itertools import count

from sabot.hil.conformance.alpha.host import MEMORY, QUIET_S, SEQUENCE, SignKit, page
from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.kit import middle
from sabot.hil.conformance.run import ConformanceCheck

FRAME, USES = "alpha.md#the-frame", "alpha.md#what-we-do"
TIMES, SHOWN, BACK_S = 10, 3, 60.0
POWER = Act("Switch the sign off, and on again.", ("unplug", "plug"))
HIT = b"JACKPOT SEAT 3"


def answers(kit: SignKit) -> None:
    """Check that it can be asked for its memory; without answers nothing about it can be proved."""
    kit.wait(QUIET_S)
    kit.defects.clear()
    words = f"asked for its memory the sign says nothing within {kit.answer_s:g} s"
    kit.demand(kit.ask("E", "$") is not None, words)


def takes_a_memory(kit: SignKit) -> None:
    """Check that the configuration is read out as it was written."""
    kit.prepare()
    kit.reads("E", "$", MEMORY, "the memory")


def takes_strings(kit: SignKit) -> None:
    """Write amounts, each read out before the next, and measure how long the answers take."""
    kit.prepare()
    kit.times.clear()
    for number in range(TIMES):
        amount = b"$%d,345.67" % (number + 1)
        kit.write("G", b"a" + amount)
        kit.reads("G", "a", amount, "an amount")
    kit.measure(f"answer, median of {TIMES}", middle(kit.times), most_s=kit.answer_s)
    kit.measure("answer, longest", max(kit.times))


def takes_texts(kit: SignKit) -> None:
    """Check texts with position, mode and the call of the string."""
    kit.prepare()
    for label in "AB":
        kit.reads("A", label, page(label)[1:], f"text {label}")


def takes_the_order(kit: SignKit) -> None:
    """Check the run sequence, closed to remote controls."""
    kit.prepare()
    kit.reads("E", ".", SEQUENCE, "the order of pages")
    kit.write("E", b".SLB")
    kit.reads("E", ".", b"SLB", "another order of pages")


def takes_a_hit(kit: SignKit) -> None:
    """Check that the priority text comes and goes."""
    kit.prepare()
    kit.write("A", b"0\x1b b" + HIT)
    kit.reads("A", "0", b"\x1b b" + HIT, "the priority text")
    kit.write("A", b"0")
    kit.reads("A", "0", b"", "the priority text, taken away")


def drops_wrong_checksums(kit: SignKit) -> None:
    """Check that a damaged amount changes nothing."""
    kit.prepare()
    kit.write("G", b"a$1,000.00")
    wrong = kit.frame("G", b"a$9,000.00")
    kit.send(wrong[:-5] + (b"0000" if wrong[-5:-1] != b"0000" else b"1111") + wrong[-1:])
    kit.wait(QUIET_S)
    kit.reads("G", "a", b"$1,000.00", "after an amount with a wrong checksum")


def survives_noise(kit: SignKit) -> None:
    """Send garbage and half a transmission, and check that the next whole one is taken."""
    kit.prepare()
    half = kit.frame("G", b"a$5.55")[:12]
    for number, noise in zip(
        count(1), (bytes(range(0x20, 0x7F)), half, b"\x02\x03\x01", b"\x04" * 9), strict=False
    ):
        amount = b"$%d.00" % number
        kit.send(noise + kit.frame("G", b"a" + amount))
        kit.wait(QUIET_S)
        kit.reads("G", "a", amount, f"an amount behind {noise[:6].hex()}…")


def keeps_up(kit: SignKit) -> None:
    """Write as much as a busy minute has, without a pause, and check that the last amounts stand."""
    kit.prepare()
    for number in range(TIMES):
        kit.write("G", b"a$%d.01" % number)
        kit.write("G", b"b$%d.02" % number)
    kit.wait(QUIET_S)
    kit.reads("G", "a", b"$%d.01" % (TIMES - 1), "after many writings")
    kit.reads("G", "b", b"$%d.02" % (TIMES - 1), "after many writings")


def shows_it(kit: SignKit) -> None:
    """Check by eye: the amount in its page, and a hit instead of everything else."""
    kit.prepare()
    kit.write("G", b"a$12,345.67")
    kit.wait(kit.settle_s)
    seen = kit.hands.sees("Does the sign show MEGA $12,345.67?", "MEGA $12,345.67", kit.idle)
    kit.demand(seen, "MEGA $12,345.67 was written and is not shown")
    kit.write("A", b"0\x1b b" + HIT)
    kit.wait(kit.settle_s)
    seen = kit.hands.sees(f"Does the sign show {HIT.decode()} and nothing else?", HIT.decode(), kit.idle)
    kit.demand(seen, "a priority text was written and is not shown")
    kit.write("A", b"0")


def comes_back(kit: SignKit) -> None:
    """Switch it off and on in the middle of a transmission, and check that it takes what it is told."""
    kit.prepare()
    kit.send(kit.frame("G", b"a$5.55")[:12])
    kit.hands.do(POWER, kit.idle)
    kit.revive()
    end = kit.line.now() + BACK_S
    while kit.ask("E", "$") is None and kit.line.now() < end:
        kit.revive()
    kit.prepare()
    kit.write("G", b"a$7.00")
    kit.reads("G", "a", b"$7.00", "an amount after the sign was off")


def sent_good_answers(kit: SignKit) -> None:
    """Check that every answer of the whole run was good."""
    kit.demand(not kit.defects, "; ".join(kit.defects[:SHOWN]))


CHECKS = (
    ConformanceCheck("sign.answers", "answers when asked for its memory", FRAME, answers, is_gate=True),
    ConformanceCheck("sign.memory", "takes a memory and reads it out", FRAME, takes_a_memory, is_gate=True),
    ConformanceCheck("sign.strings", "takes amounts and reads them out", USES, takes_strings),
    ConformanceCheck("sign.texts", "takes texts and reads them out", USES, takes_texts),
    ConformanceCheck("sign.order", "takes the order of pages", FRAME, takes_the_order),
    ConformanceCheck("sign.hit", "takes a hit, and its end", USES, takes_a_hit),
    ConformanceCheck("sign.checksum", "drops what has a wrong checksum", FRAME, drops_wrong_checksums),
    ConformanceCheck("sign.noise", "reads on behind noise", FRAME, survives_noise),
    ConformanceCheck("sign.flow", "keeps up with many writings", USES, keeps_up),
    ConformanceCheck("sign.shown", "shows what it was told", USES, shows_it),
    ConformanceCheck("sign.back", "comes back after it was off", USES, comes_back),
    ConformanceCheck("sign.frames", "sent nothing but good answers", FRAME, sent_good_answers),
)
