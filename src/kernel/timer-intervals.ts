/** The longest delay of a Node timer, milliseconds. A longer delay ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Splits a wait into delays that timers support, milliseconds. Nearly always there is one. */
export function* timerIntervals(ms: number): Generator<number, void> {
  let left = ms;
  do {
    const piece = Math.min(left, MAX_TIMER_MS);
    yield piece;
    left -= piece;
  } while (left > 0);
}
