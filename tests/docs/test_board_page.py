from board_page import files


def test_the_page_of_the_board_and_its_drawing_say_what_the_program_says() -> None:
    assert [path.name for path, text in files() if path.read_text(encoding="utf-8") != text] == []
