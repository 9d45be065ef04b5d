"""A table's end of the link: what it says and hears, what it keeps, and the process that carries it."""

# Theory of operation: how each message counts once. A table's words follow from its journal, so they are made
# after the entry is on the medium and kept with its number in one transaction (``durable_end``): a cut leaves
# both or none. The end numbers them without a gap and says each until the floor's ledger has its number
# (``table_end``); the floor applies the next number and no other. The other way is the same: a numbered word
# of the floor is kept before ``heard`` says so, and the table's state takes each number once. Nobody between
# them is trusted and no receipt of theirs counts: the uplink and the broker may lose, repeat and reorder
# whatever they like.
