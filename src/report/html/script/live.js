// Weights that are changed in the page: what everybody would score if some rulesets came up more often.

/** A slider at the right end makes a weight so many times what it is, and so many times less near the left end. */
const DOUBLINGS = 4;
/** How many match-ups are shown. */
const SHOWN = 12;

function liveWeights(holder, live) {
  const { frame, noun } = live;
  const model = drawModel(frame);
  const measureName = { score: "Score", wins: "Win rate", decided: "Win rate of the decided" }[live.measure];
  const hasSingles = frame.conditions.some((parts) => parts.length === 1);
  const hasPairs = frame.conditions.some((parts) => parts.length === 2);
  const isDrawn = frame.names.map(
    (_, at) => frame.conditions.some((parts) => parts.includes(at)) && live.presets.some(({ weights }) => weights[at] > 0),
  );
  const state = { arm: 0, weights: [], two: frame.two, scenario: "own", evened: false };
  const own = live.presets[0];

  // The strata of an arm as scores have them: sums over battles of what a side has of each.
  const strataOf = live.arms.map((arm) => {
    const conditions = frame.conditions.length;
    return arm.matchups.map((_, matchup) =>
      Array.from({ length: live.sides }, (_, side) =>
        frame.conditions.map((_, condition) => {
          const stratum = matchup * conditions + condition;
          const battles = arm.battles[stratum];
          let all = 0;
          for (let other = 0; other < live.sides; other += 1) all += arm.wins[stratum * live.sides + other];
          const won = arm.wins[stratum * live.sides + side];
          const shared = live.unwon === "shared" ? battles - all : 0;
          return { battles, sum: won + shared / live.sides, squares: won + shared / (live.sides * live.sides) };
        }),
      ),
    );
  });
  const standingsOf = live.arms.map((arm) => standings(live, arm));

  // Controls.

  const presetId = "preset";
  const preset = element("select", { id: presetId, onchange: () => choosePreset(live.presets[preset.value]) });
  live.presets.forEach(({ name }, at) => preset.append(element("option", { value: at }, name)));
  const even = element("button", { type: "button", class: "primary", id: "even-out", onclick: evenOut }, "Even it out");
  const reset = element("button", { type: "button", onclick: () => choosePreset(live.presets[preset.value || 0]) }, "Reset");
  const toml = copying(element("button", { type: "button", id: "copy-scenario" }, "Copy as scenario"), scenario);
  const controls = element(
    "div",
    { class: "tools not-in-print" },
    ...(live.presets.length > 1 ? [element("label", { for: presetId }, "Weights"), preset] : []),
    live.contenders.length > 0 ? even : null,
    reset,
    toml,
  );
  const leftOut = element(
    "p",
    { class: "quiet", id: "no-scenario" },
    "This variant is other in more than its weights, and the page does not hold its scenario, so it cannot be copied.",
  );
  const status = element("p", { class: "status", id: "live-status", role: "status" });
  const results = element("div", { class: "results" });
  const sliders = element("div", { class: "sliders not-in-print" });
  const rows = frame.names.map((name, at) => sliderOf(name, at));
  let two = null;
  if (hasSingles && hasPairs) {
    two = twoSlider();
    sliders.append(two.row);
  }
  sliders.append(...rows.map(({ row }) => row));
  const explained =
    `Every draw of ${noun}s is a stratum of the battles that were played; each counts with the odds that it has under these ` +
    "weights (importance weights that are known exactly), so no battle is played again. Effective battles: how many that " +
    "were drawn by these weights would tell as much. In parentheses: 95% confidence intervals, each its own, so that of the most uneven " +
    "of many some miss. In colour: visibly other than even, adjusted for all of the table (Bonferroni)." +
    (notes.study === "run"
      ? " With the scenario's own weights, too, a draw counts with its exact odds and not with how often it came up, so that last digits may differ from the other figures."
      : "");
  holder.append(controls, leftOut, status, results, sliders, element("p", { class: "about" }, explained));

  function sliderOf(name, at) {
    const base = frame.weights[at] || 1;
    const range = element("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      "aria-label": `Weight of ${name}`,
      "data-weight": name,
      disabled: !isDrawn[at],
    });
    const number = element("input", {
      type: "number",
      min: 0,
      step: "any",
      "aria-label": `Weight of ${name} as a number`,
      "data-number": name,
      disabled: !isDrawn[at],
    });
    const share = element("span", { class: "share" });
    const row = element("div", { class: "slider" }, element("span", { class: "name" }, name), range, number, share);
    range.addEventListener("input", () => {
      const position = Number(range.value);
      const weight = position === 0 ? 0 : base * 2 ** (((position - 50) / 50) * DOUBLINGS);
      state.weights[at] = Number(weight.toPrecision(3));
      changed();
    });
    number.addEventListener("input", () => {
      const weight = Number(number.value);
      if (number.value === "" || !(weight >= 0)) return;
      state.weights[at] = weight;
      changed(number);
    });
    // A number that cannot be a weight does not stay.
    number.addEventListener("change", () => show());
    return { row, range, number, share, base };
  }

  function twoSlider() {
    const range = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": `Battles with two ${noun}s, percent`, "data-two": true });
    const number = element("input", { type: "number", min: 0, max: 100, step: "any", "aria-label": `Battles with two ${noun}s, percent, as a number` });
    const row = element("div", { class: "slider two" }, element("span", { class: "name" }, `Battles with two ${noun}s`), range, number, element("span", { class: "share" }, "%"));
    for (const input of [range, number]) {
      input.addEventListener("input", () => {
        const percent = Number(input.value);
        if (input.value === "" || !(percent >= 0 && percent <= 100)) return;
        state.two = percent / 100;
        changed(input);
      });
      input.addEventListener("change", () => show());
    }
    return { row, range, number };
  }

  function choosePreset({ arm, weights, two, scenario = "own" }) {
    Object.assign(state, { arm, weights: [...weights], two, scenario, evened: false });
    toml.hidden = scenario === "left_out";
    leftOut.hidden = !toml.hidden;
    show();
  }

  function changed(typing = null) {
    state.evened = false;
    show(typing);
  }

  // Results.

  const scoreOf = (arm, matchup, side, odds) =>
    stratified(
      strataOf[arm][matchup][side].map((stratum, condition) => ({ ...stratum, odds: odds[condition] })),
      live,
    );

  function show(typing = null) {
    const odds = model.odds(state.weights, state.two);
    const shares = frame.names.map((_, at) =>
      odds.reduce((sum, odds, condition) => sum + (frame.conditions[condition].includes(at) ? odds : 0), 0),
    );
    const told = (share) => (Number.isFinite(share) ? `${(100 * share).toFixed(1)}%` : "none");
    rows.forEach(({ range, number, share, base }, at) => {
      const weight = state.weights[at];
      const position = weight <= 0 || base <= 0 ? 0 : 50 + (Math.log2(weight / base) / DOUBLINGS) * 50;
      range.value = Math.max(weight > 0 ? 1 : 0, Math.min(100, Math.round(position)));
      range.setAttribute("aria-valuetext", `${weight}, in ${told(shares[at])} of the battles`);
      if (number !== typing) number.value = String(weight);
      share.textContent = isDrawn[at] ? told(shares[at]) : "never";
    });
    if (two) {
      two.range.value = 100 * state.two;
      if (two.number !== typing) two.number.value = String(Number((100 * state.two).toPrecision(6)));
    }
    const total = odds.reduce((sum, part) => sum + part, 0);
    results.replaceChildren(...(total > 1 - 1e-9 ? tablesOf(odds) : []));
    // Few results stay in sight while the sliders move.
    results.classList.toggle("stays", results.querySelectorAll("tbody tr").length <= 4);
    status.textContent = statusOf(odds, total);
  }

  function statusOf(odds, total) {
    if (!(total > 1 - 1e-9)) return `These weights leave nothing to be drawn, or draw what the scenario never draws.`;
    const arm = live.arms[state.arm];
    const conditions = frame.conditions.length;
    const missing = arm.battles.filter((battles, stratum) => battles === 0 && odds[stratum % conditions] > 0).length;
    if (missing > 0) {
      return `${whole(missing)} strata that can come up under these weights were never played, so that some scores are not known: more battles tell.`;
    }
    if (!state.evened) return "";
    const leads = standingsOf[state.arm].map((standing) => Math.abs(leadOf(standing, odds, live).value ?? 0));
    const largest = (100 * Math.max(...leads)).toFixed(2);
    return `Evened out: the largest lead that is left is ${largest} points, predicted from the battles that the weights were fitted to, and so optimistic. The command evens tune confirms weights on fresh battles.`;
  }

  function tablesOf(odds) {
    const before = model.odds(own.weights, own.two);
    const made = [];
    const arm = live.arms[state.arm];
    const sides = live.sides === 2 ? [0] : Array.from({ length: live.sides }, (_, side) => side);
    const scored = arm.matchups.flatMap((names, matchup) =>
      sides.map((side) => ({
        name: live.sides === 2 ? names.join(" vs ") : `${names.join(" vs ")}, side ${"ABCDEFGH"[side]}`,
        matchup,
        side,
        now: scoreOf(state.arm, matchup, side, odds),
        was: scoreOf(own.arm, matchup, side, before),
      })),
    );
    if (live.contenders.length > 0 && !(live.contenders.length === 2 && scored.length <= 2)) {
      made.push(leadsTable(odds, before));
    }
    made.push(scoresTable(scored));
    return made;
  }

  function scoresTable(scored) {
    const even = 1 / live.sides;
    const far = ({ now }) => Math.abs((now.value ?? even) - even);
    const shown = scored.length > SHOWN ? [...scored].sort((a, b) => far(b) - far(a)).slice(0, SHOWN) : scored;
    const whose = live.sides === 2 ? `, ${live.measure === "score" ? "side A's score" : "side A"}` : "";
    const [scale, axis] = bars(shown.flatMap(({ now, was }) => [now, was]), "percent", even);
    const body = shown.map(({ name, matchup, side, now, was }) =>
      element(
        "tr",
        { "data-matchup": matchup, "data-side": side, "data-value": now.value, "data-low": now.low, "data-high": now.high, "data-effective": now.effective },
        element("th", { scope: "row" }, name),
        element("td", { class: "bar" }, barOf(now, was, scale, even, scored.length)),
        element("td", {}, inWords(now, "percent")),
        element("td", { class: "was" }, inWords(was, "percent")),
        element("td", {}, isKnown(now.value) ? whole(now.effective) : ""),
      ),
    );
    return tableWith(`Match-ups${whose}`, ["Match-up", axis, `${measureName} now`, "as it is", "effective battles"], body, scored.length - shown.length);
  }

  function leadsTable(odds, before) {
    const all = standingsOf[state.arm].map((standing, at) => ({
      name: standing.name,
      now: leadOf(standing, odds, live),
      was: leadOf(standingsOf[own.arm][at], before, live),
    }));
    const shown = [...all].sort((a, b) => Math.abs(b.was.value ?? 0) - Math.abs(a.was.value ?? 0)).slice(0, SHOWN);
    const [scale, axis] = bars(shown.flatMap(({ now, was }) => [now, was]), "points", 0);
    const body = shown.map(({ name, now, was }) =>
      element(
        "tr",
        { "data-contender": name, "data-value": now.value, "data-low": now.low, "data-high": now.high },
        element("th", { scope: "row" }, name),
        element("td", { class: "bar" }, barOf(now, was, scale, 0, all.length)),
        element("td", {}, inWords(now, "points")),
        element("td", { class: "was" }, inWords(was, "points")),
      ),
    );
    const target = live.contenders.some((of) => Math.abs(of.target - 1 / live.sides) > 1e-12) ? "its target" : "even";
    return tableWith(`Leads: the score less ${target}`, ["Who", axis, "lead now", "as it is"], body, all.length - shown.length);
  }

  function tableWith(caption, heads, body, hidden) {
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    const rest = hidden > 0 ? element("p", { class: "quiet" }, `${whole(hidden)} more are nearer to even.`) : null;
    return element(
      "div",
      { class: "live-table" },
      element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body)),
      rest,
    );
  }

  const BAR = 150;

  function bars(estimates, unit, even) {
    const numbers = estimates.flatMap(({ value, low, high }) => [value, low, high]);
    const scale = scaleOf({ unit, even, label: "" }, numbers, 4, BAR - 4, 3);
    return [scale, `${tickText(scale.low, unit, 0.01)} to ${tickText(scale.high, unit, 0.01)}`];
  }

  /** How many standard errors an interval of this confidence reaches; as many as hundreds of battles say, which is a little more. */
  function reachOf(confidence) {
    return studentQuantile({ z: live.z, confidence }, 499);
  }

  /** Where a score is now, and, thin, where it was. */
  function barOf(now, was, scale, even, several) {
    const svg = shape("svg", { width: BAR, height: 22, viewBox: `0 0 ${BAR} 22`, "aria-hidden": "true" });
    const x = scale.at(even);
    svg.append(shape("line", { x1: x, x2: x, y1: 0, y2: 22, class: "even" }));
    if (isKnown(was.value)) svg.append(shape("circle", { cx: scale.at(was.value), cy: 11, r: 3, class: "before" }));
    // Colour is for what stands out of all that are compared, and not of the one that is drawn.
    const wider = reachOf(1 - (1 - live.confidence) / several) / live.z;
    const low = now.value - wider * (now.value - now.low);
    const high = now.value + wider * (now.high - now.value);
    const isApart = isKnown(now.low) && (low > even || high < even);
    const seen = !isApart ? "open" : now.value > even ? "favoured" : "against";
    svg.append(dot(now, scale, 11, COLOUR[seen], !isApart));
    return svg;
  }

  // Actions.

  function evenOut() {
    state.weights = evenedOut(live, model, standingsOf[state.arm], state.two);
    state.evened = true;
    show();
    say(status.textContent);
  }

  /** The scenario of the chosen variant with these weights, as TOML. */
  function scenario() {
    const lines = [];
    const text = state.scenario === "own" ? notes.scenario : live.scenarios[state.scenario.other];
    if (text) {
      lines.push(`# ${text.name} with other weights. Paths are seen from its folder.`, text.head.trimEnd(), "", "[rulesets]");
      lines.push(`two = ${Number((100 * state.two).toPrecision(12))}`);
      if (text.drawn.trim()) lines.push(text.drawn.trimEnd());
      lines.push("");
    }
    lines.push("[rulesets.weights]");
    const weights = new Map(text?.weights ?? []);
    frame.names.forEach((name, at) => {
      if (isDrawn[at] && (weights.has(name) || state.weights[at] !== 1)) weights.set(name, state.weights[at]);
    });
    for (const [name, weight] of weights) lines.push(`${JSON.stringify(name)} = ${weight}`);
    return `${lines.join("\n")}\n`;
  }

  choosePreset(own);
}
