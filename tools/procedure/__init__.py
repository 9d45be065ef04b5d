"""A second opinion on procedure: reads what a table did, and objects where the five texts say otherwise.

It was written from the texts (58 Pa. Code chapters 641a, 679a, 682a, the proposed 683a, the Maryland rules)
and from the page that describes a journal. It shares no line with the program whose work it judges and needs
nothing but Python 3.11: copy this folder anywhere and run it.

    python3 procedure journal.jsonl
    python3 procedure --json stream.jsonl

``law`` has what the five texts ask, as data. ``reading`` reads a journal's export or an event stream.
``follow`` keeps books over a shift and gathers each round into a ``Round``. The rules stand in ``cards``,
``deal``, ``decks``, ``irregular``, ``people``, ``settle`` and ``wagers``, a function each; ``check`` puts
them to every round. It does not judge amounts (a model of settlement does that), nor what leaves no trace,
such as which hand holds the deck.
"""
