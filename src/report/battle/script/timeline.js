// How much each side has left, step by step: the line above the scrubber. A side has what it says of itself first (its
// life), or else the sum of what keeps its units alive.

const strengthOf = (side) => {
  if (side.numbers.length > 0) return side.numbers[0].value;
  const there = side.zones.flatMap((zone) => zone.units).filter((unit) => unit && (unit.fate ?? "there") === "there");
  const vital = there.map((unit) => unit.numbers?.[0]).filter((number) => number?.of !== undefined);
  return vital.reduce((sum, number) => sum + Math.max(0, number.value), 0);
};

function strengthName(board) {
  for (const side of board.sides) {
    if (side.numbers.length > 0) return side.numbers[0].name;
    const unit = side.zones.flatMap((zone) => zone.units).find((of) => of?.numbers?.[0]?.of !== undefined);
    if (unit) return unit.numbers[0].name;
  }
  return "strength";
}

const HEIGHT = 40;

// Draws the timeline; gives what moves its cursor.
function timeline(place, data, boards, seek) {
  const count = boards.length;
  const name = strengthName(boards[0]);
  const sides = boards[0].sides.map((side, at) => boards.map((board) => strengthOf(board.sides[at])));
  const most = Math.max(1, ...sides.flat());
  const least = Math.min(0, ...sides.flat());
  const x = (step) => (count < 2 ? 0 : (1000 * step) / (count - 1));
  const y = (value) => 4 + ((HEIGHT - 8) * (most - value)) / (most - least);
  const letters = boards[0].sides.map((side) => side.id).join(", ");
  const svg = draw("svg", {
    viewBox: `0 0 1000 ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `${capital(name)} of sides ${letters} over the battle`,
  });
  data.steps.forEach((step, at) => {
    if (step.lines[0].weight !== 0) return;
    svg.append(draw("line", { class: "round", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }));
  });
  sides.forEach((values, side) => {
    let path = `M${x(0)} ${y(values[0])}`;
    values.forEach((value, at) => {
      if (at > 0 && value !== values[at - 1]) path += `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`;
    });
    path += `H${x(count - 1)}`;
    svg.append(draw("path", { class: `strength side-${boards[0].sides[side].id}`, d: path }));
  });
  const cursor = draw("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  svg.append(cursor);
  place.replaceChildren(svg);
  const legend = byId("legend");
  const stepAt = (event) => {
    const box = svg.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * (count - 1));
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    seek(stepAt(event));
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) seek(stepAt(event));
  });
  return (step) => {
    cursor.setAttribute("x1", x(step));
    cursor.setAttribute("x2", x(step));
    const now = sides.map((values, side) => {
      const id = boards[0].sides[side].id;
      return make("span", { class: `key side-${id}` }, `${id} `, make("b", {}, minus(values[step])));
    });
    legend.replaceChildren(`${capital(name)}: `, ...now);
  };
}
