"""The page of the pit: what it believes, who may look, and a real Chromium that looks at 200 tables."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from sabot.floor import pins, table_state, web
from sabot.floor.errors import FloorError
from sabot.floor.pins import MOST_WRONG, SHUT_S, Door, set_pin
from sabot.floor.pit import Facts, Pit
from sabot.floor.settings import PagePlace
from sabot.floor.web import PitPage
from sabot.floor.wire import hex_of

from .brokers import Authority
from .making import key

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
INSTALL = "sudo apt-get install chromium"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
AT = "2026-11-20T06:00:00.{:03}Z"
LINK: dict[str, Any] = {
    "link": "pit",
    "tables": ["T001"],
    "running": True,
    "levels": [{"level": "mega", "cents": 1_000_010}],
}
HIT = {
    "at": "2026-11-20T05:59:00Z",
    "table": "T001",
    "link": "pit",
    "level": "mega",
    "row": "royal_flush",
    "seats": [2],
    "cents": 1_000_000,
    "by_hand": False,
    "state": "open",
}


def values(name: str, part: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "table": name, "at": AT.format(part), "chapter": "pa641a", "version": "1.0", "program": "ab" * 32,
        "phase": "deciding", "round": 7, "rounds": 7, "dealer": "4711", "seats": 7, "taken": [2, 5], "held": [],
        "called": [], "decks": [["a", "L1", 9_000]], "links": [["pit", ""]], "devices": [["shoe", True, ""]],
        "meters": [["prog4", "main", 500_029]], "waits": [], "wagers": [[2, "ante", 1000], [5, "prog5", 100]],
        "lie": [["seat2", 5], ["seat5", 5], ["dealer", 6]], "folded": [5], "asking": 2, "day": [["rounds", 7]],
        "date": "2026-11-20", "played": [7, AT.format(0), AT.format(0)], "faults": [["jam", 2]], "ledger": [0, "0" * 64],
        **changes,
    }  # fmt: skip


def told(name: str, part: int = 0, signer: str = "T", **changes: Any) -> bytes:
    return table_state.state_of(key(signer), values(name, part, **changes))


def pit_of(*names: str) -> Pit:
    pit = Pit()
    meters = {"links": [LINK], "balanced": True}
    keys = dict.fromkeys(names, hex_of(key("T")))
    pit.know(Facts("The Lantern", keys, frozenset({"11", "12"}), meters, [HIT], 9))
    return pit


# ---------------------------------------------------------------- what is believed


def test_prog_6_a_table_is_shown_as_it_says_by_its_key_and_newest() -> None:
    pit = pit_of("T001", "T002")
    pit.hear(told("T001", 5), 100.0)
    pit.hear(told("T001", 4, phase="idle"), 101.0)
    pit.hear(told("T002", 1, signer="other"), 101.0)
    pit.hear(b"noise" * 30, 101.0)
    pit.hear(told("T003"), 101.0)

    first, second = pit.shown(104.9)["tables"]
    assert (first["phase"], first["silent_s"], first["linked"]) == ("deciding", 0, ["pit"])
    assert second == {"table": "T002", "linked": [], "silent_s": None}
    assert pit.refused == 3
    assert pit.shown(112.0)["tables"][0]["silent_s"] == 12
    pit.hear(told("T001", 1, phase="idle"), 112.0)  # its clock was set back, and nothing newer came
    assert pit.shown(112.0)["tables"][0]["phase"] == "idle"
    pit.hear(told("T001", 1, phase="deciding"), 130.0)  # nobody says the same twice, but whoever kept it
    assert pit.shown(130.0)["tables"][0]["silent_s"] == 18
    pit.know(None)
    assert pit.shown(112.0)["leads"] is False
    assert pit.people == frozenset()


def test_prog_6_an_old_word_that_is_played_again_does_not_bring_a_silent_table_to_life() -> None:
    pit = pit_of("T001")
    kept = told("T001", 1, phase="idle", ledger=[7, "ab" * 32])
    pit.hear(kept, 100.0)
    pit.hear(told("T001", 2, ledger=[8, "cd" * 32]), 101.0)

    pit.hear(kept, 120.0)

    assert pit.shown(120.0)["tables"][0]["silent_s"] == 19
    pit.hear(told("T001", 0, phase="idle", ledger=[8, "cd" * 32]), 121.0)  # its clock was set back
    assert pit.shown(121.0)["tables"][0]["silent_s"] == 0


def test_design_8_a_state_has_no_card_and_no_field_beyond_its_own() -> None:
    assert not {"public", "cards", "hands"} & set(table_state.STATE["state"])
    body = told("T001")[64:]
    more = body[:-1] + b',"cards":["As"]}'
    with pytest.raises(FloorError, match="E-FLOOR-005"):
        table_state.read_state(told("T001")[:64] + more)
    with pytest.raises(FloorError, match="E-FLOOR-005"):
        told("T001", taken=[100])


# ---------------------------------------------------------------- who may look


def test_policy_a_pin_is_guessed_five_times_and_no_more(tmp_path: Path) -> None:
    file, now = tmp_path / "pins", [0.0]
    set_pin(file, "11", "270381")
    set_pin(file, "12", "905172")
    door = Door(file, lambda: now[0])

    assert door.admits("11", "270381")
    assert not door.admits("13", "270381")
    assert "270381" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    for _ in range(MOST_WRONG):
        assert not door.admits("11", "000000")
    assert not door.admits("11", "270381")
    assert door.admits("12", "905172")
    now[0] += SHUT_S + 1
    assert door.admits("11", "270381")
    for pin in ("12345", "111111", "123456", "987654", "12a456"):
        with pytest.raises(FloorError, match="E-FLOOR-023"):
            set_pin(file, "11", pin)
    file.write_text("no JSON")
    with pytest.raises(FloorError, match="E-FLOOR-023"):
        door.admits("11", "270381")


def test_policy_guesses_of_many_connections_at_once_are_counted_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessed: list[str] = []

    def digest(pin: str, _salt: bytes) -> bytes:
        guessed.append(pin)
        time.sleep(0.02)
        return b"another"

    set_pin(tmp_path / "pins", "11", "270381")
    monkeypatch.setattr(pins, "_digest", digest)
    door = Door(tmp_path / "pins", time.monotonic)
    with ThreadPoolExecutor(20) as many:
        found = list(many.map(door.admits, ["11"] * 20, [f"{each:06}" for each in range(20)]))

    assert not any(found)
    assert len(guessed) == MOST_WRONG


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PitPage]:
    set_pin(tmp_path / "pins", "11", "270381")
    found = PitPage(
        PagePlace("127.0.0.1", 0, tmp_path / "pins"), pit_of(*(f"T{at:03}" for at in range(1, 201)))
    )
    found.begin()
    found.tick()
    try:
        yield found
    finally:
        found.end()


def ask(page: PitPage, method: str, path: str, body: str = "", **headers: str) -> tuple[int, Any, bytes]:
    line = HTTPConnection("127.0.0.1", page.port, timeout=20)
    line.request(method, path, body, headers)
    answer = line.getresponse()
    found = (
        answer.status,
        answer.headers,
        b"" if path == "/events" and answer.status == 200 else answer.read(),
    )
    line.close()
    return found


def come_in(page: PitPage, pin: str = "270381", number: str = "11") -> tuple[int, Any]:
    status, headers, _ = ask(page, "POST", "/come-in", urlencode({"number": number, "pin": pin}))
    return status, headers


def test_policy_nobody_sees_the_pit_without_number_and_pin(page: PitPage) -> None:
    assert ask(page, "GET", "/")[2].count(b"Your PIN") == 1
    assert ask(page, "GET", "/events")[0] == 403
    assert ask(page, "GET", "/pit.js")[0] == 303
    assert ask(page, "GET", "/pit.css")[0] == 200
    assert ask(page, "GET", "/../web.py")[0] == 303
    for number, pin in (("11", "000000"), ("99", "270381")):
        status, headers = come_in(page, pin, number)
        assert (status, headers["Location"], headers["Set-Cookie"]) == (303, "/door.html?no", None)
    status, headers = come_in(page)
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    mine = {"Cookie": cookie.partition(";")[0]}
    assert b'id="tables"' in ask(page, "GET", "/", **mine)[2]
    assert ask(page, "GET", "/nothing.js", **mine)[0] == 404
    assert ask(page, "GET", "/events", **mine)[0] == 200
    assert ask(page, "POST", "/leave", **mine)[0] == 303
    assert ask(page, "GET", "/events", **mine)[0] == 403


def test_policy_who_is_not_enrolled_any_more_sees_nothing_more(page: PitPage) -> None:
    mine = {"Cookie": come_in(page)[1]["Set-Cookie"].partition(";")[0]}
    assert ask(page, "GET", "/events", **mine)[0] == 200

    page.pit.know(Facts("The Lantern", {}, frozenset({"12"}), {"links": []}, [], 10))

    assert ask(page, "GET", "/events", **mine)[0] == 403


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/come-in", {"Content-Length": "many"}, 413),
        ("POST", "/come-in", {"Content-Length": "-1"}, 413),
        ("POST", "/come-in", {"Content-Length": "9" * 5_000}, 413),
        ("GET", "/events", {"Cookie": "a/b=1; sabot-pit=x"}, 403),
        ("GET", "/%2e%2e/web.py", {}, 303),
        ("GET", "//example.org/pit.js", {}, 303),
        ("DELETE", "/", {}, 501),
    ],
)
def test_policy_nonsense_is_answered_and_is_no_slip(
    page: PitPage,
    capfd: pytest.CaptureFixture[str],
    method: str,
    path: str,
    headers: dict[str, str],
    status: int,
) -> None:
    assert ask(page, method, path, "", **headers)[0] == status
    assert capfd.readouterr().err == ""


def test_policy_a_file_of_pins_that_is_none_admits_nobody_and_is_told(page: PitPage) -> None:
    page.door._file.write_text("{")
    assert come_in(page)[1]["Location"] == "/door.html?no"
    assert "E-FLOOR-023" in page.trouble
    set_pin_again(page)
    assert come_in(page)[1]["Location"] == "/"
    assert page.trouble == ""


def set_pin_again(page: PitPage) -> None:
    page.door._file.unlink()
    set_pin(page.door._file, "11", "270381")


def test_policy_slow_clients_keep_nobody_out_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MOST_VISITS", 3)
    page = PitPage(PagePlace("127.0.0.1", 0, tmp_path / "pins"), pit_of("T001"))
    page.begin()
    try:
        slow = [socket.create_connection(("127.0.0.1", page.port), 20) for _ in range(3)]
        for line in slow:
            line.sendall(b"GET / HT")
        with socket.create_connection(("127.0.0.1", page.port), 20) as more:
            assert more.recv(100) == b""
        slow.pop().close()
        until = time.monotonic() + 20
        while not (answers := _answers(page)) and time.monotonic() < until:
            time.sleep(0.05)
        assert answers
        for line in slow:
            line.close()
    finally:
        page.end()


def _answers(page: PitPage) -> bool:
    try:
        return ask(page, "GET", "/")[0] == 200
    except OSError:
        return False


def test_policy_the_page_takes_nothing_from_anywhere_else(page: PitPage) -> None:
    status, headers, _ = ask(page, "GET", "/")
    policy = headers["Content-Security-Policy"]

    assert status == 200
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert ask(page, "POST", "/come-in", "x" * 2_000)[0] == 413
    assert ask(page, "POST", "/come-in", "", **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    with pytest.raises(FloorError, match="E-FLOOR-024"):
        PitPage(PagePlace("0.0.0.0", 0, Path("/none")), Pit())
    with pytest.raises(FloorError, match="E-FLOOR-024"):
        PitPage(PagePlace("127.0.0.1", page.port, Path("/none")), Pit())


@pytest.mark.parametrize(
    "asked",
    [
        "POST /come-in HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: cross-site\r\nContent-Length: {}\r\n\r\n{}",
        "GET /pit.css HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{}",
        "POST /come-in HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX: {}\r\n\r\n{}",
    ],
)
def test_policy_the_body_of_a_refused_request_is_no_request(page: PitPage, asked: str) -> None:
    second = "GET /pit.css HTTP/1.1\r\nHost: a\r\n\r\n"
    with socket.create_connection(("127.0.0.1", page.port), timeout=20) as line:
        line.sendall(asked.format(len(second), second).encode())
        heard = b""
        while more := line.recv(65_536):
            heard += more
    assert heard.count(b"HTTP/1.1 ") == 1
    assert heard.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400", b"HTTP/1.1 413"))


def test_policy_beyond_this_host_the_page_is_served_over_tls(tmp_path: Path) -> None:
    certificate, secret = Authority(tmp_path).certificate("page", of_broker=True)
    ca = tmp_path / "ca.crt"
    page = PitPage(PagePlace("0.0.0.0", 0, tmp_path / "pins", certificate, secret), Pit())
    page.begin()
    try:
        terms = ssl.create_default_context(cafile=ca)
        terms.check_hostname = False
        with urllib.request.urlopen(f"https://127.0.0.1:{page.port}/", context=terms, timeout=20) as answer:
            assert answer.status == 200
        with pytest.raises((urllib.error.URLError, OSError)):
            urllib.request.urlopen(f"http://127.0.0.1:{page.port}/", timeout=20)
    finally:
        page.end()


# ---------------------------------------------------------------- in a browser


def two_hundred(page: PitPage) -> None:
    held = [["device", "shoe", "jam at the exit", "technician", 75]]
    waits = [[2, "prog5", "for the floor's amount"]]
    for at in range(1, 201):
        state = told(f"T{at:03}", 1, held=held if at == 7 else [], waits=waits if at == 9 else [])
        page.pit.hear(state, time.monotonic())
    page.tick()


def press(sight: Any, *keys: str) -> None:
    for each in keys:
        sight.keyboard.press(each)


def come_in_by_keys(sight: Any, page: PitPage) -> None:
    sight.goto(f"http://127.0.0.1:{page.port}/")
    sight.wait_for_selector("#number:focus")
    sight.keyboard.type("11")
    press(sight, "Tab")
    sight.keyboard.type("270381")
    press(sight, "Enter")


def look_at_all(sight: Any) -> None:
    sight.wait_for_selector("#tables a.bad")
    assert sight.locator("#tables li").count() == 200
    assert "jam at the exit, technician, since 1 min" in sight.inner_text("#tables a.bad")
    assert "T009: hit of seat 2, prog5" in sight.inner_text("#waits")
    assert "$10,000.10" in sight.inner_text("#meters")
    assert sight.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 17)"


def look_at_one(sight: Any, page: PitPage) -> None:
    """Find a table, open it, see it change by itself, and go back."""
    press(sight, "/")
    sight.keyboard.type("T007")
    assert sight.locator("#tables li:visible").count() == 1
    press(sight, "Tab", "Tab", "Tab", "Enter")
    sight.wait_for_selector("#one:visible")
    assert "seat 2" in sight.inner_text("#felt")
    assert "is asked" in sight.inner_text("#felt")
    page.pit.hear(told("T007", 2, phase="settling"), time.monotonic())
    page.tick()
    sight.wait_for_selector("#facts:has-text('settling')")
    press(sight, "Escape")
    sight.wait_for_selector("#all:visible")


def look_at_paper_and_names(sight: Any) -> None:
    """Nothing is wider than a tablet, paper has no search field, and a screen reader finds its names."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    assert sight.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    sight.emulate_media(media="print")
    assert not sight.locator("#find").is_visible()
    assert len(sight.pdf()) > 10_000
    sight.emulate_media(media="screen")
    found = Axe().run(sight)
    assert found.violations_count == 0, json.dumps(found.response["violations"])[:2_000]


@pytest.mark.skipif(CHROMIUM is None, reason=f"no Chromium: {INSTALL}")
def test_prog_11_two_hundred_tables_in_a_browser_by_keys_in_the_dark_and_on_paper(page: PitPage) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    two_hundred(page)
    errors: list[str] = []
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        sight = browser.new_page(color_scheme="dark", viewport={"width": 820, "height": 1180}, has_touch=True)
        sight.on("pageerror", lambda error: errors.append(str(error)))
        sight.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        come_in_by_keys(sight, page)
        look_at_all(sight)
        look_at_one(sight, page)
        look_at_paper_and_names(sight)
        browser.close()
    assert errors == []
