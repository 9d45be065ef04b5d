from pages import WHERE, error_codes, stale
from sabot.rules.errors import SabotError


def test_generated_pages_say_what_the_program_says() -> None:
    assert stale() == []


def test_every_error_code_names_its_group_and_speaks_in_whole_sentences() -> None:
    codes = error_codes()

    assert len(codes) > 20
    for code, each in codes.items():
        assert code.split("-")[1] in WHERE
        assert each.cause.endswith(".") or each.cause.endswith("}.")
        assert each.cure.endswith(".")


def test_an_error_message_has_code_place_cause_and_cure() -> None:
    kind = error_codes()["E-CARD-001"]

    message = str(SabotError(kind, "dealer[2]", text="1x"))

    assert message.startswith("E-CARD-001 dealer[2]: '1x' is not a card. ")
    assert message.endswith("Write it as in As, Td or 10d.")
