"""Power cut at drawn instants, in play and while an update is written: what each card is worth afterwards.

A board that plays is cut once. Everything that it wrote is in a log, and the card is made anew as a cut at
any other instant would have left it; each is judged without starting it, and a few are started.
"""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from sabot.firmware.integrity.signature import read_private_key
from sabot.hil.kernel.inside.rounds import play_round
from sabot.image import card
from sabot.image.after_cut import AfterCut, CutJudge
from sabot.image.card_log import CardLog, CutCard
from sabot.image.emulator import CardImage, before_of
from sabot.image.errors import ImageError
from sabot.image.outside_table import OutsideTable
from sabot.image.people import SerialConsole
from sabot.image.stage import JUDGED, Stage, TrialDay

if TYPE_CHECKING:
    from collections.abc import Iterator

# A seed, so that a cut that is not survived can be had again.
ROUNDS, CUTS_IN_PLAY, CUTS_IN_UPDATE, STARTED, SEED = 3, 50, 20, 5, 19
NEWER = "9.1"


class RecordedDay:
    """A day of which everything written to the card is known."""

    def __init__(self, day: TrialDay, record: Path) -> None:
        self.day, self._record = day, record
        self._marks: list[tuple[int, int]] = []

    def mark(self, value: int) -> None:
        """Note what has been seen by now, and how long the log is."""
        self._marks.append((self._record.stat().st_size, value))

    def log(self) -> CardLog:
        """Return the log of a machine that has ended."""
        return CardLog(before_of(self._record), self._record)

    def begin(self, log: CardLog) -> int:
        """Return the instant of the first mark."""
        return log.instant(self._marks[0][0])

    def seen(self, log: CardLog) -> dict[int, int]:
        """Return the marks by their instants."""
        return {log.instant(size): value for size, value in self._marks}


class CutTrials(Stage):
    """Trials with the power cut at drawn instants; each returns in words what was seen."""

    def cuts_in_play(self) -> str:
        """Cut the power fifty times in play: root whole, journal proved, no round lost that was seen."""
        with self._recorded_day() as recorded:
            recorded.mark(0)
            for count in range(1, ROUNDS + 1):
                recorded.day.crew.follow_to("BETS OPEN")
                play_round(recorded.day.crew)
                recorded.mark(count)
        log = recorded.log()
        seen = recorded.seen(log)
        instants = _drawn(range(recorded.begin(log) + 1, len(log.writes) + 1), CUTS_IN_PLAY)
        judged = self._judge(log, instants, recorded.day.table)
        for instant, found in judged.items():
            rounds = max(value for at, value in seen.items() if at <= instant)
            if found.rounds < rounds or (found.slot, found.starts) != ("A", 1):
                raise ImageError(f"cut at write {instant}: {found}, and {rounds} rounds had ended")
        told = ", ".join(map(str, sorted({each.rounds for each in judged.values()})))
        return f"{len(judged)} cuts among {len(log.writes)} writes, after {told} rounds; {STARTED} started"

    def cuts_in_update(self) -> str:
        """Cut the power twenty times in an update and at each write of the variables: a whole slot starts."""
        with self._recorded_day() as recorded:
            bundles = self.bundles(recorded.day.card)
            recorded.mark(0)
            self.install(recorded.day, bundles.stick(bundles.good(NEWER)))
        log = recorded.log()
        begin = recorded.begin(log)
        firmware = card.part("firmware")
        variables = [each for each in log.touching(firmware.start, firmware.size) if each > begin]
        drawn = _drawn(range(begin + 1, len(log.writes) + 1), CUTS_IN_UPDATE)
        judged = self._judge(log, [*drawn, *variables], recorded.day.table)
        for instant, found in judged.items():
            if found.starts > 1 or found.version != (NEWER if found.slot == "B" else bundles.version):
                raise ImageError(f"cut at write {instant} of {begin}-{len(log.writes)}: {found}")
        slots = [each.slot for each in judged.values()]
        told = f"{len(drawn)} cuts drawn and {len(variables)} at U-Boot's variables"
        return f"{told}: {slots.count('A')} start the old slot, {slots.count('B')} the new; {STARTED} started"

    @contextmanager
    def _recorded_day(self) -> "Iterator[RecordedDay]":
        record = self.work / "writes.log"
        with self.first_day(record=record) as day:
            yield RecordedDay(day, record)

    def _judge(self, log: CardLog, instants: Iterable[int], table: OutsideTable) -> Mapping[int, AfterCut]:
        """Return the judgement of the card after each cut, having started a few of them, evenly chosen."""
        judge = CutJudge(read_private_key(self.release_key()).public_key(), self.work / "judge")
        # In their order: a log is played forward only, into one file.
        chosen = sorted(set(instants))
        started = set(chosen[:: max(1, len(chosen) // STARTED)][:STARTED])
        judged = {}
        for cut in log.cuts(chosen, Random(SEED), self.work / "cut.img"):  # noqa: S311 - instants of a trial
            judged[cut.instant] = self._judged(judge, cut)
            if cut.instant in started:
                self._starts(cut, judged[cut.instant], table)
        return judged

    def _judged(self, judge: CutJudge, cut: CutCard) -> AfterCut:
        try:
            return judge.judge(cut.image)
        except ImageError as error:
            kept = Path(f"{self.work}.cut.img")
            shutil.copyfile(cut.image, kept)
            raise ImageError(f"cut at write {cut.instant}: {error} (the card is kept: {kept})") from error

    def _starts(self, cut: CutCard, wanted: AfterCut, table: OutsideTable) -> None:
        """Start a card; raise ImageError unless the expected slot comes to a table with all its rounds."""
        found = CardImage(cut.image, Path(tempfile.mkdtemp(dir=self.work)))
        with self.at(found, table) as board:
            judged = board.wait(JUDGED)
            if f"slot {wanted.slot}, version {wanted.version}" not in judged:
                raise ImageError(f"cut at write {cut.instant}: {judged}, expected {wanted}")
            console = SerialConsole(board)
            console.ready()
            rounds = console.rounds()
        if rounds < wanted.rounds:
            raise ImageError(
                f"cut at write {cut.instant}: the board counts {rounds} rounds of {wanted.rounds}"
            )


def _drawn(instants: range, count: int) -> list[int]:
    """Return so many instants, drawn; all where there are no more."""
    return sorted(Random(SEED).sample(instants, min(count, len(instants))))  # noqa: S311 - instants of a trial
