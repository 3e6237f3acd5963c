// The search that `evens tune` makes: src/studies/tune/problem.rs and solve.rs in this language. Weights are searched for by
// their logarithms with the projected Newton method, damped.

const NEARNESS = 2.5e-8;
const SHARPNESS = [1e-2, 1e-3, 1e-4, 1e-5];
const PATIENCE = [1, 100, 10_000];
const STEPS = 300;

/** The largest of leads or of their opposites, made smooth. */
function smoothMaximum(leads, sharpness) {
  const largest = leads.reduce((most, lead) => Math.max(most, Math.abs(lead)), 0);
  const both = leads.map((lead) => [lead, -lead].map((of) => Math.exp((of - largest) / sharpness)));
  const sum = both.reduce((sum, [up, down]) => sum + up + down, 0);
  return {
    value: largest + sharpness * Math.log(sum),
    slopes: both.map(([up, down]) => (up - down) / sum),
    shares: both.map(([up, down]) => (up + down) / sum),
  };
}

/** The weights that make everybody as even as the limits allow. */
function evenedOut(live, model, standings, two) {
  const { frame, aim } = live;
  const own = frame.weights;
  const isFree = (at) => own[at] > 0 && !(aim.ranges[at][0] === own[at] && aim.ranges[at][1] === own[at]);
  const free = own.map((_, at) => at).filter(isFree);
  const start = free.map((at) => Math.log(own[at]));
  const [low, high] = [0, 1].map((end) => free.map((at) => Math.log(aim.ranges[at][end])));
  const price = NEARNESS + (aim.price / Math.LN2) ** 2;
  const rarest = aim.rarest > 0 ? free.map((at) => [at, frame.conditions.map((parts) => parts.includes(at))]) : [];

  function weightsAt(x) {
    const weights = [...own];
    free.forEach((at, i) => (weights[at] = x[i] === start[i] ? own[at] : Math.exp(x[i])));
    return weights;
  }

  function at(x) {
    const weights = weightsAt(x);
    const odds = model.odds(weights, two);
    const leads = standings.map(({ lead, presence, wanted }) => {
      const all = totalOf(presence, odds);
      return all > 0 ? totalOf(lead, odds) / all - wanted : 0;
    });
    const missing = rarest.map(([, has]) => {
      const share = odds.reduce((sum, odds, condition) => sum + (has[condition] ? odds : 0), 0);
      return Math.max(0, aim.rarest - share);
    });
    return { weights, odds, leads, missing };
  }

  function worth({ leads, missing }, x, sharpness, patience) {
    const evenness = sharpness === null ? leads.reduce((sum, lead) => sum + lead * lead, 0) : smoothMaximum(leads, sharpness).value ** 2;
    const rare = missing.reduce((sum, part) => sum + part * part, 0);
    const strayed = x.reduce((sum, value, i) => sum + (value - start[i]) ** 2, 0);
    return evenness + patience * rare + price * strayed;
  }

  function slope(x, sharpness, patience) {
    const size = x.length;
    const here = at(x);
    const gradient = new Float64Array(size);
    const curvature = new Float64Array(size * size);
    const join = (row, by, bend) => {
      for (let i = 0; i < size; i += 1) {
        gradient[i] += by * row[i];
        for (let j = 0; j < size; j += 1) curvature[i * size + j] += bend * row[i] * row[j];
      }
    };
    const derivatives = (of) => {
      const by = model.gradient(here.weights, two, of);
      return free.map((name) => by[name] * here.weights[name]);
    };
    const maximum = sharpness === null ? null : smoothMaximum(here.leads, sharpness);
    const steepest = new Float64Array(size);
    standings.forEach(({ lead, presence, wanted }, which) => {
      const all = totalOf(presence, here.odds);
      const off = here.leads[which];
      const [by, bend] = maximum
        ? [2 * maximum.value * maximum.slopes[which], (2 * maximum.value * maximum.shares[which]) / sharpness]
        : [2 * off, 2];
      if (all <= 0 || (by === 0 && bend < 1e-12)) return;
      const score = off + wanted;
      const row = derivatives(here.odds.map((_, c) => (lead[c] - score * presence[c]) / all));
      if (maximum) row.forEach((value, i) => (steepest[i] += maximum.slopes[which] * value));
      join(row, by, bend);
    });
    if (maximum) join(steepest, 0, 2 - (2 * maximum.value) / sharpness);
    rarest.forEach(([, has], which) => {
      if (here.missing[which] > 0) {
        join(derivatives(has.map(Number)), -2 * patience * here.missing[which], 2 * patience);
      }
    });
    for (let i = 0; i < size; i += 1) {
      gradient[i] += 2 * price * (x[i] - start[i]);
      curvature[i * size + i] += 2 * price;
    }
    return { value: worth(here, x, sharpness, patience), gradient, curvature };
  }

  const x = start.map((value, i) => Math.min(high[i], Math.max(low[i], value)));
  for (const sharpness of aim.objective === "largest" ? [null, ...SHARPNESS] : [null]) {
    for (const patience of PATIENCE) {
      minimise((x) => worth(at(x), x, sharpness, patience), (x) => slope(x, sharpness, patience), x, low, high);
      if (at(x).missing.every((missing) => missing <= 1e-4)) break;
    }
  }
  return weightsAt(x).map((weight, name) => {
    if (own[name] === 0 || Math.abs(weight / own[name] - 1) < 1e-4) return own[name];
    return Math.min(aim.ranges[name][1], Math.max(aim.ranges[name][0], Number(weight.toExponential(3))));
  });
}

/** Moves x to a local minimum in the box. */
function minimise(value, slope, x, low, high) {
  let [damping, idle] = [1e-6, 0];
  for (let step = 0; step < STEPS; step += 1) {
    const here = slope(x);
    const clamp = (number, i) => Math.min(high[i], Math.max(low[i], number));
    if (x.every((number, i) => Math.abs(clamp(number - here.gradient[i], i) - number) < 1e-12)) return;
    const free = [...x.keys()].filter(
      (i) => !((x[i] <= low[i] && here.gradient[i] > 0) || (x[i] >= high[i] && here.gradient[i] < 0)),
    );
    let gained = null;
    let tried = null;
    while (gained === null) {
      const by = newtonStep(free, here.gradient, here.curvature, damping, x.length);
      if (by) {
        tried = [...x];
        free.forEach((i, at) => (tried[i] = clamp(x[i] - by[at], i)));
        const down = free.reduce((sum, i) => sum + here.gradient[i] * (tried[i] - x[i]), 0);
        const gain = here.value - value(tried);
        if (down < 0 && gain >= -1e-4 * down) {
          damping = Math.max(1e-12, damping / 10);
          gained = gain;
          break;
        }
      }
      damping *= 10;
      if (damping > 1e12) return;
    }
    tried.forEach((number, i) => (x[i] = number));
    idle = gained <= 1e-9 * Math.abs(here.value) ? idle + 1 : 0;
    if (idle === 3) return;
  }
}

/** The step to the bottom of the parabola, by Cholesky's factorisation; null where there is none. */
function newtonStep(free, gradient, curvature, damping, all) {
  const size = free.length;
  const steepest = free.reduce((most, i) => Math.max(most, curvature[i * all + i]), 0);
  const root = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = curvature[free[row] * all + free[column]];
      if (row === column) sum += damping * (sum + 1e-9 * steepest);
      for (let at = 0; at < column; at += 1) sum -= root[row * size + at] * root[column * size + at];
      if (row > column) root[row * size + column] = sum / root[column * size + column];
      else if (sum > 0) root[row * size + row] = Math.sqrt(sum);
      else return null;
    }
  }
  const step = free.map((i) => gradient[i]);
  for (let row = 0; row < size; row += 1) {
    for (let at = 0; at < row; at += 1) step[row] -= root[row * size + at] * step[at];
    step[row] /= root[row * size + row];
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let at = row + 1; at < size; at += 1) step[row] -= root[at * size + row] * step[at];
    step[row] /= root[row * size + row];
  }
  return step.every(Number.isFinite) ? step : null;
}
