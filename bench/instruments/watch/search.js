"use strict";
// Plays the frames of a search; without it the page shows the last one.

const { room, cells, places, looks, tree, frames } = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const board = document.querySelector(".board svg");

const change = (made, attributes) => Object.entries(attributes).forEach((entry) => made.setAttribute(...entry));

function element(parent, name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  change(made, attributes);
  made.textContent = text;
  parent.append(made);
  return made;
}

const [fields, walks, written] = ["fields", "walks", cells ? "marks" : "marks halo"].map((name) => element(board, "g", { class: name }));
const marksOf = places.map(([x, y]) => element(written, "g", { transform: `translate(${x} ${y})` }));
const picture = document.querySelector("#tree svg");
const line = element(picture, "line", { class: "here" });
const circle = element(picture, "circle", { class: "here", r: 4 });

let at = frames.length - 1;
const seen = places.map(() => -1); // What is written of each unknown: the number of a look, or -1 for nothing.

function show(number) {
  at = Math.max(0, Math.min(frames.length - 1, number));
  const frame = frames[at];
  fields.replaceChildren();
  for (const [unknown, kind] of frame.fields) {
    const [x, y] = places[unknown];
    const r = room / 2 * (cells ? 0.92 : 0.9);
    if (cells) element(fields, "rect", { class: kind, x: x - r, y: y - r, width: 2 * r, height: 2 * r });
    else element(fields, "circle", { class: kind, cx: x, cy: y, r });
  }
  walks.replaceChildren();
  if (frame.path.length) {
    const walk = frame.path.map((unknown) => places[unknown]);
    const [x, y] = walk.at(-1);
    element(walks, "polyline", { class: "walk", points: walk.join(" ") });
    element(walks, "circle", { class: "walk", cx: x, cy: y, r: 0.14 * room });
  }
  frame.written.forEach((look, unknown) => {
    if (look === seen[unknown]) return;
    seen[unknown] = look;
    marksOf[unknown].replaceChildren();
    for (const [x, y, size, text, kind] of looks[look] ?? [])
      element(marksOf[unknown], "text", { class: kind, x, y, "font-size": size }, text);
  });
  byId("node").textContent = frame.place;
  byId("decision").firstElementChild.textContent = frame.decision;
  byId("decision").lastElementChild.textContent = frame.outcome;
  byId("decision").lastElementChild.classList.toggle("bad", frame.outcome === "refuted");
  byId("caption").textContent = frame.caption;
  byId("notes").textContent = frame.notes.join("\n");
  byId("notes").hidden = !frame.notes.length;
  byId("slider").value = at;
  const [x, y] = [tree.x + tree.across * frame.number, tree.y + tree.down * frame.depth];
  change(line, { x1: x, x2: x, y1: tree.y - tree.down / 2, y2: y });
  change(circle, { cx: x, cy: y });
}

let timer = 0;

function pause() {
  clearInterval(timer);
  timer = 0;
  byId("play").textContent = "Play";
}

function play() {
  if (at === frames.length - 1) show(0);
  byId("play").textContent = "Pause";
  timer = setInterval(() => {
    show(at + 1);
    if (at === frames.length - 1) pause();
  }, 1000 / Number(byId("speed").value));
}

const step = (number) => { pause(); show(number); };
byId("back").addEventListener("click", () => step(at - 1));
byId("forward").addEventListener("click", () => step(at + 1));
byId("slider").addEventListener("input", () => step(Number(byId("slider").value)));
byId("play").addEventListener("click", () => (timer ? pause() : play()));
byId("speed").addEventListener("change", () => { if (timer) { pause(); play(); } });
document.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const keys = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 };
  if (event.key in keys) step(keys[event.key]);
  else if (event.key === " " && !event.target.closest("button")) timer ? pause() : play();
  else return;
  event.preventDefault();
});

byId("still").hidden = true;
byId("player").hidden = false;
byId("here").hidden = false;
show(0);
