import { sha256 } from "./sha256.ts";

/**
 * The last texts that were added, up to a bound: the oldest are forgotten first. Of each its SHA-256 is kept, so that a
 * long text takes no more than a short one. Whoever asks for many looks first whether there are any: to hash takes long.
 */
export class RecentTexts {
  readonly #max: number;
  readonly #hashes = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  has(text: string): boolean {
    return this.#hashes.has(sha256(text));
  }

  add(text: string): void {
    const hash = sha256(text);
    this.#hashes.delete(hash);
    this.#hashes.add(hash);
    if (this.#hashes.size <= this.#max) return;
    for (const oldest of this.#hashes) {
      this.#hashes.delete(oldest);
      return;
    }
  }

  delete(text: string): void {
    this.#hashes.delete(sha256(text));
  }
}
