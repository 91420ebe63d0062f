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
        game.value = {id: "evening", seq: 3, me: {acts_as: [], roles: []}, board: {units: [], pieces: []}};
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
        game.value = {id: "evening", seq: 3, me: {acts_as: [], roles: []}, board: {units: [], pieces: [piece], ground: []}};
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
            answers: [{value: ask === 'value' ? i : 'base', says: 'yes'}, {value: null, says: 'no'}], center: [i, 4],
        }));
        const {asking, turn} = modules;
        turn.look.value = {photo: 'p', questions, outlines: [], proposals: [], sync: {state: 'in step'}};
        const group = turn.question.value;
        const marks = asking.marksOf(group, []);
        const says = [asking.saysOf(group, marks), asking.answerSays(group, 'base', 'yes', marks)];
        return [turn.asked.value.length, turn.moreLeft.value, ...says, asking.lettered(questions[1].says, marks)];
    },
    accepted: async left => {
        const {turn, play, game} = modules;
        const look = {photo: 'p', seq: 4, table_seq: 1, questions: [], outlines: [], warnings: [], sync: {state: 'in step'}};
        const answers = {
            accept: {seq: 4, events: []},
            photo: {map_url: '/map.jpg', map_bounds: [[0, 0], [1, 1]], lens: null},
            look: {...look, proposals: left},
        };
        window.fetch = path => Promise.resolve(new Response(JSON.stringify(answers[path.split('/').at(-1)] ?? null)));
        game.game.value = {id: 'evening', seq: 3, me: {acts_as: [], roles: []}, board: {units: [], pieces: []}};
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
};
