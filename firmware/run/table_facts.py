"""A table in words: what a floor manager signs, and what the console shows as the configuration."""

from sabot.config.table_file import TableFile
from sabot.statemachine.state.setup import Setup


def facts_of(file: TableFile, setup: Setup) -> list[tuple[str, str]]:
    """Each fact of a table with its name."""
    kept = [name for name, is_on in file.policies.items() if not is_on]
    hours, minutes = divmod(file.day.starts_min, 60)
    return [
        ("table", file.name + (" (NOT FOR PLAY: simulated)" if file.is_simulated else "")),
        ("house", file.submission.house),
        ("chapter", f"{setup.chapter.id} ({setup.chapter.cite})"),
        ("seats", str(setup.seat_count)),
        ("dealt by", f"{setup.method.replace('_', ' ')}, cards known: {setup.knowledge.replace('_', ' ')}"),
        ("shuffler", f"{setup.shuffler}, {setup.decks} deck(s)"),
        ("optional wagers", ", ".join(sorted(setup.offers)) or "none"),
        (
            "paytables",
            ", ".join(f"{name} {letter}" for name, letter in setup.options.paytables.items()) or "-",
        ),
        ("meters", ", ".join(sorted(setup.meters)) or "none"),
        ("policies off", ", ".join(kept) or "none"),
        ("state", str(file.storage.state)),
        ("second medium", str(file.storage.second or "none: a lost board loses its meters")),
        ("kept for", f"{file.storage.retention_days} days"),
        ("gaming day", f"from {hours:02}:{minutes:02} {file.day.zone}"),
    ]
