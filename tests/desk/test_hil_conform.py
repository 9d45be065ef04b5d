"""`sabot hil conform`: a simulated device in a process of its own, put under test as a person would."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calling import Answer, sabot
from sabot.hil.conformance.hands import Act, NotTriedError, SocketHands
from sabot.hil.conformance.record import digest_of
from test_sim import Simulator

# Every limit of the page many times over: the machine that runs tests has other things to do.
SLACK, PATIENCE_S = "25", 300


@contextmanager
def simulator(tmp_path: Path, *words: str) -> Iterator[Simulator]:
    running = Simulator(
        (*words, "--pty", str(tmp_path / "dev"), "--hands", str(tmp_path / "hands")), tmp_path / "said"
    )
    try:
        running.until((tmp_path / "hands").exists)
        yield running
    finally:
        running.process.kill()
        running.process.wait()


def conform(tmp_path: Path, name: str, *words: str, slack: str = SLACK, typed: str = "") -> Answer:
    record = str(tmp_path / "record.json")
    given = ("--as", name, "--json", record, "--slack", slack, *words)
    return sabot("hil", "conform", str(tmp_path / "dev"), *given, stdin=typed, patience_s=PATIENCE_S)


def key_of(running: Simulator) -> str:
    found = re.search(r"^key (\w+)$", running.said(), re.MULTILINE)
    assert found is not None
    return found[1]


def test_simulated_pads_get_their_certificate_and_a_record_that_proves_itself(tmp_path: Path) -> None:
    with simulator(tmp_path, "pads") as running:
        key = key_of(running)
        answer = conform(tmp_path, "sabot-pads", "--key", key, "--hands", str(tmp_path / "hands"))

    assert answer.code == 0, answer.out + answer.err
    assert "CERTIFICATE: this device speaks as docs/sabot-pads.md says" in answer.out
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["verdict"] == "certificate"
    assert record["digest"] == digest_of(record)
    assert record["digest"] in answer.out
    assert record["device"]["serial"] == "SIM0001"
    assert record["conditions"]["limits of time"] == "widened 25 times"
    assert {each["outcome"] for each in record["results"]} == {"passed"}
    assert any(each["measures"] for each in record["results"])


def test_a_simulated_shoe_gets_its_certificate_over_a_line_of_4800_baud(tmp_path: Path) -> None:
    with simulator(tmp_path, "shoe"):
        answer = conform(tmp_path, "angel-eye", "--hands", str(tmp_path / "hands"))

    assert answer.code == 0, answer.out + answer.err
    assert "none: the convention cannot prove who the device is" in answer.out


def test_a_simulated_display_gets_its_certificate_by_what_it_shows(tmp_path: Path) -> None:
    with simulator(tmp_path, "display", "--option", "wraps=false"):
        answer = conform(tmp_path, "escpos", "--hands", str(tmp_path / "hands"), slack="1")

    assert answer.code == 0, answer.out + answer.err
    assert "CERTIFICATE: this device speaks as docs/escpos.md says" in answer.out
    assert "not part of it: display.there: no modem line was named" in answer.out


def test_a_person_is_shown_the_picture_that_a_display_should_have(tmp_path: Path) -> None:
    with simulator(tmp_path, "display"):
        answer = conform(tmp_path, "escpos", "--person", slack="1", typed="yes\nno\n")

    assert answer.code == 1, answer.out + answer.err
    assert "two texts: does it show this and nothing else?" in answer.err
    assert "\n  >>   |BETS OPEN           |\n  >>   |LOCK=NO MORE BETS   |\n" in answer.err
    assert "display.shows: two texts: it does not show 'BETS OPEN' over 'LOCK=NO MORE BETS'" in answer.out
    results = json.loads((tmp_path / "record.json").read_text())["results"]
    assert {each["outcome"] for each in results[1:]} == {"not tried"}


def test_a_person_is_asked_and_what_nobody_could_do_is_no_pass(tmp_path: Path) -> None:
    with simulator(tmp_path, "sign"):
        answer = conform(tmp_path, "alpha", "--person", typed="yes\nyes\nno\n")

    assert answer.code == 3, answer.out + answer.err
    assert "Does the sign show MEGA $12,345.67?" in answer.err
    assert ">> Switch the sign off, and on again." in answer.err
    assert "NO CERTIFICATE" in answer.out
    assert "1 not tried" in answer.out
    assert "sign.back: it could not be done" in answer.out
    assert json.loads((tmp_path / "record.json").read_text())["verdict"] == "incomplete"


def test_a_sign_whose_memory_does_not_answer_is_to_be_fixed(tmp_path: Path) -> None:
    with simulator(tmp_path, "sign", "--option", "is_dumb=true"):
        # What never comes does not come sooner on a quick machine: the limits of the page will do.
        answer = conform(tmp_path, "alpha", "--hands", str(tmp_path / "hands"), slack="1")

    assert answer.code == 1, answer.out + answer.err
    assert "NO CERTIFICATE: 1 to fix\n  sign.answers: " in answer.out
    assert "see docs/alpha.md#the-frame" in answer.out
    first = json.loads((tmp_path / "record.json").read_text())["results"][0]
    assert first["outcome"] == "wrong"
    assert any(" H> " in line for line in first["wire"])


def test_hands_say_what_a_simulator_cannot_do_and_what_it_shows(tmp_path: Path) -> None:
    with simulator(tmp_path, "sign"):
        hands = SocketHands(f"{tmp_path / 'hands'}:sign")
        hands.do(Act("Mute it.", ("mute on", "mute off")), lambda: None)
        with pytest.raises(NotTriedError, match="there is no 'dance'"):
            hands.do(Act("Let it dance.", ("dance now",)), lambda: None)
        with pytest.raises(NotTriedError, match="there is no file"):
            hands.do(Act("Write to a file that is not there.", ("remote Q WORDS",)), lambda: None)
        assert hands.sees("Is it dark?", "pages", lambda: None)
        assert not hands.sees("Does it show MEGA?", "MEGA", lambda: None)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--as", "alpha"), "E-LINK-001", "could not open"),
        (("--as", "sabot-link", "--key", "abcd"), "E-CLI-003", "64 hex digits"),
        (("--as", "sabot-link", "--key", "no"), "E-CLI-003", "64 hex digits"),
        (("--as", "alpha", "--key", "ab" * 32), "E-CLI-003", "cannot prove who it is"),
        (("--as", "alpha", "--slack", "0.5"), "E-CLI-003", "a factor from 1 to 1000"),
        (("--as", "alpha", "--slack", "fast"), "E-CLI-003", "a factor from 1 to 1000"),
        (("--as", "alpha", "--option", "bauds=9600"), "E-CONF-002", "baud"),
        (("--as", "alpha", "--option", "baud=9601"), "E-CONF", "9600"),
        (("--as", "sabot-pads"), "E-CLI-003", "VID:PID"),
        (("--as", "alpha", "--hands", "/nowhere/hands"), "E-CLI-003", "a control socket that answers"),
        (("--as", "alpha", "--json", "/nowhere/record.json"), "E-CLI-005", "No such file"),
    ],
)
def test_bad_input_is_one_message_and_no_run(
    tmp_path: Path, words: tuple[str, ...], code: str, said: str
) -> None:
    answer = sabot("hil", "conform", str(tmp_path / "absent"), *words)

    assert answer.code == 2
    assert answer.err.startswith(f"sabot hil: {code}"), answer.err
    assert said in answer.err
    assert answer.out == ""


def test_help_teaches() -> None:
    answer = sabot("hil", "conform", "--help")

    assert answer.code == 0
    for words in ("--person", "--hands", "exit codes", "VID:PID", "never a pass"):
        assert words in answer.out
