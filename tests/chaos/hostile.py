"""Whoever means harm: what is tried, what must come of it, and the tests that hold it.

Each row names tests of this repository by file and function; `test_hostile.py` sees to it that they are there.
Rows whose tests stand in this folder are tried on the whole running program.
"""

from __future__ import annotations

from typing import NamedTuple

LINK, PADS = "tests/drivers/sabot_link", "tests/drivers/pads"
CONSOLE, JOURNAL = "tests/firmware/console", "tests/firmware/journal"
HERE = "tests/chaos"


class Case(NamedTuple):
    """What somebody tries, what comes of it, and where that is tested (file::function)."""

    tried: str
    comes_of_it: str
    tests: tuple[str, ...]


def tests_of(folder: str, file: str, *names: str) -> tuple[str, ...]:
    """Functions of one file."""
    return tuple(f"{folder}/{file}.py::test_{name}" for name in names)


CASES = (
    Case(
        "frames of Sabot Link replayed, of this session or of another",
        "nothing changes, and a dead device is not kept alive",
        (
            *tests_of(
                LINK,
                "test_authentication",
                "replays_of_the_same_session_change_nothing",
                "replays_of_another_session_change_nothing",
                "replayed_pongs_do_not_keep_a_dead_device_alive",
            ),
            *tests_of(HERE, "test_hostile", "a_device_that_lies_is_held_journalled_and_harmless"),
        ),
    ),
    Case(
        "frames of Sabot Link in another order, or sent back to the host",
        "they are not taken",
        tests_of(
            LINK,
            "test_authentication",
            "frames_in_another_order_are_not_taken",
            "frames_sent_back_to_the_host_are_refused",
        ),
    ),
    Case(
        "frames with wrong or missing session codes; a greeting changed on the way",
        "refused; the third ends the session, which is a fault",
        (
            *tests_of(
                LINK,
                "test_authentication",
                "a_changed_frame_is_refused_and_the_third_ends_the_session",
                "wrong_session_codes_are_refused",
                "a_frame_without_a_code_in_a_sealed_session",
                "nothing_of_the_greeting_can_be_changed_on_the_way",
                "nobody_can_talk_the_two_out_of_authentication",
            ),
            *tests_of(HERE, "test_hostile", "a_device_that_lies_is_held_journalled_and_harmless"),
        ),
    ),
    Case(
        "a shoe that gives the same card twice, or a card that no deck has",
        "the deck is proven bad: held, and voided or tested by the floor",
        (
            *tests_of(
                "tests/statemachine",
                "test_faults",
                "policy_a_card_that_the_deck_has_already_given_proves_the_deck_bad",
                "policy_a_card_that_no_deck_has_proves_the_deck_bad_too",
            ),
            *tests_of(HERE, "test_hostile", "a_device_that_lies_is_held_journalled_and_harmless"),
        ),
    ),
    Case(
        "a shoe that gives cards while it is locked, and says that it is locked",
        "held; the card counts as drawn",
        tests_of(
            "tests/drivers/angel_eye",
            "test_driver",
            "a_card_out_of_a_shoe_that_lied_about_its_lock_is_a_fault_and_still_a_card",
        ),
    ),
    Case(
        "a shuffler whose count, reads and digest contradict each other, or that tells an order",
        "held; its shuffle counts for nothing, an order is thrown away",
        (
            *tests_of(
                LINK,
                "test_conversation",
                "a_lie_is_a_contradiction_and_no_shuffle",
                "an_order_that_leaks_is_thrown_away",
            ),
            *tests_of(HERE, "test_hostile", "a_device_that_lies_is_held_journalled_and_harmless"),
        ),
    ),
    Case(
        "a pad that takes back the refusal of a late wager, ignores its lock, or lights what it refused",
        "a contradiction, and no wager",
        (
            *tests_of(
                PADS,
                "test_pads_driver",
                "a_pad_that_unrefuses_a_late_wager_is_a_contradiction_and_no_wager",
                "a_pad_that_ignores_the_lock_is_a_contradiction",
                "a_lamp_on_a_refused_wager_is_a_contradiction",
            ),
            *tests_of(HERE, "test_hostile", "a_device_that_lies_is_held_journalled_and_harmless"),
        ),
    ),
    Case(
        "reports of the pads that are forged",
        "they end the session, with a fault",
        tests_of(PADS, "test_pads_driver", "forged_reports_end_the_session_with_a_fault"),
    ),
    Case(
        "another device in the place of the enrolled one, or one that shows a key it does not hold",
        "a fault; it is not heard until two people enrol it",
        (
            *tests_of(
                LINK,
                "test_authentication",
                "another_devices_key_is_a_fault",
                "a_device_that_shows_a_key_that_it_does_not_hold",
            ),
            *tests_of(
                PADS,
                "test_pads_driver",
                "a_pad_with_another_key_is_a_fault",
                "an_exchanged_pad_stays_out_until_it_is_enrolled",
            ),
            *tests_of(HERE, "test_hostile", "a_swapped_device_is_not_heard"),
        ),
    ),
    Case(
        "a bundle that is forged, unsigned, cut, altered, older, or for another board",
        "refused with the reason; nothing is installed",
        (
            *tests_of(
                "tests/firmware/update",
                "test_bundle",
                "a_forged_bundle_is_refused",
                "an_unsigned_bundle_is_refused_where_a_key_is_pinned",
                "a_bundle_is_refused_wherever_it_is_cut",
                "an_altered_bundle_is_refused_with_the_reason",
            ),
            *tests_of(
                "tests/firmware/update",
                "test_updater",
                "a_forged_bundle_is_refused",
                "an_older_bundle_is_refused",
                "a_bundle_for_another_board_is_refused",
            ),
        ),
    ),
    Case(
        "program files that were changed, added or taken away",
        "the table does not open; the file is named",
        tests_of("tests/firmware/integrity", "test_manifest_check", "each_tampered_file_is_named"),
    ),
    Case(
        "a journal that was edited, cut, written anew, or put back from an old copy",
        "the first broken entry is named; the table does not open",
        (
            *tests_of(
                JOURNAL,
                "test_verify",
                "a_tampering_is_named_at_its_entry",
                "a_journal_written_anew_fails_at_its_next_head",
            ),
            *tests_of(JOURNAL, "test_damage", "an_old_copy_put_back_is_found", "what_was_deleted_is_missed"),
            *tests_of(
                JOURNAL,
                "test_second_medium",
                "a_journal_rewritten_with_the_boards_own_key_is_found_by_its_heads",
            ),
            *tests_of(HERE, "test_hostile", "an_edited_journal_keeps_the_table_closed"),
        ),
    ),
    Case(
        "every command of the console by every role that may not, and by nobody",
        "refused with the reason, each on record; nothing moves",
        (
            *tests_of(
                CONSOLE,
                "test_commands",
                "policy_a_locked_console_orders_nothing",
                "policy_the_wrong_role_is_refused_with_the_reason_and_on_record",
                "policy_the_second_person_is_another_of_a_fitting_role",
            ),
            *tests_of(HERE, "test_hostile", "no_command_is_carried_out_for_the_wrong_role"),
        ),
    ),
    Case(
        "a PIN guessed, over the console, at the keys, by a restart, over all numbers",
        "waits that double, then a lock-out; nothing is given back",
        (
            *tests_of(
                CONSOLE,
                "test_hostile",
                "policy_a_pin_is_not_found_by_guessing",
                "policy_guessing_over_all_numbers_waits_too",
            ),
            *tests_of("tests/firmware/credentials", "test_people", "policy_a_restart_gives_no_attempt_back"),
            *tests_of(
                HERE,
                "test_pin_guessing",
                "a_pin_is_not_found_at_the_keys_nor_over_the_console_nor_by_a_restart",
                "guessing_over_all_numbers_is_slow_and_on_record",
            ),
        ),
    ),
    Case(
        "a console that never reads, floods, sends half lines, dies, or comes again and again",
        "dropped and throttled; the table does not notice",
        (
            *tests_of(
                CONSOLE,
                "test_hostile",
                "policy_a_console_that_never_reads_is_dropped",
                "policy_a_live_screen_that_is_not_read_is_dropped",
                "policy_a_flood_of_good_commands_is_throttled_and_one_at_a_time",
                "policy_who_hangs_up_and_comes_again_has_no_more_commands",
            ),
            *tests_of(HERE, "test_noise", "no_abuse_of_the_console_keeps_the_table_from_its_lock"),
        ),
    ),
    Case(
        "ten megabytes of noise on each wire; lines in a storm",
        "the lock comes, the program stays, memory and lag are bounded",
        tests_of(
            HERE,
            "test_noise",
            "noise_on_any_wire_never_keeps_the_table_from_its_lock",
            "a_storm_of_edges_never_keeps_the_table_from_its_lock",
        ),
    ),
)
