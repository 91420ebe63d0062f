"use strict";
(() => {
  const place = document.getElementById("steps");
  const data = JSON.parse(document.getElementById("steps-data").textContent);
  const svg = place.querySelector("svg");
  const part = (name) => place.querySelector(`[data-part=${name}]`);
  const [slider, when, says, play] = ["slider", "when", "says", "play"].map(part);
  const make = (name, attributes) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const drawn = [];
  const shape = (number) => (drawn[number] ??= draw(data.shapes[number]));
  const draw = ([name, ...rest]) => {
    const { fill, stroke, ink } = data.looks[name];
    if (rest.length === 1) return make("path", { d: rest[0], ...stroke, fill: rest[0].endsWith("z") ? fill : "none" });
    if (rest.length === 3) return make("circle", { cx: rest[0], cy: rest[1], r: rest[2], fill, ...stroke });
    const [x, y, size, anchor, text] = rest;
    const made = make("text", { x, y, "font-size": size, "text-anchor": anchor, ...ink });
    made.textContent = text;
    return made;
  };
  const maps = [];
  data.steps.reduce((before, { cuts }) => {
    const now = [...before];
    for (const [at, gone, ...more] of cuts) now.splice(at, gone, ...more);
    maps.push(now);
    return now;
  }, []);
  let at = 0;
  let timer = 0;
  const show = (number) => {
    const next = Math.min(Math.max(number, 0), maps.length - 1);
    const old = new Set(next === at + 1 ? maps[at] : maps[next]);
    at = next;
    svg.replaceChildren(...maps[at].map((one) => {
      const node = shape(one);
      node.classList.toggle("new", !old.has(one));
      return node;
    }));
    const step = data.steps[at];
    slider.value = at + 1;
    slider.setAttribute("aria-valuetext", step.title);
    when.textContent = `${step.title} (${at + 1} of ${maps.length})`;
    says.replaceChildren(...step.says.map((one) => {
      const made = document.createElement("p");
      made.textContent = one;
      return made;
    }));
  };
  const stop = () => {
    window.clearTimeout(timer);
    timer = 0;
    play.textContent = play.dataset.play;
  };
  const next = () => {
    if (at === maps.length - 1) return stop();
    show(at + 1);
    timer = window.setTimeout(next, 1300 + 25 * data.steps[at].says.join("").length);
  };
  const go = (number) => {
    stop();
    show(number);
  };
  play.addEventListener("click", () => {
    if (timer !== 0) return stop();
    if (at === maps.length - 1) show(0);
    play.textContent = play.dataset.pause;
    timer = window.setTimeout(next, 600);
  });
  part("back").addEventListener("click", () => go(at - 1));
  part("on").addEventListener("click", () => go(at + 1));
  slider.addEventListener("input", () => go(slider.value - 1));
  place.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.target === slider) return;
    event.preventDefault();
    go(at + by);
  });
  show(0);
  for (const hidden of document.querySelectorAll("[data-steps]")) hidden.hidden = false;
})();
