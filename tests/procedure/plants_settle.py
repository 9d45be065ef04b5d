"""Money out of its order, hits that nobody validated, and people who were not there."""

from __future__ import annotations

from .plant import CAJUN, FOUR, MONEY, PRIME, SECOND, STACKS, Change, Plant
from .streams import LIVELY, Line, drop, effects, events, insert_after, records, round_of

# ---------------------------------------------------------------- settlement


def settling(lines: list[Line], record: Line) -> list[tuple[Line, Line]]:
    """Money of a round after the reveal."""
    found, is_after = [], False
    for line in round_of(lines, record):
        if is_after:
            found += [(line, effect) for effect in line["effects"] if effect["effect"] in MONEY]
        is_after = is_after or any(
            e.get("first", "").startswith("SEAT") and ":" not in e["first"] for e in line["effects"]
        )
    return found


def seats_exchanged(lines: list[Line]) -> bool:
    for record in records(lines):
        found = settling(lines, record)
        if len({effect["seat"] for _, effect in found}) > 1:
            first, last = found[0][1]["seat"], found[-1][1]["seat"]
            for _, effect in found:
                effect["seat"] = {first: last, last: first}.get(effect["seat"], effect["seat"])
            return True
    return False


def bonus_before_ante(lines: list[Line]) -> bool:
    for record in records(lines):
        for line, effect in settling(lines, record):
            others = [e for e in line["effects"] if e["effect"] in MONEY and e["seat"] == effect["seat"]]
            if effect["wager"] == "ante" and others[-1]["wager"] not in ("ante", "ante_bonus", *SECOND):
                place, other = line["effects"].index(effect), line["effects"].index(others[-1])
                line["effects"][place], line["effects"][other] = others[-1], effect
                return True
    return False


def a_stake_forgotten(lines: list[Line]) -> bool:
    for record in records(lines):
        for line, effect in settling(lines, record):
            if effect["wager"] == "ante":
                line["effects"].remove(effect)
                return True
    return False


def ante_left_to_lie(lines: list[Line]) -> bool:
    """A forfeited ante is collected after the cards were turned."""
    for record in records(lines):
        steps_, late = round_of(lines, record), None
        for line in steps_:
            for effect in line["effects"]:
                if effect["effect"] == "CollectWager" and effect["seat"] in record["folded"]:
                    late = line, effect
        if late is not None and late[1]["wager"] == "ante":
            late[0]["effects"].remove(late[1])
            steps_[-1]["effects"].append(late[1])
            return True
    return False


def nobody_validates(lines: list[Line]) -> bool:
    for record in records(lines):
        if record["hits"]:
            record["hits"] = []
            return True
    return False


def the_floor_is_away(lines: list[Line]) -> bool:
    """The name stands in the record; nobody was there."""
    hits = [record for record in records(lines) if record["hits"]]
    drop(lines, *events(lines, "RoleUnlocked"))
    return bool(hits)


def hit_first(lines: list[Line]) -> bool:
    """The floor is called before the ante of that seat is settled."""
    for record in records(lines):
        for line, effect in effects(round_of(lines, record), "FreezeHit"):
            later = [e for _, e in settling(lines, record) if e["seat"] == effect["seat"]]
            if later and later[0]["wager"] in ("ante", "aces_up"):
                line["effects"].remove(effect)
                round_of(lines, record)[1]["effects"].append(effect | {"wager": "prog4", "row": "planted"})
                return True
    return False


def no_documents(lines: list[Line]) -> bool:
    for record in records(lines):
        kept = [note for note in record["notes"] if not note["words"].startswith("documents")]
        is_share = any(not e["from_tray"] for _, e in effects(round_of(lines, record), "PayWager"))
        if is_share and len(kept) < len(record["notes"]):
            record["notes"] = kept
            return True
    return False


# ---------------------------------------------------------------- people


def no_dealer(lines: list[Line]) -> bool:
    drop(lines, *events(lines, "DealerSignedOn"))
    return True


def another_dealer(lines: list[Line]) -> bool:
    for record in records(lines):
        record["dealer"] = "somebody else"
        return True
    return False


def lifted_by_nobody(lines: list[Line]) -> bool:
    found = [line for line, effect in effects(lines, "ClearFault") if effect["fault"] != "device"]
    drop(lines, *events(lines, "RoleUnlocked"))
    return bool(found)


def lifted_untested(lines: list[Line]) -> bool:
    """Nothing was tested again."""
    wanted = ("lost_link", "contradiction", "device", "sort_mode", "shuffler_jam")
    found = [line for line, effect in effects(lines, "ClearFault") if effect["fault"] in wanted]
    drop(lines, *events(lines, "DeviceRetested"), *events(lines, "LinkRestored"))
    return bool(found)


def lifted_from_nowhere(lines: list[Line]) -> bool:
    line, _ = next(iter(effects(lines, "OpenSpots")))
    line["effects"].append(
        {"effect": "ClearFault", "cite": "", "fault": "lost_link", "device": "pad", "by": "x"}
    )
    return True


def meter_moved(cause: str, *by: str) -> Change:
    """A meter that is moved for this cause by these people."""

    def plant(lines: list[Line]) -> bool:
        event = {"event": "MeterAdjusted", "meter": "prog4", "level": "main", "cents": 5}
        insert_after(lines, lines[2], event | {"cause": cause, "by": list(by)})
        return True

    return plant


PLANTS = (
    Plant("forfeits first", "a forfeited ante is left to lie", FOUR, ante_left_to_lie),
    Plant("seats in turn", "from the dealer's left", FOUR, seats_exchanged),
    Plant("wagers in succession", "a bonus before the ante", FOUR, bonus_before_ante),
    Plant("all settled", "a stake is forgotten", PRIME, a_stake_forgotten),
    Plant("hit validated", "paid and validated by nobody", FOUR, nobody_validates),
    Plant("hit validated", "validated by somebody who was not there", FOUR, the_floor_is_away),
    Plant("hit in its turn", "the floor is called first", FOUR, hit_first),
    Plant("documents", "cleared before the documents", STACKS, no_documents),
    Plant("dealer there", "nobody has signed on", FOUR, no_dealer),
    Plant("dealer there", "another than the record names", CAJUN, another_dealer),
    Plant("fault lifted", "by nobody", FOUR, lifted_by_nobody, LIVELY),
    Plant("fault lifted", "without a test", FOUR, lifted_untested, LIVELY),
    Plant("fault lifted", "what was never there", PRIME, lifted_from_nowhere),
    Plant("two on the meter", "one person, twice", FOUR, meter_moved("x", "a", "a")),
    Plant("two on the meter", "without a cause", FOUR, meter_moved(" ", "a", "b")),
)
