(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.able.halo { animation: none !important }');
    document.adoptedStyleSheets.push(sheet);
})()
