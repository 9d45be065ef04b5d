"""``sabot floor key|order|sign|found|give``: orders of people, from the first word to the ledger.

Two people who sign need not sit at one machine: an order is a file that goes from one to the other, and only
what is handed in at the end has to reach the service.
"""

import argparse
import sys
from contextlib import ExitStack, closing
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sabot import __version__
from sabot.firmware.commands.state_folder import print_json
from sabot.firmware.errors import CommandError
from sabot.firmware.progress_bar import ProgressBar

if TYPE_CHECKING:
    from sabot.floor.law_folders import Laws
    from sabot.floor.order_file import OrderFile

COMMAND = "floor"
STORE = "/var/lib/sabot-floor/floor.db"
SOCKET = "/run/sabot-floor/orders"
PINS = "/etc/sabot-floor/pins"
DONE, NO = 0, 1


def floor(module: str) -> ModuleType:
    """Return a module of the floor's room, which the bundle for a board leaves out with its libraries."""
    try:
        return import_module(f"sabot.floor.{module}")
    except ImportError as error:
        # The room is there and its broker's library is not: the cure is another one.
        if error.name and error.name.partition(".")[0] == "paho":
            raise CommandError(
                "E-CLI-004", COMMAND, package="paho-mqtt", what="The service", extra="floor"
            ) from error
        raise CommandError("E-CLI-012", COMMAND, why=error) from error


def add_store(part: argparse.ArgumentParser) -> None:
    """Add the options that name the store, and the folders of chapters that its links are of."""
    part.add_argument("--store", default=STORE, help=f"a file, or a DSN of PostgreSQL (default {STORE})")
    part.add_argument(
        "--law",
        type=Path,
        metavar="DIR",
        action="append",
        default=[],
        help="a folder of chapters that links are of (docs/own-chapters.md); again for another",
    )


def laws(args: argparse.Namespace) -> "Laws":
    """Return the chapters that links may be of."""
    found: Laws = floor("law_folders").Laws(args.law)
    return found


def _secret(prompt: str) -> str:
    """Return a passphrase: typed unseen on a terminal, else a line of standard input."""
    if sys.stdin.isatty():
        import getpass  # noqa: PLC0415 - the running program asks nobody

        return getpass.getpass(f"{prompt}: ")
    return sys.stdin.readline().rstrip("\n")


# ---------------------------------------------------------------- keys


def key_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``key``."""
    part.add_argument("file", type=Path, help="a new file")
    part.add_argument("--service", action="store_true", help="the floor's own: without a passphrase")


def key(args: argparse.Namespace) -> int:
    """Make a key, and print its public half."""
    passphrase = "" if args.service else _chosen()
    made = floor("keys").make_key(args.file, passphrase)
    print_json({"file": str(args.file), "key": made}) if args.json else print(f"{args.file}: {made}")
    return DONE


def _chosen() -> str:
    passphrase = _secret("passphrase")
    if not passphrase or (sys.stdin.isatty() and _secret("again") != passphrase):
        raise CommandError(
            "E-CLI-003", "passphrase", text="", wanted="a passphrase, the same twice", command="floor key"
        )
    return passphrase


# ---------------------------------------------------------------- orders


def order_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``order``."""
    add_store(part)
    part.add_argument("kind", help="one of those in docs/link.md, such as table or start")
    part.add_argument("file", type=Path, help="where the order is written")
    part.add_argument("fields", nargs="*", metavar="NAME=VALUE", help="@FILE as value is its content")


def order(args: argparse.Namespace) -> int:
    """Draw an order for people to sign."""
    kinds = floor("orders").KINDS
    if args.kind not in kinds:
        known = "one of " + " ".join(kinds)
        raise CommandError("E-CLI-003", "order", text=args.kind, wanted=known, command="floor order")
    drawn = floor("order_file").drawn(
        args.kind, floor("founding").next_number(args.store, args.kind), args.fields
    )
    return draw(args, drawn)


def draw(args: argparse.Namespace, drawn: "OrderFile") -> int:
    """Write an order and show it."""
    floor("order_file").write(args.file, drawn)
    if args.json:
        print_json({"file": str(args.file), "order": drawn.fields})
    else:
        print("\n".join(floor("report_text").order(drawn)))
    return DONE


def sign_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``sign``."""
    part.add_argument("file", type=Path, help="the file of the order")
    part.add_argument("--person", required=True, help="the number of who signs")
    part.add_argument("--key", type=Path, required=True, help="the file of that person's key")


def sign(args: argparse.Namespace) -> int:
    """Show an order, and sign it."""
    orders, files = floor("orders"), floor("order_file")
    found = files.read(args.file)
    if not args.json:
        # Shown before the passphrase is asked for: nobody signs what was not read.
        print("\n".join(floor("report_text").order(found)))
    person_key = floor("keys").read_key(args.key, _secret(f"passphrase of {args.person}"))
    signed = found.signed(orders.sign(args.person, person_key, found.body))
    files.write(args.file, signed)
    people = [each.person for each in signed.signatures]
    print_json({"signed": people}) if args.json else print(f"signed by {', '.join(people)}")
    return DONE


def found_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``found``."""
    add_store(part)
    part.add_argument("file", type=Path, help="the file of the order, signed")
    part.add_argument("--key", type=Path, required=True, help="the file of the floor's key")


def found(args: argparse.Namespace) -> int:
    """Make a store by its first order."""
    first = floor("order_file").read(args.file)
    entry = floor("founding").found(args.store, first, floor("keys").read_key(args.key))
    return _carried_out(args, {"entry": entry.number, "link": entry.link.hex()})


def restore_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``restore``."""
    add_store(part)
    part.add_argument(
        "source", help="an export of the ledger, or a copy of its store: a file, a DSN of PostgreSQL"
    )
    part.add_argument("--key", type=Path, required=True, help="the file of the floor's key")


def restore(args: argparse.Namespace) -> int:
    """Make a store out of an export or a copy, or bring an older one forward to where that ends."""
    with ExitStack() as things:
        source = _source(args.source, things)
        tick = ProgressBar().stage("the ledger", max(1, source.size))
        key = floor("keys").read_key(args.key)
        before, after = floor("restoring").restore(args.store, source, key, tick, laws(args))
    if args.json:
        print_json({"from": before.number, "entries": after.number, "link": after.link.hex()})
    else:
        print(f"{args.store}: from entry {before.number} to {after.number}, ends with {after.link.hex()}")
    return DONE


def _source(name: str, things: ExitStack) -> Any:  # noqa: ANN401 - an export or a copy: see sabot.floor.restoring
    stores = floor("open_store")
    if not stores.names_store(name):
        return floor("export").FloorExport(Path(name))
    return floor("restoring").FloorCopy(things.enter_context(closing(stores.open_store(name, reading=True))))


def give_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``give``."""
    part.add_argument("file", type=Path, help="the file of the order, signed")
    part.add_argument(
        "--orders", type=Path, default=Path(SOCKET), help=f"the service's socket (default {SOCKET})"
    )


def give(args: argparse.Namespace) -> int:
    """Hand an order to the service, and print its answer."""
    return _carried_out(args, floor("order_socket").hand_in(args.orders, floor("order_file").read(args.file)))


def _carried_out(args: argparse.Namespace, said: dict[str, Any]) -> int:
    if args.json:
        print_json(said)
    elif "error" in said:
        print(f"REFUSED: {said['error']}")
    else:
        print(f"entry {said['entry']}, {said['link']}")
    return NO if "error" in said else DONE


# ---------------------------------------------------------------- the page


def pin_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``pin``."""
    part.add_argument("file", type=Path, nargs="?", default=Path(PINS), help=f"default {PINS}")
    part.add_argument("--person", required=True, help="the number of an enrolled person")


def pin(args: argparse.Namespace) -> int:
    """Set the PIN by which a person looks at the page of the pit."""
    floor("pins").set_pin(args.file, args.person, _secret(f"PIN of {args.person}"))
    print_json({"person": args.person}) if args.json else print(f"PIN of {args.person} is set")
    return DONE


# ---------------------------------------------------------------- the service


def run_options(part: argparse.ArgumentParser) -> None:
    """Add the options of ``run``."""
    part.add_argument("settings", type=Path, nargs="?", default=Path("/etc/sabot-floor/floor.toml"))


def run(args: argparse.Namespace) -> int:
    """Run the service until it is told to stop."""
    settings = floor("settings").read_settings(args.settings)
    print(f"program: {_authenticated()}", flush=True)
    floor("program").run(settings, lambda words: print(words, flush=True))
    return DONE


def _authenticated() -> str:
    """Return how the program stands to its signed manifest; raise VerifyError if it differs (PROG-6)."""
    from sabot.firmware.integrity import check, installation  # noqa: PLC0415 - others do without

    where = installation.here()
    if where.is_development:
        return f"{__version__}, which nobody signed: a development installation"
    check.verify_program(where)
    return f"{__version__}, as it was signed"
