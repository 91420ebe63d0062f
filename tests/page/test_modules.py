"""What modules of the page work out, asked in an empty page of a browser, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.test_lens import ESBUILD, WEB, bundle
from tests.support.page_support import chromium, page_marks

__all__ = ["chromium"]
pytestmark = [*page_marks, pytest.mark.skipif(not ESBUILD.exists(), reason="needs npm ci in api/web")]

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
    one.evaluate(f"{modules}; window.modules = modules; void 0")
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


REPLAY = """async runs => {
    const at = {id: "evening", title: "", turns: [1, 4, 7].map((step, i) => ({turn: i + 1, step}))};
    const answers = runs.map(({seq, said}) => new Response(JSON.stringify({
        ...at, seq, count: 9, at: 9, board: {},
        steps: said.map((says, i) => ({number: i + 1, says: [says], changes: []})),
    })));
    window.fetch = () => Promise.resolve(answers.shift() ?? new Response("{}", {status: 404}));
    const {openReplay, goTo, at: here, stepOfTurn} = modules.stepping;
    await openReplay("evening", undefined).catch(() => undefined);
    const before = [1, -1].map(stepOfTurn);
    here.value = 5;
    const turns = [1, -1].map(stepOfTurn);
    window.setTimeout = act => { act(); return 0; };
    goTo(9);
    return {before, turns};
}"""


def test_a_replay_steps_by_turns_and_forgets_steps_of_an_older_game(page: Any) -> None:
    runs = [{"seq": 20, "said": ["one", "two", "three"]}, {"seq": 21, "said": ["one", "other"]}]
    seen = page.evaluate(REPLAY, runs)
    assert seen["before"] == [9, 7], "from the last step: to it, and to the beginning of the last turn"
    assert seen["turns"] == [7, 4]
    page.wait_for_function("() => modules.stepping.head.value.seq === 21")
    says = page.evaluate("() => [...modules.stepping.steps.value].map(([number, {says}]) => [number, ...says])")
    assert says == [[1, "one"], [2, "other"]]


SENT = """async answers => {
    window.setTimeout = act => { act(); return 0; };
    window.fetch = () => {
        const status = answers.shift();
        return status ? Promise.resolve(new Response('{"detail": "No."}', {status})) : Promise.reject(new TypeError());
    };
    const {game, command, unsent} = modules.game;
    game.value = {id: "evening", seq: 3, me: {acts_as: [], roles: []}, board: {units: [], pieces: []}};
    const why = await command({words: "end"}, "End").then(() => "done", error => error.message);
    const {said, label} = unsent.value ?? {};
    const kept = localStorage.getItem("tabletop-unsent") !== null;
    return {why, label, words: said?.words, kept, left: answers.length};
}"""


def test_a_command_that_nobody_answers_is_kept_and_one_that_is_refused_is_not(page: Any) -> None:
    refused = page.evaluate(SENT, [422, 200])
    assert (refused["why"], refused["label"], refused["kept"], refused["left"]) == ("No.", None, False, 1)
    lost = page.evaluate(SENT, [None, 503, None, None])
    assert (lost["label"], lost["words"], lost["kept"], lost["left"]) == ("End", "end", True, 0)


STAYS = """at => {
    const {game, forms, options} = modules.game;
    const {draft, staying} = modules.play;
    const piece = {id: "A1", unit: "A1", side: "a", center: [8, 4], facing: 90, outline: [], unique: true};
    forms.value = {move: {fields: [{name: "unit", type: "unit"}, {name: "to", type: "place"}], needs_one_of: []}};
    game.value = {id: "evening", seq: 3, me: {acts_as: [], roles: []}, board: {units: [], pieces: [piece], ground: []}};
    draft.value = {begun: 1, option: null, words: null, action: {kind: "move", unit: "A1", to: at}};
    return staying.value;
}"""


def test_a_unit_that_is_put_where_it_is_stays_there_however_it_was_said(page: Any) -> None:
    places = [(8, 4, 90), (8.02, 4, 90), (8, 4, 180), (9, 4, 90)]
    said = [page.evaluate(STAYS, {"x": x, "y": y, "facing": facing}) for x, y, facing in places]
    assert said == [True, True, False, False]


def test_back_closes_one_thing_at_a_time_and_then_leaves_the_screen(page: Any) -> None:
    began = """() => {
        const {go, holdBack} = modules.screens;
        go({name: 'home'}, true);
        go({name: 'start'});
        window.open = ['sheet', 'unit'];
        window.letGo = holdBack(() => window.open.pop() !== undefined);
    }"""
    page.evaluate(began)
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


OPENED = """async text => {
    const asked = [];
    window.fetch = (path, said) => {
        if (said?.body) asked.push(JSON.parse(said.body).rules ?? null);
        return Promise.resolve(new Response('{"detail": "No."}', {status: 422}));
    };
    await modules.stored.openTableFile(new File([text], 'club.toml'));
    return asked;
}"""


def test_a_table_file_opens_by_its_own_rules(page: Any) -> None:
    assert page.evaluate(OPENED, 'rules = "combat"') == [None]
    assert page.evaluate(OPENED, "[table]") == [None, "measure"], "it names none, and the usual ones refuse it"


FITTED = """cells => {
    const place = document.querySelector('main');
    place.style = 'width: 390px; height: 500px; display: block; position: relative; overflow: hidden';
    const board = new modules.gameboard.GameBoard(place, {}, {});
    const of = ([x, y]) => [[x, y], [x + 4, y], [x + 4, y + 4], [x, y + 4]];
    const none = {ground: [], pieces: [], units: [], ways: [], zones: [], marks: [], edges: []};
    return cells.map((at, i) => {
        const cell = {id: `a${i}`, center: at, outline: of(at), kind: 'open', says: '', marks: [], crosses: []};
        const shown = {...none, width: 48, depth: 48, grid: 'square', cells: [cell]};
        const nothing = {photo: null, unit: null, base: null, ghost: null, points: []};
        board.draw({board: shown, marked: new Map(), odds: new Map(), able: new Set(), ...nothing});
        return board.shows(cell.outline);
    });
}"""


def test_a_board_that_is_laid_elsewhere_is_fitted(page: Any) -> None:
    assert page.evaluate(FITTED, [[0, 0], [40, 40], [0, 40]]) == [True, True, True]


ASKED = """asks => {
    const questions = asks.map((ask, i) => ({
        id: `q${i}`, about: `b${i}`, ask, says: `Is there a base at (${i}.0, 4.0)?`, covers: [[`b${i}`]], others: [],
        answers: [{value: ask === 'value' ? i : 'base', says: 'yes'}, {value: null, says: 'no'}], center: [i, 4],
    }));
    const {asking, turn} = modules;
    turn.look.value = {photo: 'p', questions, outlines: [], proposals: [], sync: {state: 'in step'}};
    const group = turn.question.value;
    const marks = asking.marksOf(group, []);
    const says = [asking.saysOf(group, marks), asking.answerSays(group, 'base', 'yes', marks)];
    return [turn.asked.value.length, turn.moreLeft.value, ...says, asking.lettered(questions[1].says, marks)];
}"""


def test_questions_alike_are_asked_together_by_letters_and_six_at_first(page: Any) -> None:
    says = "Are there bases at A, B and C?", "Yes, all", "Is there a base at B?"
    assert page.evaluate(ASKED, ["there"] * 3) == [1, 0, *says]
    seen = page.evaluate(ASKED, ["value"] * 22)
    assert seen == [6, 16, "Is there a base at (0.0, 4.0)?", "yes", "Is there a base at (1.0, 4.0)?"]


HINTED = """async () => {
    const {game, play} = modules;
    const [at, unit] = [[12, 14].map(x => ({x, y: 8, facing: 90})), {id: 'R5', side: 'red'}];
    const piece = {id: 'R5.1', unit: 'R5', side: 'red', center: [2, 2], facing: 0, outline: [], unique: true};
    const seen = seq => ({
        id: 'evening', seq, table_seq: 0, me: {acts_as: ['red'], roles: []}, turn: {hidden: ''}, computers: {},
        board: {units: [unit], pieces: [piece], ground: [], sides: [unit], zones: [], grid: null},
    });
    const place = {kind: 'place', unit: 'R5', at};
    const free = {kind: 'place', unit: 'R5', mine: true, legal: true, text: 'place R5', target: null, advice: '',
        fields: {at: {type: 'place'}}, limits: {total_in: 9}, action: {kind: 'place', unit: 'R5'}};
    const judged = {seq: 4, words: '', actor: 'red', mine: true, legal: true, open: false, violations: [],
        dice: {count: 0, faces: []}, odds: null, dangers: []};
    const answers = {
        commands: {seq: 4, events: [], again: false, screen: null},
        screen: {version: '2', game: seen(4), options: {seq: 4, options: [free]}},
        hint: {seq: 4, line: ['Put down R5'], says: '', action: place},
        judge: {...judged, action: place, pieces: [{...piece, center: [12, 8], facing: 90}]},
    };
    window.fetch = path => Promise.resolve(new Response(JSON.stringify(answers[path.split('/').at(-1)] ?? null)));
    game.game.value = seen(3);
    game.options.value = {seq: 3, options: []};
    game.forms.value = {place: {fields: [{name: 'unit', type: 'unit'}, {name: 'at', type: 'place'}], needs_one_of: []}};
    play.takeHint({kind: 'move', unit: 'R5'});
    await play.doIt({roll: true});
}"""


def test_a_hinted_move_is_put_down_where_the_next_hint_says(page: Any) -> None:
    page.evaluate(HINTED)
    page.wait_for_function("() => modules.play.spot.value?.center[0] === 12")
    assert page.evaluate("() => [modules.play.spot.value, modules.play.staying.value]") == [
        {"center": [12, 8], "facing": 90},
        False,
    ]


LABELLED = """([on, cuts, own, held]) => {
    const sized = cuts.map(([wide, high]) => ({size: 'bare', wide, high, cost: 0}));
    const [x, y, right, far] = own;
    const label = {cuts: sized, own: [[[x, y], [right, y], [right, far], [x, far]]], on, must: false};
    const [table, screen] = [[0, 0, 48, 48], [-5, -5, 53, 53]];
    const [put] = modules.labels.placeLabels([label], on ? [] : label.own, 10, [screen], table, held);
    const {at, cut} = put;
    return [at[0] - cut.wide / 20, at[1] - cut.high / 20, at[0] + cut.wide / 20, at[1] + cut.high / 20];
}"""


def test_labels_stay_in_their_zone_on_the_table_and_clear_of_handles(page: Any) -> None:
    zone = [0, 0, 10, 20]
    wide, in_lines = [(150, 18), (80, 36)], page.evaluate(LABELLED, [True, [(150, 18), (80, 36)], zone, []])
    assert in_lines[0] >= 0 and in_lines[2] <= 10 and in_lines[2] - in_lines[0] == pytest.approx(8)
    assert page.evaluate(LABELLED, [True, wide[:1], zone, []])[0] >= 0, "in one line it is not off the table"
    handle = [3, 8, 7, 12]
    left, near, right, far = page.evaluate(LABELLED, [True, wide[1:], zone, [handle]])
    assert right <= handle[0] or left >= handle[2] or far <= handle[1] or near >= handle[3]
    left, _, right, _ = page.evaluate(LABELLED, [False, [(60, 20)], [0, 20, 2, 22], []])
    assert left >= 0 or right <= 0, "a unit at the edge has its label on one side of it"


def test_what_is_refused_for_the_same_reason_says_it_once_and_no_chance_of_0_is_shown(page: Any) -> None:
    why, other = {"text": "It is not in range."}, {"text": "It has fired."}
    options = [{"text": str(n), "violations": [one], "actor": "blue"} for n, one in enumerate((why, why, other, why))]
    groups = page.evaluate("all => modules.options.groupsOf(all).map(group => group.map(({text}) => text))", options)
    assert groups == [["0", "1", "3"], ["2"]]
    odds = {"what": "hits", "expected": 2, "chances": {"2": 1}, "also": {"destroyed": 0.004, "hit": 0.5}}
    assert page.evaluate("odds => modules.options.oddsLine(odds)", odds) == "hit 50 %"


NUMBERED = """() => {
    const cell = (id, x, y) => ({id, center: [x, y], outline: [[x - 1, y - 1], [x + 1, y + 1]]});
    const cells = [cell('1-1', 2, 1), cell('1-2', 4, 1), cell('2-1', 1, 3), cell('2-2', 3, 3)];
    const names = [];
    const into = {addLayer: one => names.push([one.options.icon.options.html, one.getLatLng()])};
    modules.hexes.drawHexNames({grid: 'hex', cells}, 5, into);
    return names.map(([html, {lat, lng}]) => [html.replace(/<[^>]*>/g, ''), lng, lat]);
}"""


def test_rows_and_columns_of_hexes_are_numbered_beside_the_board(page: Any) -> None:
    names = page.evaluate(NUMBERED)
    below, beside = [name for name in names if name[2] < 0], [name for name in names if name[2] > 0]
    assert [name[:2] for name in below] == [["1", 2], ["2", 4]]
    assert [(name[0], name[2]) for name in beside] == [("1", 1), ("2", 3)]
