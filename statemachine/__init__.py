"""The table: the state machine of a whole shift, pure.

``table`` is the door: one event in, its effects out. ``rooms`` puts the rooms together, each a module here
that owns what may be done to its part of the state. Below them lie ``law`` (what the chapter and the set-up
say), ``state`` (what the table knows) and ``vocabulary`` (the words that drivers know too). Who may import
whom is a contract in ``pyproject.toml``.
"""
