"""The server of the practice page: localhost only, a token in the address, nothing from anywhere else.

Every request, the socket's first, must carry the token that this process drew when it started, and a socket
must come from this very page. So neither another user's browser tab nor another program's page can deal here.
The page itself is plain files of this package: no build, no font and no script from anywhere.
"""

import asyncio
import hmac
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from sabot.practice.console import Console
from sabot.practice.house import PracticeHouse
from sabot.practice.page_actions import do
from sabot.practice.school import School

# The port is part of the cookie's name, for cookies are shared by all ports of a host.
HOST, SOCKET, COOKIE = "127.0.0.1", "/table", "sabot-practice"
# Bytes that a page may send at once, and parts that wait for a slow page.
MOST_A_MESSAGE, MOST_WAITING = 65_536, 2_000
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A scenario is kept as a file.
KEPT = ("Content-Disposition", "attachment")
# The training record has its looks in itself, so that it can be kept as one file.
RECORD_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
FIXED = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class MadeTable(NamedTuple):
    """Something that is made when a page asks for it: its type, its maker, and a header of its own."""

    kind: str
    make: Callable[[], Awaitable[str]]
    header: tuple[str, str] | None = None


class PageServer:
    """Serves the tables of a house to whoever has the address."""

    def __init__(self, house: PracticeHouse, school: School) -> None:
        self._house, self._school = house, school
        self._token = secrets.token_urlsafe(24)
        self._server: Server | None = None
        # What was asked is done to its end, whether or not the page that asked stays.
        self._doing: set[asyncio.Task[None]] = set()
        self.port = 0

    async def begin(self, port: int) -> None:
        """Listen on localhost; port 0 takes any that is free."""
        self._server = await serve(
            self._talk,
            HOST,
            port,
            process_request=self._request,
            max_size=MOST_A_MESSAGE,
            compression=None,
            server_header=None,
        )
        self.port = next(iter(self._server.sockets)).getsockname()[1]

    async def end(self) -> None:
        """Close every connection, and stop what is still being done."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        for task in list(self._doing):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    @property
    def address(self) -> str:
        """Return where the page is, token and all."""
        return f"http://{HOST}:{self.port}/?token={self._token}"

    # ------------------------------------------------------------ what may come in

    async def _request(self, _connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request for a file; return None to let a socket open."""
        url = urlsplit(request.path)
        if not self._is_ours(request):
            return _answer(HTTPStatus.FORBIDDEN, b"This address is not whole: open the one that was printed.")
        if url.path == SOCKET:
            return None
        if url.path in self._made:
            return await self._made_file(url.path)
        return self._file(url.path)

    def _is_ours(self, request: Request) -> bool:
        """Return whether it names this host, carries the token, and comes from no other page."""
        here = f"{HOST}:{self.port}"
        origin = request.headers.get("Origin")
        if request.headers.get("Host") != here or origin not in (None, f"http://{here}"):
            return False
        # A browser sends no Origin with a plain GET of its own page, but always with a socket.
        is_socket = urlsplit(request.path).path == SOCKET
        return self._has_token(request) and not (is_socket and origin is None)

    def _has_token(self, request: Request) -> bool:
        given = parse_qs(urlsplit(request.path).query).get("token", [""])[0]
        # In constant time, byte for byte: how long a refusal takes says nothing of the token.
        return hmac.compare_digest(given.encode(), self._token.encode()) or any(
            hmac.compare_digest(part.strip().encode(), f"{COOKIE}-{self.port}={self._token}".encode())
            for part in request.headers.get("Cookie", "").split(";")
        )

    @property
    def _made(self) -> Mapping[str, MadeTable]:
        """Return what is made when it is asked for, by its path."""
        return {
            "/lessons.json": MadeTable("application/json", self._lessons),
            "/record.html": MadeTable("text/html", self._record, ("Content-Security-Policy", RECORD_POLICY)),
            "/life.svg": MadeTable("image/svg+xml", self._house.life),
            "/round.toml": MadeTable(
                "application/toml", lambda: self._house.sitting.story(whole=False), KEPT
            ),
            "/day.toml": MadeTable("application/toml", lambda: self._house.sitting.story(whole=True), KEPT),
        }

    async def _lessons(self) -> str:
        return json.dumps(self._school.rows())

    async def _record(self) -> str:
        return self._school.progress.page()

    async def _made_file(self, path: str) -> Response:
        made = self._made[path]
        body = (await made.make()).encode()
        headers = [made.header] if made.header else []
        return _answer(HTTPStatus.OK, body, f"{made.kind}; charset=utf-8", *headers)

    def _file(self, path: str) -> Response:
        """Answer with a file of the page; only names in its folder are known."""
        page = Path(str(files("sabot.practice") / "page"))
        name = path.removeprefix("/") or "index.html"
        if name not in {each.name for each in page.iterdir()} or Path(name).suffix not in TYPES:
            return _answer(HTTPStatus.NOT_FOUND, b"There is no such file.")
        # The page's own files are asked for without the token in their address: the cookie carries it.
        cookie = f"{COOKIE}-{self.port}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        body = (page / name).read_bytes()
        kind = f"{TYPES[Path(name).suffix]}; charset=utf-8"
        return _answer(HTTPStatus.OK, body, kind, ("Set-Cookie", cookie))

    # ------------------------------------------------------------ a page

    async def _talk(self, connection: ServerConnection) -> None:
        """Tell a page everything and do what it asks, neither waiting for the other."""
        waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_WAITING)
        unlisten = self._house.listen(lambda part: _put(waiting, part))
        console = Console(
            lambda: self._house.sitting.board.console, lambda said: _put(waiting, {"console": said})
        )
        telling = asyncio.create_task(_tell(connection, waiting))
        try:
            async for message in connection:
                task = asyncio.create_task(self._do(json.loads(message), console, waiting))
                self._doing.add(task)
                task.add_done_callback(self._doing.discard)
        except (ConnectionClosed, ValueError):
            pass  # a page that makes no sense is hung up on, one that left is gone
        finally:
            unlisten()
            telling.cancel()
            await console.close()

    async def _do(
        self, asked: dict[str, Any], console: Console, waiting: asyncio.Queue[dict[str, Any]]
    ) -> None:
        if "console" in asked:
            # What the page asks by itself, to draw a tab, is no deed of a person
            # and does not go into the story.
            is_quiet = asked["console"].pop("quiet", False)
            if not is_quiet and asked["console"].keys() == {"id", "do"}:
                await self._house.sitting.note("console", " ".join(map(str, asked["console"]["do"])))
            await console.say(asked["console"])
            return
        if why := await self._refused(asked):
            _put(waiting, {"refused": {"do": asked.get("do"), "why": why}})

    async def _refused(self, asked: dict[str, Any]) -> str:
        """Do what a page asks; return why it could not be done, or an empty string."""
        if asked.get("do") != "lesson":
            return await do(self._house.sitting, asked)
        try:
            await self._school.order(asked)
        except (AssertionError, OSError, ValueError, KeyError, TypeError) as error:
            return str(error) or type(error).__name__
        return ""


def _put(waiting: asyncio.Queue[dict[str, Any]], part: dict[str, Any]) -> None:
    """Keep a part for a page; drop the oldest if the page is far behind."""
    # Parts are whole, so a page that missed some is right again with the next of each.
    if waiting.full():
        waiting.get_nowait()
    waiting.put_nowait(part)


async def _tell(connection: ServerConnection, waiting: asyncio.Queue[dict[str, Any]]) -> None:
    with suppress(ConnectionClosed):
        while True:
            await connection.send(json.dumps(await waiting.get(), separators=(",", ":"), default=str))


def _answer(
    status: HTTPStatus, body: bytes, kind: str = "text/plain; charset=utf-8", *more: tuple[str, str]
) -> Response:
    headers = (("Content-Type", kind), ("Content-Length", str(len(body))), ("Connection", "close"))
    own = {name for name, _value in more}
    fixed = [each for each in FIXED if each[0] not in own]
    return Response(status.value, status.phrase, Headers([*headers, *fixed, *more]), body)
