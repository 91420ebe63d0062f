() =>
    [...document.querySelectorAll('button, summary, select, textarea, input:not(.unseen)')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().width)
    .flatMap(one => {
        const label = one.closest('label') ?? one.labels?.[0];
        const name = one.getAttribute('aria-label') || one.innerText.trim() || label?.innerText.trim();
        const box = (one.closest('label') ?? one).getBoundingClientRect();
        const wrong = [
            [!name, 'has no name'],
            [Math.min(box.width, box.height) < 44, `${Math.round(box.width)} by ${Math.round(box.height)}`],
            [box.left < 0 || box.right > innerWidth + 0.5, `${Math.round(box.left)} to ${Math.round(box.right)}`],
        ];
        return wrong.filter(([is]) => is).map(([, says]) => `${name || one.outerHTML}: ${says}`);
    })
