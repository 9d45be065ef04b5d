"""The marks of a learner in a lesson, step by step: keys that were right, what was missed, seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sabot.practice.judge import Miss

WHOLE = 100


class MissedStep(NamedTuple):
    """A mistake of the learner, with its step."""

    step: int
    pressed: str
    display: str
    wanted: str


@dataclass
class Marks:
    """The marks of one lesson; going back a step keeps what was missed."""

    right: int = 0
    missed: list[MissedStep] = field(default_factory=list)
    seconds: dict[int, float] = field(default_factory=dict)

    def judge(self, step: int, miss: Miss | None) -> None:
        """Count a key as right, or keep the miss."""
        if miss is None:
            self.right += 1
        else:
            self.missed.append(
                MissedStep(step, miss.pressed, " / ".join(filter(None, miss.lines)), miss.wanted)
            )

    def show(self, step: int, hint: str) -> None:
        """Count a step that was shown as a miss: the learner did not know it."""
        self.missed.append(MissedStep(step, "(shown)", "", hint))

    def take(self, step: int, seconds: float) -> None:
        """Keep how many seconds a step took."""
        self.seconds[step] = round(seconds, 1)

    @property
    def score(self) -> int:
        """Return the share of keys that were right, out of a hundred."""
        count = self.right + len(self.missed)
        return round(WHOLE * self.right / count) if count else WHOLE

    def seen(self) -> Mapping[str, object]:
        """Return the marks as a page shows them and a record keeps them."""
        return {
            "right": self.right,
            "missed": [each._asdict() for each in self.missed],
            "seconds": round(sum(self.seconds.values()), 1),
            "by_step": {str(step): each for step, each in self.seconds.items()},
            "score": self.score,
        }
