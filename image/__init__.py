"""The image of a board: a card that boots into Sabot, made from Debian's packages and a signed bundle."""
