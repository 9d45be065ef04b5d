"""Seals opened at a running table: two people, a cause, and an entry before anybody sees a card."""

from __future__ import annotations

import json

from at_the_console import Board, Console


def test_policy_two_people_unseal_a_round_while_the_program_runs(board: Board, desk: Console) -> None:
    board.play()
    desk.unlock("17")

    end = desk.dual("unseal 1", "08", why="dispute at seat 3")

    assert end["end"] == "done", desk.said
    said = json.loads(board.entries("unsealed")[-1].body)
    assert (said["round"], said["cause"]) == (1, "dispute at seat 3")
    assert [each["number"] for each in said["by"]] == ["17", "08"]
    shown = [each["data"]["event"] for each in desk.said if each.get("data")]
    assert [each["event"] for each in shown if each["card"]] == ["CardDrawn"] * len(shown)
    assert len(shown) > 20


def test_policy_a_round_that_is_not_closed_stays_sealed(board: Board, desk: Console) -> None:
    board.play(55)
    desk.unlock("17")

    end = desk.dual("unseal 1", "08", why="curious")

    assert end["code"] == "E-JRNL-012", desk.said
    assert board.entries("unsealed") == []
