"""The dealer's two lines: the next step, or who is wanted and why.

Each phase has one function from the state to two lines and the paragraph behind them. The first line says
where the table stands, the second what to do; no line is ever longer than a display. What a table says before
a round, in the deal and after it is a file each; ``by_phase`` finds the one that speaks now.
"""
