// What tests/page/test_modules.py asks modules of the page, in an empty page: `modules` are those that it bundles.

window.cases = {
    replay: async runs => {
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
    },
    sent: async answers => {
        window.setTimeout = act => { act(); return 0; };
        window.fetch = () => {
            const status = answers.shift();
            return status ? Promise.resolve(new Response('{"detail": "No."}', {status})) : Promise.reject(new TypeError());
        };
        const {game, command, unsent} = modules.game;
        game.value = cases.evening();
        const why = await command({words: "end"}, "End").then(() => "done", error => error.message);
        const {said, label} = unsent.value ?? {};
        const kept = localStorage.getItem("tabletop-unsent") !== null;
        return {why, label, words: said?.words, kept, left: answers.length};
    },
    stays: at => {
        const {game, forms, options} = modules.game;
        const {draft, staying} = modules.play;
        const piece = {id: "A1", unit: "A1", side: "a", center: [8, 4], facing: 90, outline: [], unique: true};
        forms.value = {move: {fields: [{name: "unit", type: "unit"}, {name: "to", type: "place"}], needs_one_of: []}};
        game.value = cases.evening({pieces: [piece]});
        draft.value = {begun: 1, option: null, words: null, action: {kind: "move", unit: "A1", to: at}};
        return staying.value;
    },
    opened: async text => {
        const asked = [];
        window.fetch = (path, said) => {
            if (said?.body) asked.push(JSON.parse(said.body).rules ?? null);
            return Promise.resolve(new Response('{"detail": "No."}', {status: 422}));
        };
        await modules.stored.openTableFile(new File([text], 'club.toml'));
        return asked;
    },
    fitted: cells => {
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
    },
    asked: asks => {
        const questions = asks.map((ask, i) => ({
            id: `q${i}`, about: `b${i}`, ask, says: `Is there a base at (${i}.0, 4.0)?`, covers: [[`b${i}`]], others: [],
            answers: [{value: ['value', 'unique'].includes(ask) ? i : 'base', says: 'yes'}, {value: null, says: 'no'}], center: [i, 4],
        }));
        const {asking, turn} = modules;
        const further = [{...questions[0], id: `f${asks[0]}`, ask: 'kind'}];
        turn.look.value = {photo: 'p', questions, further, outlines: [], proposals: [], sync: {state: 'in step'}};
        const group = turn.question.value;
        const marks = asking.marksOf(group, []);
        const says = [asking.saysOf(group, marks), asking.answerSays(group, 'base', 'yes', marks)];
        const shown = [turn.asked.value.length, turn.moreLeft.value, ...says, asking.lettered(questions[1].says, marks)];
        const folded = turn.folded.value.length;
        turn.unfold(further[0].id);
        turn.askMore();
        return [...shown, folded, turn.folded.value.length, turn.question.value[0].ask];
    },
    accepted: async left => {
        const {turn, play, game} = modules;
        const look = {photo: 'p', seq: 4, table_seq: 1, questions: [], further: [], outlines: [], warnings: [], sync: {state: 'in step'}};
        const answers = {
            accept: {seq: 4, events: []},
            photo: {map_url: '/map.jpg', map_bounds: [[0, 0], [1, 1]], lens: null},
            look: {...look, proposals: left},
        };
        window.fetch = path => Promise.resolve(new Response(JSON.stringify(answers[path.split('/').at(-1)] ?? null)));
        game.game.value = cases.evening();
        turn.look.value = {...look, proposals: [{id: 'm1', acceptable: true, mine: true}]};
        play.pane.value = 'photo';
        await turn.acceptCertain();
        return play.pane.value;
    },
    hinted: async () => {
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
    },
    labelled: ([on, cuts, own, held]) => {
        const sized = cuts.map(([wide, high]) => ({size: 'bare', wide, high, cost: 0}));
        const [x, y, right, far] = own;
        const label = {cuts: sized, own: [[[x, y], [right, y], [right, far], [x, far]]], on, must: false};
        const [table, screen] = [[0, 0, 48, 48], [-5, -5, 53, 53]];
        const [put] = modules.labels.placeLabels([label], on ? [] : label.own, 10, [screen], table, held);
        const {at, cut} = put;
        return [at[0] - cut.wide / 20, at[1] - cut.high / 20, at[0] + cut.wide / 20, at[1] + cut.high / 20];
    },
    numbered: () => {
        const cell = (id, x, y) => ({id, center: [x, y], outline: [[x - 1, y - 1], [x + 1, y + 1]]});
        const cells = [cell('1-1', 2, 1), cell('1-2', 4, 1), cell('2-1', 1, 3), cell('2-2', 3, 3)];
        const names = [];
        const into = {addLayer: one => names.push([one.options.icon.options.html, one.getLatLng()])};
        modules.hexes.drawHexNames({grid: 'hex', cells}, 5, into);
        return names.map(([html, {lat, lng}]) => [html.replace(/<[^>]*>/g, ''), lng, lat]);
    },
    back: () => {
            const {go, holdBack} = modules.screens;
            go({name: 'home'}, true);
            go({name: 'start'});
            window.open = ['sheet', 'unit'];
            window.letGo = holdBack(() => window.open.pop() !== undefined);
        },
    show: (module, name, props = {}) => {
        const {h, render} = modules.preact;
        const main = document.querySelector('main');
        render(null, main);
        main.className = 'table-page game-page';
        render(h(modules[module][name], props), main);
    },
    // A game of the British against the Italians, with that on its board.
    evening: (more = {}) => ({
        id: 'evening', seq: 3, table_seq: 0, title: 'Flank Attack', outcome: null, hints: true, computers: {},
        me: {acts_as: ['british'], roles: []}, undo: null, redo: null, ask_back: null,
        turn: {hidden: '', headline: 'Flank Attack, turn 1 of 15. British: Actions step.', next: '', to_act: 'british'},
        board: {
            units: [], pieces: [], ground: [], zones: [], facts: [], grid: null,
            sides: ['british', 'italians'].map(id => ({id, title: id})), ...more,
        },
    }),
    // Its options, and what came of the last action.
    given: (options, told = [], acting = 'british') => {
        const usual = {side: 'british', actor: 'british', unit: null, target: null, rest: '', action: {}, fields: {},
            legal: true, open: false, mine: true, dice: 0, limits: {}, violations: [], advice: '', odds: null};
        window.fetch = () => Promise.resolve(new Response('null'));
        const now = cases.evening();
        modules.game.game.value = {...now, turn: {...now.turn, to_act: acting}};
        modules.game.options.value = {seq: 3, options: options.map((one, i) => ({
            ...usual, text: `${one.kind} ${i}`, label: one.kind, action: {kind: one.kind, ...(one.unit && {unit: one.unit})}, ...one,
        }))};
        modules.play.result.value = told.length ? {texts: told, words: '', seq: 3} : null;
        return modules.game.options.value.options;
    },
    panel: ([options, told, acting = 'british']) => {
        cases.given(options, told, acting);
        cases.show('panel', 'TurnPanel');
    },
    listed: options => cases.show('options', 'OptionList', {options: cases.given(options)}),
    news: (heard, done) => {
        const {news, ours} = modules.game;
        news.value = heard.map(seq => ({seq}));
        ours({seq: done.at(-1), events: done.map(seq => ({seq}))});
        return news.value.map(({seq}) => seq);
    },
    noticed: kind => {
        window.touched = false;
        window.setTimeout = () => 0; // it does not go by itself
        const below = document.body;
        below.onclick = ({target}) => { window.touched = !target.closest('.notice'); };
        modules.shell.say({kind, title: 'Carried out', lines: ['b1 was placed.']});
        cases.show('notices', 'NoticeView');
    },
    dice: faces => {
        const {draft, judged, dice} = modules.play;
        cases.given([]);
        dice.value = [];
        judged.value = {seq: 3, dice: {count: 2, faces}, action: {}, violations: [], pieces: [], legal: true};
        cases.show('dice', 'DiceInput');
    },
    covered: () => {
        const place = document.querySelector('main');
        place.style = 'width: 390px; height: 500px; display: block; position: relative; overflow: hidden';
        const square = ([x, y]) => [[x - 1, y - 1], [x + 1, y - 1], [x + 1, y + 1], [x - 1, y + 1]];
        const piece = (id, center) => ({id, unit: id, side: 'a', kind: '', label: id, shape: 'rect', center, facing: 0,
            width: 2, depth: 2, outline: square(center), unique: true, hidden: false, state: 'fresh', badges: [], says: ''});
        // Handles lie 56 pixels before and behind what is placed: others' labels would lie there, or over it.
        const pieces = [piece('B1', [24, 31]), piece('B2', [12, 17]), piece('B4', [24, 21])];
        const board = {width: 36, depth: 36, grid: null, cells: [], ground: [], pieces, units: [], ways: [], zones: [],
            marks: [], edges: [], sides: [{id: 'a'}]};
        const held = {pieces: [piece('B3', [24, 24])], verdict: 'yes', way: []};
        new modules.gameboard.GameBoard(place, {}, {point: () => ''}).draw({board, photo: null, unit: null, base: null,
            marked: new Map(), odds: new Map(), able: new Set(), ghost: held, points: [[12, 24]]});
        const boxes = look => [...document.querySelectorAll(look)].map(one => one.getBoundingClientRect());
        const [labels, handles] = [boxes('.pill'), boxes('.grip')];
        const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const over = [...handles, ...boxes('.ghost-piece')];
        const covered = labels.filter(one => over.some(other => meets(one, other))).map(({x, y}) => [x, y]);
        return {labels: labels.length, handles: handles.length, covered};
    },
    seen: ({round, facing}) => {
        cases.given([]);
        const {turn, bases} = modules;
        turn.look.value = {photo: 'p', questions: [], further: [], outlines: [], proposals: [], bases: [], sync: {state: 'in step'}, correctable: true};
        bases.picked.value = {id: 'b1', unit: null, center: [4, 4], facing, width: 1, depth: 1, shape: round ? 'round' : 'rect'};
        cases.show('seen', 'SeenBase');
    },
    brought: async () => {
        const file = new File(['{"resolution": {}, "line_of_sight": [], "image": "AAAA"}'], 'keep.json');
        let reads = 0;
        let sent = null;
        for (const name of ['text', 'arrayBuffer', 'slice']) {
            file[name] = (...given) => { reads += 1; return File.prototype[name].apply(file, given); };
        }
        window.fetch = (_, {body}) => {
            sent = JSON.parse(body);
            return Promise.resolve(new Response(JSON.stringify({table_name: 'keep', table_file: '', notes: []})));
        };
        await modules.starting.bring(file);
        return {reads, sent: Object.keys(JSON.parse(atob(sent.content))).sort()};
    },
    joined: async () => {
        const {seating} = modules;
        const seat = (seat, label, roles) => ({seat, label, roles, revoked: false});
        const made = {invitation: 'i1', roles: ['side red'], code: '', qr: '', address: '', expires: '', code_expires: ''};
        const before = {roles: [], seats: [seat('s1', 'Anna', ['side red'])], invitations: [made]};
        const after = {...before, seats: [...before.seats, seat('s2', 'Ben', ['side red'])], invitations: []};
        const answers = {invitations: made, seats: before};
        window.fetch = path => Promise.resolve(new Response(JSON.stringify(answers[path.split('/').at(-1)] ?? null)));
        await seating.invite('evening', ['side red']);
        answers.seats = after;
        await seating.look('evening', true);
        const title = role => ({'side red': 'Italians'})[role];
        const {h, render} = modules.preact;
        render(h(modules.inviting.Inviting.Shown, {id: 'evening', made, title}), document.querySelector('main'));
    },
};
