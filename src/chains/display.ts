const LEADING = 8;
const TRAILING = 6;

/**
 * An address short enough for a line of a terminal: its first 8 and last 6 characters around an ellipsis, the whole of
 * it when that would not be shorter. For reading only: lookalikes are made to share exactly these ends.
 */
export function shortForm(address: string): string {
  if (address.length <= LEADING + 1 + TRAILING) return address;
  return `${address.slice(0, LEADING)}…${address.slice(-TRAILING)}`;
}
