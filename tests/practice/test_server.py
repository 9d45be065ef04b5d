"""What the server of the practice page lets in: the whole address, from this machine, from its own page."""

import asyncio
import http.client
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from sabot.config import PRINTED
from sabot.practice.house import PracticeHouse
from sabot.practice.school import School
from sabot.practice.server import HOST, PageServer
from sabot.practice.training import LearnerProgress

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "c2Fib3QgcHJhY3RpY2UhIQ==",
}


@contextmanager
def at_work(root: Path) -> Iterator[PageServer]:
    """A server in a thread of its own; nobody sits at its table."""
    loop = asyncio.new_event_loop()
    house = PracticeHouse(root, "pa641a", "hand", seed=1, speed=20.0, law=PRINTED)
    server = PageServer(house, School(house, LearnerProgress("nobody", root / "progress")))
    thread = Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.begin(0), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with at_work(tmp_path_factory.mktemp("table")) as made:
        yield made


def ask(server: PageServer, path: str, headers: Mapping[str, str] | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(HOST, server.port, timeout=10)
    connection.request("GET", path, headers=dict(headers or {}))
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def token(server: PageServer) -> str:
    return urlsplit(server.address).query


def test_the_address_is_of_this_machine_and_has_a_token(server: PageServer) -> None:
    url = urlsplit(server.address)
    assert url.hostname == "127.0.0.1"
    assert len(url.query) > 30


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=guess", "/page.css", "/table", "/table?token=guess"]
)
def test_nothing_is_served_without_the_token(server: PageServer, path: str) -> None:
    assert ask(server, path).status == 403


def test_the_page_comes_with_a_policy_that_lets_nothing_else_in(server: PageServer) -> None:
    answer = ask(server, f"/?{token(server)}")
    assert answer.status == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["Set-Cookie"].split("; "))


def test_the_files_of_the_page_come_to_whoever_has_opened_it(server: PageServer) -> None:
    cookie = ask(server, f"/?{token(server)}").headers["Set-Cookie"].split(";")[0]
    for name, kind in (("main.js", "text/javascript"), ("page.css", "text/css")):
        answer = ask(server, f"/{name}", {"Cookie": cookie})
        assert (answer.status, answer.headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")


@pytest.mark.parametrize(
    "path", ["/server.py", "/../server.py", "/%2e%2e/server.py", "/page/", "//etc/passwd"]
)
def test_no_other_file_is_served(server: PageServer, path: str) -> None:
    assert ask(server, f"{path}?{token(server)}").status == 404


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1", "null", "http://localhost:{port}"]
)
def test_no_other_page_gets_in_even_with_the_token(server: PageServer, origin: str) -> None:
    headers = UPGRADE | {"Origin": origin.format(port=server.port)}
    assert ask(server, f"/table?{token(server)}", headers).status == 403


def test_a_socket_that_does_not_say_where_it_comes_from_is_refused(server: PageServer) -> None:
    assert ask(server, f"/table?{token(server)}", UPGRADE).status == 403


def test_a_name_that_was_made_to_lead_here_is_refused(server: PageServer) -> None:
    assert ask(server, f"/?{token(server)}", {"Host": f"rebound.example:{server.port}"}).status == 403


def test_the_page_fetches_nothing_from_elsewhere() -> None:
    page = Path(__file__).parents[2] / "practice" / "page"
    for path in page.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text, path.name
        assert "https:" not in text, path.name
        assert "innerHTML" not in text, path.name
