"""Combat Captain, as far as its surviving pages go: a resolver on the open table, measured in inches.

Fire, sight, saves, close combat, random events, artillery, aircraft, control and morale markers are resolved and kept
in the log; movement and activation are not in the surviving pages, so that units are put where they stand and nobody
judges how far they came. Places are headings of the rules text.
"""
