"""``@frozen`` and ``@mutable`` are what the standard decorator makes of the same class."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from sabot.rules.frozen import frozen, mutable


@frozen
class Nothing:
    """No field."""


@frozen
class One:
    """One field."""

    number: int


@frozen(kw_only=True)
class Many:
    """A field of each kind."""

    number: int
    words: tuple[str, ...] = ()
    hidden: str = field(default="", repr=False)
    beside: int = field(default=0, compare=False)
    made: dict[str, int] = field(default_factory=dict, hash=False, compare=False)


@frozen(kw_only=True)
class More(Many):
    """Fields of its own behind those it was given."""

    last: int = 0


@frozen
class Own:
    """Methods of its own."""

    number: int

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


VALUES: tuple[Any, ...] = (
    Nothing(),
    One(1),
    Many(number=1, words=("a",), hidden="x", beside=4),
    More(number=1, last=2),
)


def standard(made: Any) -> Any:
    """The same value, of a class that the standard decorator made of the same fields."""
    names = {each.name: getattr(made, each.name) for each in fields(made)}
    kinds = {each.name: each.type for each in fields(made)}
    plain = {
        each.name: field(repr=each.repr, compare=each.compare, hash=each.hash, kw_only=True)
        for each in fields(made)
    }
    twin: type[Any] = type(type(made).__name__, (), {"__annotations__": kinds, **plain})
    return dataclass(frozen=True, slots=True)(twin)(**names)


@pytest.mark.parametrize("one", VALUES, ids=repr)
def test_a_value_is_what_the_standard_decorator_makes(one: Any) -> None:
    twin = standard(one)
    assert repr(one) == repr(twin)
    assert one == copy.copy(one) == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(copy.copy(one))
    assert one != twin
    assert not hasattr(one, "__dict__")
    for each in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, each.name, getattr(one, each.name))
        changed = replace(one, **{each.name: "other"})
        assert (changed == one) is (replace(twin, **{each.name: "other"}) == twin)
        assert (hash(changed) == hash(one)) is (hash(replace(twin, **{each.name: "other"})) == hash(twin))


def test_what_a_class_says_of_itself_goes_first() -> None:
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 7
    assert repr(Own(1)) == "own"


@frozen
class Counted:
    """A field that is worked out, one that is made, and one that a value begins with."""

    number: int
    twice: int = field(init=False)
    list_: list[int] = field(init=False, default_factory=list)
    word: str = field(init=False, default="none")

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.number)


def fresh() -> Any:
    """A class of which no value was made yet, with a field of each kind."""

    @frozen
    class Fresh:
        number: int
        words: tuple[str, ...] = ()
        list_: list[int] = field(default_factory=list)
        beside: int = field(init=False)
        last: int = field(default=4, kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "beside", 2 * self.number)

    return Fresh


def test_the_constructor_is_compiled_with_the_second_value() -> None:
    made = fresh()
    unmade = made.__init__
    first = made(1, words=("a",))
    assert made.__init__ is unmade
    assert first == made(1, ("a",)) != made(1)
    assert made.__init__ is not unmade


GIVEN: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((1,), {}),
    ((1, ("a",), [2]), {"last": 5}),
    ((), {"number": 3, "list_": [1], "words": ("b",)}),
)


@pytest.mark.parametrize(("args", "named"), GIVEN)
def test_the_first_value_is_as_the_second(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    made = fresh()
    first, second = made(*args, **named), made(*args, **named)
    assert first == second
    assert repr(first) == repr(second)
    assert (first.list_ is second.list_) is (3 in map(len, (args,)) or "list_" in named)


WRONG: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    r"missing 1 required positional argument: 'number'": ((), {}),
    r"takes from 2 to 4 positional arguments but 5 were given": ((1, (), [], 4), {}),
    r"got multiple values for argument 'number'": ((1,), {"number": 1}),
    r"got an unexpected keyword argument 'beside'": ((1,), {"beside": 1}),
    r"got an unexpected keyword argument 'other'": ((1,), {"other": 1}),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_call_is_refused_in_the_same_words_by_the_first_value_too(message: str) -> None:
    made, (args, named) = fresh(), WRONG[message]
    for _ in range(2):
        with pytest.raises(TypeError, match=rf"Fresh.__init__\(\) {message}"):
            made(*args, **named)


def test_fields_that_are_no_parameters_are_set_too() -> None:
    one, other = Counted(3), Counted(3)
    assert (one.number, one.twice, one.list_, one.word) == (3, 6, [], "none")
    assert one.list_ is not other.list_
    with pytest.raises(TypeError, match="unexpected keyword"):
        Counted(3, word="x")  # type: ignore[call-arg]


def test_nothing_of_a_value_is_set_or_taken_away() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'number'"):
        One(1).number = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'number'"):
        del One(1).number


@mutable
class Part:
    """A field of each kind."""

    number: int
    words: list[str] = field(default_factory=list)
    hidden: str = field(default="", repr=False)
    beside: int = field(default=0, compare=False)
    begun: int = field(init=False, default=3)


@mutable(kw_only=True)
class LargerPart(Part):
    """Fields of its own, and a word of its own about itself."""

    last: int = 0

    def __repr__(self) -> str:
        return "larger"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"number": 1}, {"number": 1}, True),
        ({"number": 1}, {"number": 2}, False),
        ({"number": 1, "words": ["a"]}, {"number": 1}, False),
        ({"number": 1, "beside": 4}, {"number": 1}, True),
    ],
)
def test_a_part_is_what_the_standard_decorator_makes(
    one: dict[str, Any], other: dict[str, Any], *, same: bool
) -> None:
    names = {name: vars(Part)["__annotations__"][name] for name in ("number", "words", "hidden", "beside")}
    twin: Any = dataclass(slots=True)(
        type(
            "Part",
            (),
            {
                "__annotations__": names | {"begun": int},
                "words": field(default_factory=list),
                "hidden": field(default="", repr=False),
                "beside": field(default=0, compare=False),
                "begun": field(init=False, default=3),
            },
        )
    )
    assert (Part(**one) == Part(**other)) is same is (twin(**one) == twin(**other))
    assert repr(Part(**one)) == repr(twin(**one))
    assert Part(**one) != twin(**one)
    assert copy.copy(Part(**one)) == Part(**one) == pickle.loads(pickle.dumps(Part(**one)))


def test_a_part_changes_has_slots_and_no_hash() -> None:
    part, other = Part(1), Part(1)
    part.number = 2
    part.words.append("a")
    assert (part.number, part.words, part.begun, other.words) == (2, ["a"], 3, [])
    assert not hasattr(part, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(part)


def test_a_part_upon_another_has_its_fields_and_its_own() -> None:
    larger = LargerPart(number=1, last=5)
    assert (larger.number, larger.last, larger.begun, repr(larger)) == (1, 5, 3, "larger")
    assert larger != LargerPart(number=1, last=6)
    with pytest.raises(TypeError, match="missing 1 required"):
        Part()  # type: ignore[call-arg]
