"""A lesson as it is played: the world's steps are taken, the learner's are waited for and judged.

It lives in a thread of its own and reads the diary of the devices, as the people of the rig do. A key that
goes down at the page is a finger that holds a contact; those of the rig's people press it. So what the floor
does in the learner's stead is not laid to the learner's account.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.vocabulary import KEYS
from sabot.hil.table.dealer_eyes import Eyes
from sabot.hil.table.hands import NotSeenError
from sabot.practice.autoplay import LeftError, role_of
from sabot.practice.classroom import Classroom
from sabot.practice.house import InThread
from sabot.practice.judge import PIN, CountedKeys, Drawn, Followed, JudgedKeys, LessonJudge, Signed, Taken
from sabot.practice.lesson import Lesson, Task
from sabot.practice.marks import Marks
from sabot.practice.paragraph_gists import gist_of
from sabot.practice.table_session import TableSession

LOOK_S = 0.1
HOLD = "hold key_"
HEADS: Mapping[str, str] = {"menu": "MENU", "floor": "FLOOR", "technician": "FLOOR"}


class LessonPlay(InThread):
    """One lesson at one table, from its first step or from the one that the learner goes back to."""

    def __init__(
        self,
        lesson: Lesson,
        roles: Sequence[str],
        sitting: TableSession,
        *,
        marks: Marks,
        back_to: int,
        ended: Callable[["LessonPlay"], None],
    ) -> None:
        super().__init__()
        self.lesson, self.roles, self.sitting, self.marks = lesson, frozenset(roles), sitting, marks
        self._back_to, self._ended = back_to, ended
        self.at, self.why, self.is_done = 0, "", False
        self.hint = ""
        self._is_shown = False
        self._thread = threading.Thread(target=self._play, name="lesson")

    def begin(self) -> None:
        """Start the lesson's thread."""
        self._thread.start()

    def end(self) -> None:
        """End the lesson, and wait until its thread is done."""
        self.is_over = True
        if self._thread.ident is not None:
            self._thread.join()

    def show(self) -> None:
        """Take the current step for the learner, at the thread's next turn."""
        self._is_shown = True

    def tell(self) -> None:
        """Tell the pages how the lesson stands; called in the lesson's thread."""
        self.loop.call_soon_threadsafe(lambda: self.sitting.tell(lesson=self.seen()))

    def seen(self) -> dict[str, object]:
        """Return what pages show of the lesson."""
        return {
            "name": self.lesson.scenario.name,
            "about": self.lesson.scenario.about,
            "chapter": self.lesson.scenario.chapter,
            "method": self.lesson.scenario.method,
            "paragraph": self.lesson.scenario.paragraph,
            "roles": sorted(self.roles),
            "at": self.at,
            "tasks": [self._row(task) for task in self.lesson.tasks],
            "hint": self.hint,
            "marks": self.marks.seen(),
            "why": self.why,
            "done": self.is_done,
        }

    def _row(self, task: Task) -> dict[str, object]:
        is_own = self.is_learners(task)
        says = task.says or (make_judge(task.step, {}).hint if is_own else str(task.step))
        return {
            "who": "you" if is_own else task.who,
            "says": says,
            "cite": task.cite,
            "gist": gist_of(task.cite)[:2],
        }

    def is_learners(self, task: Task) -> bool:
        """Return whether a step waits for the learner; in the deal a learner always has some part."""
        return task.step.verb == "follow to" or task.who in self.roles

    # ------------------------------------------------------------ in the thread

    def _play(self) -> None:
        room: Classroom | None = None
        try:
            room = Classroom(self, self.sitting)
            self._steps(room)
            self.is_done = True
        except LeftError:
            return
        except (NotSeenError, OSError, ValueError, KeyError) as error:
            self.why = str(error) or type(error).__name__
        finally:
            if room is not None:
                room.close()
        self.tell()
        self.loop.call_soon_threadsafe(self._ended, self)

    def _steps(self, room: Classroom) -> None:
        for number, task in enumerate(self.lesson.tasks):
            self.at = number
            is_own = number >= self._back_to and self.is_learners(task)
            if is_own:
                self._learn(room, task)
            else:
                self.tell()
                room.take(task.step)

    def _learn(self, room: Classroom, task: Task) -> None:
        """Wait until the learner has done it, and judge each key."""
        hands = room.crew.hands
        judge = self._judge(room, task.step)
        # Before the learner is told: a key that comes at once is a key of this step.
        began, row, picture = time.monotonic(), len(hands.diary()), hands.newest
        self.hint, self._is_shown = judge.hint, False
        self.tell()
        is_done = judge.is_done(picture.lines)
        while not is_done:
            if self._is_shown:
                self._show(room, task.step, judge)
                self.marks.show(self.at, judge.hint)
                break
            self._play_others(room, judge)
            self.rest(0.0)
            hands.listen(LOOK_S)
            # Whoever asks for the newest picture reads on: what came meanwhile is heard at the next turn.
            heard = range(row, len(hands.rows))
            is_done, row = self._hear(room, judge, heard), heard.stop
        self.marks.take(self.at, time.monotonic() - began)
        self.hint = ""

    def _hear(self, room: Classroom, judge: LessonJudge, heard: range) -> bool:
        """Judge what was done and shown in these rows, and return whether the step is done."""
        hands = room.crew.hands
        for number in heard:
            _at, device, name, value, how = hands.rows[number]
            if how == "did":
                self._judge_row(judge, device, str(value), hands.before(number).lines)
            elif (device, name) == ("display", "lines.1") and judge.is_done(hands.before(number + 1).lines):
                return True
        return judge.is_done(hands.newest.lines)

    def _judge_row(self, judge: LessonJudge, device: str, words: str, lines: tuple[str, str]) -> None:
        """Judge a row of the diary: only the learner holds keys, the people of the rig press them."""
        judge.hear(device, words)
        key = words.removeprefix(HOLD).upper()
        if device != "lines" or not words.startswith(HOLD) or key not in KEYS or PIN.search(lines[0]):
            return
        self.marks.judge(self.at, judge.press(key, lines))
        self.tell()

    def _play_others(self, room: Classroom, judge: LessonJudge) -> None:
        """Do at once what the display asks of a role that is not the learner's."""
        lines = room.crew.hands.lines
        if isinstance(judge, Followed) and lines[0] and role_of(lines) not in self.roles:
            room.crew.step()

    def _show(self, room: Classroom, step: ScenarioStep, judge: LessonJudge) -> None:
        if isinstance(judge, JudgedKeys):
            room.crew.press_each(*judge.left)
        else:
            room.take(step)

    def _judge(self, room: Classroom, step: ScenarioStep) -> LessonJudge:
        return make_judge(step, room.crew.answers, lambda *asked: _right_row(room, *asked))


def make_judge(
    step: ScenarioStep,
    answers: Mapping[int, str],
    right_row: Callable[[str, str, Sequence[str]], str] | None = None,
) -> LessonJudge:
    """Return the judge for a step."""
    if step.verb in HEADS:
        title, _, value = step.words.partition(" > ")
        return Taken(HEADS[step.verb], title, value)
    if step.verb == "stub":
        return CountedKeys(int(step.words))
    if step.verb == "draw":
        return Drawn(int(step.words))
    if step.verb == "people":
        return Signed(step.words)
    if step.verb == "key":
        return JudgedKeys(*step.words.split())
    return Followed(step.words, answers, right_row)


def _right_row(room: Classroom, question: str, row: str, rows: Sequence[str]) -> str:
    """Return the row that the cards on the felt make, out of those that the learner has seen."""
    eyes = Eyes(room.crew.game, room.crew.chance)
    for place, pile in room.sitting.cards.places.items():
        eyes.plan(place, [card.name for card in pile])
    try:
        return eyes.answer(question, rows or [row])
    except (KeyError, IndexError, ValueError):  # nobody can tell what this question is about
        return row
