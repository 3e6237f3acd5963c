// Going through the battle.

const data = JSON.parse(byId("data").textContent);
const boards = data.steps.map((_, at) => boardAt(data, at));
const last = data.steps.length - 1;

// For each step the lines that it comes of: the last heading, action and so on before it that weigh more.
const origins = [];
{
  const open = [];
  data.steps.forEach((step, at) => {
    const weight = step.lines[0].weight;
    while (open.length > 0 && open[open.length - 1].weight >= weight) open.pop();
    origins.push([...open]);
    for (const line of step.lines) {
      while (open.length > 0 && open[open.length - 1].weight >= line.weight) open.pop();
      open.push({ ...line, step: at });
    }
  });
}

// Who acts: the line itself says so, or what it comes of.
function marksOf(step) {
  const lines = data.steps[step].lines;
  const acting = [...origins[step], lines[0]].filter((line) => line.weight <= 1);
  const turn = acting.length > 0 ? (acting[acting.length - 1].actor ?? null) : null;
  return { turn, actor: lines[0].actor ?? null, targets: lines[0].targets ?? [] };
}

const isHeading = (step) => data.steps[step].lines[0].weight === 0;
const isTurn = (step) => data.steps[step].lines[0].weight <= 1;

let current = 0;
let timer = null;
let drawnAt = null;

function seek(step) {
  const to = Math.max(0, Math.min(last, step));
  if (to === current && drawnAt !== null) return;
  current = to;
  show();
}

// The nearest step before or after this one that is such a one; the end of the battle if there is none.
function nearest(is, by) {
  let at = current + by;
  while (at > 0 && at < last && !is(at)) at += by;
  return at;
}

function show() {
  const board = boards[current];
  const changes = changesBetween(current > 0 ? boards[current - 1] : null, board);
  const marks = { ...marksOf(current), side: board.turn };
  showNow(changes);
  showBoard(board, changes, marks);
  showPlace();
  showLine();
  moveCursor(current);
  announce(changes);
  drawnAt = current;
}

// What happens at this step, what it comes of, its dice, and what it changes.
function showNow(changes) {
  const { lines, dice } = data.steps[current];
  const trail = origins[current].map((line) => make("li", {}, make("a", { href: `#${line.step + 1}` }, line.text)));
  const [first, ...more] = lines;
  // Many lines at once tell what stands on the board below.
  const few = more.length > 3 ? [] : more;
  byId("now").replaceChildren(
    make("ol", { class: "trail", "aria-label": "Comes of" }, trail),
    make("p", { class: "told" }, first.text),
    few.length > 0 ? make("ul", { class: "told-more" }, few.map((line) => make("li", {}, line.text))) : "",
    dice ? diceElement(dice) : "",
    changesElement(changes),
  );
}

const FEW_DICE = 8;

function diceElement(dice) {
  const list = make("ul", { class: "dice", role: "list", "aria-label": "Dice" }, dice.map(dieElement));
  if (dice.length <= FEW_DICE) return list;
  return make("details", {}, make("summary", {}, `${dice.length} dice`), list);
}

// A die: a strip with a part for each face, as wide as it is likely; the one that came up is filled.
function dieElement(die) {
  const isYesNo = die.came === "yes" || die.came === "no";
  const faces = die.faces ?? [];
  // Yes comes first, so that the filled part of the strip is how likely it was.
  const order = faces.map((_, face) => face);
  if (isYesNo) order.reverse();
  const strip = order.map((face) => {
    const came = face === die.face ? "face came" : "face";
    return make("span", { class: came, style: `flex-grow:${faces[face]}` }, face === die.face ? "●" : "");
  });
  const chance = isYesNo ? `${Math.round(100 * faces[1])}% chance` : die.odds;
  return make(
    "li",
    { class: `die ${isYesNo ? die.came : ""}` },
    make("span", { class: "die-name" }, die.name),
    make("span", { class: "odds" }, chance),
    strip.length > 0 && make("span", { class: "strip", "aria-hidden": "true" }, strip),
    make("b", { class: "came-up" }, isYesNo ? (die.came === "yes" ? "✓ yes" : "✗ no") : die.came),
  );
}

const FEW_CHANGES = 10;

function changesElement(changes) {
  const words = changes.words;
  if (words.length === 0) return "";
  const mark = { less: "▼", more: "▲", plain: "•" };
  const item = ({ who, what, kind }) =>
    make("li", { class: kind }, make("span", { "aria-hidden": "true" }, mark[kind], " "), make("b", {}, who), ` ${what}`);
  const list = make("ul", { class: "changes", role: "list", "aria-label": "Changes" }, words.slice(0, FEW_CHANGES).map(item));
  if (words.length > FEW_CHANGES) list.append(make("li", { class: "plain" }, `and ${words.length - FEW_CHANGES} more`));
  return list;
}

function showBoard(board, changes, marks) {
  const focused = document.activeElement?.closest?.("#board .unit");
  const place = focused ? [...byId("board").querySelectorAll(".unit")].indexOf(focused) : -1;
  const numbers = board.numbers.map((number) => stat(number, null));
  const tags = board.tags.map((tag) => conditionElement(tag));
  byId("board").replaceChildren(
    make("p", { class: "conditions" }, numbers, tags),
    make(
      "div",
      { class: `sides count-${board.sides.length}` },
      board.sides.map((side, at) => sideElement(side, at, data, board, changes, marks, showDetails)),
    ),
  );
  // Whoever was looking at a unit still is.
  if (place >= 0) byId("board").querySelectorAll(".unit")[place]?.focus({ preventScroll: true });
}

// What holds for the whole battle tells what it means.
function conditionElement(tag) {
  if (!data.meanings[tag.text]) return tagElement(tag, false);
  const button = make("button", { type: "button", class: `tag ${tag.kind}`, "aria-haspopup": "dialog" }, tag.text);
  button.addEventListener("click", () => showDetails({ name: tag.text, tags: [tag] }));
  return button;
}

function showPlace() {
  const scrubber = byId("scrubber");
  const heading = [...origins[current], data.steps[current].lines[0]].find((line) => line.weight === 0);
  scrubber.value = String(current + 1);
  scrubber.setAttribute("aria-valuetext", `Step ${current + 1} of ${last + 1}${heading ? `, ${heading.text}` : ""}`);
  byId("place").textContent = `Step ${current + 1} of ${last + 1}`;
  for (const id of ["first", "back", "back-turn"]) byId(id).disabled = current === 0;
  for (const id of ["on", "on-turn", "last"]) byId(id).disabled = current === last;
  const hash = `#${current + 1}`;
  if (location.hash !== hash && drawnAt !== null) history.replaceState(null, "", hash);
}

// Marks the line of this step in the story, and brings it into view where the story scrolls by itself.
function showLine() {
  const story = byId("story");
  story.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const line = byId(`line-${current + 1}`);
  line.setAttribute("aria-current", "step");
  if (story.scrollHeight > story.clientHeight + 1) {
    const [outer, inner] = [story.getBoundingClientRect(), line.getBoundingClientRect()];
    story.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

function announce(changes) {
  // While it plays by itself, every step would be cut off by the next one.
  if (timer !== null || drawnAt === null) return;
  const { lines, dice } = data.steps[current];
  const thrown = (dice ?? []).slice(0, FEW_DICE).map((die) => `${die.name}: ${die.came}, ${die.odds}.`);
  const changed = changes.words.slice(0, FEW_CHANGES).map(({ who, what }) => `${who} ${what}.`);
  byId("said").textContent = [`Step ${current + 1}.`, `${lines[0].text}.`, ...thrown, ...changed].join(" ");
}

// All there is to know of a unit, with what its words mean.
function showDetails(unit) {
  const dialog = byId("details");
  const row = (name, value) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
  const numbers = (unit.numbers ?? []).map(({ name, value, of, usual }) => {
    const most = of === undefined ? "" : ` of ${minus(of)}`;
    const off = usual === undefined || usual === value ? "" : ` (usually ${minus(usual)})`;
    return row(capital(name), `${minus(value)}${most}${off}`);
  });
  const tags = (unit.tags ?? []).map((tag) => row(capital(tag.text), data.meanings[tag.text] ?? ""));
  dialog.replaceChildren(
    make("h2", { id: "details-title" }, calledBy(unit)),
    unit.note ? make("p", { class: "quiet" }, capital(unit.note)) : "",
    make("dl", { class: "numbers" }, numbers),
    make("dl", {}, tags),
    make("form", { method: "dialog" }, make("button", { class: "primary" }, "Close")),
  );
  dialog.showModal();
}

function play() {
  if (timer !== null) return stop();
  if (current === last) seek(0);
  timer = window.setInterval(() => (current < last ? seek(current + 1) : stop()), Number(byId("speed").value));
  byId("play").textContent = "Stop";
}

function stop() {
  if (timer !== null) window.clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

const moves = {
  first: () => 0,
  last: () => last,
  back: () => current - 1,
  on: () => current + 1,
  "back-turn": () => nearest(isTurn, -1),
  "on-turn": () => nearest(isTurn, 1),
};

// Buttons, scrubber and links stop a battle that plays by itself; so do keys.
function go(step) {
  stop();
  seek(step);
}

function moveOfKey(event) {
  const { key, shiftKey } = event;
  if (key === "ArrowLeft") return shiftKey ? nearest(isTurn, -1) : current - 1;
  if (key === "ArrowRight") return shiftKey ? nearest(isTurn, 1) : current + 1;
  if (key === "PageUp") return nearest(isHeading, -1);
  if (key === "PageDown") return nearest(isHeading, 1);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return null;
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const on = event.target;
  if (document.querySelector("dialog[open]") || on.closest?.("select, dialog")) return;
  const to = moveOfKey(event);
  if (to !== null) {
    event.preventDefault();
    go(to);
  } else if (event.key === " " && !on.closest?.("button, a, summary")) {
    event.preventDefault();
    play();
  } else if (event.key === "?") {
    byId("keys").showModal();
  }
}

const stepOfHash = () => {
  const step = Number.parseInt(location.hash.replace(/^#(step-?)?/, ""), 10);
  return Number.isNaN(step) ? null : step - 1;
};

// What the words on the board mean, for whoever reads on and for paper.
function showMeanings() {
  const entries = Object.entries(data.meanings);
  if (entries.length === 0) return;
  const row = ([text, meaning]) => make("div", {}, make("dt", {}, text), make("dd", {}, meaning));
  byId("meanings").replaceChildren(make("h2", {}, "What the words mean"), make("dl", {}, entries.map(row)));
  byId("meanings").hidden = false;
}

function theme() {
  const button = byId("theme");
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) ===
    "dark";
  const label = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  label();
  button.hidden = false;
}

function copyButtons() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed here";
      }
    });
  }
}

byId("scrubber").max = String(last + 1);
byId("stage").hidden = false;
byId("controls").hidden = false;
const moveCursor = timeline(byId("timeline"), data, boards, go);
for (const [id, to] of Object.entries(moves)) byId(id).addEventListener("click", () => go(to()));
byId("play").addEventListener("click", play);
byId("help").addEventListener("click", () => byId("keys").showModal());
byId("speed").addEventListener("change", () => {
  if (timer === null) return;
  stop();
  play();
});
byId("scrubber").addEventListener("input", (event) => go(Number(event.target.value) - 1));
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => go(stepOfHash() ?? current));
theme();
copyButtons();
showMeanings();
current = Math.max(0, Math.min(last, stepOfHash() ?? 0));
show();
