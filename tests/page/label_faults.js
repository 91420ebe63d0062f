// What each label lies over, for tests/page/test_labels.py.
more => {
    const board = document.querySelector('.board').getBoundingClientRect();
    const corners = path => [...path.getAttribute('d').matchAll(/[ML](-?[\\d.]+)[ ,](-?[\\d.]+)/g)].map(([, x, y]) => {
        const at = new DOMPoint(+x, +y).matrixTransform(path.getScreenCTM());
        return [at.x, at.y];
    });
    // Leaflet draws nothing of a base that is out of sight.
    const bases = [...document.querySelectorAll('path.body[data-piece]')].map(path => {
        return {unit: path.dataset.of, outline: corners(path)};
    });
    // What is written on a counter hides nothing outside of it that the counter does not hide.
    const inside = (label, {left, top, right, bottom}) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const under = [...document.querySelectorAll('path.counter-piece.body')]
            .map(path => path.getBoundingClientRect())
            .find(box => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
        return under ? [Math.max(left, under.left), Math.max(top, under.top), Math.min(right, under.right),
            Math.min(bottom, under.bottom)] : [left, top, right, bottom];
    };
    const boxes = [...document.querySelectorAll('.pill, .piece-label, .zone-label, .ground-name')].map(one => {
        const box = one.getBoundingClientRect();
        const whole = [box.left, box.top, box.right, box.bottom];
        const rect = one.matches('.piece-label') ? inside(one, box) : whole;
        return {unit: one.dataset.labels, says: one.textContent, rect};
    });
    const meets = (outline, [l, t, r, b]) => {
        const box = [[l, t], [r, t], [r, b], [l, b]];
        const parts = ([nx, ny]) => {
            const along = points => points.map(([x, y]) => x * nx + y * ny);
            const [p, q] = [along(outline), along(box)];
            return Math.max(...p) <= Math.min(...q) || Math.max(...q) <= Math.min(...p);
        };
        const normals = outline.map(([x, y], i) => {
            const [u, v] = outline[(i + 1) % outline.length];
            return [v - y, x - u];
        });
        return ![[1, 0], [0, 1], ...normals].some(parts);
    };
    const within = ([x, y]) => x > board.left && x < board.right && y > board.top && y < board.bottom;
    const found = [];
    boxes.forEach(({unit, says, rect}, i) => {
        const small = [rect[0] + more, rect[1] + more, rect[2] - more, rect[3] - more];
        bases.filter(base => base.unit !== unit && base.outline.length > 2 && meets(base.outline, small))
            .forEach(base => found.push(`${says} over ${base.unit}`));
        boxes.slice(i + 1).forEach(other => {
            const [l, t, r, b] = other.rect;
            const over = small[0] < r && l < small[2] && small[1] < b && t < small[3];
            if (over) found.push(`${says} over ${other.says}`);
        });
        const own = bases.filter(base => base.unit === unit);
        const inside = own.length > 0 && own.every(base => base.outline.length > 2 && base.outline.every(within));
        if (inside && !(within([rect[0], rect[1]]) && within([rect[2], rect[3]]))) found.push(`${says} cut off`);
    });
    return {found, labels: boxes.filter(one => one.unit).length, units: new Set(bases.map(one => one.unit)).size};
}
