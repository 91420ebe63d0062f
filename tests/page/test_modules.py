"""What modules of the page work out, asked in an empty page of a browser, without a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_lens import ESBUILD, WEB, bundle
from tests.support.page_support import chromium, page_marks

__all__ = ["chromium"]
pytestmark = [*page_marks, pytest.mark.skipif(not ESBUILD.exists(), reason="needs npm ci in api/web")]

CASES = Path(__file__).with_name("module_cases.js")
MODULES = {
    "units": "units",
    "squares": "squares",
    "game": "game",
    "client": "client",
    "gameboard": "gameboard",
    "hexes": "hexes",
    "labels": "labels",
    "options": "parts/game/Options",
    "play": "play",
    "asking": "parts/photo/asking",
    "turn": "parts/photo/turn",
    "screens": "screens",
    "stored": "stored",
    "stepping": "parts/replay/stepping",
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> str:
    lines = [f'export * as {name} from "{(WEB / "src" / path).as_posix()}";' for name, path in MODULES.items()]
    options = ["--format=iife", "--global-name=modules", "--jsx=automatic", "--jsx-import-source=preact"]
    made = bundle(tmp_path_factory.mktemp("modules"), "\n".join(lines), *options, "--loader:.png=empty")
    return made.read_text(encoding="utf-8")


@pytest.fixture
def page(chromium: Any, modules: str) -> Iterator[Any]:
    context = chromium.new_context()
    one = context.new_page()
    one.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><main></main>"))
    one.goto("http://page.test/")
    one.evaluate(f"{modules}; window.modules = modules; {CASES.read_text(encoding='utf-8')} void 0")
    yield one
    context.close()


def test_a_typed_length_becomes_inches(page: Any) -> None:
    typed = "([unit, typed]) => { modules.units.setUnit(unit); return modules.units.toInches(typed); }"
    assert page.evaluate(typed, ["in", 6]) == 6
    assert page.evaluate(typed, ["cm", 15.24]) == pytest.approx(6)
    assert page.evaluate("() => modules.units.fromInches(6)") == pytest.approx(15.24)


def test_squares_are_shaded_as_on_a_chessboard(page: Any) -> None:
    shaded = "names => names.map(name => modules.squares.shade({grid: 'square'}, name))"
    assert page.evaluate(shaded, ["a1", "b1", "a2", "b2", "h8"]) == ["on-dark", "", "", "on-dark", "on-dark"]
    assert page.evaluate("() => modules.squares.shade({grid: 'hex'}, 'a1')") == ""


def test_a_replay_steps_by_turns_and_forgets_steps_of_an_older_game(page: Any) -> None:
    runs = [{"seq": 20, "said": ["one", "two", "three"]}, {"seq": 21, "said": ["one", "other"]}]
    seen = page.evaluate("given => cases.replay(given)", runs)
    assert seen["before"] == [9, 7], "from the last step: to it, and to the beginning of the last turn"
    assert seen["turns"] == [7, 4]
    page.wait_for_function("() => modules.stepping.head.value.seq === 21")
    says = page.evaluate("() => [...modules.stepping.steps.value].map(([number, {says}]) => [number, ...says])")
    assert says == [[1, "one"], [2, "other"]]


def test_a_command_that_nobody_answers_is_kept_and_one_that_is_refused_is_not(page: Any) -> None:
    refused = page.evaluate("given => cases.sent(given)", [422, 200])
    assert (refused["why"], refused["label"], refused["kept"], refused["left"]) == ("No.", None, False, 1)
    lost = page.evaluate("given => cases.sent(given)", [None, 503, None, None])
    assert (lost["label"], lost["words"], lost["kept"], lost["left"]) == ("End", "end", True, 0)


def test_a_unit_that_is_put_where_it_is_stays_there_however_it_was_said(page: Any) -> None:
    places = [(8, 4, 90), (8.02, 4, 90), (8, 4, 180), (9, 4, 90)]
    said = [page.evaluate("given => cases.stays(given)", {"x": x, "y": y, "facing": facing}) for x, y, facing in places]
    assert said == [True, True, False, False]


def test_back_closes_one_thing_at_a_time_and_then_leaves_the_screen(page: Any) -> None:
    page.evaluate("() => cases.back()")
    seen = []
    for _ in range(3):
        page.go_back()
        page.wait_for_function(
            "seen => location.pathname + window.open !== seen", arg=seen[-1] if seen else "/startsheet,unit"
        )
        seen.append(page.evaluate("() => location.pathname + window.open"))
    assert seen == ["/startsheet", "/start", "/"]
    page.evaluate("() => { letGo(); modules.screens.go({name: 'start'}); modules.screens.leave({name: 'home'}); }")
    page.wait_for_function("() => location.pathname === '/'")


def test_a_table_file_opens_by_its_own_rules(page: Any) -> None:
    assert page.evaluate("given => cases.opened(given)", '[table]\nrules = "combat"') == [None]
    assert page.evaluate("given => cases.opened(given)", "[table]") == [None, "measure"], (
        "it names none, and the usual ones refuse it"
    )


def test_a_board_that_is_laid_elsewhere_is_fitted(page: Any) -> None:
    assert page.evaluate("given => cases.fitted(given)", [[0, 0], [40, 40], [0, 40]]) == [True, True, True]


def test_questions_alike_are_asked_together_by_letters_and_six_at_first(page: Any) -> None:
    says = "Are there bases at A, B and C?", "Yes, all", "Is there a base at B?"
    assert page.evaluate("given => cases.asked(given)", ["there"] * 3) == [1, 0, *says]
    seen = page.evaluate("given => cases.asked(given)", ["value"] * 22)
    assert seen == [6, 16, "Is there a base at (0.0, 4.0)?", "yes", "Is there a base at (1.0, 4.0)?"]


def test_a_hinted_move_is_put_down_where_the_next_hint_says(page: Any) -> None:
    page.evaluate("() => cases.hinted()")
    page.wait_for_function("() => modules.play.spot.value?.center[0] === 12")
    assert page.evaluate("() => [modules.play.spot.value, modules.play.staying.value]") == [
        {"center": [12, 8], "facing": 90},
        False,
    ]


def test_labels_stay_in_their_zone_on_the_table_and_clear_of_handles(page: Any) -> None:
    zone = [0, 0, 10, 20]
    wide, in_lines = (
        [(150, 18), (80, 36)],
        page.evaluate("given => cases.labelled(given)", [True, [(150, 18), (80, 36)], zone, []]),
    )
    assert in_lines[0] >= 0 and in_lines[2] <= 10 and in_lines[2] - in_lines[0] == pytest.approx(8)
    assert page.evaluate("given => cases.labelled(given)", [True, wide[:1], zone, []])[0] >= 0, (
        "in one line it is not off the table"
    )
    handle = [3, 8, 7, 12]
    left, near, right, far = page.evaluate("given => cases.labelled(given)", [True, wide[1:], zone, [handle]])
    assert right <= handle[0] or left >= handle[2] or far <= handle[1] or near >= handle[3]
    left, _, right, _ = page.evaluate("given => cases.labelled(given)", [False, [(60, 20)], [0, 20, 2, 22], []])
    assert left >= 0 or right <= 0, "a unit at the edge has its label on one side of it"


def test_what_is_refused_for_the_same_reason_says_it_once_and_no_chance_of_0_is_shown(page: Any) -> None:
    why, other = {"text": "It is not in range."}, {"text": "It has fired."}
    options = [{"text": str(n), "violations": [one], "actor": "blue"} for n, one in enumerate((why, why, other, why))]
    groups = page.evaluate("all => modules.options.groupsOf(all).map(group => group.map(({text}) => text))", options)
    assert groups == [["0", "1", "3"], ["2"]]
    odds = {"what": "hits", "expected": 2, "chances": {"2": 1}, "also": {"destroyed": 0.004, "hit": 0.5}}
    assert page.evaluate("odds => modules.options.oddsLine(odds)", odds) == "hit 50 %"


def test_rows_and_columns_of_hexes_are_numbered_beside_the_board(page: Any) -> None:
    names = page.evaluate("() => cases.numbered()")
    below, beside = [name for name in names if name[2] < 0], [name for name in names if name[2] > 0]
    assert [name[:2] for name in below] == [["1", 2], ["2", 4]]
    assert [(name[0], name[2]) for name in beside] == [("1", 1), ("2", 3)]


def test_once_all_is_carried_out_the_table_is_shown(page: Any) -> None:
    left: list[Any] = [[], [{"id": "m2"}]]
    assert [page.evaluate("given => cases.accepted(given)", one) for one in left] == ["turn", "photo"]
