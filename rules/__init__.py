"""The law of the table, pure: cards, rankings, chapters, settlement, dealing plans and odds."""
