/** The offset of the first record of each partition that was written at that time (Unix milliseconds) or after; where there is none, the log's end. */
export type FirstSince = (at: number) => Promise<ReadonlyMap<number, number>>;

/** Steps of age: 15 s, 30 s and so on up to 45 days. */
const SHORTEST_MS = 15_000;
const DOUBLINGS = 18;
/** Halvings of the last step, so that an age is told to within an eighth of it. */
const HALVINGS = 3;

/**
 * When the oldest record was written that stands at one of these offsets or after it, by asking where the logs stood at some
 * eight times: nobody need read the record. Unix milliseconds; never too early.
 */
export async function oldestBehind(
  behind: ReadonlyMap<number, number>,
  now: number,
  firstSince: FirstSince,
): Promise<number> {
  /** Whether any of them is at least so old. */
  const isOlder = async (age: number) => {
    const first = await firstSince(now - age);
    return [...behind].some(([partition, next]) => (first.get(partition) ?? 0) > next);
  };
  let [known, step] = [-1, DOUBLINGS + 1];
  while (step - known > 1) {
    const middle = Math.floor((known + step) / 2);
    if (await isOlder(SHORTEST_MS * 2 ** middle)) known = middle;
    else step = middle;
  }
  if (known === -1) return now;
  let age = SHORTEST_MS * 2 ** known;
  for (let more = age / 2, left = HALVINGS; left > 0 && known < DOUBLINGS; left--, more /= 2) {
    if (await isOlder(age + more)) age += more;
  }
  return now - age;
}
