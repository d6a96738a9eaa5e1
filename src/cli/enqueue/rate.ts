import { ConfigInvalidError } from "../../kernel/errors.ts";

/** What a pause may make up for, milliseconds: no more than that comes at once after it. */
const BURST_MS = 100;

/** `1000/s` or `600/min`, as so many a millisecond. @throws {ConfigInvalidError} */
export function parseRate(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})\/(s|min)$/.exec(text) ?? [];
  if (count === "") throw new ConfigInvalidError(`--rate ${text}: must look like 1000/s or 600/min`);
  return Number(count) / (unit === "s" ? 1_000 : 60_000);
}

/** Spaces things evenly. */
export class Rate {
  readonly #perMs: number;
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(perMs: number) {
    this.#perMs = perMs;
  }

  /** Takes the next turn. @param now and @returns milliseconds on the monotonic clock: how long until it comes. */
  turn(now: number): number {
    const waitMs = Math.max(0, this.#dueAt - now);
    this.#dueAt = Math.max(this.#dueAt, now - BURST_MS) + 1 / this.#perMs;
    return waitMs;
  }
}
