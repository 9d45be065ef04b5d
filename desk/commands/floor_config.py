"""``sabot floor config``: a configuration against its chapter, drawn as an order; all that ever were."""

import argparse
from pathlib import Path
from typing import Any

from sabot.desk.commands.floor_orders import DONE, NO, add_store, draw, floor, laws
from sabot.firmware.commands.state_folder import print_json, whole
from sabot.firmware.errors import CommandError

CONFIGURATION = "configuration"


def options(part: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_store(part)
    part.add_argument("config", type=Path, nargs="?", help="a configuration to check; none lists those kept")
    part.add_argument("--order", dest="file", type=Path, help="write it as an order for two people to sign")
    part.add_argument("--cause", help="with --order: why, in words")
    part.add_argument("--link", help="of those kept: of this link alone")
    part.add_argument("--number", type=whole(1), help="with --link: print that file as it was signed")


def run(args: argparse.Namespace) -> int:
    """Check a configuration, or list those that are kept."""
    return _kept(args) if args.config is None else _check(args)


def _check(args: argparse.Namespace) -> int:
    configs = floor("configs")
    text = _text(args.config)
    terms = floor("link_file").read_terms(text, str(args.config))
    problems = configs.problems(terms, laws(args))
    if args.file is None:
        _print(args, configs.checked(terms, problems, "" if problems else _now(args, text), laws(args)))
    elif not problems:
        return _draw(args, text)
    else:
        _print(args, configs.checked(terms, problems, "", laws(args)))
    return NO if problems else DONE


def _draw(args: argparse.Namespace, text: str) -> int:
    if not args.cause:
        raise CommandError("E-CLI-003", "--cause", text="", wanted="a cause in words", command="floor config")
    number = floor("founding").next_number(args.store)
    fields = {"order": number, "cause": args.cause, "file": text}
    body = floor("orders").order(CONFIGURATION, **fields)
    return draw(args, floor("order_file").OrderFile(body))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError("E-CLI-001", str(path), why=error) from error


def _now(args: argparse.Namespace, text: str) -> str:
    """Return what stands against the configuration at this floor now; say so if there is no store."""
    if not floor("open_store").is_there(args.store):
        return f"no store at {args.store} to hold it against"
    state = floor("founding").state_of(args.store, laws(args))
    why: str = floor("configs").why_not_now(state, text, floor("clock").utc())
    return f"refused now: {why}" if why else "could be ordered now"


def _print(args: argparse.Namespace, found: dict[str, Any]) -> None:
    print_json(found) if args.json else print("\n".join(floor("report_text").configuration(found)))


# ---------------------------------------------------------------- kept


def _kept(args: argparse.Namespace) -> int:
    found = [each for each in _all(args) if args.link in (None, each.link)]
    if args.number is not None:
        return _file(args, found)
    if args.json:
        print_json([each.facts() for each in found])
    else:
        print("\n".join(floor("report_text").configurations(found)))
    return DONE


def _all(args: argparse.Namespace) -> list[Any]:
    store = floor("open_store").open_store(args.store, reading=True)
    try:
        return list(floor("configs").kept(store))
    finally:
        store.close()


def _file(args: argparse.Namespace, found: list[Any]) -> int:
    for each in found:
        if args.link and each.number == args.number:
            print_json(each.facts()) if args.json else print(each.file, end="")
            return DONE
    wanted = "the number of a configuration, with its --link"
    raise CommandError("E-CLI-003", "--number", text=str(args.number), wanted=wanted, command="floor config")
