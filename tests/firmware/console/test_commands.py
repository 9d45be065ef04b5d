"""Each command by those who may, and by those who may not; every one of them on record."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from at_the_console import PINS, Board, Console, at_the_table, console
from sabot.firmware.console.catalogue import COMMANDS
from sabot.firmware.credentials.people import UNLOCKED_S
from sabot.image.faults import devices_of, holds_of
from sabot.statemachine.vocabulary.events import DeviceFaulted, Role, ShufflerStopped

KEY = "ab" * 32
READ = (
    "status",
    "devices",
    "faults",
    "events 5",
    "decks",
    "meters",
    "stats",
    "config",
    "verify",
    "help",
    "keys",
)
# A line for each command that wants a role, rightly put.
BY_ROLE = {
    "log level": "log level debug",
    "device test": "device test shoe",
    "retest": "retest shoe",
    "clear": "clear device shoe",
    "lift slips": "lift slips",
    "service on": "service on",
    "service off": "service off",
    "meters adjust": "meters adjust prog4 main -1.00",
    "register lot": "register lot L9 green",
    "export": "export stream",
    "unseal": "unseal 1",
    "retain": "retain board",
    "people": "people",
    "enrol person": "enrol person 50 dealer Sue",
    "forget person": "forget person 33",
    "person readmit": "person readmit 33",
    "enrol device": f"enrol device shoe {KEY}",
    "forget device": "forget device shoe",
    "update": "update",
}
NUMBER_OF = {Role.FLOOR: "17", Role.TECHNICIAN: "42", Role.AUDITOR: "08", Role.DEALER: "33"}


def test_policy_anybody_may_read_and_of_nobody_that_is_in_the_log_alone(board: Board, desk: Console) -> None:
    for line in READ:
        desk(line)
    assert not board.commands()


def test_policy_every_reading_of_somebody_is_on_record(board: Board, desk: Console) -> None:
    board.play()
    desk.unlock("42")
    for line in (*READ, "devices shoe", "round 1", "help meters", "verify 0011223344556677", "whoami"):
        assert desk(line)["end"] == "done", desk.said
        assert desk.text or line == "keys", line
    kept = board.commands()[1:]
    assert [each["command"] for each in kept][:3] == ["status", "devices", "faults"]
    assert {each["by"] for each in kept} == {"42 Bob"}
    assert all(each["uid"] >= 0 and each["result"] == "given" for each in kept)


def test_policy_what_orders_wants_a_reason_or_a_second_person_is_listed() -> None:
    def those(which: str) -> set[str]:
        return {name for name, command in COMMANDS.items() if getattr(command, which)}

    dual = {
        "enrol device",
        "enrol person",
        "forget device",
        "forget person",
        "meters adjust",
        "person readmit",
    }
    held = {"clear", "device test", "service off", "service on"}
    assert those("second") == dual | {"retain", "unseal", "update"}
    assert those("orders") == dual | held | {
        "register lot",
        "retain",
        "retest",
        "sign-on",
        "unseal",
        "update",
    }
    assert those("needs_why") == (dual | held | {"export", "lift slips", "retain", "unseal", "update"}) - {
        "enrol person"
    }
    assert those("asks") == {"unlock", "sign-on", "enrol person"}
    assert those("needs_table") == held | {
        "decks", "events", "faults", "follow", "head", "meters", "meters adjust", "register lot", "retain",
        "retest", "round", "sign-on", "unseal", "update", "watch",
    }  # fmt: skip


def test_policy_the_table_of_roles_is_whole() -> None:
    assert BY_ROLE.keys() == {name for name, command in COMMANDS.items() if command.roles}


@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_policy_a_locked_console_orders_nothing(board: Board, desk: Console, name: str) -> None:
    end = desk(BY_ROLE[name], why="because")
    assert (end["end"], end["code"]) == ("refused", "E-CONS-003")
    (kept,) = board.commands()
    assert (kept["command"], kept["result"], kept["by"]) == (name, "refused", "")
    assert "E-CONS-003" in kept["reason"]
    assert not board.entries("event")


def test_policy_the_wrong_role_is_refused_with_the_reason_and_on_record(board: Board, desk: Console) -> None:
    for role, number in NUMBER_OF.items():
        desk.unlock(number)
        for name, line in BY_ROLE.items():
            if role in COMMANDS[name].roles:
                continue
            end = desk(line, why="because")
            assert end["code"] == "E-CONS-004", (role, name)
            assert f"a {role} may not do this" in end["why"]
            kept = board.commands()[-1]
            assert (kept["command"], kept["role"], kept["result"]) == (name, role.value, "refused")
    assert not board.entries("event")


# ---------------------------------------------------------------- faults


def test_policy_a_fault_is_retested_and_released_with_a_reason(board: Board, desk: Console) -> None:
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
    assert desk("faults")["end"] == "done"
    assert "step 2           FLOOR: RETEST, by a technician; or here: `retest shoe device`" in desk.text
    assert "step 3           FLOOR: RELEASE, by a technician; or here: `clear device shoe`" in desk.text
    assert "lamp" in desk.text
    desk.unlock("42")
    end = desk("clear device shoe", why="new lamp")
    assert end["code"] == "E-CONS-006"
    assert "device: test the cause again first" in end["why"]
    assert desk("retest shoe device")["end"] == "done"
    assert desk("clear device shoe")["ask"] == "why"
    assert desk("clear device shoe", why="new lamp")["end"] == "done"
    assert board.table.rooms.faults.held is None
    kept = board.commands()[-1]
    assert (kept["by"], kept["why"], kept["arguments"]) == (
        "42 Bob",
        "new lamp",
        {"fault": "device", "device": "shoe"},
    )


def test_641a_13e_what_a_fault_advises_can_be_typed_where_one_machine_shuffles_and_deals(
    board: Board, desk: Console
) -> None:
    """Its jam is the shuffler's, its name at the table is the shoe."""
    desk.unlock("17")
    board.post(ShufflerStopped(at=1.0, source="shoe", deck="A", cause="jam"))
    assert desk("faults")["end"] == "done"
    assert "`retest shuffler shuffler_jam`" in desk.text
    assert desk("retest shuffler shuffler_jam")["code"] == "E-CONS-011"
    board.table.law.setup = replace(board.table.law.setup, one_machine=True)
    assert desk("faults")["end"] == "done"
    assert "`retest shoe shuffler_jam`" in desk.text
    assert "by a floorperson; or here: `clear shuffler_jam shuffler`" in desk.text
    assert desk("retest shoe shuffler_jam")["end"] == "done"
    assert desk("retest shuffler shuffler_jam")["end"] == "done"
    assert desk("clear shuffler_jam shuffler", why="a bent card")["end"] == "done"
    assert board.table.rooms.faults.held is None


def test_policy_the_record_of_an_order_stands_before_its_event(board: Board, desk: Console) -> None:
    desk.unlock("42")
    desk("service on", why="lamp")
    entries = board.entries()
    given = next(each.number for each in entries if '"service on"' in each.body)
    event = next(each.number for each in entries if "ServiceModeChanged" in each.body)
    assert given < event


def test_policy_service_mode_is_not_left_silently(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk("device test shoe", why="x")["end"] == "done"  # the table is closed
    assert "motor" in desk.text
    assert desk("service on", why="lamp")["end"] == "done"
    assert board.table.rooms.orders.in_service()
    assert desk("clear service controller", why="done")["code"] == "E-CONS-006"
    assert desk("service off", why="done")["end"] == "done"
    assert board.table.rooms.faults.held is not None
    assert "only the floor" in desk("clear service controller", why="done")["why"]
    desk.unlock("17")
    assert desk("clear service controller", why="looked")["end"] == "done"
    assert board.table.rooms.faults.held is None


def test_policy_no_device_is_tested_while_people_play(board: Board, desk: Console) -> None:
    board.play(30)
    desk.unlock("42")
    assert desk("device test shoe", why="x")["code"] == "E-CONS-010"


def test_policy_no_command_makes_an_input_of_a_device() -> None:
    words = " ".join(COMMANDS)
    for faked in ("card", "wager", "press", "key ", "inject", "simulate", "fake"):
        assert faked not in words


# ---------------------------------------------------------------- money and decks


def test_641a_12_a_meter_is_adjusted_by_two_people_and_a_cause(board: Board, desk: Console) -> None:
    before = board.table.rooms.shares.meters()["prog4"]["main"]
    desk.unlock("17")
    line = "meters adjust prog4 main -5.00"
    assert desk.dual(line, "08", why="audit 7")["end"] == "done", desk.said
    assert board.table.rooms.shares.meters()["prog4"]["main"] == before - 500
    kept = board.commands()[-1]
    assert (kept["by"], kept["second"], kept["why"]) == ("17 Ann", "08 Eve", "audit 7")
    event = json.loads(board.entries("event")[-1].body)["event"]
    assert (event["event"], event["cents"], event["by"]) == ("MeterAdjusted", -500, ["17 Ann", "08 Eve"])
    assert desk("meters")["end"] == "done"
    assert "adjustment -$5.0000" in desk.text
    assert "all accounts sum to zero" in desk.text


@pytest.mark.parametrize("second", ["17", "33"])
def test_policy_the_second_person_is_another_of_a_fitting_role(
    board: Board, desk: Console, second: str
) -> None:
    desk.unlock("17")
    end = desk.dual("meters adjust prog4 main -5.00", second, why="audit")
    assert end["code"] == "E-CONS-008"
    assert not board.entries("event")


def test_policy_a_pin_of_a_second_person_without_a_number_asks_who_that_is(
    board: Board, desk: Console
) -> None:
    desk.unlock("17")
    line = "meters adjust prog4 main -5.00"
    desk(line, why="audit")
    assert desk(line, why="audit", second_pin=PINS["08"])["ask"] == "second"
    assert not board.entries("event")


def test_policy_help_says_who_may_and_what_is_wanted(desk: Console) -> None:
    desk("help meters")
    assert "by anybody" in desk.text
    desk("help meters adjust")
    assert "confirmed by a second person of another role, with a reason" in desk.text
    desk("devices shoe")
    assert "resyncs" in desk.text


def test_policy_what_devices_says_of_a_device_has_the_fault_that_lies_over_it(
    board: Board, desk: Console
) -> None:
    """The cure of a device's fault begins with it, and most devices are up while their fault is latched."""
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
    desk("devices")
    (line,) = [each for each in desk.text.splitlines() if each.startswith("shoe ")]
    assert line.endswith("up, held: device fault: lamp")
    desk("devices shoe")
    assert "device fault: lamp" in desk.text


def test_trials_of_the_image_read_devices_and_faults_there(board: Board, desk: Console) -> None:
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="DOWN for a moment"))
    desk("devices")
    assert {"device": "shoe", "up": True} in devices_of(desk.text)
    assert len(devices_of(desk.text)) == len(desk.text.splitlines())
    desk("faults")
    assert holds_of(desk.text) == [{"fault": "device", "device": "shoe"}]
    assert devices_of("shoe  angel-eye  /dev/x  DOWN: nobody knows what is up") == [
        {"device": "shoe", "up": False}
    ]


def test_policy_a_second_person_comes_within_a_minute(board: Board, desk: Console) -> None:
    desk.unlock("17")
    line = "meters adjust prog4 main -5.00"
    assert desk(line, why="audit", second="08", second_pin=PINS["08"])["code"] == "E-CONS-009"
    assert desk(line, why="audit")["ask"] == "second"
    board.clock.ahead_s = 61
    assert desk(line, why="audit", second="08", second_pin=PINS["08"])["code"] == "E-CONS-009"
    assert not board.entries("event")


def test_policy_what_the_table_refuses_is_refused_before_a_second_is_called(desk: Console) -> None:
    desk.unlock("17")
    end = desk("meters adjust prog9 main -5.00", why="x")
    assert (end["code"], "there is no meter prog9.main" in end["why"]) == ("E-CONS-006", True)


def test_641a_4a_a_lot_is_registered_once(board: Board, desk: Console) -> None:
    desk.unlock("17")
    assert desk("register lot L9 green")["end"] == "done"
    assert "lot L9 is known already" in desk("register lot L9 green")["why"]
    assert [lot.lot for lot in board.table.state.stock.lots] == ["L9"]
    assert board.commands()[-1]["result"] == "refused"


def test_policy_decks_show_lineage_and_what_each_touched(board: Board, desk: Console) -> None:
    board.play(60)
    assert desk("decks")["end"] == "done"
    assert "deck A: lot" in desk.text


# ---------------------------------------------------------------- people


def test_policy_a_dealer_signs_on_with_a_pin_of_their_own(board: Board, desk: Console) -> None:
    assert desk("sign-on 33")["ask"] == "pin"
    assert desk("sign-on 33", pin=PINS["33"])["end"] == "done"
    assert board.table.state.crew.dealer == "33 Dan"
    assert desk("sign-on 17", pin=PINS["17"])["code"] == "E-CONS-004"


def test_policy_an_unlocked_console_locks_itself(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk("status")["who"] == "42 Bob (technician)"
    board.clock.ahead_s = UNLOCKED_S - 1
    assert desk("status")["who"] == "42 Bob (technician)"
    board.clock.ahead_s += UNLOCKED_S + 1
    assert desk("log level debug")["code"] == "E-CONS-003"
    assert desk("whoami")["who"] == "locked"


def test_policy_two_people_enrol_a_third_and_take_them_off_again(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk("enrol person 50 dealer Sue Smith")["ask"] == "second"
    line = "enrol person 50 dealer Sue Smith"
    assert desk(line, second="17", second_pin=PINS["17"])["ask"] == "new_pin"
    weak = desk(line, second="17", second_pin=PINS["17"], new_pin="12345")
    assert weak["code"] == "E-KEEP-005"
    assert desk.dual(line, "17", new_pin="86420")["end"] == "done", desk.said
    assert board.people.known("50").name == "Sue Smith"
    assert desk.dual("forget person 50", "17", why="left")["end"] == "done"
    assert desk("forget person 17", why="x")["code"] == "E-KEEP-010"
    assert desk.dual("person readmit 33", "17", why="asked")["end"] == "done"
    assert desk.text == "person 33 may try again"
    assert desk("people")["end"] == "done"
    assert "17  Ann" in desk.text


def test_policy_a_fresh_board_enrols_its_first_people_at_a_turned_key(tmp_path: Path) -> None:
    with at_the_table(tmp_path, with_people=False) as board, console(board) as desk:
        line = "enrol person 17 floor Ann"
        assert desk(line, new_pin=PINS["17"])["code"] == "E-CONS-016"
        board.lines.add("key_switch")
        assert desk(line)["ask"] == "new_pin"
        assert desk(line, new_pin=PINS["17"])["end"] == "done"
        assert desk("enrol person 18 floor Zoe", new_pin="86420")["code"] == "E-CONS-016"
        assert desk("enrol person 33 dealer Dan", new_pin=PINS["33"])["code"] == "E-CONS-016"
        assert desk("enrol person 42 technician Bob", new_pin=PINS["42"])["end"] == "done"
        assert desk("enrol person 43 technician Tom", new_pin="86420")["code"] == "E-CONS-003"


def test_policy_two_people_enrol_a_device_by_its_fingerprint(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk.dual(f"enrol device shoe {KEY}", "17", why="new shoe")["end"] == "done"
    assert board.keyring.key_of("shoe") == bytes.fromhex(KEY)
    assert desk("keys")["end"] == "done"
    assert desk.text.startswith("shoe")
    assert desk.dual("forget device shoe", "17", why="gone")["end"] == "done"
    assert board.keyring.key_of("shoe") is None
    assert desk("forget device shoe", why="gone")["code"] == "E-KEEP-009"


# ---------------------------------------------------------------- records


def test_policy_a_round_is_shown_as_it_was_kept(board: Board, desk: Console) -> None:
    board.play()
    assert desk("round 1")["end"] == "done"
    assert "ROUND 1" in desk.text
    assert desk("round 999")["code"] == "E-CONS-011"


def test_policy_a_round_is_shown_with_the_time_of_day_that_its_entries_have(
    board: Board, desk: Console
) -> None:
    board.clock.set_at = datetime(2026, 1, 1, 23, 45, 12, tzinfo=UTC)
    board.play()

    assert desk("round 1")["end"] == "done"

    assert "ROUND 1, 23:45:12Z to 23:45:12Z" in desk.text
    assert "recorded 2026-01-01T23:45:12.000" in desk.text


def test_policy_the_newest_signed_head_is_shown_on_demand(board: Board, desk: Console) -> None:
    assert desk("head")["end"] == "done"
    assert "no head is signed yet" in desk.text

    board.play()

    assert desk("head")["end"] == "done"
    signed = board.entries("head")[-1]
    shown = {name: value for each in desk.said for name, value in each.get("data", {}).items()}
    assert {name: shown[name] for name in ("entries", "link", "key", "signature")} == json.loads(signed.body)
    assert shown["after"] >= 1


def test_policy_an_export_proves_the_chain_without_what_is_sealed(board: Board, desk: Console) -> None:
    board.play()
    desk.unlock("08")
    assert desk("export stream", why="audit")["end"] == "done"
    header, *found, closing = [json.loads(said["line"]) for said in desk.said if "line" in said]
    assert (header["board"], header["sealed"]) == (board.board.public_key.hex(), False)
    assert (closing["closing"]["first"], closing["closing"]["last"]) == (1, len(found))
    entries = {entry.number: entry for entry in board.entries()}
    assert len(found) > 100
    for each in found:
        entry = entries[each["number"]]
        assert (each["link"], each["body"], each["seal"]) == (
            entry.link.hex(),
            entry.body,
            entry.digest_of_seal,
        )
        assert "sealed" not in each


def test_policy_an_export_to_the_board_is_whole_and_never_overwrites(board: Board, desk: Console) -> None:
    board.play(20)
    desk.unlock("08")
    assert desk("export board 1 10", why="audit")["end"] == "done", desk.said
    (file,) = (board.rooms.root / "exports").iterdir()
    _, *found, _ = map(json.loads, file.read_text().splitlines())
    assert [each["number"] for each in found] == list(range(1, 11))
    assert desk("export board 1 10", why="audit")["code"] == "E-CONS-012"
    assert list((board.rooms.root / "exports").iterdir()) == [file]


def test_policy_a_stick_wants_service_mode_and_an_open_door(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert "only in service mode" in desk("export stick", why="x")["why"]
    desk("service on", why="x")
    assert "with the door open" in desk("export stick", why="x")["why"]
    board.lines.add("door")
    assert desk("export stick", why="x")["code"] == "E-CONS-012"  # none is mounted here


def test_policy_the_logs_level_is_set(board: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk("log level debug")["end"] == "done"
    assert board.log_level == "debug"


# ---------------------------------------------------------------- badly put


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("deviecs", "E-CONS-001", "perhaps `devices`"),
        ("round", "E-CONS-002", "NUMBER is missing; the command is `round NUMBER`"),
        ("round x", "E-CONS-002", "NUMBER is a number from 1 to"),
        ("round 1 2", "E-CONS-002", "there is a word too many"),
        ("unlock 4", "E-CONS-002", "NUMBER is a person's two digits"),
        ("devices nobody", "E-CONS-011", "there is no device nobody"),
        ("help nothing", "E-CONS-011", "there is no command nothing"),
        ("meters adjust prog4 main 5", "E-CONS-002", "AMOUNT is an amount such as -12.50"),
        ("verify xyz", "E-CONS-002", "hexadecimal digits"),
    ],
)
def test_policy_what_is_badly_put_is_told_how(desk: Console, line: str, code: str, words: str) -> None:
    end = desk(line)
    assert (end["end"], end["code"]) == ("refused", code)
    assert words in end["why"]


@pytest.mark.parametrize("line", ["unlock 42 73519", "unlock 4273519", "73519", "sign-on 33 27182"])
def test_policy_a_pin_at_the_wrong_place_stands_in_no_record(board: Board, desk: Console, line: str) -> None:
    assert desk(line)["end"] == "refused"
    body = board.entries("command")[-1].body
    assert not [pin for pin in PINS.values() if pin in body]


def test_policy_words_are_completed(board: Board, desk: Console) -> None:
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
    for words, found in (
        (["de"], ["decks", "device", "devices"]),
        (["device", ""], ["test"]),
        (["device", "test", "s"], ["shoe"]),
        (["clear", "d"], ["device"]),
        (["clear", "device", ""], ["shoe"]),
        (["meters", "adjust", "prog4", ""], ["main", "major", "mega", "minor"]),
        (["log", "level", "w"], ["warning"]),
        (["nothing", ""], []),
    ):
        (said,) = desk.client.ask(complete=words)
        assert set(found) >= set(said["words"]), words
        assert bool(found) == bool(said["words"]), words
