"""The mutants of a module: what cosmic-ray's operators make of its source, each with an id that stays.

cosmic-ray is used as a library: its operators say where a line can be changed and change it, the running is ours
(``trial``). What stands in an annotation is left out: mypy holds it, no test could.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code

Place = tuple[int, int]
# Where a star stands for the rest of what is given, and no operator: changed, it can be read by nobody.
UNPACKING = frozenset({"parameters", "dictorsetmaker"})


class Mutant(NamedTuple):
    """One change: the nth place where an operator can change the module."""

    operator: str
    occurrence: int
    line: int
    column: int
    where: str  # the function or class it stands in

    @property
    def id(self) -> str:
        return f"{self.operator.removeprefix('core/')}:{self.occurrence}"

    def source(self, text: str) -> str:
        """The module with this change."""
        changed = mutate_code(text, cosmic_ray.plugins.get_operator(self.operator)(), self.occurrence)
        assert changed is not None, self
        return str(changed)

    def diff(self, text: str) -> tuple[str, str]:
        """The line as it is, and as it would be."""
        pairs = zip(text.splitlines(), self.source(text).splitlines(), strict=False)
        was, now = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        return was.strip(), now.strip()


def mutants(path: Path) -> list[Mutant]:
    """All mutants of a module, by line."""
    text = path.read_text()
    tree = get_ast(text)
    notes = list(_annotations(text))
    nodes = list(ast_nodes(tree))
    made = []
    for name in sorted(cosmic_ray.plugins.operator_names()):
        operator = cosmic_ray.plugins.get_operator(name)
        if operator.arguments():  # wants words of a configuration (which variable to insert): not ours
            continue
        found = ((node, start) for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, (node, start) in enumerate(found):
            if not _is_unpacking(node) and not any(first <= start < last for first, last in notes):
                where = ASTQuery(node).get_definition_name() or ""
                line, column = start
                made.append(Mutant(name, occurrence, line, column, where))
    return sorted(made, key=lambda mutant: (mutant.line, mutant.column, mutant.id))


def _is_unpacking(node: Any) -> bool:
    return node.type == "operator" and node.parent.type in UNPACKING


def _annotations(text: str) -> Iterator[tuple[Place, Place]]:
    for node in ast.walk(ast.parse(text)):
        notes = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        for note in notes:
            if isinstance(note, ast.expr):
                assert note.end_lineno is not None
                assert note.end_col_offset is not None
                yield (note.lineno, note.col_offset), (note.end_lineno, note.end_col_offset)


def sample(made: list[Mutant], every: int, seed: int) -> list[Mutant]:
    """Each so-manieth mutant, evenly over the module; another seed has others."""
    return made[seed % every :: every]
