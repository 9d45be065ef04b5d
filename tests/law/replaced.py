"""Put another source in the place of a module, before anything imports it."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType
from typing import Any

from claims import ROOT


class Changed(SourceFileLoader):
    """Runs the source it was given, under the name of the file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.text = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source."""
        del fullname
        return compile(self.text, self.path, "exec", dont_inherit=True)


class InPlace(MetaPathFinder):
    """Answers the import of one module with another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source
        self.path = str(ROOT / "src" / f"{name.replace('.', '/')}.py")

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find the module that is replaced."""
        del path, target
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=Changed(fullname, self.path, self.source))


def put(name: str, source: str) -> None:
    """Have a module run another source from now on; it may not have been imported yet."""
    if name in sys.modules:
        raise RuntimeError(f"{name} was imported before it could be replaced")
    sys.meta_path.insert(0, InPlace(name, source))
