(() => {
    const soon = window.setTimeout.bind(window);
    window.setTimeout = (act, wait = 0, ...more) => (wait < 4000 ? soon(act, wait, ...more) : 0);
})()
