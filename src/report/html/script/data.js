// What the page holds: what is said, where it comes from, and the tables behind the figures.

const held = JSON.parse(document.getElementById("data").textContent);
const notes = held.notes;

/** A column as its values, whatever way it is held. */
function opened(column) {
  const values = column.kind === "text" ? column.values.map((at) => column.words[at]) : column.values;
  return { name: column.name, meaning: column.meaning, kind: column.kind, values };
}

const tables = new Map();

/** A table by its name, opened when it is first asked for. */
function tableOf(name) {
  if (!tables.has(name)) {
    const table = held.tables[name];
    const columns = table.columns.map(opened);
    const byName = new Map(columns.map((column) => [column.name, column]));
    const value = (row, column) => byName.get(column)?.values[row] ?? null;
    tables.set(name, { name, rows: table.rows, all: table.all, cut: table.cut, columns, value });
  }
  return tables.get(name);
}

/** A value and the ends of its interval; the ends are null where there are none. */
function estimateOf(table, row, column) {
  const [value, low, high] = ["", "_low", "_high"].map((end) => table.value(row, column + end));
  return { value, low, high };
}

// How numbers are set: the same digits as the pages for the terminal have.

const whole = (count) => String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** How many decimals tell the ends of an interval of this width apart. */
function digitsOf(width, least = 1) {
  const needed = width > 0 ? Math.max(0, Math.ceil(Math.log10(0.2 / width))) : 0;
  return Math.min(4, least + needed);
}

/** A number with so many decimals. What rounds to zero has no sign. */
function fixed(number, digits) {
  const text = number.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** The same with its sign: `+3.2`, `-3.2`, `0.0`. */
function signed(number, digits) {
  const text = fixed(number, digits);
  return number > 0 && Number(text) !== 0 ? `+${text}` : text;
}

const isKnown = (number) => number !== null && Number.isFinite(number);

/** `52.1% (51.9 to 52.3)`, `+3.2 pp (+1.0 to +5.4)`, `7.31 (7.28 to 7.34)`, as the unit has it. */
function inWords({ value, low, high }, unit) {
  if (!isKnown(value)) return "not known";
  // What is exact has no interval.
  const hasEnds = isKnown(low) && isKnown(high) && low < high;
  const scale = unit === "percent" || unit === "points" ? 100 : 1;
  const digits = hasEnds ? digitsOf((high - low) * scale) : unit === "number" && !Number.isInteger(value) ? 3 : 1;
  const set = (number) => (unit === "points" ? signed(number * scale, digits) : fixed(number * scale, digits));
  const after = { percent: "%", points: " pp" }[unit] ?? "";
  if (unit === "count") return whole(value);
  if (unit === "p") return pValue(value);
  return set(value) + after + (hasEnds ? ` (${set(low)} to ${set(high)})` : "");
}

function pValue(p) {
  if (p < 0.0001) return "<0.0001";
  return p < 0.0995 ? p.toFixed(4) : p.toFixed(2);
}

/** A number beside an axis; where there is no step from one to the next, with its own decimals. */
function tickText(number, unit, between) {
  const step = between ?? Math.abs(number);
  const scale = unit === "percent" || unit === "points" ? 100 : 1;
  if (unit === "count" && number >= 1000) return number >= 1e6 ? `${number / 1e6}M` : `${number / 1e3}k`;
  // As many decimals as the step has: ticks that are equally far apart have to read so.
  const isWhole = (times) => Math.abs(times - Math.round(times)) < 1e-6;
  let digits = 0;
  while (digits < 6 && !isWhole(step * scale * 10 ** digits)) digits += 1;
  const text = Math.abs(number * scale).toFixed(digits);
  const sign = number < 0 ? "-" : unit === "points" && number > 0 ? "+" : "";
  return sign + text + (unit === "percent" ? "%" : "");
}

/** Text for a cell of a CSV file, which no spreadsheet takes for a formula. */
function cellText(value, kind) {
  if (value === null) return "";
  if (kind !== "text") return String(value);
  const isFormula = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value));
  const safe = value.startsWith("'") || isFormula ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV. */
function csvOf(table) {
  const lines = [table.columns.map((column) => cellText(column.name, "text")).join(",")];
  for (let row = 0; row < table.rows; row += 1) {
    lines.push(table.columns.map((column) => cellText(column.values[row], column.kind)).join(","));
  }
  return `${lines.join("\n")}\n`;
}
