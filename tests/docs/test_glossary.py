"""The glossary says each word once; class names are unique, and docstrings open as an engineer writes them."""

import ast
import re
from collections import Counter
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = (
    "rules",
    "statemachine",
    "config",
    "drivers",
    "firmware",
    "desk",
    "floor",
    "uplink",
    "practice",
    "hil",
    "image",
)
ROW = re.compile(r"^\| ([a-z][^|]*?) \|", re.MULTILINE)
# A folder or a file, such as `drivers/*/codec`.
PLACE = re.compile(r"`([a-z_*]+/[a-z_*/]*)`")
NAMED = re.compile(r"`([A-Z][A-Za-z]+)`")
FREE_RELATIVE = re.compile(r"(What|Who|Whoever|Whatever|Where|Whether|How|As which|Those|That which)\b")
MOST_FREE_RELATIVES = 0.02


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the product, by its path."""
    paths = (path for room in PRODUCT for path in sorted((ROOT / room).rglob("*.py")))
    own = (path for path in paths if "procedure" not in path.parts)  # a checker that stands alone
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in own}


def classes() -> Counter[str]:
    return Counter(
        node.name for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )


def glossary() -> str:
    return (ROOT / "docs" / "words.md").read_text(encoding="utf-8")


def test_each_class_name_stands_for_one_class() -> None:
    twice = {name for name, count in classes().items() if count > 1}
    assert not twice, f"{sorted(twice)}: a reader who looks for one of them finds two"


def test_each_word_of_the_glossary_stands_there_once_and_in_order() -> None:
    for section in glossary().split("\n## ")[1:]:
        words = [word for word in ROW.findall(section) if word != "word"]
        assert words == sorted(set(words)), section.splitlines()[0]


def test_each_class_that_the_glossary_names_is_there() -> None:
    known = classes()
    missing = {name for name in NAMED.findall(glossary()) if not known[name]}
    assert not missing


def is_there(place: str) -> bool:
    """Tell whether a place of the glossary is a folder or a file, named from the root or by its end."""
    paths = (f"/{path.removesuffix('.py')}/" for path in trees())
    return (ROOT / place).exists() or any(fnmatch(path, f"*/{place.strip('/')}/*") for path in paths)


def test_each_place_that_the_glossary_names_is_there() -> None:
    places = {place for row in glossary().splitlines() for place in PLACE.findall(row)}
    assert places
    assert not {place for place in places if not is_there(place)}


def test_docstrings_open_with_what_a_function_does() -> None:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    texts = [
        text
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and (text := ast.get_docstring(node))
    ]
    free = [text.splitlines()[0] for text in texts if FREE_RELATIVE.match(text)]
    assert len(free) <= MOST_FREE_RELATIVES * len(texts), "\n".join(free)
