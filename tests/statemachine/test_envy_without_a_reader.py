"""641a.1, 12(d)(5), MLGCA 1.B, 12.F, reading E1: a folded hand is envied only where a device has read it."""

from __future__ import annotations

import pytest

from sabot.statemachine.state.setup import Knowledge, SetupError

from .shift import NotOfferedError, Shift
from .tables import law, table_setup

ENVY = {"pa641a": "prog4", "md4cp": "progressive"}
ALWAYS = {"envy_folded_holder": "always"}
UNREAD = [
    ("manual_shoe", Knowledge.NONE),
    ("hand", Knowledge.NONE),
    ("auto_shoe", Knowledge.COUNT_ONLY),
    ("auto_shoe", Knowledge.NONE),
]


@pytest.mark.parametrize(("method", "knowledge"), UNREAD)
@pytest.mark.parametrize("chapter", ENVY)
def test_x_12_an_envied_fold_is_refused_where_no_device_reads_it(
    chapter: str, method: str, knowledge: Knowledge
) -> None:
    setup = table_setup(chapter, method=method, knowledge=knowledge, readings=ALWAYS)
    with pytest.raises(SetupError, match="a folded hand that no device reads is envied by nobody") as error:
        setup.verify()
    assert law(chapter).readings["envy_folded_holder"].cite in str(error.value)


@pytest.mark.parametrize("chapter", ENVY)
def test_x_12_where_cards_are_read_or_nobody_may_envy_it_is_allowed(chapter: str) -> None:
    table_setup(chapter, readings=ALWAYS).verify()
    table_setup(chapter, method="hand", readings=ALWAYS, offers=frozenset({"aces_up"})).verify()
    for reading in ("never", "cards_on_table"):
        table_setup(chapter, method="hand", readings={"envy_folded_holder": reading}).verify()


def test_641a_13g_no_method_is_chosen_by_which_an_envied_fold_is_not_read() -> None:
    shift = Shift(readings=ALWAYS)
    shift.open_table()
    shift.menu("OUT OF ORDER", "shoe")
    shift.floor("DEVICE COVERED", "shoe")
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "hand")
