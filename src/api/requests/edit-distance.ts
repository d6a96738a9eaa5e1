/**
 * The number of typing errors between two words: a letter left out, added, exchanged, or swapped with its neighbour
 * (Damerau-Levenshtein, no letter touched twice). A distance beyond `limit` gives `limit` + 1, found early.
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
    // Cells farther from the diagonal are greater than `limit`.
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const exchanged = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : exchanged;
      const slips = Math.min(at(last, j) + 1, at(row, j - 1) + 1, exchanged, swapped);
      if (slips < least) least = slips;
      row[j] = slips;
    }
    // Later rows add to this row, or by a swap to the row before. A swap adds one as well.
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
