() => {
    const parse = colour => {
        const parts = colour.match(/[\d.]+/g).map(Number);
        return parts.length < 4 ? [...parts.slice(0, 3), 1] : parts;
    };
    const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const shine = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
    const ground = element => {
        for (; element; element = element.parentElement) {
            const colour = parse(getComputedStyle(element).backgroundColor);
            if (colour[3] > .95) return colour;
        }
        return [255, 255, 255];
    };
    const hasWords = element => [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    return [...document.querySelectorAll('.sheet *, .top-bar *, .bar *, .pill')]
        .filter(element => hasWords(element) && element.getClientRects().length && !element.closest(':disabled'))
        .map(element => {
            const [ink, paper] = [shine(parse(getComputedStyle(element).color)), shine(ground(element))];
            return [element.innerText, (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05)];
        })
        .filter(([, ratio]) => ratio < 4.5);
}
