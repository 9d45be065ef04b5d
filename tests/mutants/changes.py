"""The changes of a module at the edge: what a hurried hand would write instead, kind by kind, none in mere words.

cosmic-ray's operators (``made``) bend an arithmetic that the edge has little of; these drop an order, turn a condition,
move a bound. Left alone, by rule: annotations and what only a type checker reads, words (no string is changed), calls
of the log, messages of assertions and assertions themselves, and patience in seconds, which no test may measure.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

LOGS = frozenset({"log", "_log"})
SPARED_DECORATORS = frozenset({"overload", "abstractmethod"})
SECONDS = re.compile(r"(^|_)(s|ms|timeout|patience)$", re.IGNORECASE)
COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
RECKONED: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*",
    ast.LShift: ">>", ast.RShift: "<<", ast.BitAnd: "|", ast.BitOr: "&", ast.BitXor: "&",
}  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Place = tuple[int, int]


class Change(NamedTuple):
    """One change: the text between two places is another one."""

    kind: str
    first: Place
    last: Place
    now: str
    where: str  # the functions and classes around it
    is_live: bool  # within a function: a loaded program can be given it
    lines: tuple[int, int]  # of the statement, for the tests that reach it

    def source(self, text: str) -> str:
        """The module with this change, as many lines as before."""
        lines = text.encode().splitlines(keepends=True)
        start, end = (sum(map(len, lines[: line - 1])) + column for line, column in (self.first, self.last))
        whole = text.encode()
        gap = whole[start:end].count(b"\n") - self.now.count("\n")
        # A shorter text inside brackets keeps the lines too; a statement is followed by them.
        padding = "\n" * gap if self.kind.endswith("dropped") and self.now == "pass" else ""
        return (whole[:start] + (self.now + padding).encode() + whole[end:]).decode()

    def was(self, text: str) -> str:
        """The text that is changed."""
        lines = text.encode().splitlines(keepends=True)
        start, end = (sum(map(len, lines[: line - 1])) + column for line, column in (self.first, self.last))
        return text.encode()[start:end].decode()


class Around(NamedTuple):
    """Where a node stands."""

    names: tuple[str, ...] = ()
    is_live: bool = False
    lines: tuple[int, int] = (0, 0)
    is_seconds: bool = False


def changes(path: Path) -> list[Change]:
    """All changes of a module, by place."""
    text = path.read_text()
    found = list(Reader(text).of_block(ast.parse(text).body, Around()))
    return sorted(found, key=lambda change: (change.first, change.last, change.kind, change.now))


class Reader:
    """Walks a module; who reads it again finds the same changes."""

    def __init__(self, text: str) -> None:
        self.lines = text.encode().splitlines(keepends=True)

    def text(self, node: ast.AST) -> str:
        return str(ast.get_source_segment(b"".join(self.lines).decode(), node))

    def of_block(self, block: list[ast.stmt], around: Around) -> Iterator[Change]:
        for statement in block:
            yield from self.of_statement(statement, around)

    def of_statement(self, node: ast.stmt, around: Around) -> Iterator[Change]:
        if _is_spared(node):
            return
        if isinstance(node, ast.ClassDef):
            yield from self.of_block(
                node.body, around._replace(names=(*around.names, node.name), is_live=False)
            )
            return
        if isinstance(node, FUNCTIONS):
            yield from self.of_function(node, around)
            return
        around = around._replace(lines=_reach(node), is_seconds=_is_in_seconds(node))
        yield from self.of_whole(node, around)
        for name, value in ast.iter_fields(node):
            if name not in {
                "body",
                "orelse",
                "finalbody",
                "handlers",
                "cases",
                "annotation",
                "target",
                "targets",
            }:
                yield from self.of_value(value, around)
        for inner in _blocks(node):
            yield from self.of_block(inner, around)

    def of_function(self, node: "ast.FunctionDef | ast.AsyncFunctionDef", around: Around) -> Iterator[Change]:
        within = around._replace(names=(*around.names, node.name))
        defaults = zip(
            reversed([*node.args.posonlyargs, *node.args.args]), reversed(node.args.defaults), strict=False
        )
        only = (
            (name, value) for name, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        )
        for name, value in (*defaults, *only):
            if value is not None and not SECONDS.search(name.arg):
                lines = (node.body[0].lineno, node.end_lineno or node.lineno)
                yield from self.of_value(value, within._replace(is_live=False, lines=lines))
        yield from self.of_block(node.body, within._replace(is_live=True))

    def of_whole(self, node: ast.stmt, around: Around) -> Iterator[Change]:
        """What becomes of the statement as such."""
        match node:
            case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                yield self.change("call dropped", node, "pass", around)
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign() if around.is_live:
                yield self.change("assignment dropped", node, "pass", around)
            case ast.Raise():
                yield self.change("raise dropped", node, "pass", around)
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield self.change("nothing returned", value, "None", around)
            case ast.Break():
                yield self.change("loop goes on", node, "continue", around)
            case ast.Continue():
                yield self.change("loop ends", node, "break", around)
            case ast.If(test=test) | ast.While(test=test):
                yield from self.turned(test, around)
            case ast.For(iter=over):
                yield self.change("loop dropped", over, "()", around)

    def of_value(self, value: Any, around: Around) -> Iterator[Change]:
        """What becomes of an expression, or of a list of them."""
        if isinstance(value, list):
            for each in value:
                yield from self.of_value(each, around)
        if not isinstance(value, ast.AST) or _is_log(value) or isinstance(value, ast.JoinedStr):
            return
        if isinstance(value, ast.keyword) and SECONDS.search(value.arg or ""):
            return
        yield from KINDS.get(type(value), _nothing)(self, value, around)
        for _, inner in ast.iter_fields(value):
            yield from self.of_value(inner, around)

    def turned(self, test: ast.expr, around: Around) -> Iterator[Change]:
        if not isinstance(test, ast.Compare | ast.UnaryOp):  # those have a kind of their own
            yield self.change("condition turned", test, f"(not ({self.text(test)}))", around)

    def change(self, kind: str, node: Any, now: str, around: Around) -> Change:
        first, last = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        return Change(kind, first, last, now, ".".join(around.names), around.is_live, around.lines)

    def between(self, kind: str, left: ast.expr, right: ast.expr, now: str, around: Around) -> Change:
        """The operator between two operands, brackets kept."""
        first, last = _end(left), (right.lineno, right.col_offset)
        start, end = (sum(map(len, self.lines[: line - 1])) + column for line, column in (first, last))
        gap = b"".join(self.lines)[start:end].decode()
        sign = re.search(r"not\s+in|is\s+not|[^\s()#\w]+|\bin\b|\bis\b|\band\b|\bor\b", gap)
        assert sign is not None
        text = gap[: sign.start()] + now + gap[sign.end() :]
        return Change(kind, first, last, text, ".".join(around.names), around.is_live, around.lines)


def _nothing(*_: object) -> Iterator[Change]:
    yield from ()


def _compare(reader: Reader, node: ast.Compare, around: Around) -> Iterator[Change]:
    operands = [node.left, *node.comparators]
    for left, sign, right in zip(operands, node.ops, operands[1:], strict=False):
        kind = "bound moved" if isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE) else "comparison turned"
        yield reader.between(kind, left, right, COMPARED[type(sign)], around)


def _reckon(reader: Reader, node: ast.BinOp, around: Around) -> Iterator[Change]:
    is_text = any(isinstance(side, ast.JoinedStr) or _is_word(side) for side in (node.left, node.right))
    if not is_text and type(node.op) in RECKONED:
        yield reader.between("reckoned otherwise", node.left, node.right, RECKONED[type(node.op)], around)


def _both(reader: Reader, node: ast.BoolOp, around: Around) -> Iterator[Change]:
    other = "or" if isinstance(node.op, ast.And) else "and"
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield reader.between("and for or", left, right, other, around)
    for dropped in node.values:
        rest = [reader.text(each) for each in node.values if each is not dropped]
        sign = " and " if other == "or" else " or "
        now = "(" + sign.join(f"({each})" for each in rest) + ")"
        yield reader.change("part of a condition dropped", node, now, around)


def _unary(reader: Reader, node: ast.UnaryOp, around: Around) -> Iterator[Change]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield reader.change("sign dropped", node, f"({reader.text(node.operand)})", around)


def _choice(reader: Reader, node: ast.IfExp, around: Around) -> Iterator[Change]:
    yield from reader.turned(node.test, around)


def _filter(reader: Reader, node: ast.comprehension, around: Around) -> Iterator[Change]:
    for test in node.ifs:
        yield from reader.turned(test, around)


def _constant(reader: Reader, node: ast.Constant, around: Around) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield reader.change("flag turned", node, str(not node.value), around)
    elif isinstance(node.value, int | float) and not around.is_seconds:
        yield reader.change("number moved", node, repr(node.value + 1), around)


KINDS: dict[type[ast.AST], Callable[..., Iterator[Change]]] = {
    ast.Compare: _compare,
    ast.BinOp: _reckon,
    ast.BoolOp: _both,
    ast.UnaryOp: _unary,
    ast.IfExp: _choice,
    ast.comprehension: _filter,
    ast.Constant: _constant,
}


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield each.body


def _is_spared(node: ast.stmt) -> bool:
    """What no test can see: of the type checker, of the log, assertions, the list of what is exported."""
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.ClassDef(bases=names):
            return any(isinstance(each, ast.Name) and each.id == "Protocol" for each in names)
        case ast.FunctionDef(decorator_list=names) | ast.AsyncFunctionDef(decorator_list=names):
            return any(isinstance(each, ast.Name) and each.id in SPARED_DECORATORS for each in names)
        case ast.Expr(value=value):
            return _is_log(value) or isinstance(value, ast.Constant)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in {"__slots__", "__all__"}
    return False


def _is_log(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in LOGS
    return False


def _is_in_seconds(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [each for target in targets if target is not None for each in ast.walk(target)]
    said = [getattr(each, "id", getattr(each, "attr", "")) for each in names]
    return any(SECONDS.search(name) for name in said)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_word(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _end(node: ast.expr) -> Place:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _reach(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, without those of the blocks in it."""
    inner = [block[0].lineno for block in _blocks(node) if block]
    last = min(inner) - 1 if inner else node.end_lineno or node.lineno
    return node.lineno, max(node.lineno, last)
