"""Classes of values, which cannot be changed, and of parts that are nothing but fields, which can.

``@frozen`` is ``dataclasses.dataclass(frozen=True, slots=True)`` built sooner. The standard one compiles six
functions for each class, some two thousand before the first spot can open. Here they are closures over one
getter, as quick to call; only ``__init__`` is compiled, and not before the second value is made: a start
makes values of a third of these classes, and of many of them one. A class on top of such a one is made by
``@frozen`` as well: to the standard decorator it is no frozen one. ``@mutable`` is
``dataclasses.dataclass(slots=True)`` in the same way.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

Made = TypeVar("Made")
# How a constructor sets a field: by the slot's own setter, since the class refuses assignments, or plainly.
SLOT, PLAIN = "_set_{}(self, {})", "self.{} = {}"


@overload
def frozen(cls: type[Made], /) -> type[Made]: ...
@overload
def frozen(cls: None = None, /, *, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class one of values: frozen, in slots, equal and hashed by its fields that are compared."""

    def make(plain: type[Any]) -> type[Any]:
        # Not frozen=True, for that compiles two functions: they are `_refuse` and `_refuse_to_delete` here.
        made = dataclass(slots=True, kw_only=kw_only, init=False, repr=False, eq=False)(plain)
        for name, method in _methods(made).items():
            if name not in plain.__dict__:  # its own goes first, as with the standard decorator
                setattr(made, name, method)
        return made

    return make if cls is None else make(cls)


@overload
def mutable(cls: type[Made], /) -> type[Made]: ...
@overload
def mutable(cls: None = None, /, *, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]: ...
@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class of fields: in slots, equal by its fields that are compared, and not to be hashed."""

    def make(plain: type[Any]) -> type[Any]:
        made = dataclass(slots=True, kw_only=kw_only, init=False, repr=False, eq=False)(plain)
        methods = _methods(made, PLAIN)
        for name in _OF_MUTABLE:
            if name not in plain.__dict__:
                setattr(made, name, None if name == "__hash__" else methods[name])
        return made

    return make if cls is None else make(cls)


_OF_MUTABLE = ("__init__", "__eq__", "__repr__", "__hash__")


def _methods(made: type[Any], store: str = SLOT) -> dict[str, Callable[..., Any]]:
    """Return the methods that the standard decorator would compile."""
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

    is_first = True

    def make(self: Any, *args: Any, **named: Any) -> None:  # noqa: ANN401
        nonlocal is_first
        # Three classes of four have one value in a whole recovery; to compile takes as long as to lay many.
        if is_first and _lay(made, self, args, named):
            is_first = False
            return
        constructor = _constructor(made, store)
        made.__init__ = constructor  # in place of this one, from now on
        constructor(self, *args, **named)

    return {
        "__init__": make,
        "__eq__": is_equal,
        "__hash__": digest,
        "__repr__": show,
        "__setattr__": _refuse,
        "__delattr__": _refuse_to_delete,
        "__getstate__": _state,
        "__setstate__": _set_state,
    }


def _nothing(_: object) -> tuple[()]:
    return ()


def _refuse(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:  # noqa: ANN401
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:  # noqa: ANN401
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


# ---------------------------------------------------------------- the constructor

# Not None: that is a value which a caller may mean.
_UNSAID: Any = object()
# The usual factories are written out as literals, which takes half as long as a call.
_EMPTY: dict[Any, str] = {list: "[]", dict: "{}"}
# From this many fields on, two changes of class and plain assignments are quicker (see ``_opened``).
MANY = 6


def _lay(made: type[Any], self: Any, args: tuple[Any, ...], named: dict[str, Any]) -> bool:  # noqa: ANN401
    """Set the fields one by one; return False, with nothing set, where the call is not a right one.

    Then the compiled constructor says what is wrong with it.
    """
    taken = [each.name for each in fields(made) if each.init and not each.kw_only]
    given = dict(zip(taken, args, strict=False))
    if len(args) > len(taken) or given.keys() & named:
        return False
    given |= named
    laid = []
    for each in fields(made):
        if each.init and each.name in given:
            value = given.pop(each.name)
        elif each.default_factory is not MISSING:
            value = each.default_factory()
        elif each.default is not MISSING:
            value = each.default
        elif each.init:
            return False
        else:  # ``__post_init__`` sets it
            continue
        laid.append((getattr(made, each.name).__set__, value))
    if given:
        return False
    for put, value in laid:
        put(self, value)
    if hasattr(made, "__post_init__"):
        self.__post_init__()
    return True


def _constructor(made: type[Any], store: str) -> Callable[..., None]:
    """Compile the constructor of a class; a value's fields are stored straight in their slots."""
    every = fields(made)
    taken = [each for each in every if each.init]
    plain = [_parameter(each) for each in taken if not each.kw_only]
    named = [_parameter(each) for each in taken if each.kw_only]
    parameters = ", ".join(["self", *plain, *(["*", *named] if named else [])])
    laid = [(each.name, _value(each)) for each in every if each.init or _has_default(each)]
    known: dict[str, Any] = {"_unsaid": _UNSAID}
    if store == SLOT and len(laid) >= MANY:
        # The setter of ``object``: the class itself refuses every assignment, that of its class too.
        known |= {"_open": _opened(made), "_become": object.__dict__["__class__"].__set__, "_made": made}
        plain_lines = [PLAIN.format(*each) for each in laid]
        lines = ["_become(self, _open)", *plain_lines, "self.__class__ = _made"]
    else:
        lines = [store.format(*each) for each in laid]
    lines += ["self.__post_init__()"] if hasattr(made, "__post_init__") else []
    for each in every:
        # The slot's own setter: the class refuses every assignment, and
        # ``object.__setattr__`` looks the slot up by name.
        known[f"_set_{each.name}"] = getattr(made, each.name).__set__
        known[f"_default_{each.name}"] = each.default
        known[f"_make_{each.name}"] = each.default_factory
    body = "".join(f"\n    {line}" for line in lines) or " pass"
    exec(f"def __init__({parameters}):{body}", known)  # noqa: S102 (names of fields, no input)
    constructor: Callable[..., None] = known["__init__"]
    # For tracebacks, and for what counts calls by name.
    constructor.__qualname__ = f"{made.__qualname__}.__init__"
    return constructor


def _has_default(each: Field[Any]) -> bool:
    return each.default is not MISSING or each.default_factory is not MISSING


def _parameter(each: Field[Any]) -> str:
    if each.default_factory is not MISSING:
        return f"{each.name}=_unsaid"
    return each.name if each.default is MISSING else f"{each.name}=_default_{each.name}"


def _opened(made: type[Any]) -> type[Any]:
    """Return a subclass with the same slots that can be assigned to; a value is one while it is being filled.

    A plain assignment takes a tenth of a slot's own setter, but two changes of class as long as four setters.
    """
    # No slots of its own: Python changes the class of a value only to one of the same layout.
    writes = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(made.__name__, (made,), {"__slots__": (), **writes})


def _value(each: Field[Any]) -> str:
    """Return the expression that a field is set to."""
    name = each.name
    if each.default_factory is not MISSING:
        made = _EMPTY.get(each.default_factory, f"_make_{name}()")
        return f"{made} if {name} is _unsaid else {name}" if each.init else made
    return name if each.init else f"_default_{name}"
