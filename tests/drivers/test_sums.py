"""SHA-256 by two hands: what is short and what is long has the same sum as everywhere."""

import hashlib
import subprocess
import sys

import pytest

from sabot.drivers import hashing

WITHOUT = """
import sys
for name in {own!r}: sys.modules[name] = None
from sabot.drivers import hashing
print(hashing.sha256(b"abc").hex())
"""


@pytest.mark.parametrize("size", [0, 1, 55, 64, hashing.SHORT, hashing.SHORT + 1, 100_000])
def test_a_sum_is_that_of_hashlib_whatever_the_length(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)

    assert hashing.sha256(data[:size]) == hashlib.sha256(data[:size]).digest()


def test_a_python_without_its_own_sum_has_the_same() -> None:
    order = [sys.executable, "-c", WITHOUT.format(own=hashing.OWN)]
    found = subprocess.run(order, check=True, capture_output=True, text=True).stdout.strip()

    assert found == hashlib.sha256(b"abc").hexdigest()
