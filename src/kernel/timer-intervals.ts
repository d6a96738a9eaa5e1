/** The longest wait that a timer of Node holds, milliseconds: with a longer one it ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A wait as timers can take it, one after the other, milliseconds: nearly always it is one. */
export function* timerIntervals(ms: number): Generator<number, void> {
  let left = ms;
  do {
    const piece = Math.min(left, MAX_TIMER_MS);
    yield piece;
    left -= piece;
  } while (left > 0);
}
