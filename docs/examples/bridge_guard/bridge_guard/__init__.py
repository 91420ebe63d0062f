"""Bridge Guard: a patrol against guards of a bridge, on a board of squares."""

from tabletop.game.parts import Parts

PARTS = Parts(
    name="bridge-guard",
    title="Bridge Guard",
    ruleset="bridge_guard.rules:RULES",
    grid="square",
    usual_board=(8, 6),
)
