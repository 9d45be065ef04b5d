"""The commands at a desk, one module each: ``add_arguments(parser)`` and ``run(args) -> exit code``."""

COMMANDS = {
    "settle": "settle rounds from JSON: every wager, to the cent, with its paragraph",
    "deal": "the order in which a hand is dealt, card by card",
    "par": "the exact odds of every paytable, beside what the Board states",
    "chapter": "a chapter as a person reads it; check a Rules Submission against it",
    "sign": "the payout sign that must be posted at the table",
    "replay": "recorded events through the table again: its rounds, or what is different",
    "diagram": "the life of a table as a picture, drawn from its rows",
    "journal": "what was recorded: verify, export, tail, show a round, unseal, retain",
    "meters": "what every meter shows, and every cent of it explained from the journal",
    "report": "a gaming day out of the journal",
    "evidence": "one round or one fault as a signed pack that a stranger can check; check a pack",
    "floor": "linked meters over many tables: what they show, hits, a gaming day, the proof of the ledger",
    "wiring": "what hangs on each pin of the board and where each cable goes: text, or a drawing",
    "sim": "a simulated device for a technician to try a console or a driver on; NOT FOR PLAY",
    "hil": "the rig: scenarios of the floor on simulated or real devices; prove a device against its page",
    "demo": "a short shift of each chapter, played in the terminal",
    "practice": "a simulated table in a browser, to sit down at and deal; NOT FOR PLAY",
}

EXAMPLES = """\
  sabot settle round.json                 one round, as a table
  sabot settle --json < rounds.jsonl      many rounds, one JSON outcome a line
  sabot deal pa641a auto_shoe --seats 1,3,5 --wager six_card
  sabot par pa682a aces_bonus             hold of every letter, both readings
  sabot chapter pa683a                    the chapter, readable"""
