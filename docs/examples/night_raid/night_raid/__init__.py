"""Night Raid: raiders against sentries, on a table of two feet by two."""

from tabletop.game.parts import Parts

PARTS = Parts(name="night-raid", title="Night Raid", ruleset="night_raid.rules:RULES")
