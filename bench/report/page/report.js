"use strict";
// What makes the page easier to use; without it everything can still be read.

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

const form = document.getElementById("filter");
document.getElementById("choice").hidden = false;

// Tables: what belongs to which backend, puzzle or status; the marks of backends; headings that sort.
const marks = new Map(all("input[name=backend]", form).map((input) => [input.value, input.parentNode.querySelector(".mark")]));
for (const table of all("table")) {
  const names = [...table.tHead.rows[0].cells].map((heading) => heading.textContent);
  for (const row of table.rows) {
    [...row.cells].forEach((cell, column) => {
      const [name, text] = [names[column], cell.textContent];
      if (marks.has(name)) cell.dataset.backend = name;
      if (["winner", "by how much"].includes(name)) cell.classList.add("of-backends");
      if (["backend", "puzzle", "status"].includes(name) && cell.tagName === "TD") row.dataset[name] = text;
      if (marks.has(text)) cell.prepend(marks.get(text).cloneNode(true));
    });
  }
  for (const heading of all("thead th", table)) {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(heading));
  }
}

// Numbers by data-value, empty fields last.
function sortBy(heading) {
  const table = heading.closest("table");
  const column = heading.cellIndex;
  const down = heading.getAttribute("aria-sort") === "ascending";
  all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim().replaceAll(",", "");
    return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
  };
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort(([a], [b]) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return down ? -order : order;
  });
  body.append(...rows.map(([, row]) => row));
}

// Filters: what belongs to a backend, a puzzle or a status that is not ticked is hidden, and what compares
// all backends, or is of all puzzles, with it: only the curves are computed again.
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", filter);

const ticked = (name) => new Set(all(`input[name=${name}]:checked`, form).map((input) => input.value));

function filter() {
  const shown = { backend: ticked("backend"), puzzle: ticked("puzzle"), status: ticked("status") };
  const known = (name, value) => form.querySelector(`input[name=${name}][value="${CSS.escape(value)}"]`) !== null;
  const hides = (name, value) => value !== undefined && known(name, value) && !shown[name].has(value);
  for (const element of all("[data-backend], [data-puzzle], [data-status]")) {
    const { backend, puzzle, status } = element.dataset;
    const off = hides("backend", backend) || hides("puzzle", puzzle) || hides("status", status);
    element.classList.toggle("off", off);
  }
  const rows = all("#measurements tbody tr");
  const visible = rows.filter((row) => !row.classList.contains("off")).length;
  const partly = ["backend", "puzzle"].filter((name) => form.querySelector(`input[name=${name}]:not(:checked)`));
  document.body.className = partly.map((name) => `some-${name}s`).join(" ");
  const hidden = partly.length ? `; what is said of all ${partly.join("s, or of all ")}s is hidden` : "";
  document.getElementById("shown").textContent =
    visible < rows.length ? `${visible} of ${rows.length} measurements shown${hidden}` : "";
  redraw(shown);
}

// Curves: cactus plot and performance profile from the times of what is shown.
const problems = JSON.parse(document.getElementById("times").textContent);

function redraw(shown) {
  for (const frame of all("[data-kind=cactus], [data-kind=profile]")) {
    const { kind, task } = frame.dataset;
    const chosen = problems
      .filter((problem) => problem.task === task && shown.puzzle.has(problem.puzzle))
      .map((problem) => new Map(Object.entries(problem.times).filter(([label, time]) => shown.backend.has(label) && time !== null)));
    const heading = frame.parentNode.querySelector("[data-heading] text");
    heading.textContent = heading.textContent.replace(/\d+(?= problems)/, chosen.length);
    const best = chosen.map((times) => Math.min(...times.values()));
    const solvable = best.filter(Number.isFinite).length;
    for (const group of all("[data-curve], [data-dots]", frame.parentNode)) {
      const label = group.dataset.backend;
      const values = chosen.map((times, number) => {
        const time = label === "virtual best" ? best[number] : times.get(label);
        return kind === "profile" ? time / best[number] : time;
      });
      const ordered = values.filter(Number.isFinite).sort((a, b) => a - b);
      draw(group, frame, ordered, kind === "profile" ? Math.max(1, solvable) : 1);
    }
  }
}

function draw(group, frame, ordered, total) {
  const box = frame.querySelector("path").getBBox();
  const [left, right, top] = ["left", "right", "top"].map((name) => Number(frame.dataset[name]));
  const x = (value) => box.x + (box.width * Math.log(value / left)) / Math.log(right / left);
  const y = (value) => box.y + box.height * (1 - value / top);
  if (group.dataset.curve) {
    let path = `M ${x(left)} ${y(0)}`;
    ordered.forEach((value, number) => (path += ` H ${x(value)} V ${y((number + 1) / total)}`));
    group.querySelector("path").setAttribute("d", `${path} H ${x(right)}`);
  } else {
    const uses = all("use", group);
    uses.forEach((use, number) => {
      const value = ordered[number];
      use.classList.toggle("off", value === undefined);
      if (value !== undefined) {
        use.setAttribute("x", x(value));
        use.setAttribute("y", y((number + 1) / total));
      }
    });
  }
}

// A browser may keep what was ticked when the page is loaded again.
if (form.querySelector("input:not(:checked)")) filter();

// A link opens what it leads to; printing shows everything.
const open = (details) => (details.open = true);
const opensTarget = () => all(`details[id="${CSS.escape(location.hash.slice(1))}"]`).forEach(open);
window.addEventListener("hashchange", opensTarget);
opensTarget();
window.addEventListener("beforeprint", () => all("details").forEach(open));
