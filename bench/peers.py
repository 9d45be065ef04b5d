"""The peers: hand evaluators of others, each pinned and in a virtual environment of its own.

They are installed on demand with pip and kept in ``envs``, which git ignores. A peer that cannot be
installed or does not run is a line of the table that says so, never a line left out.
"""

import subprocess
import sys
import venv
from dataclasses import dataclass

from fresh import HERE

ENVS = HERE / "envs"
MARK = "installed"


@dataclass(frozen=True, slots=True)
class Peer:
    """A package from PyPI at one version, and the job that asks it."""

    requirement: str
    job: str
    is_native: bool

    @property
    def title(self) -> str:
        """Its name for the table."""
        kind = "native" if self.is_native else "pure Python"
        return f"{self.requirement.replace('==', ' ')} ({kind})"


PEERS = (
    Peer("phevaluator==0.5.3.1", "phevaluator_hands", is_native=False),
    Peer("treys==0.1.8", "treys_hands", is_native=False),
    Peer("pokerkit==0.7.7", "pokerkit_hands", is_native=False),
    Peer("phevaluator==0.6.0", "phevaluator_hands", is_native=True),
    Peer("eval7==0.1.11", "eval7_hands", is_native=True),
)


class PeerError(Exception):
    """A peer that cannot be installed."""


def interpreter(peer: Peer) -> str:
    """The Python that has the peer, made when it is not there yet."""
    env = ENVS / peer.requirement.replace("==", "-")
    python = env / "bin" / "python"
    if not (env / MARK).exists():
        print(f"installing {peer.requirement} into {env.relative_to(HERE.parent)}", file=sys.stderr)
        venv.create(env, with_pip=True, clear=True)
        install(str(python), peer.requirement)
        (env / MARK).touch()
    return str(python)


def install(python: str, *requirement: str) -> None:
    """Install a requirement, in the words of pip."""
    order = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirement]
    done = subprocess.run(order, check=False, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise PeerError(f"cannot be installed: {last}")
