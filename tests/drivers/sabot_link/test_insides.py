"""What lies in a machine, message by message: the corners that no machine of ours would show."""

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link.contents import ORDERS, MachineContents


def stack(order: int, deck: int = 65) -> m.DispenseStack:
    return m.DispenseStack(order=order, deck=deck, cards=3)


def test_a_stub_whose_ejection_was_refused_does_not_come() -> None:
    insides = MachineContents()
    insides.ordered(m.EjectStubOrder(deck=65))
    insides.ordered(m.EjectStubOrder(deck=66))
    insides.refused(m.EjectStubOrder(deck=65))
    assert insides.stubs == {66}


def test_a_stack_that_was_refused_does_not_come_and_older_ones_no_more() -> None:
    insides = MachineContents()
    for order in (1, 2, 3):
        insides.ordered(stack(order))
    insides.refused(stack(3))
    assert insides.orders == {1: 65, 2: 65}
    insides.accepted(stack(2))
    assert insides.orders == {2: 65}


def test_so_many_orders_are_remembered_and_no_more() -> None:
    insides = MachineContents()
    for order in range(1, ORDERS + 2):
        insides.ordered(stack(order))
    assert list(insides.orders) == list(range(2, ORDERS + 2))
