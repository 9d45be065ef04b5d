"""The page of the pit: read-only, for people with a number and a PIN, on this host alone or over TLS.

Files of this package and one stream of events; no build, nothing from anywhere else. A browser that lost the
stream asks again by itself. Each second the pit is written once, and whoever looks gets the same bytes, only
where they differ from those before. A slow reader is let go and comes again.
"""

# Theory of operation. ``tick`` writes the pit as JSON, once for all, and raises ``_turn`` where it differs.
# Each reader of ``/events`` is a thread that waits on ``_told`` for another turn and writes the text it
# finds: no queue for a reader, so a slow one skips states and costs no memory. Two bounds keep the service's
# own threads from running out: connections (``MOST_VISITS``), and readers among them (``MOST_READERS``), so
# that a door is left to come in by. Whoever is not known by a cookie gets the door and the style sheet, and
# nothing else.

import json
import secrets
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from sabot.floor.errors import FloorError
from sabot.floor.pins import Door
from sabot.floor.pit import Pit
from sabot.floor.settings import PagePlace

LOCAL = ("127.0.0.1", "::1", "localhost")
COOKIE, MOST_FORM, MOST_READERS, STALE_S = "sabot-pit", 1_000, 40, 5.0
MOST_VISITS = 50  # connections at a time: each has a thread of its own, and the unit has room for 64
SESSION_S = 12 * 3600.0
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
OPEN_FILES = ("pit.css",)
# Nothing from anywhere else, no script or style in a page itself, and in nobody's frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FIXED = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class PitPage:
    """Serves the pit."""

    def __init__(self, place: PagePlace, pit: Pit) -> None:
        self.pit, self.door = pit, Door(place.pins, time.monotonic)
        self._sessions: dict[str, tuple[str, float]] = {}
        self._told = threading.Condition()
        self._text, self._turn = b"{}", 0
        self.is_over, self.trouble = False, ""
        self.is_secure = place.certificate is not None
        if place.host not in LOCAL and not self.is_secure:
            raise FloorError("E-FLOOR-024", place.host, why="without a certificate it is for this host alone")
        page = self

        class Handler(_PageHandler):
            owner = page

        try:
            self._server = _PageServer((place.host, place.port), Handler)
            if place.certificate is not None:
                # The handshake is done by the thread of each visit: a visitor
                # who says nothing must not keep out the next.
                self._server.socket = _context(place).wrap_socket(
                    self._server.socket, server_side=True, do_handshake_on_connect=False
                )
        except OSError as error:
            raise FloorError(
                "E-FLOOR-024", f"{place.host}:{place.port}", why=error.strerror or error
            ) from error
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="pit", daemon=True)

    def begin(self) -> None:
        """Begin to serve, in a thread."""
        self._thread.start()

    def end(self) -> None:
        """Serve nobody any more; who looks sees that it is over."""
        with self._told:
            self.is_over = True
            self._told.notify_all()
        self._server.shutdown()
        self._server.server_close()

    # ------------------------------------------------------------ news

    def tick(self) -> None:
        """Write the pit anew, and wake whoever looks where anything differs."""
        text = json.dumps(self.pit.shown(time.monotonic()), separators=(",", ":")).encode()
        with self._told:
            if text != self._text:
                self._text, self._turn = text, self._turn + 1
                self._told.notify_all()

    def news(self, seen: int) -> tuple[int, bytes]:
        """Return the pit as soon as it differs from what was seen, or as it is after a few seconds."""
        with self._told:
            self._told.wait_for(lambda: self.is_over or self._turn != seen, STALE_S)
            return self._turn, self._text

    # ------------------------------------------------------------ people

    def begin_session(self, person: str, pin: str) -> str:
        """Return the token of a new session, empty where nobody is let in."""
        # Who has left the floor's books has a PIN in the file still.
        if person not in self.pit.people or not self._admits(person, pin):
            return ""
        token = secrets.token_urlsafe(24)
        now = time.monotonic()
        self._sessions = {each: known for each, known in self._sessions.items() if known[1] > now}
        self._sessions[token] = person, now + SESSION_S
        return token

    def _admits(self, person: str, pin: str) -> bool:
        """Return whether the door admits somebody; a file of PINs that cannot be read admits nobody."""
        try:
            found = self.door.admits(person, pin)
        except FloorError as error:
            self.trouble = str(error)
            return False
        self.trouble = ""
        return found

    def is_known(self, token: str) -> bool:
        """Return whether somebody came in by this token who, as far as is known here, is enrolled still."""
        person, until = self._sessions.get(token, ("", 0.0))
        people = self.pit.people
        # A service that stands by does not know who is enrolled, and shows nothing of the pit.
        return until > time.monotonic() and (not people or person in people)

    def end_session(self, token: str) -> None:
        """Let a token go."""
        self._sessions.pop(token, None)


def _context(place: PagePlace) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(str(place.certificate), place.key and str(place.key))
    return context


Request = socket.socket | tuple[bytes, socket.socket]  # as the library has it


class _PageServer(ThreadingHTTPServer):
    """A thread for each connection, and no more of them than there are readers and doors."""

    daemon_threads = True

    def __init__(self, place: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._visits = threading.BoundedSemaphore(MOST_VISITS)
        super().__init__(place, handler)

    def process_request(self, request: Request, client_address: object) -> None:
        """Begin a visit, where there is room for one."""
        if not self._visits.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the system has no thread more
            self._visits.release()
            raise

    def process_request_thread(self, request: Request, client_address: object) -> None:
        """Serve a visit, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._visits.release()

    def handle_error(self, request: Request, client_address: object) -> None:
        """Pass over a visitor who hung up; print anything else, which is a slip of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _PageHandler(BaseHTTPRequestHandler):
    """One request."""

    owner: PitPage
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "sabot", ""
    timeout = 30.0
    # Of the class, for a handler lives as long as its connection.
    _readers = threading.BoundedSemaphore(MOST_READERS)

    def do_GET(self) -> None:
        """Answer with a file, or with the stream."""
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            self._refuse(HTTPStatus.BAD_REQUEST, b"a question has no body")
            return
        path = self.path.partition("?")[0]
        if path == "/events":
            self._stream() if self._is_known() else self._answer(HTTPStatus.FORBIDDEN, b"sign in first")
            return
        # One address for both: a reload after coming in, or after the session has ended, shows what is right.
        name = path.removeprefix("/") or ("pit.html" if self._is_known() else "door.html")
        if name not in OPEN_FILES and name != "door.html" and not self._is_known():
            self._answer(HTTPStatus.SEE_OTHER, b"", ("Location", "/"))
            return
        self._file(name)

    def do_POST(self) -> None:
        """Let somebody in, or out."""
        # A browser says so itself: a form on a page elsewhere must not speak for whoever has this one open.
        if self.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            self._refuse(HTTPStatus.FORBIDDEN, b"from another page")
            return
        given = self.headers.get("Content-Length") or ("" if "Transfer-Encoding" in self.headers else "0")
        if not (given.isascii() and given.isdigit() and len(given) < len(str(MOST_FORM))):
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"a form is short, and says how long it is")
            return
        form = parse_qs(self.rfile.read(int(given)).decode("ascii", "replace"))
        if self.path == "/leave":
            self.owner.end_session(self._token())
            self._answer(HTTPStatus.SEE_OTHER, b"", ("Location", "/"))
            return
        number, pin = (form.get(name, [""])[0] for name in ("number", "pin"))
        self._come_in(self.owner.begin_session(number, pin))

    def _come_in(self, token: str) -> None:
        if not token:
            self._answer(HTTPStatus.SEE_OTHER, b"", ("Location", "/door.html?no"))
            return
        secure = "; Secure" if self.owner.is_secure else ""
        cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict{secure}"
        self._answer(HTTPStatus.SEE_OTHER, b"", ("Location", "/"), ("Set-Cookie", cookie))

    # ------------------------------------------------------------ answers

    def _token(self) -> str:
        try:
            found = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return found.value if found else ""

    def _is_known(self) -> bool:
        return self.owner.is_known(self._token())

    def _file(self, name: str) -> None:
        page = Path(str(files("sabot.floor") / "page"))
        # Only names that are there: no path leads out of the folder.
        if name not in {each.name for each in page.iterdir()} or Path(name).suffix not in TYPES:
            self._answer(HTTPStatus.NOT_FOUND, b"there is no such file")
            return
        kind = f"{TYPES[Path(name).suffix]}; charset=utf-8"
        self._answer(HTTPStatus.OK, (page / name).read_bytes(), ("Content-Type", kind))

    def _refuse(self, status: HTTPStatus, body: bytes) -> None:
        """Refuse a request whose body is not read; what it left on the line must not be read as the next."""
        self.close_connection = True
        self._answer(status, body, ("Connection", "close"))

    def _answer(self, status: HTTPStatus, body: bytes, *more: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*FIXED, *more, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        """Send the pit, and again whenever it differs."""
        if not self._readers.acquire(blocking=False):
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, b"too many look already")
            return
        try:
            self.send_response(HTTPStatus.OK)
            for name, value in (*FIXED, ("Content-Type", "text/event-stream"), ("Connection", "close")):
                self.send_header(name, value)
            self.end_headers()
            self._tell(self.wfile.write)
        except OSError:
            self.close_connection = True
        finally:
            self._readers.release()

    def _tell(self, write: Callable[[bytes], Any]) -> None:
        write(b"retry: 1000\n\n")
        seen = -1
        while not self.owner.is_over and self._is_known():
            turn, text = self.owner.news(seen)
            # Something is said every few seconds all the same: a browser that is gone is noticed by it.
            write(b"data: " + text + b"\n\n" if turn != seen else b": as it was\n\n")
            seen = turn
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing: who looks is nobody's business."""
