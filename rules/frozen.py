"""Classes of values: what cannot be changed and is what its fields are.

``@frozen`` is ``dataclasses.dataclass(frozen=True, slots=True)`` built sooner. The standard one compiles
``__repr__``, ``__eq__`` and ``__hash__`` anew for each class, some two hundred and fifty times before the
first spot can open. Here they are closures over one getter, as quick to call.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

Made = TypeVar("Made")


@overload
def frozen(cls: type[Made], /) -> type[Made]: ...
@overload
def frozen(cls: None = None, /, *, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class one of values: frozen, in slots, equal and hashed by its fields that are compared."""

    def make(plain: type[Any]) -> type[Any]:
        made = dataclass(frozen=True, slots=True, kw_only=kw_only, repr=False, eq=False)(plain)
        for name, method in _methods(made).items():
            if name not in plain.__dict__:  # its own goes first, as with the standard decorator
                setattr(made, name, method)
        return made

    return make if cls is None else make(cls)


def _methods(made: type[Any]) -> dict[str, Callable[..., Any]]:
    """Return what the standard decorator would compile."""
    compared = [each.name for each in fields(made) if each.compare]
    shown = [each.name for each in fields(made) if each.repr]
    get: Callable[[Any], Any] = attrgetter(*compared) if compared else _nothing

    def is_equal(self: Any, other: Any) -> Any:  # noqa: ANN401 - any value at all
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    def digest(self: Any) -> int:  # noqa: ANN401
        return hash(get(self))

    def show(self: Any) -> str:  # noqa: ANN401
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__}({told})"

    return {"__eq__": is_equal, "__hash__": digest, "__repr__": show}


def _nothing(_: object) -> tuple[()]:
    return ()
