"""No module of the product needs itself to be loaded, by however many others."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(
    each.name for each in (ROOT / "src" / "sabot").iterdir() if each.is_dir() and each.name != "__pycache__"
)


def modules() -> dict[str, Path]:
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {
        "sabot." + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }


def test_no_module_imports_itself_by_others() -> None:
    known = modules()
    needs: dict[str, set[str]] = {}
    for name, path in known.items():
        found = needs[name] = set()
        # Within a function and for types alone too: what is loaded later is needed all the same.
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {each.name for each in node.names if each.name in known}
            elif isinstance(node, ast.ImportFrom) and node.module:
                for each in node.names:
                    inner = f"{node.module}.{each.name}"
                    found |= {inner} if inner in known else {node.module} & known.keys()
        found.discard(name)

    assert len(known) > 500
    assert len(list(TopologicalSorter(needs).static_order())) == len(known)
