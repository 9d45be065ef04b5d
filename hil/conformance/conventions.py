"""The conventions that can be certified: the page of each, its wire, its host and its checks in order."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from sabot.drivers.convention import LineSettings
from sabot.drivers.options import Option, Schema
from sabot.hil.conformance.alpha.checks import CHECKS as SIGN
from sabot.hil.conformance.alpha.host import SignKit
from sabot.hil.conformance.angel_eye.checks import CHECKS as SHOE
from sabot.hil.conformance.angel_eye.frame_reader import LENGTHS
from sabot.hil.conformance.angel_eye.host import ShoeKit
from sabot.hil.conformance.escpos.checks import CHECKS as DISPLAY
from sabot.hil.conformance.escpos.host import DisplayKit
from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting
from sabot.hil.conformance.lines import SerialLine, UsbLine
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_accounts import checks as accounts
from sabot.hil.conformance.sabot_accounts.host import AccountsKit
from sabot.hil.conformance.sabot_link import (
    cycle,
    damage,
    delivery,
    greeting,
    inside,
    stacks,
    stopping,
    story,
    trouble,
    watch,
)
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_pads import damage as pad_damage
from sabot.hil.conformance.sabot_pads import felt, orders
from sabot.hil.conformance.sabot_pads import greeting as pad_greeting
from sabot.hil.conformance.sabot_pads import watch as pad_watch
from sabot.hil.conformance.sabot_pads.host import PadKit

Options = Mapping[str, Any]
# Of the checks of a line on Sabot Link the one that orders cards.
OF_CARDS = "link.values"


class Kind(NamedTuple):
    """One convention that can be certified."""

    page: str
    title: str
    open: Callable[[str, Options], KitLine]
    kit: Callable[[KitLine, CheckHands, Setting], Kit]
    checks: tuple[ConformanceCheck, ...]
    choices: Schema
    can_prove: bool


def _serial(settings: LineSettings) -> Callable[[str, Options], KitLine]:
    def opened(name: str, options: Options) -> KitLine:
        frame = str(options.get("frame", f"{settings.bits}{settings.parity}{settings.stop}"))
        bits, parity, stop = int(frame[0]), frame[1], int(frame[2])
        dtr = bool(options.get("dtr", settings.dtr))
        line = replace(settings, baud=int(options["baud"]), bits=bits, parity=parity, stop=stop, dtr=dtr)
        return SerialLine(name, line)

    return opened


KINDS: Mapping[str, Kind] = {
    # The order matters: each block of checks leaves the machine as the next one needs it, at rest, with a
    # deck inside, with stacks put out, with cards laid back.
    "sabot-link": Kind(
        "docs/sabot-link.md",
        "shuffler or packet shoe, Sabot Link",
        _serial(LineSettings(baud=115200)),
        LinkKit,
        greeting.CHECKS
        + damage.CHECKS
        + delivery.CHECKS
        + stacks.CHECKS_AT_REST
        + cycle.CHECKS
        + stacks.CHECKS_OUT[:-1]
        + inside.CHECKS_OUT
        + stacks.CHECKS_OUT[-1:]
        + inside.CHECKS_LAID[:-1]
        + stopping.CHECKS
        + trouble.CHECKS
        + inside.CHECKS_LAID[-1:]
        + story.CHECKS
        + watch.CHECKS,
        (
            Option("baud", 115200, "speed of the line", low=1200, high=4_000_000),
            Option(
                "stack_s", 10.0, "a stack that was accepted comes within so many seconds", low=1.0, high=60.0
            ),
            Option("cycle_s", 240.0, "a cycle that began ends within so many seconds", low=10.0, high=900.0),
            Option("confidence", 90, "below this many percent a card counts as not read", low=0, high=100),
        ),
        can_prove=True,
    ),
    "sabot-accounts": Kind(
        "docs/sabot-accounts.md",
        "electronic wagering system, Sabot accounts",
        _serial(LineSettings(baud=115200)),
        AccountsKit,
        greeting.CHECKS
        + tuple(check for check in damage.CHECKS if check.name != OF_CARDS)
        + delivery.CHECKS
        + accounts.CHECKS
        + watch.CHECKS,
        (Option("baud", 115200, "speed of the line", low=1200, high=4_000_000),),
        can_prove=True,
    ),
    "sabot-pads": Kind(
        "docs/sabot-pads.md",
        "bet pads, Sabot pads",
        lambda name, options: UsbLine(name, str(options.get("backend", ""))),
        PadKit,
        pad_greeting.CHECKS + orders.CHECKS + pad_damage.CHECKS + felt.CHECKS + pad_watch.CHECKS,
        (Option("backend", "", "the USB library as module:factory[:argument]; empty is libusb"),),
        can_prove=True,
    ),
    "angel-eye": Kind(
        "docs/angel-eye.md",
        "reading shoe, a dialect of the Angel Eye II-EX",
        _serial(LineSettings(baud=4800)),
        ShoeKit,
        SHOE,
        (
            Option("baud", 4800, "speed of the line", choices=(4800, 9600)),
            Option("bcc_with_stx", True, "the check of a command counts its STX"),
            Option("lengths", LENGTHS, "bytes behind the letter of each report"),
            Option("free_value", 1, "what L carries when the shoe is free", low=0, high=15),
            Option("locked_value", 2, "what L carries when the shoe is locked", low=0, high=15),
            Option("acknowledge_reports", False, "answer each report with ACK"),
            Option("refusal_bytes", 1, "bytes of the code behind NAK", low=1, high=2),
            Option("copies", 3, "how often one report may come", low=1, high=10),
            Option("sequence_low", 0, "the value to which the sequence byte wraps", low=0, high=255),
            Option("sequence_high", 255, "the last value before it wraps", low=1, high=255),
            Option("deadline_s", 1.0, "seconds to wait for an answer", low=0.05, high=10.0),
            Option(
                "tries", 3, "how often a command is sent that noise or a busy shoe held up", low=1, high=20
            ),
        ),
        can_prove=False,
    ),
    "alpha": Kind(
        "docs/alpha.md",
        "meter sign, a dialect of the Alpha protocol",
        _serial(LineSettings(baud=9600, bits=7, parity="E", dtr=False)),
        SignKit,
        SIGN,
        (
            Option("baud", 9600, "speed of the line", choices=(1200, 2400, 4800, 9600, 19200, 38400)),
            Option("frame", "7E1", "bits, parity and stop bits", choices=("7E1", "8N1")),
            Option("dtr", False, "raise DTR when the port is opened"),
            Option("sign_type", "Z", "which signs listen"),
            Option("address", "00", "the address of the sign"),
            Option("settle_s", 0.5, "seconds it needs after its memory was configured", low=0.0, high=30.0),
            Option("deadline_s", 1.5, "seconds to wait for an answer", low=0.05, high=10.0),
        ),
        can_prove=False,
    ),
    "escpos": Kind(
        "docs/escpos.md",
        "dealer display, a dialect of ESC/POS",
        _serial(LineSettings(baud=9600)),
        DisplayKit,
        DISPLAY,
        (
            Option("baud", 9600, "speed of the line", choices=(2400, 4800, 9600, 19200)),
            Option("brightness", 4, "how bright it is", low=1, high=4),
            Option("high_codes", "", "characters beyond ASCII that it shows"),
            Option(
                "presence",
                "none",
                "the modem line that says it is there",
                choices=("none", "dsr", "cts", "cd"),
            ),
        ),
        can_prove=False,
    ),
}
