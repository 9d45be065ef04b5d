"""A real mosquitto in a temporary folder: TLS 1.3, certificates of its own, each table on its own topics."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Self

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sabot.floor.broker import Address

INSTALL = "no MQTT broker here: sudo apt-get install mosquitto"
ACCOUNT = "mosquitto"
FLOOR = "floor"
PATIENCE_S = 30.0
# That of docs/floor.md: the name in a certificate is the user, a table has its own topics.
RIGHTS = """\
user floor
topic read sabot/1/up/+
topic read sabot/1/state/+
topic write sabot/1/down/+
topic write sabot/1/value/+
pattern write sabot/1/up/%u
pattern write sabot/1/state/%u
pattern read sabot/1/down/%u
pattern read sabot/1/value/+
pattern write spBv1.0/+/+/%u/#
pattern read spBv1.0/+/NCMD/%u
pattern read spBv1.0/+/DCMD/%u/+
pattern read spBv1.0/STATE/+
"""
SETTINGS = """\
listener {port} 127.0.0.1
cafile {folder}/ca.crt
certfile {folder}/broker.crt
keyfile {folder}/broker.key
tls_version tlsv1.3
require_certificate true
use_identity_as_username true
acl_file {folder}/rights
set_tcp_nodelay true
log_dest file {folder}/log
"""


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """Whoever signs certificates for a broker and its clients."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._key = folder, generate_private_key(SECP256R1())
        certificate = self._signed("authority", self._key, x509.BasicConstraints(ca=True, path_length=None))
        (folder / "ca.crt").write_bytes(certificate)

    def _signed(self, name: str, key: EllipticCurvePrivateKey, *more: x509.ExtensionType) -> bytes:
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(_name(name))
            .issuer_name(_name("authority"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
        )
        for each in more:
            made = made.add_extension(each, critical=isinstance(each, x509.BasicConstraints))
        return made.sign(self._key, SHA256()).public_bytes(Encoding.PEM)

    def certificate(self, name: str, *, of_broker: bool = False) -> tuple[Path, Path]:
        """The files of a certificate and its key, made once."""
        files = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        if not files[0].exists():
            key = generate_private_key(SECP256R1())
            use = ExtendedKeyUsageOID.SERVER_AUTH if of_broker else ExtendedKeyUsageOID.CLIENT_AUTH
            local = x509.SubjectAlternativeName(
                [x509.IPAddress(IPv4Address("127.0.0.1")), x509.DNSName("localhost")]
            )
            more = (x509.ExtendedKeyUsage([use]), *([local] if of_broker else []))
            files[0].write_bytes(self._signed(name, key, *more))
            files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return files


class Mosquitto:
    """A broker."""

    def __init__(self, rights: str = RIGHTS) -> None:
        self.program = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
        if self.program is None:
            pytest.skip(INSTALL)
        self.folder = Path(tempfile.mkdtemp(prefix="mq", dir="/tmp"))
        self.authority = Authority(self.folder)
        self.authority.certificate("broker", of_broker=True)
        self.port = _free_port()
        (self.folder / "rights").write_text(rights)
        (self.folder / "conf").write_text(SETTINGS.format(port=self.port, folder=self.folder))
        self._give_away()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def _give_away(self) -> None:
        """Started as root it takes a user of its own."""
        if not os.geteuid():
            for each in (self.folder, *self.folder.iterdir()):
                shutil.chown(each, ACCOUNT)

    def start(self) -> None:
        """Start, and wait until it can be reached."""
        user: dict[str, Any] = {}
        if not os.geteuid():
            user = {"user": ACCOUNT, "group": pwd.getpwnam(ACCOUNT).pw_gid, "extra_groups": []}
        words = [str(self.program), "-c", str(self.folder / "conf")]
        self.process = subprocess.Popen(
            words, **user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            assert self.process.poll() is None, (self.folder / "log").read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise TimeoutError(INSTALL)

    def crash(self) -> None:
        """Kill it."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)

    def address(self, name: str, port: int = 0) -> Address:
        """Where it is for somebody, by a certificate of that name."""
        return Address(
            "127.0.0.1", port or self.port, self.folder / "ca.crt", *self.authority.certificate(name)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
