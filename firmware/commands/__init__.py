"""The commands of the board, one module each: ``add_arguments(parser)`` and ``run(args) -> exit code``."""

COMMANDS = {
    "run": "the program of the table: its devices, its journal, its console",
    "check": "a table file in words that a floor manager can sign, or its errors",
    "console": "ask the running program, and order what a role may: a prompt or one command",
    "restore": "a fresh board takes over the meters of a lost one from its second medium; two people",
    "clear-memory": "begin anew after everything was exported and the final meters printed; two people",
    "device": "talk to a device without a table: list, identify, monitor, test, send, wire",
    "safe-outputs": "drive every output to its safe level: the second line of the service",
    "enrol": "make the state directory of a table, with the board's own new keys",
    "verify": "which program runs here: what was covered, its digest, the answer to a challenge",
    "selftest": "what would keep a table closed, without opening it",
    "update": "a signed release for this board, or the reason why not",
}

EXAMPLES = """\
  sabot check table.toml                  a table file as a page to sign, or what is wrong with it
  sabot run --sim pa641a                  the program of the table, its devices simulated"""
