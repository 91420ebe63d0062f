"""What small games of units share, on an open table or a board: two sides take turns, units move, act and are lost.

The base of their rules, states, words and reports; :mod:`tabletop.open_table` and :mod:`tabletop.square_board` add
where units stand.
"""
