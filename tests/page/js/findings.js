() => axe
    .run(document, {resultTypes: ['violations']})
    .then(({violations}) => violations
        .map(({id, nodes}) => [id, ...nodes.slice(0, 3).map(({html}) => html.slice(0, 200))]))
