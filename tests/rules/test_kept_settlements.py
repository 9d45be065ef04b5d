"""Settlements kept from round to round: the same choices share one, other choices do not."""

from __future__ import annotations

from sabot.rules.round import Options
from sabot.rules.settlement import KeptSettlements

from .table_talk import law

A, B = Options(paytables={"aces_up": "A"}), Options(paytables={"aces_up": "B"})


def test_equal_choices_share_a_settlement() -> None:
    kept = KeptSettlements()
    first = kept(law("pa641a"), A)
    assert kept(law("pa641a"), Options(paytables={"aces_up": "A"})) is first
    assert kept(law("pa641a"), B) is not first
    assert kept(law("md4cp"), A) is not first
    assert kept(law("pa641a"), A) is first


def test_a_few_hundred_are_kept_and_those_last_used_stay() -> None:
    kept = KeptSettlements()
    first, second = kept(law("pa679a"), Options(payout_limit=0)), kept(law("pa679a"), Options(payout_limit=1))
    for cents in range(2, 256):
        kept(law("pa679a"), Options(payout_limit=cents))
    assert kept(law("pa679a"), Options(payout_limit=0)) is first
    kept(law("pa679a"), Options(payout_limit=256))
    assert kept(law("pa679a"), Options(payout_limit=0)) is first
    assert kept(law("pa679a"), Options(payout_limit=1)) is not second
