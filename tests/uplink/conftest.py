"""A floor with two tables, as those of the floor's own tests."""

from tests.floor.conftest import kept, server, where

__all__ = ["kept", "server", "where"]
