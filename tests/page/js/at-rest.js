(() => {
    const [SHORT_MS, OFTEN_MS, BOUND_MS] = [300, 100, 60000];
    const [busy, waiting] = [new Map(), []];
    const [frame, later, fetched, now] = [requestAnimationFrame, setTimeout, fetch, Date.now].map(one => one.bind());
    let ahead = 0;
    Date.now = () => now() + ahead;
    const end = key => {
        if (busy.delete(key) && busy.size === 0) waiting.splice(0).forEach(done => done());
    };
    const watch = (set, clear, sort, longest_ms, once) => {
        const [begin, stop] = [window[set].bind(window), window[clear].bind(window)];
        window[set] = (call, wait_ms = 0, ...more) => {
            const id = begin((...told) => {
                try { call(...told); } finally { if (once) end(sort + id); }
            }, wait_ms, ...more);
            if (wait_ms <= longest_ms) busy.set(sort + id, `${set} ${wait_ms} ${call}`);
            return id;
        };
        window[clear] = id => { end(sort + id); stop(id); };
    };
    watch('setTimeout', 'clearTimeout', 'timer ', SHORT_MS, true);
    watch('setInterval', 'clearInterval', 'timer ', OFTEN_MS, false);
    watch('requestAnimationFrame', 'cancelAnimationFrame', 'frame ', SHORT_MS, true);
    window.fetch = (...asked) => {
        const [key, answer] = [{}, fetched(...asked)];
        busy.set(key, `fetch ${asked[0].url ?? asked[0]}`);
        answer.then(one => one.clone().arrayBuffer()).catch(() => undefined).finally(() => end(key));
        return answer;
    };
    const moving = () => document.getAnimations()
        .filter(one => one.playState === 'running' && Number.isFinite(one.effect.getComputedTiming().endTime));
    const rest = async () => {
        do {
            if (busy.size > 0) await new Promise(done => waiting.push(done));
            await Promise.allSettled(moving().map(one => one.finished));
            const coming = [...document.images].filter(one => !one.complete && one.loading !== 'lazy');
            await Promise.allSettled(coming.map(one => one.decode()));
            for (let n = 0; n < 2; n++) await new Promise(frame);
        } while (busy.size > 0 || moving().length > 0);
        ahead += 1000;
    };
    window.atRest = () => Promise.race([rest(), new Promise((_, fail) => later(
        () => fail(new Error(`still at work: ${[...busy.values()].join('; ')}`)), BOUND_MS))]);
})()
