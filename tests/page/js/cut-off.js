() => [...document.querySelectorAll('button, summary, h1, h2, h3, label > span, .verdict-words')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().width > 0)
    .map(one => [one.innerText, one.getBoundingClientRect(), one])
    .filter(([, box, one]) => box.left < -1 || box.right > innerWidth + 1
        || (one.matches('button, summary') && one.scrollWidth > one.clientWidth + 2))
    .map(([text, box]) => `${text}: ${Math.round(box.left)} to ${Math.round(box.right)}`)
