// Figures as SVG, drawn at the width that there is.

const PLAIN = "var(--plain)";
const COLOUR = { favoured: "var(--favoured)", against: "var(--against)", open: "var(--even)", first: PLAIN };
const SERIES = ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)"];
/** With more marks than this only the first and the last are drawn until all are asked for. */
const MANY = 44;
const ENDS = 18;
const measure = document.createElement("canvas").getContext("2d");

/** How wide text is in a drawing. */
function wideOf(text) {
  measure.font = `12.5px ${getComputedStyle(document.body).fontFamily}`;
  return measure.measureText(text).width;
}

/** Text that fits into so much room. */
function fitting(text, room) {
  if (wideOf(text) <= room) return text;
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (wideOf(`${text.slice(0, middle)}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

const seenOf = (mark) => mark.seen ?? "open";
const SEEN_IN_WORDS = {
  favoured: "visibly in favour",
  against: "visibly against",
  open: "not visible",
  first: "what the others are compared with",
};

/** About so many round numbers between two. */
function ticksOf(low, high, about) {
  const rough = (high - low) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((step) => step >= rough) ?? 10 * power;
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) {
    ticks.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  }
  return { ticks, step };
}

/** Where numbers are on an axis. */
function scaleOf(axis, numbers, from, to, about) {
  const known = numbers.filter(isKnown);
  if (isKnown(axis.even ?? null)) known.push(axis.even);
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (axis.logarithmic) {
    low = Math.max(low, 1e-9) / 1.15;
    high *= 1.15;
    const span = Math.log(high / low);
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const times of span > 5 ? [1] : span > 2.5 ? [1, 3] : [1, 2, 5]) {
        const tick = times * 10 ** power;
        if (tick >= low && tick <= high) ticks.push(tick);
      }
    }
    const at = (number) => from + (Math.log(Math.max(number, low) / low) / span) * (to - from);
    // Within less than a power of ten there may be none of these, or one.
    if (ticks.length < 2) return { at, ...ticksOf(low, high, about), low, high };
    return { at, ticks, step: null, low, high };
  }
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  [low, high] = [low - room, high + room];
  if (axis.unit === "percent") [low, high] = [Math.max(0, low), Math.min(1, high)];
  const at = (number) => from + ((number - low) / (high - low)) * (to - from);
  return { at, ...ticksOf(low, high, about), low, high };
}

/** A figure with its rows: what its charts and lists need. */
function prepared(figure) {
  const table = tableOf(figure.table);
  const column = figure.series[0]?.column;
  const marks = figure.marks.map((mark) => ({
    ...mark,
    estimates: figure.series.map((series) => estimateOf(table, mark.row, series.column)),
    across: figure.across ? table.value(mark.row, figure.across.column) : null,
  }));
  return { figure, table, column, marks };
}

/** What is told of a mark: its numbers, and the counts behind them. */
function told({ figure, table }, mark) {
  const lines = figure.series.map((series, at) => [series.name, inWords(mark.estimates[at], figure.axis.unit)]);
  if (figure.across) {
    lines.push([figure.across.label, inWords({ value: mark.across, low: null, high: null }, figure.across.unit)]);
  }
  for (const { column, label, unit } of figure.details) {
    const of = estimateOf(table, mark.row, column);
    if (isKnown(of.value)) lines.push([label, inWords(of, unit)]);
  }
  if (figure.judged) {
    const seen = seenOf(mark);
    lines.push([figure.colours ? "verdict" : "difference", figure.colours?.[seen] ?? SEEN_IN_WORDS[seen]]);
  }
  return lines;
}

const headingOf = (mark) => (mark.column ? `${mark.label} against ${mark.column}` : mark.label);

/** Makes a shape one that can be pointed at, reached by arrow keys, and chosen. */
function reachable(node, of, mark, place) {
  const lines = told(of, mark);
  const heading = headingOf(mark);
  node.classList.add("mark");
  node.setAttribute("role", "button");
  node.setAttribute("tabindex", place.marks.length === 0 ? "0" : "-1");
  node.setAttribute("aria-label", `${heading}: ${lines.map(([term, value]) => `${term} ${value}`).join(", ")}`);
  const show = () => showTip(node, heading, lines);
  const at = place.marks.push(node) - 1;
  node.addEventListener("pointerenter", show);
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", show);
  node.addEventListener("blur", hideTip);
  node.addEventListener("click", () => place.choose(heading, lines, mark));
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      place.choose(heading, lines, mark);
      return;
    }
    const step = { ArrowDown: place.across, ArrowUp: -place.across, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const ends = { Home: 0, End: place.marks.length - 1 };
    const to = event.key in ends ? ends[event.key] : step === undefined ? -1 : at + step;
    if (place.marks[to]) {
      event.preventDefault();
      node.setAttribute("tabindex", "-1");
      place.marks[to].setAttribute("tabindex", "0");
      place.marks[to].focus();
    }
  });
  return node;
}

const surface = (width, height, label) =>
  shape("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": label,
    class: "drawing",
  });

/** Text in as many lines as it takes, broken between words. */
function linesOf(text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (lines.at(-1) === "" || wideOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const LINE = 15;
const labelOf = (axis) => axis.label + (axis.unit === "points" ? ", percentage points" : "");

/** How many pixels the label of an axis takes beyond those of its first line. */
const moreLines = (axis, width) => (linesOf(labelOf(axis), width).length - 1) * LINE;

/** The lines and numbers of an axis that lies below. */
function axisBelow(svg, axis, scale, top, bottom, left, right, width) {
  for (const tick of scale.ticks) {
    const x = scale.at(tick);
    svg.append(shape("line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid" }));
    const text = tickText(tick, axis.unit, scale.step);
    svg.append(shape("text", { x, y: bottom + 16, class: "tick", "text-anchor": "middle" }, text));
  }
  if (isKnown(axis.even ?? null)) {
    const x = scale.at(axis.even);
    svg.append(shape("line", { x1: x, x2: x, y1: top - 4, y2: bottom, class: "even" }));
  }
  axisLabel(svg, labelOf(axis), (left + right) / 2, bottom + 36, width);
}

/** What an axis is called, as near to its middle as the drawing has room for. */
function axisLabel(svg, label, middle, y, width) {
  linesOf(label, width).forEach((line, at) => {
    const half = wideOf(line) / 2;
    const x = Math.max(half, Math.min(width - half, middle));
    svg.append(shape("text", { x, y: y + at * LINE, class: "axis", "text-anchor": "middle" }, line));
  });
}

/** The lines of what the axis beside a drawing is called, in as much height. */
const linesBeside = (label, top, bottom) => linesOf(label, bottom - top + 24).slice(0, 2);

/** Where a drawing begins beside an axis: right of the lines of its label, and of the widest of its numbers. */
function leftOf(axis, scale, top, bottom) {
  const lines = linesBeside(axis.label, top, bottom).length;
  const widest = Math.max(...scale.ticks.map((tick) => wideOf(tickText(tick, axis.unit, scale.step))), 0);
  return Math.max(58, 6 + lines * LINE + widest + 10);
}

/** What the axis beside a drawing is called, turned, in as many lines as its height needs. */
function axisBeside(svg, label, top, bottom) {
  const middle = (top + bottom) / 2;
  linesBeside(label, top, bottom).forEach((line, at) => {
    const x = 12 + at * LINE;
    const turned = { x, y: middle, transform: `rotate(-90 ${x} ${middle})` };
    svg.append(shape("text", { ...turned, class: "axis", "text-anchor": "middle" }, line));
  });
}

/** A dot and an interval for each mark, one below the other. */
function intervals(of, marks, width, place) {
  const { figure } = of;
  const several = figure.series.length > 1;
  const hasSeen = figure.judged;
  const longest = Math.max(...marks.map((mark) => wideOf(mark.label)), 24);
  // On paper nothing tells a name that was cut from another.
  const isNarrow = width < 620 || (place.isPaper && longest + 10 > width * 0.38);
  const labels = isNarrow ? 0 : Math.min(longest + 10, width * 0.38);
  const values = isNarrow || several ? 0 : width > 780 ? 172 : 0;
  const [left, right] = [labels + 12, width - values - 14];
  const wordsOf = (mark) => inWords(mark.estimates[0], figure.axis.unit);
  // A name that has no room beside its figures has a line of its own.
  const isBelow =
    isNarrow && !several && marks.some((mark) => !mark.gap && wideOf(mark.label) + wideOf(wordsOf(mark)) + 10 > width);
  const rowHeight = (isNarrow ? (isBelow ? 54 : 38) : 25) + (several ? 9 * (figure.series.length - 1) : 0);
  const rows = [];
  let y = 14;
  let tier = 0;
  for (const mark of marks) {
    if (mark.gap) {
      rows.push({ mark, y: y + 12 });
      y += 28;
      continue;
    }
    const isNext = mark.tier && mark.tier !== tier;
    const heads = isNext && marks.some((other) => other.tier !== marks[0].tier);
    if (heads) y += 24;
    rows.push({ mark, y, heads });
    tier = mark.tier;
    y += rowHeight;
  }
  const bottom = y + 4;
  const svg = surface(width, bottom + 46 + moreLines(figure.axis, width), figure.title);
  const all = marks.flatMap((mark) => (mark.estimates ?? []).flatMap(({ value, low, high }) => [value, low, high]));
  const scale = scaleOf(figure.axis, all, left, right, (right - left) / 84);
  axisBelow(svg, figure.axis, scale, 8, bottom, left, right, width);
  for (const { mark, y, heads } of rows) {
    if (mark.gap) {
      svg.append(shape("text", { x: left, y: y + 4, class: "gap" }, mark.gap));
      continue;
    }
    if (heads) {
      svg.append(shape("line", { x1: 0, x2: width, y1: y - 17, y2: y - 17, class: "tier" }));
      svg.append(shape("text", { x: 0, y: y - 5, class: "tier-name" }, `Tier ${mark.tier}`));
    }
    const line = y + rowHeight / 2 + (isNarrow ? (isBelow ? 16 : 8) : 0);
    const group = shape("g", {});
    group.append(shape("rect", { x: 0, y, width, height: rowHeight, class: "hit" }));
    const room = several || isBelow ? width : width - wideOf(several ? "" : wordsOf(mark)) - 8;
    const name = fitting(mark.label, isNarrow ? room : labels);
    const at = isNarrow ? { x: 0, y: y + 14 } : { x: labels, y: line + 4, "text-anchor": "end" };
    group.append(shape("text", { ...at, class: "label" }, name));
    if ((values || isNarrow) && !several) {
      const text = wordsOf(mark);
      const at = isBelow ? y + 30 : isNarrow ? y + 14 : line + 4;
      group.append(shape("text", { x: width, y: at, class: "value", "text-anchor": "end" }, text));
    }
    mark.estimates.forEach((estimate, which) => {
      // Blue and orange say that something was tested: one series that was not is in neither.
      const colour = several ? SERIES[which] : hasSeen ? COLOUR[seenOf(mark)] : PLAIN;
      const offset = several ? (which - (mark.estimates.length - 1) / 2) * 9 : 0;
      group.append(dot(estimate, scale, line + offset, colour, hasSeen && !several && seenOf(mark) === "open", which));
    });
    svg.append(reachable(group, of, mark, place));
  }
  return svg;
}

/** An estimate with its interval; hollow where nothing is visible. */
function dot({ value, low, high }, scale, y, colour, isHollow, which = 0) {
  const group = shape("g", {});
  if (!isKnown(value)) return group;
  if (isKnown(low) && isKnown(high)) {
    const [from, to] = [scale.at(low), scale.at(high)];
    const line = { y1: y, y2: y, stroke: colour, "stroke-width": 2.2, "stroke-linecap": "round" };
    group.append(shape("line", { x1: from, x2: Math.max(to, from + 0.5), ...line }));
    for (const x of [from, to]) {
      group.append(shape("line", { x1: x, x2: x, y1: y - 3.5, y2: y + 3.5, stroke: colour, "stroke-width": 1.4 }));
    }
  }
  const fill = isHollow ? "var(--card)" : colour;
  const x = scale.at(value);
  const paint = { fill, stroke: colour, "stroke-width": 2 };
  // Series differ in shape as well.
  if (which === 1) group.append(shape("rect", { x: x - 4, y: y - 4, width: 8, height: 8, ...paint }));
  else if (which === 2) group.append(shape("path", { d: `M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`, ...paint }));
  else group.append(shape("circle", { cx: x, cy: y, r: 4.5, ...paint }));
  return group;
}

/** A cell for each mark. */
function heat(of, marks, width, place) {
  const { figure } = of;
  const rows = [...new Set(marks.map((mark) => mark.label))];
  let columns = [...new Set(marks.map((mark) => mark.column))];
  // Where all meet all, both are in the same order.
  if (columns.length === rows.length && columns.every((name) => rows.includes(name))) columns = rows;
  place.across = columns.length;
  const labels = Math.min(Math.max(...rows.map(wideOf)) + 12, width * (width < 620 ? 0.32 : 0.28));
  const least = width < 620 ? 30 : 18;
  const longest = Math.min(130, Math.max(...columns.map(wideOf)));
  const sizeBeside = (room) => Math.max(least, Math.min(76, (width - labels - room) / columns.length));
  const slanted = longest > sizeBeside(4) - 6;
  const size = sizeBeside(slanted ? longest * 0.74 : 4);
  const height = Math.min(size, 46);
  const top = slanted ? longest * 0.67 + 20 : 26;
  const across = labels + columns.length * size + (slanted ? longest * 0.74 : 4);
  const svg = surface(Math.max(across, 200), top + rows.length * height + 8, figure.title);
  const even = figure.axis.even ?? 0;
  const most = Math.max(...marks.map((mark) => Math.abs((mark.estimates[0].value ?? even) - even)), 1e-9);
  const pattern = hatching(`${figure.id}-hatch`);
  svg.append(shape("defs", {}, pattern));
  columns.forEach((name, at) => {
    const x = labels + (at + 0.5) * size;
    const turn = slanted ? { transform: `rotate(-42 ${x} ${top - 7})`, "text-anchor": "start" } : { "text-anchor": "middle" };
    svg.append(shape("text", { x, y: top - 7, class: "label", ...turn }, fitting(name, 130)));
  });
  rows.forEach((name, at) => {
    const y = top + (at + 0.5) * height + 4;
    const text = fitting(name, labels - 8);
    svg.append(shape("text", { x: labels - 6, y, class: "label", "text-anchor": "end" }, text));
  });
  const [rowAt, columnAt] = [rows, columns].map((names) => new Map(names.map((name, at) => [name, at])));
  const ordered = [...marks].sort(
    (a, b) => rowAt.get(a.label) - rowAt.get(b.label) || columnAt.get(a.column) - columnAt.get(b.column),
  );
  for (const mark of ordered) {
    const { value, low, high } = mark.estimates[0];
    const [x, y] = [labels + columnAt.get(mark.column) * size, top + rowAt.get(mark.label) * height];
    const box = { x: x + 1, y: y + 1, width: size - 2, height: height - 2, rx: 3 };
    const group = shape("g", {}, shape("rect", { ...box, class: "cell" }));
    if (isKnown(value)) {
      const strength = (0.08 + 0.5 * (Math.abs(value - even) / most)).toFixed(3);
      const tone = value >= even ? "favoured" : "against";
      group.append(shape("rect", { ...box, style: `fill: rgb(var(--${tone}-rgb) / ${strength})` }));
      if (seenOf(mark) === "open") group.append(shape("rect", { ...box, fill: `url(#${pattern.id})` }));
      if (size >= 34) {
        const isWide = size >= 54 && isKnown(low);
        const digits = isWide ? digitsOf((high - low) * 100) : 0;
        const text = figure.axis.unit === "points" ? signed(value * 100, digits) : (value * 100).toFixed(digits);
        const at = { x: x + size / 2, "text-anchor": "middle" };
        group.append(shape("text", { ...at, y: y + height / 2 + (isWide ? -1 : 4), class: "number" }, text));
        if (isWide) {
          // One number for a lopsided interval would hold values that the interval does not, as in tables on a terminal.
          const [below, above] = [value - low, high - value];
          const longer = Math.max(below, above);
          const part = (size) => (size * 100).toFixed(digits);
          const bounds = figure.axis.unit === "points" ? [0] : [0, even, 1];
          const gains = (bound) => (low > bound && value - longer <= bound) || (high < bound && value + longer >= bound);
          const isLopsided = Math.min(below, above) < 0.8 * longer || bounds.some(gains);
          const half = (sign, size) => (Number(part(size)) > 0 ? `${sign}${part(size)}` : "");
          const halves = isLopsided ? `${half("-", below)} ${half("+", above)}`.trim() : "";
          const around = halves || `±${part(longer)}`;
          // A label that does not fit is left to the words that a cell has when it is pointed at.
          if (around.length * 5.5 <= size) group.append(shape("text", { ...at, y: y + height / 2 + 13, class: "around" }, around));
        }
      }
    }
    svg.append(reachable(group, of, mark, place));
  }
  return svg;
}

/** Stripes that say: not visible. */
function hatching(id) {
  return shape(
    "pattern",
    { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    shape("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "hatch" }),
  );
}

/** A dot for each mark, by two numbers. */
function scatter(of, marks, width, place) {
  const { figure } = of;
  const height = Math.max(280, Math.min(460, width * 0.55));
  const [right, top, bottom] = [width - 16, 12, height - 50 - moreLines(figure.across, width)];
  const svg = surface(width, height, figure.title);
  const ends = marks.flatMap(({ estimates: [{ value, low, high }] }) => [value, low, high]);
  const up = scaleOf(figure.axis, ends, bottom, top, 6);
  const left = leftOf(figure.axis, up, top, bottom);
  const across = scaleOf(figure.across, marks.map((mark) => mark.across), left, right, (right - left) / 90);
  for (const tick of up.ticks) {
    const y = up.at(tick);
    svg.append(shape("line", { x1: left, x2: right, y1: y, y2: y, class: "grid" }));
    const text = tickText(tick, figure.axis.unit, up.step);
    svg.append(shape("text", { x: left - 8, y: y + 4, class: "tick", "text-anchor": "end" }, text));
  }
  if (isKnown(figure.axis.even ?? null)) {
    const y = up.at(figure.axis.even);
    svg.append(shape("line", { x1: left, x2: right, y1: y, y2: y, class: "even" }));
  }
  axisBelow(svg, figure.across, across, top, bottom, left, right, width);
  axisBeside(svg, figure.axis.label, top, bottom);
  const placed = [];
  const byScore = [...marks].sort((a, b) => a.estimates[0].value - b.estimates[0].value);
  const named = new Set([...byScore.slice(0, 4), ...byScore.slice(-5)]);
  named.add(marks.reduce((most, mark) => (mark.across > most.across ? mark : most), marks[0]));
  const texts = shape("g", { "aria-hidden": "true" });
  for (const mark of marks) {
    const { value, low, high } = mark.estimates[0];
    if (!isKnown(value)) continue;
    const [x, y] = [across.at(mark.across), up.at(value)];
    const group = shape("g", {});
    if (isKnown(low)) group.append(shape("line", { x1: x, x2: x, y1: up.at(low), y2: up.at(high), class: "whisker" }));
    group.append(shape("circle", { cx: x, cy: y, r: 9, class: "hit" }));
    group.append(shape("circle", { cx: x, cy: y, r: 3.8, class: "point" }));
    svg.append(reachable(group, of, mark, place));
    const isLeft = x > (left + right) / 2;
    const wide = wideOf(mark.label);
    const box = { from: isLeft ? x - 8 - wide : x + 8, to: isLeft ? x - 8 : x + 8 + wide, y };
    const isFree = placed.every((other) => Math.abs(other.y - y) > 13 || other.to < box.from || other.from > box.to);
    if (named.has(mark) && isFree && box.from > left && box.to < right) {
      placed.push(box);
      const at = { x: isLeft ? x - 8 : x + 8, y: y + 4, "text-anchor": isLeft ? "end" : "start" };
      texts.append(shape("text", { ...at, class: "label" }, mark.label));
    }
  }
  svg.append(texts);
  return svg;
}

/** A column for each mark. */
function columns(of, marks, width, place) {
  const { figure } = of;
  const height = Math.max(240, Math.min(340, width * 0.4));
  const below = figure.across ? moreLines(figure.across, width) : 0;
  const [right, top, bottom] = [width - 8, 12, height - 48 - below];
  const svg = surface(width, height, figure.title);
  const ends = marks.flatMap(({ estimates: [{ value, high }] }) => [value, high]);
  const up = scaleOf(figure.axis, [0, ...ends], bottom, top, 5);
  const left = leftOf(figure.axis, up, top, bottom);
  for (const tick of up.ticks) {
    const y = up.at(tick);
    svg.append(shape("line", { x1: left, x2: right, y1: y, y2: y, class: "grid" }));
    const text = tickText(tick, figure.axis.unit, up.step);
    svg.append(shape("text", { x: left - 8, y: y + 4, class: "tick", "text-anchor": "end" }, text));
  }
  const size = (right - left) / marks.length;
  const every = Math.max(1, Math.ceil((Math.max(...marks.map((mark) => wideOf(mark.label))) + 8) / size));
  marks.forEach((mark, at) => {
    const { value, low, high } = mark.estimates[0];
    const x = left + at * size;
    const group = shape("g", {}, shape("rect", { x, y: top, width: size, height: bottom - top, class: "hit" }));
    const from = up.at(value ?? 0);
    group.append(shape("rect", { x: x + size * 0.12, y: from, width: size * 0.76, height: Math.max(0, up.at(0) - from), class: "bar", rx: 2 }));
    if (isKnown(low)) {
      const middle = x + size / 2;
      group.append(shape("line", { x1: middle, x2: middle, y1: up.at(low), y2: up.at(high), class: "error" }));
    }
    svg.append(reachable(group, of, mark, place));
    if (at % every === 0) {
      const text = { x: x + size / 2, y: bottom + 16, class: "tick", "text-anchor": "middle" };
      svg.append(shape("text", text, mark.label));
    }
  });
  axisBeside(svg, figure.axis.label, top, bottom);
  axisLabel(svg, figure.across?.label ?? "", (left + right) / 2, bottom + 36, width);
  return svg;
}

/** The first and the last of many marks, with a word about those between. */
function endsOf(marks) {
  const between = marks.length - 2 * ENDS;
  return [...marks.slice(0, ENDS), { gap: `${whole(between)} more in between`, label: "" }, ...marks.slice(-ENDS)];
}
