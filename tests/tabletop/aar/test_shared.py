"""What the maps of a page have in common is drawn once."""

from dataclasses import replace

from geometry.drawing.scene import Area, Disc, Look, Sheet
from geometry.drawing.svg import Shared, shared_by, svg_text

LOOKS = {"a": Look("#ffffff"), "b": Look("#000000")}
GROUND = tuple(Area(((n, 0.0), (n + 1.0, 0.0), (n, 1.0)), "a") for n in range(12))


def sheet(*more: Disc, ground: tuple[Area, ...] = GROUND, looks: dict[str, Look] = LOOKS, right: float = 12.0) -> Sheet:
    return Sheet(0.0, 0.0, right, 4.0, (*ground, *more), looks)


def piece(x: float) -> Disc:
    return Disc((x, 2.0), 0.5, "b")


def test_the_ground_of_all_maps_is_shared_up_to_the_first_difference() -> None:
    sheets = [sheet(piece(1)), sheet(piece(2)), sheet()]
    assert shared_by(sheets) == (
        Shared("ground-0", 12, True), Shared("ground-0", 12, False), Shared("ground-0", 12, False),
    )  # fmt: skip


def test_a_later_legend_or_title_makes_no_difference_but_the_frame_and_the_looks_do() -> None:
    lower = replace(sheet(piece(1)), bottom=-2.0)
    assert shared_by([sheet(), lower])[1] == Shared("ground-0", 12, False)
    assert shared_by([sheet(), sheet(right=13.0)]) == (None, None)
    other = sheet(looks={**LOOKS, "a": Look("#ff0000")})
    assert shared_by([sheet(), other]) == (None, None)


def test_drawn_once_and_used_afterwards() -> None:
    first, second = shared_by([sheet(piece(1)), sheet(piece(2))])
    one = svg_text(sheet(piece(1)), title="one", namespace=False, shared=first)
    two = svg_text(sheet(piece(2)), title="two", namespace=False, shared=second)
    assert one.count("<path") == 12 and one.count('<g id="ground-0">') == 1
    assert two.count("<path") == 0 and two.count('<use href="#ground-0"') == 1
    assert one.count("<circle") == two.count("<circle") == 1
