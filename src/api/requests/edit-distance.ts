/**
 * How many slips of a typist lie between two words: a letter left out, added, exchanged, or swapped with its neighbour
 * (Damerau-Levenshtein, no letter touched twice). Anything beyond `limit` is `limit` + 1, found out early.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: readonly number[] = [];
  let leastOfLast = 0;
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    if (i <= limit) row[0] = i;
    let least = i;
    // Farther from the diagonal lies more than `limit`.
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const exchanged = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : exchanged;
      const slips = Math.min(at(last, j) + 1, at(row, j - 1) + 1, exchanged, swapped);
      if (slips < least) least = slips;
      row[j] = slips;
    }
    // Whatever follows adds to this row, or to the one before it by a swap, which adds one to it as well.
    if (least > limit && leastOfLast >= limit) return limit + 1;
    leastOfLast = least;
    beforeLast = last;
    last = row;
  }
  return Math.min(at(last, b.length), limit + 1);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
