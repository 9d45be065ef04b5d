"""The file of a floor's service: which store it keeps, by which key it speaks, through which broker."""

from pathlib import Path
from typing import NamedTuple

from sabot.config.reader import Section, read_toml
from sabot.floor.broker import Address

SETTINGS = "/etc/sabot-floor/floor.toml"
SOCKET = "/run/sabot-floor/orders"
PINS = "/etc/sabot-floor/pins"
MOST_PORT, PAGE_PORT = 65_535, 8480


class PagePlace(NamedTuple):
    """The address of the pit page, and its certificate where it is not this host alone."""

    host: str
    port: int
    pins: Path
    certificate: Path | None = None
    key: Path | None = None


class Settings(NamedTuple):
    """The settings of a service of the floor."""

    store: str
    key: Path
    orders: Path
    broker: Address
    page: PagePlace | None = None
    law: tuple[Path, ...] = ()
    known: Path | None = None


def read_settings(path: Path) -> Settings:
    """Return the settings of a file; raise ConfigError at the first slip."""
    root = Section(str(path), "", read_toml(path))
    found = Settings(
        store=root.text("store"),
        key=Path(root.text("key")),
        orders=Path(root.text("orders", SOCKET)),
        broker=read_address(root.section("broker")),
        page=_page(root.maybe("page")),
        law=tuple(map(Path, root.words("law", optional=True))),
        known=_path(root.text("known", "")),
    )
    root.finish()
    return found


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _page(part: Section | None) -> PagePlace | None:
    """Return the place of the pit page, None where there is no such section."""
    if part is None:
        return None
    certificate = part.text("certificate", "")
    return PagePlace(
        host=part.text("host", "127.0.0.1"),
        port=part.number("port", 0, MOST_PORT, PAGE_PORT),
        pins=Path(part.text("pins", PINS)),
        certificate=_path(certificate),
        key=Path(part.text("key")) if certificate else None,
    )


def read_address(part: Section) -> Address:
    """Return a broker's address, as the floor and an uplink have it in their settings."""
    return Address(
        host=part.text("host"),
        port=part.number("port", 1, MOST_PORT),
        ca=Path(part.text("ca")),
        certificate=Path(part.text("certificate")),
        key=Path(part.text("key")),
    )
