import { ConfigInvalidError } from "../../kernel/errors.ts";

/** Time that a pause may make up for, milliseconds. It limits the burst after a pause. */
const BURST_MS = 100;

/** `1000/s` or `600/min` as a number per millisecond. @throws {ConfigInvalidError} */
export function parseRate(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})\/(s|min)$/.exec(text) ?? [];
  if (count === "") throw new ConfigInvalidError(`--rate ${text}: must look like 1000/s or 600/min`);
  return Number(count) / (unit === "s" ? 1_000 : 60_000);
}

/** Spaces calls evenly. */
export class Rate {
  readonly #perMs: number;
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(perMs: number) {
    this.#perMs = perMs;
  }

  /**
   * Takes the next slot. @param now on the monotonic clock, milliseconds. @returns the wait until the slot,
   * milliseconds.
   */
  turn(now: number): number {
    const waitMs = Math.max(0, this.#dueAt - now);
    this.#dueAt = Math.max(this.#dueAt, now - BURST_MS) + 1 / this.#perMs;
    return waitMs;
  }
}
