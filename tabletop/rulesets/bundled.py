"""The rulesets that come with the program: where the parts of each are found.

A ruleset in a package of its own joins them by an entry point (:mod:`tabletop.game.parts`).
"""

from __future__ import annotations

from typing import Any

from tabletop.game.parts import Parts

_ONE_HOUR = "tabletop.rulesets.one_hour_ww2"
_COMBINED_ARMS = "tabletop.rulesets.combined_arms"
_COMBAT_CAPTAIN = "tabletop.rulesets.combat_captain"
_WW2_COMBINED_ARMS = "tabletop.rulesets.ww2_combined_arms"
_MEASURE = "tabletop.rulesets.measure"
_COMBAT = "tabletop.rulesets.combat"


def _parts_of(package: str, **more: Any) -> Parts:
    """The parts of a ruleset: the common ones, in files of the same names in every package, and ``more``."""
    usual = {
        "ruleset": f"{package}.play:RULES",
        "words": f"{package}.board_text",
        "board": f"{package}.board_drawing:board",
        "measuring": f"{package}.measuring",
        "report": f"{package}.report_adapter:REPORT",
        "own_table": f"{package}.own_table:own_table",
        "truth": f"{package}.photo_overrides:corrections",
    }
    return Parts(**{**usual, **more})


RULESETS = (
    _parts_of(
        _ONE_HOUR,
        name="one-hour-ww2",
        title="One-Hour WWII",
        seeing=f"{_ONE_HOUR}.seeing",
        scenarios=f"{_ONE_HOUR}.scenario",
        scenes=_ONE_HOUR,
        from_table=f"{_ONE_HOUR}.scenario_forces:setup_from_tablefile",
        from_scene=f"{_ONE_HOUR}.scenario_forces:setup_from_scene",
        offer=f"{_ONE_HOUR}.offer:OFFER",
        plan=f"{_ONE_HOUR}.plan",
        computer=f"{_ONE_HOUR}.computer:COMPUTER",
        playing_out=f"{_ONE_HOUR}.playing_out_acts:PLAYING_OUT",
    ),
    _parts_of(
        _COMBINED_ARMS,
        name="combined-arms",
        title="Combined Arms",
        read_sight=f"{_COMBINED_ARMS}.seeing:read_sight",
        keep_answer=f"{_COMBINED_ARMS}.seeing:keep_answer",
        sheet=f"{_COMBINED_ARMS}.picture:board_sheet",
        seats=f"{_COMBINED_ARMS}.seats",
        cells=f"{_COMBINED_ARMS}.board_placement:cells",
        overlay=f"{_COMBINED_ARMS}.overlay.reader:READER",
        grid="hex",
        by_name=f"{_COMBINED_ARMS}.by_name",
        offer=f"{_COMBINED_ARMS}.by_name:OFFER",
        plan=f"{_COMBINED_ARMS}.plan",
        danger=f"{_COMBINED_ARMS}.danger_text",
        dangers=f"{_COMBINED_ARMS}.danger:action_dangers",
        playing_out=f"{_COMBINED_ARMS}.playing_out:PLAYING_OUT",
        hint=f"{_COMBINED_ARMS}.computer:advice",
        computer=f"{_COMBINED_ARMS}.computer:COMPUTER",
        positions=f"{_COMBINED_ARMS}.report:position_report",
        position_of=f"{_COMBINED_ARMS}.views:kept_position",
    ),
    _parts_of(
        _COMBAT,
        name="combat",
        title="Combat",
        read_sight=f"{_COMBAT}.seeing:read_sight",
        read_sight_for=f"{_COMBAT}.seeing:read_sight_for",
        photo_is_secret=f"{_COMBAT}.seeing:photo_is_secret",
        scenarios=f"{_COMBAT}.scenario",
        sheet=f"{_COMBAT}.picture:board_sheet",
        seats=f"{_COMBAT}.seats",
        computer=f"{_COMBAT}.computer:COMPUTER",
        grid="square",
        usual_board=(20, 24),
        small_objects=frozenset(),
    ),
    _parts_of(
        _COMBAT_CAPTAIN,
        name="combat-captain",
        title="Combat Captain",
        seeing=f"{_COMBAT_CAPTAIN}.seeing",
        scenarios=f"{_COMBAT_CAPTAIN}.scenario",
        computer=f"{_COMBAT_CAPTAIN}.computer:COMPUTER",
    ),
    _parts_of(
        _WW2_COMBINED_ARMS,
        name="ww2-combined-arms",
        title="WWII Combined Arms",
        read_sight=f"{_WW2_COMBINED_ARMS}.seeing:read_sight",
        scenarios=f"{_WW2_COMBINED_ARMS}.scenario",
        sheet=f"{_WW2_COMBINED_ARMS}.report_map:board_sheet",
        hint=f"{_WW2_COMBINED_ARMS}.hints:advice",
        computer=f"{_WW2_COMBINED_ARMS}.computer:COMPUTER",
        grid="square",
        usual_board=(8, 8),
        chequered=True,
    ),
    _parts_of(
        _MEASURE,
        name="measure",
        title="Measure",
        seeing=f"{_MEASURE}.seeing",
        scenarios=f"{_MEASURE}.scenario",
        seats=f"{_MEASURE}.seats",
        from_table=f"{_MEASURE}.setup:setup_from_tablefile",
        small_objects=frozenset(),
        free=True,
    ),
)
