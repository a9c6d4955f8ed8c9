// All the mathematics of the interactive figures. The same formulas as in pe_lib, and compared
// with it to 1e-12 in a real browser. Vectors are arrays, matrices arrays of rows.

/** omega_i = base^(-2i/dim) in rad per token, i = 0, ..., dim/2 - 1. */
export function frequencies(dim, base = 10000) {
  return Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));
}

/** One pair of the sinusoidal code: (sin, cos) of the angle. */
export function encodePair(angle) {
  return [Math.sin(angle), Math.cos(angle)];
}

/** Channels of pair i: the two layouts of pe_lib. */
export function channels(i, dim, layout) {
  if (layout === "interleaved") return [2 * i, 2 * i + 1];
  if (layout === "half") return [i, i + dim / 2];
  throw new Error(`layout must be "interleaved" or "half", got ${layout}`);
}

/** The sinusoidal code of one position. */
export function encode(position, dim, layout) {
  const code = new Array(dim);
  frequencies(dim).forEach((omega, i) => {
    const [a, b] = channels(i, dim, layout);
    [code[a], code[b]] = encodePair(omega * position);
  });
  return code;
}

/** One block of M_k: it takes (sin a, cos a) to (sin(a + angle), cos(a + angle)). */
export function shiftBlock(angle) {
  const [sin, cos] = encodePair(angle);
  return [
    [cos, sin],
    [-sin, cos],
  ];
}

/** M_k with encode(p + k) = M_k encode(p). */
export function shiftMatrix(offset, dim, layout) {
  const matrix = Array.from({ length: dim }, () => new Array(dim).fill(0));
  frequencies(dim).forEach((omega, i) => {
    const pair = channels(i, dim, layout);
    const block = shiftBlock(omega * offset);
    pair.forEach((row, r) => pair.forEach((column, c) => (matrix[row][column] = block[r][c])));
  });
  return matrix;
}

/** Rotary embedding of one vector: every pair turned counterclockwise by omega_i position. */
export function rotate(x, position, omegas, layout) {
  const turned = new Array(x.length);
  omegas.forEach((omega, i) => {
    const [a, b] = channels(i, x.length, layout);
    const [sin, cos] = encodePair(omega * position);
    turned[a] = x[a] * cos - x[b] * sin;
    turned[b] = x[a] * sin + x[b] * cos;
  });
  return turned;
}

export function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

export function add(a, b) {
  return a.map((row, i) => row.map((value, j) => value + b[i][j]));
}

export function transpose(a) {
  return a[0].map((_, j) => a.map((row) => row[j]));
}

export function matmul(a, b) {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

/** Softmax of one row of scores, of which at least one is finite. */
export function softmax(scores) {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** Attention weights; causal: row i sees the keys 0, ..., i only. */
export function weights(q, k, causal) {
  const scale = Math.sqrt(q[0].length);
  const masked = (score, i, j) => (causal && j > i ? -Infinity : score / scale);
  const scores = matmul(q, transpose(k));
  return scores.map((row, i) => softmax(row.map((score, j) => masked(score, i, j))));
}

/** Self-attention: the weights and the output. */
export function selfAttention(x, wq, wk, wv, causal) {
  const a = weights(matmul(x, wq), matmul(x, wk), causal);
  return { weights: a, output: matmul(a, matmul(x, wv)) };
}

/** (P X)_i = X_order[i] */
export function permuteRows(x, order) {
  return order.map((i) => x[i]);
}

export function largestDifference(a, b) {
  return Math.max(...a.map((row, i) => Math.max(...row.map((value, j) => Math.abs(value - b[i][j])))));
}

/** lambda_i = 2 pi / omega_i in tokens. */
export function wavelengths(dim, base) {
  return frequencies(dim, base).map((omega) => (2 * Math.PI) / omega);
}

/** How many pairs turn less than once within the context. */
export function slowPairs(dim, base, context) {
  return wavelengths(dim, base).filter((length) => length > context).length;
}

/** At most `most` pairs, spread evenly from the first to the last. */
export function shownPairs(dim, most) {
  const pairs = dim / 2;
  const rows = Math.min(pairs, most);
  return Array.from({ length: rows }, (_, row) => Math.floor((row * (pairs - 1)) / Math.max(rows - 1, 1) + 0.5));
}

/** Slope of each of ALiBi's heads, in logits per token. */
export function alibiSlopes(numHeads) {
  const power = 2 ** Math.floor(Math.log2(numHeads));
  const first = Array.from({ length: power }, (_, h) => (h + 1) / power);
  const rest = Array.from({ length: numHeads - power }, (_, h) => (2 * h + 1) / (2 * power));
  return [...first, ...rest].map((share) => 2 ** (-8 * share));
}

/** Weights of the keys 0, ..., query tokens back; all score alike but one, which scores extra. */
export function alibiWeights(slope, query, distance, extra) {
  const score = (t) => -slope * t + (t === distance ? extra : 0);
  return softmax(Array.from({ length: query + 1 }, (_, t) => score(t)));
}

/** Most weight at a distance and beyond, at any length, if scores differ by at most spread. */
export function alibiBound(slope, distance, spread) {
  const power = Math.exp(-slope * distance);
  return (Math.exp(spread) * power) / (1 + Math.expm1(spread) * power);
}

/** Frequencies for a longer context: unchanged, all divided by the factor, or of a larger base. */
export function scaledFrequencies(method, dim, base, factor) {
  if (method === "linear") return frequencies(dim, base).map((omega) => omega / factor);
  if (method === "ntk") return frequencies(dim, base * factor ** (dim / (dim - 2)));
  if (method === "none") return frequencies(dim, base);
  throw new Error(`method must be "none", "linear" or "ntk", got ${method}`);
}

/** Per pair: the largest angle in training and now, in rad, and whether it meets a new angle. */
export function angleCoverage(omegas, scaled, trained, length) {
  return omegas.map((omega, i) => {
    const [seen, met] = [omega * (trained - 1), scaled[i] * (length - 1)];
    return { seen, met, fresh: (2 * Math.PI) / omega > trained && met >= omega * trained };
  });
}
