"""A unit with bases of several sizes: from its table file and a drawn photo to a ruling and a measured game."""

import numpy as np
import pytest

from tabletop.game import Game, IllegalError
from tabletop.reconcile.comparison import accept, look
from tabletop.referee.judging import expected_from, judge
from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.setup import setup_from_tablefile
from tabletop.rulesets.one_hour_ww2.scenario_forces import setup_from_tablefile as one_hour_setup
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.support.table_scenes import BLUE, FRAME, RED, DrawnBase, draw_table, looking_at
from vision.imaging.photo import Photo

TAGS = "DICT_APRILTAG_25h9"
MARKERS = ", ".join(f"{{ id = {marker.id}, center = {list(marker.center)} }}" for marker in FRAME.markers)
FOOT = '{ shape = "rect", width = 2.0, depth = 1.25, height = 0.12 }'
SMALL = '{ shape = "round", diameter = 0.984, height = 0.12 }'
BIG = '{ count = 1, shape = "round", diameter = 1.575, height = 0.12 }'
OVAL = '{ count = 1, shape = "oval", width = 2.36, depth = 1.38, height = 0.12 }'
R1 = f'side = "red", bases = 5, tag = 4, base = {SMALL}, unique_base = {FOOT}, other_bases = [{BIG}, {OVAL}]'
TABLE = parse_table(f"""
table = {{ width = 18, depth = 18 }}
tags = {{ dictionary = "{TAGS}", size = 0.7 }}
frame = {{ dictionary = "{FRAME.dictionary}", marker_size = 2.0, markers = [{MARKERS}] }}
sides = [{{ id = "red", rim = "#8a2226" }}, {{ id = "blue", rim = "#325088" }}]
units = [
  {{ id = "R1", kind = "infantry", {R1} }},
  {{ id = "B1", kind = "infantry", side = "blue", bases = 1, tag = 5, base = {FOOT} }},
]
""")
SIZES = [2.0, 1.575, 2.36, 0.984, 0.984]
PLACES = [(9.0, 8.0), (8.4, 6.3), (10.7, 6.4), (7.2, 8.0), (10.9, 7.9), (9.0, 14.0)]


def test_each_base_keeps_its_size_from_a_photo_to_a_ruling_and_a_measured_game() -> None:
    foot, enemy = expected_from(TABLE).units
    shapes = [*(shape for size in SIZES for shape in foot.shapes if shape.width == size), enemy.shape]
    bases = [
        DrawnBase(*at, 0.0, shape, BLUE if tag == 5 else RED, tag=tag)
        for at, shape, tag in zip(PLACES, shapes, (4, None, None, None, None, 5), strict=True)
    ]
    judged = judge(Photo(draw_table(looking_at(), bases, tags=TAGS), "drawn.png", "0" * 64), TABLE)
    seen = judged.observation.to_json()
    for size, at in zip(SIZES, PLACES, strict=False):
        base = min(seen["bases"], key=lambda one: float(np.hypot(*np.subtract(one["center"], at))))
        assert (base["unit"], base["width"], base["unique"]) == ("R1", size, size == 2.0)
    assert len(seen["bases"]) == 6 and not seen["questions"] and seen["roster"][0]["other_bases"][1]["shape"] == "oval"
    shot = judged.report["shots"][0]
    assert (shot["firer"], shot["verdict"], round(shot["range"]["value"], 1)) == ("R1", "yes", 4.7)
    game = Game.new(RULES, setup_from_tablefile(TABLE))
    accept(game, look(game, seen))
    assert game.state.bases("R1").width.tolist() == SIZES
    gone = {**seen, "bases": [base for base in seen["bases"] if base["width"] not in (0.984, 2.36)]}
    asked = [one.proposal for one in look(game, gone).listed]
    assert [one.question for one in asked] == [f"Base {n} of R1 is not seen: taken off the table?" for n in (5, 4, 3)]
    game.push(asked[1].action)
    game.push(asked[2].action)
    with pytest.raises(IllegalError, match="name a place for each of its 3 bases"):
        game.push(game.parse("move R1 bases 1,1,0 2,2,0"))
    game.push(game.parse("correct R1 models 6"))
    again = Game(RULES, game.records)
    assert again.state.bases("R1").width.tolist() == [2.0, 1.575, 0.984]
    assert parse_table(table_file_for("measure", again.state)).units[0].other_bases == TABLE.units[0].other_bases
    assert [base.width for base in one_hour_setup(TABLE).units[0].bases] == SIZES
