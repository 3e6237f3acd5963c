// The board of a step, and what has changed on it since the step before. Nothing here knows a rule: two boards are
// compared, number by number.

// Boards, sides, zones and units are each written once in the data; here a board is put together.
function boardAt(data, step) {
  const board = data.boards[data.steps[step].board];
  const unit = (number) => (number === null ? null : data.units[number]);
  const zone = (number) => ({ ...data.zones[number], units: data.zones[number].units.map(unit) });
  // What is empty is left out there.
  const side = (number) => ({ numbers: [], tags: [], ...data.sides[number], zones: data.sides[number].zones.map(zone) });
  return { numbers: [], tags: [], ...board, sides: board.sides.map(side) };
}

// Units that events can name, by their ids.
function unitsOf(board) {
  const units = board.sides.flatMap((side) => side.zones.flatMap((zone) => zone.units));
  return new Map(units.filter((unit) => unit?.id).map((unit) => [unit.id, unit]));
}

// What each unit of a board was on the one before: whoever had its id and name, or else its number and name, after a
// move. Numbers may be dealt anew between two steps, so that the place comes first.
function pairs(old, present) {
  const was = new Map();
  const free = new Map(old);
  for (const unit of present.values()) {
    if (free.get(unit.id)?.name !== unit.name) continue;
    was.set(unit.id, free.get(unit.id));
    free.delete(unit.id);
  }
  for (const unit of present.values()) {
    if (was.has(unit.id) || unit.number === undefined) continue;
    const same = [...free.values()].find((of) => of.number === unit.number && of.name === unit.name);
    if (!same) continue;
    was.set(unit.id, same);
    free.delete(same.id);
  }
  return { was, gone: [...free.values()] };
}

const calledBy = (unit) => [unit.id, unit.name].filter(Boolean).join(" ");

function numberChanges(before, now) {
  const changes = new Map();
  for (const number of now ?? []) {
    const old = before?.find((of) => of.name === number.name);
    if (old && old.value !== number.value) changes.set(number.name, { from: old.value, by: number.value - old.value });
    else if (old && old.of !== number.of) changes.set(number.name, { from: old.value, by: 0, most: old.of });
  }
  return changes;
}

const texts = (tags) => (tags ?? []).filter((tag) => tag.kind !== "note").map((tag) => tag.text);
const without = (some, others) => some.filter((text) => !others.includes(text));

// What is different in a bag of names, such as a hand: those that came and those that went.
function bagChanges(before, now) {
  const left = [...before];
  const came = [];
  for (const name of now) {
    const at = left.indexOf(name);
    if (at < 0) came.push(name);
    else left.splice(at, 1);
  }
  return { came, went: left };
}

const namesIn = (zone) => (zone?.units ?? []).filter((unit) => unit && !unit.id).map((unit) => unit.name);

// All changes from one board to the next: by unit and side for the board, and in words for the list.
function changesBetween(before, now) {
  const changes = { units: new Map(), sides: new Map(), words: [] };
  if (!before) return changes;
  const present = unitsOf(now);
  const { was: earlier, gone } = pairs(unitsOf(before), present);
  const say = (who, what, kind) => changes.words.push({ who, what, kind });
  for (const unit of present.values()) {
    const was = earlier.get(unit.id);
    if (!was) {
      changes.units.set(unit.id, { entered: true });
      say(calledBy(unit), "enters", "more");
      continue;
    }
    const of = {
      numbers: numberChanges(was.numbers, unit.numbers),
      came: without(texts(unit.tags), texts(was.tags)),
      went: without(texts(was.tags), texts(unit.tags)),
      died: (was.fate ?? "there") === "there" && unit.fate === "dead",
      left: (was.fate ?? "there") === "there" && unit.fate === "away",
      returned: (was.fate ?? "there") !== "there" && (unit.fate ?? "there") === "there",
      moved: was.id !== unit.id,
    };
    const who = calledBy(unit);
    for (const [name, { from, by, most }] of of.numbers) {
      const number = unit.numbers.find((one) => one.name === name);
      if (by !== 0) say(who, `${name} ${minus(from)} → ${minus(number.value)}`, by < 0 ? "less" : "more");
      else say(who, `${name} of at most ${minus(most)} → ${minus(number.of)}`, number.of < most ? "less" : "more");
    }
    for (const text of of.came) say(who, `now: ${text}`, kindOf(unit, text));
    for (const text of of.went) say(who, `no longer: ${text}`, "plain");
    if (of.died) say(who, "is dead", "less");
    if (of.left) say(who, "has left alive", "plain");
    if (of.returned) say(who, "is back", "more");
    if (of.moved) say(who, `moves from ${was.id}`, "plain");
    const any = of.numbers.size || of.came.length || of.went.length || of.died || of.left || of.returned || of.moved;
    if (any) changes.units.set(unit.id, of);
  }
  for (const unit of gone) say(calledBy(unit), "is no longer there", "less");
  for (const side of now.sides) {
    const was = before.sides.find((of) => of.id === side.id);
    const numbers = numberChanges(was?.numbers, side.numbers);
    const cards = new Map();
    for (const zone of side.zones.filter((of) => of.kind === "cards")) {
      cards.set(zone.name, bagChanges(namesIn(was?.zones.find((of) => of.name === zone.name)), namesIn(zone)));
    }
    const [came, went] = [without(texts(side.tags), texts(was?.tags)), without(texts(was?.tags), texts(side.tags))];
    for (const [name, { from, by }] of numbers) {
      const number = side.numbers.find((of) => of.name === name);
      const kind = number.of === undefined ? "plain" : by < 0 ? "less" : "more";
      if (by !== 0) say(`Side ${side.id}`, `${name} ${minus(from)} → ${minus(number.value)}`, kind);
    }
    for (const text of came) say(`Side ${side.id}`, `now: ${text}`, "plain");
    for (const text of went) say(`Side ${side.id}`, `no longer: ${text}`, "plain");
    changes.sides.set(side.id, { numbers, cards, came, out: side.out && !was?.out });
  }
  return changes;
}

function kindOf(unit, text) {
  const kind = unit.tags.find((tag) => tag.text === text)?.kind;
  return kind === "bad" ? "less" : kind === "good" ? "more" : "plain";
}

// A change as a small badge: the sign says what the colour says.
function badge(by) {
  if (!by) return null;
  const kind = by < 0 ? "less" : "more";
  return make("span", { class: `change ${kind}` }, `${by < 0 ? "▼" : "▲"}${Math.abs(by)}`);
}

// A number with a most, as a bar.
function bar(number, change, main) {
  const most = Math.max(number.of, 1);
  const share = Math.max(0, Math.min(1, number.value / most));
  const from = change ? Math.max(0, Math.min(1, change.from / most)) : share;
  const low = main && share <= 1 / 3 ? " low" : "";
  return make(
    "span",
    { class: `bar${main ? " main" : ""}${low}` },
    make("span", { class: "bar-name" }, number.name),
    make(
      "span",
      { class: "track" },
      from > share && make("span", { class: "lost", style: `width:${100 * from}%` }),
      make("span", { class: "left", style: `width:${100 * share}%` }),
    ),
    make("span", { class: "value" }, make("b", {}, minus(number.value)), `/${minus(number.of)}`),
    badge(change?.by),
  );
}

// Any other number; an arrow says that it is not what it usually is.
function stat(number, change) {
  const { name, value, usual } = number;
  const off = usual !== undefined && usual !== value;
  const kind = off ? (value < usual ? " weaker" : " stronger") : "";
  return make(
    "span",
    { class: `stat${kind}`, title: off ? `usually ${minus(usual)}` : null },
    `${name} `,
    make("b", {}, minus(value)),
    off && make("span", { "aria-hidden": "true" }, value < usual ? "↓" : "↑"),
    badge(change?.by),
  );
}

// What helps and what hinders is said by a sign too, unless the words begin with one.
const tagMark = { good: "▲ ", bad: "▼ ", ability: "", note: "" };

function tagElement(tag, isNew) {
  const kind = `tag ${tag.kind}${isNew ? " new" : ""}`;
  const mark = /^[+-]/.test(tag.text) ? "" : tagMark[tag.kind];
  return make("span", { class: kind }, mark, tag.text);
}

// Somebody on the board. `marks` says who acts and whom it is about.
function unitCard(unit, change, marks, details) {
  const fate = unit.fate ?? "there";
  const flags = [];
  if (marks.actor === unit.id) flags.push(make("span", { class: "flag acts" }, "acts"));
  // Where a side is one unit, the side says whose turn it is.
  else if (marks.turn === unit.id && unit.id !== marks.side) flags.push(make("span", { class: "flag turn" }, "turn"));
  if (marks.targets.includes(unit.id)) flags.push(make("span", { class: "flag target" }, "target"));
  if (fate === "dead") flags.push(make("span", { class: "flag dead" }, "dead"));
  if (fate === "away") flags.push(make("span", { class: "flag away" }, "left"));
  const classes = ["unit", fate];
  if (marks.actor === unit.id || marks.turn === unit.id) classes.push("acting");
  if (marks.targets.includes(unit.id)) classes.push("targeted");
  if (change) classes.push("changed");
  if (change?.entered) classes.push("entered");
  const [bars, stats] = [[], []];
  (unit.numbers ?? []).forEach((number, at) => {
    const of = change?.numbers?.get(number.name);
    if (number.of !== undefined) bars.push(bar(number, of, at === 0));
    else stats.push(stat(number, of));
  });
  const tags = (unit.tags ?? []).map((tag) => tagElement(tag, change?.came?.includes(tag.text)));
  for (const text of change?.went ?? []) tags.push(make("s", { class: "tag went" }, text));
  const card = make(
    "button",
    { type: "button", class: classes.join(" "), "aria-haspopup": "dialog" },
    make("span", { class: "who" }, make("span", { class: "id" }, unit.id ?? ""), ...flags),
    make("span", { class: "name" }, unit.name),
    unit.note && make("span", { class: "note" }, unit.note),
    ...bars,
    stats.length > 0 && make("span", { class: "stats" }, ...stats),
    tags.length > 0 && make("span", { class: "tags" }, ...tags),
  );
  card.addEventListener("click", () => details(unit));
  return card;
}

function zoneElement(zone, side, changes, marks, details) {
  const spaces = zone.units.map((unit, at) => {
    const lane = zone.kind === "lanes" ? make("span", { class: "lane" }, `lane ${at + 1}`) : null;
    if (!unit) return make("li", { class: "space empty" }, lane ?? "", make("span", { class: "nobody" }, "nobody"));
    if (zone.kind === "cards" && !(unit.numbers ?? []).length) return cardChip(unit, zone, side, changes, marks, details);
    return make("li", { class: "space" }, lane, unitCard(unit, changes.units.get(unit.id), marks, details));
  });
  for (const name of changes.sides.get(side.id)?.cards.get(zone.name)?.went ?? []) {
    spaces.push(make("li", { class: "chip went" }, make("s", {}, name)));
  }
  const fallen = zone.kind === "row" && zone.units.every((unit) => unit?.fate === "dead");
  const title = `${zone.name}${zone.kind === "cards" && zone.units.length > 1 ? ` (${zone.units.length})` : ""}`;
  return make(
    "div",
    { class: `zone ${zone.kind}${fallen ? " fallen" : ""}` },
    make("h4", {}, title),
    make("ul", { class: zone.kind, role: "list" }, ...spaces),
  );
}

// A card of which only the name is shown. Of several with one name, the last that came are marked.
function cardChip(unit, zone, side, changes, marks, details) {
  const came = changes.sides.get(side.id)?.cards.get(zone.name)?.came ?? [];
  const isNew = came.includes(unit.name);
  const acts = unit.id && marks.actor === unit.id;
  const inside = [
    isNew && make("span", { class: "for-screen-readers" }, "new: "),
    acts && make("span", { class: "flag acts" }, "acts"),
    make("span", { class: "name" }, unit.name),
    unit.note && make("span", { class: "note" }, unit.note),
    ...(unit.tags ?? []).map((tag) => tagElement(tag, false)),
  ];
  const classes = `chip${isNew ? " new" : ""}${acts ? " acting" : ""}`;
  if (!unit.id) return make("li", { class: classes }, inside);
  const button = make("button", { type: "button", class: classes, "aria-haspopup": "dialog" }, inside);
  button.addEventListener("click", () => details(unit));
  return make("li", {}, button);
}

function sideElement(side, at, data, board, changes, marks, details) {
  const change = changes.sides.get(side.id);
  const name = data.contenders[at];
  const hasTurn = board.turn === side.id;
  const bars = [];
  const stats = [];
  side.numbers.forEach((number, nth) => {
    const of = change?.numbers.get(number.name);
    if (number.of !== undefined) bars.push(bar(number, of, nth === 0));
    else stats.push(stat(number, of));
  });
  const classes = ["side", `side-${side.id}`, hasTurn ? "has-turn" : "", side.out ? "out" : ""];
  const isUnit = side.zones.some((zone) => zone.units.some((unit) => unit?.id === side.id));
  if (marks.targets.includes(side.id) && !isUnit) classes.push("targeted");
  // Where a side has several groups, each has its name above it.
  const groups = (of) => of.zones.filter((zone) => zone.kind === "row").length;
  const several = board.sides.some((of) => groups(of) > 1);
  const plain = !name || name.toLowerCase() === `side ${side.id.toLowerCase()}`;
  return make(
    "section",
    { class: classes.join(" "), "aria-label": `Side ${side.id}${plain ? "" : `, ${name}`}` },
    make(
      "header",
      {},
      make("span", { class: "letter", "aria-hidden": "true" }, side.id),
      make("h3", {}, plain ? `Side ${side.id}` : name),
      hasTurn && make("span", { class: "flag turn" }, "its turn"),
      side.out && make("span", { class: "flag dead" }, "out"),
      bars,
      stats.length > 0 && make("span", { class: "stats" }, ...stats),
      side.tags.map((tag) => tagElement(tag, change?.came.includes(tag.text))),
    ),
    make("div", { class: `zones${several ? " several" : ""}` }, side.zones.map((zone) => zoneElement(zone, side, changes, marks, details))),
  );
}
