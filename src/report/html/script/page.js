// Puts figures, tables and buttons into their places.

const DRAWERS = { intervals, heat, scatter, columns };
/** Rows of a table that are shown at a time. */
const ROWS = 100;

/** How wide a figure is on paper. */
const PAPER = 660;

/** One figure: its legend, its drawing at whatever width there is, and what was chosen in it. */
function drawFigure(holder, figure) {
  const of = prepared(figure);
  const groups = [...new Set(of.marks.map((mark) => mark.group ?? ""))];
  const opened = groups.includes(figure.group) ? figure.group : groups[0] ?? "";
  const state = { group: opened, all: false, width: 0 };
  const drawing = element("div", { class: "scroll" });
  const chosen = element("div", { class: "chosen", "aria-live": "polite" });
  const more = element("button", { type: "button", class: "not-in-print", hidden: true });
  const tools = element("div", { class: "tools" });
  const printed = element("b", { class: "only-in-print" });
  if (groups.length > 1) {
    const id = `${figure.id}-group`;
    const select = element("select", { id, onchange: () => { state.group = select.value; state.all = false; draw(); } });
    for (const group of groups) select.append(element("option", { value: group }, group));
    select.value = opened;
    const noun = figure.group_noun || "group";
    tools.append(element("label", { for: id }, noun[0].toUpperCase() + noun.slice(1)), select, printed);
  }
  tools.append(legendOf(figure));
  holder.append(tools, drawing, element("div", { class: "under not-in-print" }, more), chosen);
  more.addEventListener("click", () => { state.all = !state.all; draw(); });

  function choose(heading, lines, mark) {
    chosen.replaceChildren(
      element("b", {}, heading),
      facts(lines),
      ...(mark.trace ? [element("p", { class: "quiet" }, "A battle of it, step by step: "), commandLine(mark.trace)] : []),
    );
  }

  function draw(width = holder.clientWidth) {
    state.width = width;
    printed.textContent = state.group;
    if (state.width === 0) return;
    hideTip();
    const marks = of.marks.filter((mark) => (mark.group ?? "") === state.group);
    const isLong = figure.kind === "intervals" && marks.length > MANY;
    more.hidden = !isLong;
    more.textContent = state.all ? "Show the first and the last" : `Show all ${whole(marks.length)}`;
    const place = { marks: [], across: 1, choose, isPaper: width === PAPER };
    const shown = isLong && !state.all ? endsOf(marks) : marks;
    const isEmpty = shown.every((mark) => !mark.estimates?.some(({ value }) => isKnown(value)));
    if (isEmpty) drawing.replaceChildren(element("p", { class: "quiet" }, "Nothing of it is known."));
    else drawing.replaceChildren(DRAWERS[figure.kind](of, shown, state.width, place));
  }

  draw();
  // On paper at the width of paper: drawn for a screen and made smaller, its text could not be read.
  addEventListener("beforeprint", () => draw(PAPER));
  addEventListener("afterprint", () => draw());
  new ResizeObserver(() => {
    if (Math.abs(holder.clientWidth - state.width) > 1) draw();
  }).observe(holder);
}

/** What colours and shapes stand for. */
function legendOf(figure) {
  const legend = element("ul", { class: "legend" });
  const entry = (sample, text) => legend.append(element("li", {}, sample, text));
  const swatch = (...inside) => shape("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, ...inside);
  const scale = { at: (number) => number };
  if (figure.series.length > 1) {
    figure.series.forEach((series, at) => {
      entry(swatch(dot({ value: 13, low: 3, high: 23 }, scale, 7, SERIES[at], false, at)), series.name);
    });
  } else if (figure.kind === "heat") {
    const cell = (style, hatched) => {
      const pattern = hatching(`${figure.id}-legend`);
      const box = { x: 2, y: 0, width: 22, height: 14, rx: 3 };
      return swatch(
        shape("rect", { ...box, style }),
        ...(hatched ? [shape("defs", {}, pattern), shape("rect", { ...box, fill: `url(#${pattern.id})` })] : []),
      );
    };
    const [more, less] = figure.axis.unit === "points" ? ["more", "less"] : ["above even", "below even"];
    entry(cell("fill: rgb(var(--favoured-rgb) / 0.5)"), more);
    entry(cell("fill: rgb(var(--against-rgb) / 0.5)"), less);
    entry(cell("fill: rgb(var(--favoured-rgb) / 0.12)", true), "not visible");
  } else if (figure.judged) {
    const sample = (seen) => swatch(dot({ value: 13, low: 3, high: 23 }, scale, 7, COLOUR[seen], seen === "open"));
    const has = (seen) => figure.marks.some((mark) => seenOf(mark) === seen);
    const usual = { favoured: "in favour", against: "against", open: "not visible", first: SEEN_IN_WORDS.first };
    for (const [seen, text] of Object.entries({ ...usual, ...figure.colours })) {
      if (has(seen)) entry(sample(seen), text);
    }
  }
  return legend;
}

/** The table behind a figure, its CSV, and the command that makes it again. */
function behind(holder, figure) {
  const summary = element("summary", {}, "The table behind it");
  const inside = element("div", { class: "inside" });
  const details = element("details", { class: "not-in-print" }, summary, inside);
  details.addEventListener("toggle", () => {
    if (details.open && !inside.hasChildNodes()) fill();
  });
  holder.append(details);

  function fill() {
    const table = tableOf(figure.table);
    const body = element("tbody");
    const head = element("tr");
    for (const column of table.columns) {
      head.append(element("th", { scope: "col", class: column.kind, title: column.meaning }, column.name));
    }
    let shown = 0;
    const more = element("button", { type: "button", onclick: () => add() });
    const add = () => {
      for (const end = Math.min(table.rows, shown + ROWS); shown < end; shown += 1) {
        const row = element("tr");
        for (const { kind, values } of table.columns) {
          const value = values[shown];
          const text = value === null ? "" : kind === "text" ? value : kind === "count" ? whole(value) : String(value);
          row.append(element("td", { class: kind }, text));
        }
        body.append(row);
      }
      more.hidden = shown >= table.rows;
      more.textContent = `${whole(Math.min(ROWS, table.rows - shown))} more of ${whole(table.rows)} rows`;
    };
    add();
    const save = () => download(`${figure.table}.csv`, csvOf(table), "text/csv;charset=utf-8");
    const csv = element("button", { type: "button", onclick: save }, `Download ${figure.table}.csv`);
    const wrapped = element(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": `Table behind: ${figure.name}` },
      element("table", {}, element("thead", {}, head), body),
    );
    const cut = table.cut
      ? element("p", { class: "quiet" }, `As much as there is room for: ${whole(table.rows)} of ${whole(table.all)} rows. The folder of the results has the whole table.`)
      : null;
    inside.append(wrapped, element("p", { class: "row" }, more, csv), ...(cut ? [cut] : []));
    inside.append(element("p", { class: "quiet" }, "Numbers have seven digits here; tables have all of theirs. The command: "), commandLine(notes.command));
  }
}

/** Light, dark, or as the system has it. */
function themes() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.hidden = false;
  button.setAttribute("aria-label", "Switch between light and dark");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  prefersDark.addEventListener("change", name);
  name();
}

themes();
for (const button of document.querySelectorAll("button[data-copy]")) copying(button, button.dataset.copy);
for (const holder of document.querySelectorAll("[data-figure]")) drawFigure(holder, notes.figures[holder.dataset.figure]);
for (const holder of document.querySelectorAll("[data-behind]")) behind(holder, notes.figures[holder.dataset.behind]);
if (notes.live) liveWeights(document.getElementById("live"), notes.live);
