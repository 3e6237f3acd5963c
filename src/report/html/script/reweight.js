// Odds and scores under other weights, as src/statistics has them: the odds of every draw follow from the weights, every
// draw is a stratum, and each stratum counts with its odds.

/** What is needed to work out odds under any weights: see `Frame`. */
function drawModel(frame) {
  const count = frame.names.length;

  /** Odds of every ordered pair, and what is needed to differentiate them. */
  function pairs(weights) {
    const after = frame.seconds.map((list) => list.reduce((sum, second) => sum + weights[second], 0));
    const firsts = [];
    let all = 0;
    for (let first = 0; first < count; first += 1) {
      if (weights[first] > 0 && after[first] > 0) {
        firsts.push(first);
        all += frame.pair ? weights[first] * after[first] : weights[first];
      }
    }
    const odds = new Float64Array(count * count);
    for (const first of firsts) {
      const scale = frame.pair ? weights[first] / all : weights[first] / all / after[first];
      for (const second of frame.seconds[first]) odds[first * count + second] = scale * weights[second];
    }
    return { odds, after, firsts: all };
  }

  /** The odds of every condition. */
  function odds(weights, two) {
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const of = two > 0 ? pairs(weights).odds : null;
    return frame.conditions.map(([one, other]) => {
      if (other === undefined) return ((1 - two) * weights[one]) / all;
      return two > 0 ? two * (of[one * count + other] + of[other * count + one]) : 0;
    });
  }

  /** The derivative, by each weight, of the sum over conditions of odds times `worth`. */
  function gradient(weights, two, worth) {
    const into = new Float64Array(count);
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const of = new Float64Array(count * count);
    let singles = 0;
    frame.conditions.forEach(([one, other], at) => {
      if (other === undefined) {
        const slope = ((1 - two) * worth[at]) / all;
        into[one] += slope;
        singles += (slope * weights[one]) / all;
      } else {
        of[one * count + other] = two * worth[at];
        of[other * count + one] = two * worth[at];
      }
    });
    for (let at = 0; at < count; at += 1) into[at] -= singles;
    const { odds, after, firsts } = pairs(weights);
    if (two === 0 || firsts <= 0) return into;
    const byFirst = new Float64Array(count);
    for (let first = 0; first < count; first += 1) {
      if (after[first] <= 0) continue;
      const perWeight = frame.pair ? 1 / firsts : 1 / firsts / after[first];
      for (const second of frame.seconds[first]) {
        const at = first * count + second;
        into[second] += of[at] * weights[first] * perWeight;
        into[first] += of[at] * weights[second] * perWeight;
        byFirst[first] += of[at] * odds[at];
      }
    }
    const total = byFirst.reduce((sum, part) => sum + part, 0);
    for (let first = 0; first < count; first += 1) {
      if (after[first] <= 0) continue;
      into[first] -= frame.pair ? (total * after[first]) / firsts : total / firsts;
      for (const second of frame.seconds[first]) {
        into[second] -= frame.pair ? (total * weights[first]) / firsts : byFirst[first] / after[first];
      }
    }
    return into;
  }

  return { odds, gradient };
}

/** The probability that Student's t is nearer to 0 than `t`: a finite sum. */
function studentCentre(t, degrees) {
  const squared = degrees / (degrees + t * t);
  const sine = t / Math.sqrt(degrees + t * t);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.sqrt(squared) : 1;
  let sum = 0;
  for (let at = 0; at < Math.floor(degrees / 2); at += 1) {
    sum += term;
    const next = 2 * at + 1 + (isOdd ? 1 : 0);
    term *= (squared * next) / (next + 1);
  }
  return isOdd ? (2 / Math.PI) * (Math.atan(t / Math.sqrt(degrees)) + sine * sum) : sine * sum;
}

/** With more degrees of freedom than this Student's t is worked out from the normal distribution. */
const EXACT_UP_TO = 500;
const quantiles = new Map();

/** How many standard errors an interval reaches whose variance has so many degrees of freedom. A level is its confidence, and
 * how many it reaches where the variance is known. */
function studentQuantile({ z, confidence }, degrees) {
  if (degrees > EXACT_UP_TO) {
    const square = z * z;
    const second = ((5 * square + 16) * square + 3) / 96;
    const third = (((3 * square + 19) * square + 17) * square - 15) / 384;
    return z * (1 + ((square + 1) / 4 + (second + third / degrees) / degrees) / degrees);
  }
  const known = quantiles.get(degrees);
  if (known?.confidence === confidence) return known.quantile;
  let [low, high] = [0, 1];
  while (studentCentre(high, degrees) < confidence) high *= 2;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (studentCentre(middle, degrees) < confidence) low = middle;
    else high = middle;
  }
  quantiles.set(degrees, { confidence, quantile: low });
  return low;
}

/** Wilson's interval around a share of so many battles. */
function wilson(value, battles, z) {
  const square = z * z;
  const scale = 1 + square / battles;
  const centre = (value + square / (2 * battles)) / scale;
  const half = (z / scale) * Math.sqrt((value * (1 - value)) / battles + square / (4 * battles * battles));
  const low = value === 0 ? 0 : Math.min(value, Math.max(0, centre - half));
  const high = value === 1 ? 1 : Math.max(value, Math.min(1, centre + half));
  return { value, low, high };
}

/** The score of a side over strata, each with its odds, its battles, and the sum and the sum of squares of what they score;
 * with the number of battles that would tell as much if they were not stratified. */
function stratified(parts, level) {
  const used = parts.filter((part) => part.odds > 0);
  const unknown = { value: null, low: null, high: null, effective: 0, battles: 0 };
  if (used.length === 0 || used.some((part) => part.battles === 0)) return unknown;
  const total = used.reduce((sum, part) => sum + part.odds, 0);
  // One success and one failure; of a stratum alone, whose interval is Wilson's, half of each.
  const more = used.length === 1 ? 0.5 : 1;
  const smoothed = ({ battles, sum }) => (sum + more) / (battles + 2 * more);
  const [value, centre, battles] = used.reduce(
    ([value, centre, battles], part) => [
      value + ((part.odds / total) * part.sum) / part.battles,
      centre + (part.odds / total) * smoothed(part),
      battles + part.battles,
    ],
    [0, 0, 0],
  );
  const spreadOfAll = centre * (1 - centre);
  let [variance, shares] = [0, 0];
  for (const part of used) {
    const { odds, battles: n, sum, squares } = part;
    const mean = sum / n;
    const least = Math.max(0, (squares + more) / (n + 2 * more) - smoothed(part) ** 2) / n;
    const unbiased = n > 1 ? Math.max(0, squares / n - mean * mean) / (n - 1) : spreadOfAll;
    const one = (odds / total) ** 2 * Math.max(unbiased, least);
    variance += one;
    shares += (one * one) / Math.max(1, n - 1);
  }
  const effective = spreadOfAll / variance;
  // Where nothing varies it does not matter how many degrees of freedom there are.
  const degrees = shares > 0 ? Math.max(1, Math.floor((variance * variance) / shares)) : 1;
  const reach = used.length === 1 ? level.z : studentQuantile(level, degrees);
  return { ...wilson(Math.min(1, Math.max(0, value)), effective, reach), effective, battles };
}

// Who leads, by how much, and how sure that is: as `evens tune` has it.

/** With fewer appearances than this a stratum shares its variance with others. */
const FEW = 20;

/** Sums over the battles of a stratum: how often somebody is in them, and by how much it leads. */
function emptyCell(battles, sides) {
  return { battles, times: 0, lead: 0, timesSquared: 0, leadByTimes: 0, leadSquared: 0, sides };
}

function add(cell, battles, times, lead) {
  cell.times += battles * times;
  cell.lead += battles * lead;
  cell.timesSquared += battles * times * times;
  cell.leadByTimes += battles * lead * times;
  cell.leadSquared += battles * lead * lead;
}

function scatterOf(cell, value) {
  if (cell.battles === 0) return 0;
  const squares = cell.leadSquared - 2 * value * cell.leadByTimes + value * value * cell.timesSquared;
  const sum = cell.lead - value * cell.times;
  return Math.max(0, squares - (sum * sum) / cell.battles);
}

function leastVariance(cell) {
  const even = 1 / cell.sides;
  return cell.times === 0 ? 0 : (Math.min(cell.times, 4) * even * (1 - even)) / cell.battles;
}

function varianceOf(cell, value) {
  if (cell.battles < 2) return leastVariance(cell);
  return Math.max(scatterOf(cell, value) / (cell.battles - 1), leastVariance(cell));
}

/** The variance of the sum, over cells, of odds times the lead less `value` for every time. */
function variance(cells, odds, value) {
  const drawn = cells.map((cell, at) => [cell, odds[at]]).filter(([cell, odds]) => odds > 0 && cell.battles > 0);
  const small = emptyCell(0, cells[0].sides);
  let [scatter, freedom] = [0, 0];
  for (const [cell] of drawn) {
    if (cell.times >= FEW) continue;
    for (const sum of ["battles", "times", "lead", "timesSquared", "leadByTimes", "leadSquared"]) small[sum] += cell[sum];
    scatter += scatterOf(cell, value);
    freedom += cell.battles - 1;
  }
  const shared = freedom < FEW ? varianceOf(small, value) : Math.max(scatter / freedom, leastVariance(small));
  return drawn.reduce((sum, [cell, odds]) => {
    const one = cell.times < FEW ? shared : varianceOf(cell, value);
    return sum + (odds * odds * one) / cell.battles;
  }, 0);
}

/** How everybody fared under each condition, for leads under any odds. */
function standings(live, arm) {
  const conditions = live.frame.conditions.length;
  const even = 1 / live.sides;
  const ofSides = (matchup, sides) =>
    Array.from({ length: conditions }, (_, condition) => {
      const stratum = matchup * conditions + condition;
      const battles = arm.battles[stratum];
      const winsOf = (side) => arm.wins[stratum * live.sides + side];
      const won = sides.reduce((sum, side) => sum + winsOf(side), 0);
      let all = 0;
      for (let side = 0; side < live.sides; side += 1) all += winsOf(side);
      const cell = emptyCell(battles, live.sides);
      const times = sides.length;
      add(cell, won, times, 1 - times * even);
      add(cell, all - won, times, -times * even);
      add(cell, battles - all, times, live.unwon === "lost" ? -times * even : 0);
      return cell;
    });
  const ofUnit = (cells) =>
    cells.map(([battles, times, points, timesSquared, timesByPoints, pointsSquared]) => ({
      ...emptyCell(battles, live.sides),
      times,
      timesSquared,
      lead: even * (points - times),
      leadByTimes: even * (timesByPoints - timesSquared),
      leadSquared: even * even * (pointsSquared - 2 * timesByPoints + timesSquared),
    }));
  return live.contenders.map((contender) => {
    const byMatchup = new Map();
    for (const [matchup, side] of contender.places ?? []) {
      byMatchup.set(matchup, [...(byMatchup.get(matchup) ?? []), side]);
    }
    const places = contender.cells?.length
      ? contender.cells.map(ofUnit)
      : [...byMatchup].map(([matchup, sides]) => ofSides(matchup, sides));
    const lead = new Float64Array(conditions);
    const presence = new Float64Array(conditions);
    for (const cells of places) {
      cells.forEach((cell, at) => {
        presence[at] += cell.battles === 0 ? 0 : cell.times / cell.battles;
        lead[at] += cell.battles === 0 ? 0 : cell.lead / cell.battles;
      });
    }
    return { name: contender.name, wanted: contender.target - even, places, lead, presence };
  });
}

const totalOf = (of, odds) => of.reduce((sum, value, at) => sum + value * odds[at], 0);

/** A contender's lead over its target, with its interval. */
function leadOf(standing, odds, { z }) {
  const present = totalOf(standing.presence, odds);
  const isOpen = standing.places.some((cells) => cells.some((cell, at) => odds[at] > 0 && cell.battles === 0));
  if (present <= 0 || isOpen) return { value: null, low: null, high: null };
  const above = totalOf(standing.lead, odds) / present;
  const all = standing.places.reduce((sum, cells) => sum + variance(cells, odds, above), 0);
  const half = (z * Math.sqrt(all)) / present;
  const value = above - standing.wanted;
  return { value, low: value - half, high: value + half };
}
