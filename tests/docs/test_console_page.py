from console_page import PAGE, page, rows
from sabot.firmware.console.catalogue import COMMANDS


def test_the_page_of_the_console_has_every_command_as_the_program_has_it() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
    assert rows().count("\n") == len(COMMANDS) - 1
    assert rows() in page()
