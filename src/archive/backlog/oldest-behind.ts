/**
 * By partition, the offset of the first record written at `at` (Unix milliseconds) or later. When there is none, the
 * end of the log.
 */
export type FirstSince = (at: number) => Promise<ReadonlyMap<number, number>>;

/** Steps of age: 15 s, 30 s and so on up to 45 days. */
const SHORTEST_MS = 15_000;
const DOUBLINGS = 18;
/** Number of halvings of the last step, so that an age is exact to an eighth of it. */
const HALVINGS = 3;

/**
 * Time of writing of the oldest record at or after one of these offsets, Unix milliseconds; never too early. It is
 * found by requesting the log positions at some eight times, so no record is read.
 */
export async function oldestBehind(
  behind: ReadonlyMap<number, number>,
  now: number,
  firstSince: FirstSince,
): Promise<number> {
  /** Whether any partition has a record of at least this age. */
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
