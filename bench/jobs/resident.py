"""Prints how many kilobytes are resident after one stage; for a bare interpreter it imports nothing."""

import sys


def import_rules() -> None:
    """Every module that was named."""
    for name in sys.argv[2:]:
        __import__(name)


def load_chapters() -> None:
    """All five chapters, read and verified."""
    from sabot.config import CHAPTER_IDS, load_chapter  # noqa: PLC0415 (a bare interpreter must stay bare)

    for name in CHAPTER_IDS:
        load_chapter(name)


def settle_rounds() -> None:
    """Every round of a file, read, settled and let go."""
    import json  # noqa: PLC0415

    from sabot.config import load_chapter  # noqa: PLC0415
    from sabot.rules.round_json import chapter_id, read_round  # noqa: PLC0415
    from sabot.rules.settlement import KeptSettlements  # noqa: PLC0415

    kept = KeptSettlements()
    with open(sys.argv[2], encoding="utf-8") as lines:  # noqa: PTH123
        for line in lines:
            value = json.loads(line)
            round_, settlement = read_round(value, load_chapter(chapter_id(value)), kept, {})
            settlement.settle(round_)


def resident() -> int:
    """VmRSS of this process, in kilobytes."""
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


STAGES = {"bare": lambda: None, "rules": import_rules, "chapters": load_chapters, "rounds": settle_rounds}

if __name__ == "__main__":
    STAGES[sys.argv[1]]()
    print(resident())
