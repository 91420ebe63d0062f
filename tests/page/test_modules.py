"""What modules of the page work out, asked in an empty page of a browser, without a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_lens import ESBUILD, WEB, bundle
from tests.support.page_support import PHONE, chromium, expect, page_marks

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
    "panel": "parts/game/TurnPanel",
    "dice": "parts/game/DiceInput",
    "reasons": "parts/rules/RuledReasons",
    "seen": "parts/photo/SeenBase",
    "bases": "parts/photo/bases",
    "notices": "parts/Notice",
    "shell": "shell",
    "seating": "parts/seats/seating",
    "inviting": "parts/seats/Inviting",
    "starting": "parts/start/starting",
    "preact": "../node_modules/preact/dist/preact.mjs",
    "play": "play",
    "asking": "parts/photo/asking",
    "turn": "parts/photo/turn",
    "screens": "screens",
    "stored": "stored",
    "stepping": "parts/replay/stepping",
}


STYLES = ("app.css", "parts/game/game.css")


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = [f'export * as {name} from "{(WEB / "src" / path).as_posix()}";' for name, path in MODULES.items()]
    lines += [f'import "{(WEB / "src" / path).as_posix()}";' for path in STYLES]
    options = ["--format=iife", "--global-name=modules", "--jsx=automatic", "--jsx-import-source=preact"]
    made = bundle(tmp_path_factory.mktemp("modules"), "\n".join(lines), *options, "--loader:.png=empty")
    return made


@pytest.fixture
def page(chromium: Any, modules: Path) -> Iterator[Any]:
    context = chromium.new_context(viewport=PHONE)
    one = context.new_page()
    one.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><main></main>"))
    one.goto("http://page.test/")
    script = modules.read_text(encoding="utf-8")
    one.evaluate(f"{script}; window.modules = modules; {CASES.read_text(encoding='utf-8')} void 0")
    one.add_style_tag(path=modules.with_suffix(".css"))
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
    opened = 1, 0, "kind"  # a further question is folded until it is opened, and then asked before the others
    assert page.evaluate("given => cases.asked(given)", ["there"] * 3) == [1, 0, *says, *opened]
    seen = page.evaluate("given => cases.asked(given)", ["value"] * 22)
    assert seen == [6, 16, "Is there a base at (0.0, 4.0)?", "yes", "Is there a base at (1.0, 4.0)?", *opened]
    unique = page.evaluate("given => cases.asked(given)", ["unique"] * 3)
    assert unique[:3] == [1, 0, "Tap the unique base of each unit: A, B and C."]


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


FIRED = (
    "Close-support tanks (B6) fired at Bersaglieri on the road (R1) at 23.98″ with Motor infantry (B1) observing: a 5"
    " (mortar against infantry +2) made 7 hits, 5.5 expected. R1 now has 7 hits."
)


def test_after_any_action_the_next_step_is_in_sight_and_offered_once_to_who_may_act(page: Any) -> None:
    end = {"kind": "end", "label": "End the step", "advice": "ends the Actions step"}
    shots = [{"kind": "fire", "unit": unit, "target": "R1"} for unit in ("B1", "B2", "B3")]
    page.evaluate("given => cases.panel(given)", [[*shots, end], [FIRED, *["Everybody was told of it."] * 9]])
    button = page.get_by_role("button", name="End the step")
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button")).to_have_text(["", "Suggest a move", "End the stepEnds the Actions step"])
    page.evaluate("given => cases.panel(given)", [[{"kind": "muster", "dice": 2}], [FIRED]])
    expect(page.get_by_role("button", name="Roll and continue")).to_be_in_viewport(ratio=1)
    page.evaluate("given => cases.panel(given)", [[end], []])
    expect(page.get_by_role("button")).to_have_text(["Suggest a move", "End the stepEnds the Actions step"])
    page.evaluate("given => cases.panel(given)", [[{**end, "mine": False}, {"kind": "concede"}], []])
    expect(page.locator("h2")).to_be_visible()
    expect(page.locator("button, details")).to_have_count(0)


def test_where_no_turns_are_kept_what_ends_the_game_does_not_stand_out(page: Any) -> None:
    kinds = [{"kind": "add"}, {"kind": "line"}, {"kind": "end", "label": "End the game"}]
    page.evaluate("given => cases.panel(given)", [kinds, [], None])
    expect(page.locator(".go")).to_have_text(["Add a unit", "Draw a road or river"])
    expect(page.locator("details")).to_contain_text("End the game")
    expect(page.locator("[data-test=whose-turn]")).to_have_count(0)


def test_a_button_says_hits_and_distance_in_plain_words_and_the_modifiers_in_small_print(page: Any) -> None:
    odds = {"what": "hits", "expected": 2.5, "chances": {"2": 0.5, "3": 0.5}, "also": {}, "words": []}
    shot = {"kind": "fire", "unit": "R5", "label": "fire R5 at B1", "odds": odds, "limits": {"range_in": 16}}
    page.evaluate("given => cases.panel(given)", [[{**shot, "advice": "modifier +2"}, {"kind": "end"}], []])
    fire = page.get_by_role("button", name="Fire R5 at B1")
    expect(fire.locator("small")).to_have_text(["≈ 2.5 hits · 16.0″", "Modifier +2"])
    expect(fire.locator(".fine")).to_have_text("Modifier +2")


def test_what_may_be_done_in_one_way_is_named_once(page: Any) -> None:
    page.evaluate("given => cases.listed(given)", [{"kind": "deploy", "unit": "B1", "rest": "", "advice": "again"}])
    expect(page.locator("main")).to_have_text("DeployAlready placed: place it elsewhere")
    page.evaluate("given => cases.listed(given)", [{"kind": "fire", "unit": "B1", "rest": f"at R{n}"} for n in (1, 2)])
    expect(page.locator("h3, strong:not(:empty)")).to_have_text(["Fire", "At R1", "At R2"])


def test_who_goes_on_has_read_the_news(page: Any) -> None:
    assert page.evaluate("() => cases.news([3, 4, 9], [7, 8])") == [9]


def test_a_notice_that_needs_no_answer_lets_fingers_through_and_goes_at_the_next_touch(page: Any) -> None:
    for kind, left in (("info", 0), ("error", 1)):
        page.evaluate("kind => cases.noticed(kind)", kind)
        notice = page.locator("[data-test=notice]")
        box = notice.bounding_box()
        page.mouse.click(box["x"] + 20, box["y"] + box["height"] / 2)
        expect(notice).to_have_count(left)
        assert page.evaluate("() => window.touched") == (kind == "info")


def test_dice_with_other_faces_name_them_and_refuse_what_they_can_not_show(page: Any) -> None:
    page.evaluate("() => cases.dice([2, 3, 3, 4, 4, 5])")
    expect(page.locator("[data-test=dice-faces]")).to_have_text("Faces: 2, 3, 3, 4, 4, 5")
    page.locator("input").fill("5 6")
    page.locator("input").blur()
    expect(page.get_by_role("alert")).to_have_text("No die here shows 6. Type one of 2, 3, 4, 5 for each die.")
    assert page.evaluate("() => modules.play.dice.value") == [5]
    page.locator("input").fill("5 2")
    page.locator("input").blur()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.evaluate("() => cases.dice([1, 2, 3, 4, 5, 6])")
    expect(page.locator("[data-test=dice-faces]")).to_have_count(0)


def test_no_label_lies_under_a_handle_or_over_what_is_placed(page: Any) -> None:
    assert page.evaluate("() => cases.covered()") == {"labels": 3, "handles": 3, "covered": []}


def test_equal_reasons_are_shown_once(page: Any) -> None:
    page.evaluate("() => cases.show('reasons', 'RuledReasons', {all: Array(3).fill({text: 'Too far.', place: ''})})")
    expect(page.locator("li")).to_have_text(["Too far."])


def test_a_round_base_without_a_mark_has_no_facing_to_put_right(page: Any) -> None:
    for round_, facing, shown in ((True, None, 0), (True, 90, 1), (False, None, 1)):
        page.evaluate("given => cases.seen(given)", {"round": round_, "facing": facing})
        expect(page.locator("[data-test=seen-x]")).to_have_count(1)
        expect(page.locator("[data-test=seen-facing]")).to_have_count(shown)


def test_a_map_that_is_brought_is_read_once_and_its_picture_stays_here(page: Any) -> None:
    assert page.evaluate("() => cases.brought()") == {"reads": 1, "sent": ["line_of_sight", "resolution"]}


def test_an_invitation_that_was_taken_up_names_the_guest(page: Any) -> None:
    page.evaluate("() => cases.joined()")
    expect(page.locator("[data-test=invite-taken]")).to_have_text("Ben joined as Italians.")
