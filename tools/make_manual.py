"""Make the manual pages and the shell completion of `sabot` out of its own parser, into share/.

    python tools/make_manual.py            say which pages are not as the parser is (exit code 1)
    python tools/make_manual.py --write    write them anew

They are kept in the tree, so that a wheel and a bundle carry them without anything that is run when they
are made, and a test holds them against the parser.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sabot.cli import all_commands, parser_of

ROOT = Path(__file__).resolve().parents[1]
SHARE = ROOT / "share"
PAGES = "man/man1"
BASH, ZSH = "bash-completion/completions/sabot", "zsh/site-functions/_sabot"
FISH = "fish/vendor_completions.d/sabot.fish"
MADE = "made from the parser by tools/make_manual.py"


@dataclass(frozen=True, slots=True)
class Node:
    """A command, or a command of one: its words, its parser, and the commands below it with their help."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser
    below: tuple["Node", ...] = ()
    summary: str = ""

    @property
    def own(self) -> list[argparse.Action]:
        """What it takes itself, as its help shows it."""
        every = self.parser._actions  # noqa: SLF001 - argparse has no other list of them
        return [
            each
            for each in every
            if each.help is not argparse.SUPPRESS and not isinstance(each, argparse._SubParsersAction)  # noqa: SLF001
        ]

    @property
    def options(self) -> list[argparse.Action]:
        """Those that begin with a dash."""
        return [each for each in self.own if each.option_strings]

    @property
    def choices(self) -> list[str]:
        """The words that one of its places takes and no others."""
        return [str(word) for each in self.own if not each.option_strings for word in each.choices or ()]

    def all(self) -> Iterator["Node"]:
        """It and whatever is below it."""
        yield self
        for each in self.below:
            yield from each.all()


def tree() -> Node:
    """Every command there is, each with the parser that it has when it runs."""
    whole = parser_of("")
    found = []
    for name, summary in all_commands().items():
        parser = _below(parser_of(name))[0][name]
        found.append(_node((name,), parser, summary))
    return Node((), whole, tuple(found), "the controller under a live card table")


def _node(words: tuple[str, ...], parser: argparse.ArgumentParser, summary: str) -> Node:
    parsers, helps = _below(parser)
    below = (_node((*words, name), each, helps.get(name, "")) for name, each in parsers.items())
    return Node(words, parser, tuple(below), summary)


def _below(parser: argparse.ArgumentParser) -> tuple[dict[str, argparse.ArgumentParser], dict[str, str]]:
    """The commands of a parser, and what its help says of each."""
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            said = {each.dest: each.help or "" for each in action._choices_actions}  # noqa: SLF001
            return dict(action.choices), said
    return {}, {}


# ---------------------------------------------------------------- manual pages


def roff(text: str) -> str:
    """A text in which nothing is an order to the typesetter."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in safe.splitlines())


def page(node: Node) -> str:
    """The page of a command, with the commands below it."""
    name = "-".join(("sabot", *node.words))
    lines = [f'.\\" {MADE}', f'.TH {name.upper()} 1 "" "Sabot" "Sabot"']
    lines += [".SH NAME", f"{roff(name)} \\- {roff(node.summary)}", ".SH SYNOPSIS", *_usage(node)]
    if node.parser.description:
        lines += [".SH DESCRIPTION", roff(node.parser.description)]
    lines += _takes(node, ".SH")
    for each in list(node.all())[1:] if node.words else ():
        lines += [f".SH {roff(' '.join(each.words).upper())}", roff(each.summary), ".PP", *_usage(each)]
        lines += _takes(each, ".SS")
        # Else a typesetter takes the examples for words about the last option.
        lines += [".PP", *_verbatim(each)] if each.parser.epilog else []
    if not node.words:
        lines += [".SH COMMANDS", *_commands(node)]
    lines += [*_notes(node), ".SH SEE ALSO", _see(node)]
    return "\n".join(line for line in lines if line) + "\n"


def _usage(node: Node) -> list[str]:
    words = node.parser.format_usage().removeprefix("usage: ").split()
    return [".nh", ".ad l", roff(" ".join(words)), ".ad b", ".hy"]


def _takes(node: Node, head: str) -> list[str]:
    """What it takes, each with its help."""
    lines = [f"{head} OPTIONS"] if node.own else []
    for each in node.own:
        lines += [".TP", f".B {roff(_invoked(each))}", roff(_help(node, each)) or "\\&"]
    return lines


def _invoked(action: argparse.Action) -> str:
    takes = "" if action.nargs == 0 else _value_of(action)
    if not action.option_strings:
        return takes or action.dest
    return ", ".join(f"{word} {takes}".strip() for word in action.option_strings)


def _value_of(action: argparse.Action) -> str:
    if action.metavar is not None:
        return action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper() if action.option_strings else action.dest


def _help(node: Node, action: argparse.Action) -> str:
    formatter = node.parser._get_formatter()  # noqa: SLF001
    return formatter._expand_help(action) if action.help else ""  # noqa: SLF001


def _verbatim(node: Node) -> list[str]:
    return [".nf", roff(node.parser.epilog.rstrip()), ".fi"] if node.parser.epilog else []


def _notes(node: Node) -> list[str]:
    return [".SH NOTES", *_verbatim(node)] if node.parser.epilog else []


def _commands(node: Node) -> list[str]:
    rows = ([".TP", f".BR sabot\\-{roff(each.words[-1])} (1)", roff(each.summary)] for each in node.below)
    return [line for row in rows for line in row]


def _see(node: Node) -> str:
    return ".BR sabot (1)" if node.words else ".BR sabot\\-run (1)"


# ---------------------------------------------------------------- completion


def _flags(node: Node) -> list[str]:
    return [word for each in node.options for word in each.option_strings]


def _offered(node: Node) -> list[str]:
    return [each.words[-1] for each in node.below] + node.choices


def _valued(node: Node) -> Iterator[tuple[Sequence[str], list[str]]]:
    """The options that take a value, each with the words that it may be."""
    for each in node.options:
        if each.nargs != 0:
            yield each.option_strings, [str(word) for word in each.choices or ()]


def _at(node: Node) -> str:
    return "".join(f"/{word}" for word in node.words)


def bash(whole: Node) -> str:
    """Completion for bash; where no word is known it completes files, as it does by itself."""
    nodes = list(whole.all())
    ways = "|".join(_at(each) for each in nodes[1:])
    lines = [f"# bash completion of sabot, {MADE}", "_sabot() {"]
    lines += [
        "    local at= word cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= flags="
    ]
    lines += ['    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do', '        case "$at/$word" in']
    lines += [f"            {ways}) at=$at/$word ;;", "        esac", "    done", "    COMPREPLY=()"]
    lines += ['    case "$at $prev" in']
    for node in nodes:
        for flags, words in _valued(node):
            pattern = "|".join(f'"{_at(node)} {flag}"' for flag in flags)
            lines.append(f'        {pattern}) words="{" ".join(words)}"; flags=none ;;')
    lines += ["    esac", '    if [ -z "$flags" ]; then', '        case "$at" in']
    for node in nodes:
        offered, dashed = " ".join(_offered(node)), " ".join(_flags(node))
        lines.append(f'            "{_at(node)}") words="{offered}" flags="{dashed}" ;;')
    lines += ["        esac", "        [[ $cur == -* ]] && words=$flags", "    fi"]
    lines += ['    [ -n "$words" ] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")', "}"]
    return "\n".join([*lines, "complete -o default -F _sabot sabot", ""])


def zsh(whole: Node) -> str:
    """Completion for zsh, by the same tables."""
    nodes = list(whole.all())
    ways = "|".join(_at(each) for each in nodes[1:])
    lines = ["#compdef sabot", f"# zsh completion of sabot, {MADE}", "local at= word", "local -a found flags"]
    lines += [
        "for word in ${words[2,CURRENT-1]}; do",
        '    case "$at/$word" in',
        f"        ({ways}) at=$at/$word ;;",
    ]
    lines += ["    esac", "done", 'case "$at ${words[CURRENT-1]}" in']
    for node in nodes:
        for each, words in _valued(node):
            pattern = "|".join(f'"{_at(node)} {flag}"' for flag in each)
            done = f"compadd -- {' '.join(words)}" if words else "_files"
            lines.append(f"    ({pattern}) {done}; return ;;")
    lines += ["esac", 'case "$at" in']
    for node in nodes:
        offered, flags = " ".join(_offered(node)), " ".join(_flags(node))
        lines.append(f'    ("{_at(node)}") found=({offered}) flags=({flags}) ;;')
    lines += ["esac", "if [[ $PREFIX == -* ]]; then compadd -- $flags"]
    return "\n".join([*lines, "elif (( $#found )); then compadd -- $found; else _files; fi", ""])


def fish(whole: Node) -> str:
    """Completion for fish, which shows the help of each word beside it."""
    lines = [f"# fish completion of sabot, {MADE}"]
    for node in whole.all():
        where = _fish_where(node)
        below = ((each.words[-1], _quoted(each.summary)) for each in node.below)
        lines += [f"complete -c sabot -f -n {where} -a {name} -d {said}" for name, said in below]
        for option in node.options:
            flags = " ".join(_fish_flag(flag) for flag in option.option_strings)
            words = f" -a {_quoted(' '.join(map(str, option.choices)))}" if option.choices else ""
            takes = "" if option.nargs == 0 else f" -r{words}"
            said = _quoted(_help(node, option))
            lines.append(f"complete -c sabot -n {where} {flags}{takes} -d {said}")
        if node.choices:
            lines.append(f"complete -c sabot -n {where} -a {_quoted(' '.join(node.choices))}")
    return "\n".join([*lines, ""])


def _fish_where(node: Node) -> str:
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in node.words)
    below = " ".join(each.words[-1] for each in node.below)
    none = f"not __fish_seen_subcommand_from {below}" if below else ""
    return _quoted("; and ".join(filter(None, (seen, none))) or "true")


def _fish_flag(flag: str) -> str:
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


def _quoted(text: str) -> str:
    """Words that a shell takes as they are."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# ---------------------------------------------------------------- files


def files() -> dict[str, str]:
    """Every file below share/, with what belongs into it."""
    whole = tree()
    found = {f"{PAGES}/{'-'.join(('sabot', *node.words))}.1": page(node) for node in (whole, *whole.below)}
    return found | {BASH: bash(whole), ZSH: zsh(whole), FISH: fish(whole)}


def stale() -> list[str]:
    """The files that are not as the parser is, or that belong to no command any more."""
    wanted = files()
    there = {path.relative_to(SHARE).as_posix(): path.read_text(encoding="utf-8") for path in _there()}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def _there() -> list[Path]:
    return [path for path in SHARE.rglob("*") if path.is_file()]


def main() -> int:
    """Write, or say what is to be written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write them anew")
    if not parser.parse_args().write:
        found = stale()
        print("\n".join(found) or "every page is as the parser is")
        return int(bool(found))
    for path in _there():
        path.unlink()
    for name, content in files().items():
        place = SHARE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
