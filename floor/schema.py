"""The tables of a store, and the steps that bring an older one forward with its data.

Both engines have the same tables; a step is written once, with the few words in which they differ filled in.
Entries and heads are only ever added: the engine itself refuses everything else. ``movement`` unfolds the
movements of the entries for whoever asks in SQL.
"""

from collections.abc import Callable, Mapping, Sequence

BYTES_OF = {"sqlite": "BLOB", "postgres": "BYTEA"}
WHOLE_OF = {"sqlite": "INTEGER", "postgres": "BIGINT"}

# ``entry_once`` makes the engine itself refuse a message of a table that is entered already, and the primary
# key an entry of a number that is taken: so a process that was replaced without noticing cannot commit.
_TABLES = """
CREATE TABLE entry (
    number {whole} PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, table_name TEXT NOT NULL,
    message {whole} NOT NULL, content TEXT NOT NULL, signatures TEXT NOT NULL, outcome TEXT NOT NULL,
    link {bytes} NOT NULL
);
CREATE UNIQUE INDEX entry_once ON entry (table_name, message) WHERE message > 0;
CREATE TABLE head (entry {whole} PRIMARY KEY, signature {bytes} NOT NULL);
CREATE TABLE balance (account TEXT PRIMARY KEY, units {whole} NOT NULL);
CREATE TABLE fact (part TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (part, name));
CREATE TABLE sent (
    table_name TEXT NOT NULL, number {whole} NOT NULL, entry {whole} NOT NULL, body {bytes} NOT NULL,
    signature {bytes} NOT NULL, PRIMARY KEY (table_name, number)
);
CREATE TABLE handled (
    day TEXT NOT NULL, table_name TEXT NOT NULL, link TEXT NOT NULL, wager TEXT NOT NULL,
    wagers {whole} NOT NULL, cents {whole} NOT NULL, PRIMARY KEY (day, table_name, link, wager)
);
CREATE TABLE moved (
    day TEXT NOT NULL, account TEXT NOT NULL, cause TEXT NOT NULL, units {whole} NOT NULL,
    PRIMARY KEY (day, account, cause)
);
CREATE TABLE seen (
    table_name TEXT NOT NULL, verdict TEXT NOT NULL, times {whole} NOT NULL, first_at TEXT NOT NULL,
    last_at TEXT NOT NULL, PRIMARY KEY (table_name, verdict)
);
"""
# Balances and facts are written with every commit. Room on their pages (fillfactor) keeps the new version of
# a row beside the old one, and without a new entry in the index.
_ONLY_ADDED = {
    "sqlite": "".join(
        f"CREATE TRIGGER {table}_no_{what} BEFORE {what} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;\n"
        for table in ("entry", "head")
        for what in ("update", "delete")
    ),
    "postgres": """
CREATE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the ledger is only added to'; END $$;
CREATE TRIGGER entry_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION only_added();
CREATE TRIGGER head_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON head
    FOR EACH STATEMENT EXECUTE FUNCTION only_added();
ALTER TABLE balance SET (fillfactor = 10);
ALTER TABLE fact SET (fillfactor = 50);
""",
}
_MOVEMENTS = {
    "sqlite": """
CREATE VIEW movement AS SELECT entry.number AS entry, entry.at, entry.table_name,
    json_extract(each.value, '$[0]') AS source, json_extract(each.value, '$[1]') AS target,
    json_extract(each.value, '$[2]') AS units, json_extract(each.value, '$[3]') AS cause,
    json_extract(each.value, '$[4]') AS seat
FROM entry, json_each(entry.outcome, '$.moved') AS each;
""",
    "postgres": """
CREATE VIEW movement AS SELECT entry.number AS entry, entry.at, entry.table_name,
    each.value->>0 AS source, each.value->>1 AS target, (each.value->>2)::bigint AS units,
    each.value->>3 AS cause, (each.value->>4)::int AS seat
FROM entry, json_array_elements(entry.outcome::json->'moved') AS each(value);
""",
}

# Step n brings schema n - 1 to n.
Steps = Sequence[Mapping[str, str]]
STEPS: Steps = (
    {
        engine: _TABLES.format(bytes=BYTES_OF[engine], whole=WHOLE_OF[engine])
        + _ONLY_ADDED[engine]
        + _MOVEMENTS[engine]
        for engine in BYTES_OF
    },
    # Orders are few among the entries of years, and asked for by people who wait.
    dict.fromkeys(BYTES_OF, "CREATE INDEX entry_ordered ON entry (number) WHERE message = 0;"),
    # How a table's gaming day went by its own word: the newest of each of its boards, as they signed it.
    {
        engine: "CREATE TABLE told (day TEXT NOT NULL, table_name TEXT NOT NULL, board TEXT NOT NULL,"
        f" counted {WHOLE_OF[engine]} NOT NULL, body {BYTES_OF[engine]} NOT NULL,"
        f" signature {BYTES_OF[engine]} NOT NULL, PRIMARY KEY (day, table_name, board));"
        for engine in BYTES_OF
    },
)


def bring_forward(found: int, engine: str, run: Callable[[str], None], steps: Steps = STEPS) -> None:
    """Run the steps that a store lacks; the caller holds them in one transaction."""
    for number, step in enumerate(steps[found:], found + 1):
        run(step[engine])
        run(f"INSERT INTO meta (name, value) VALUES ('schema {number}', '{number}')")  # noqa: S608 (numbers)
