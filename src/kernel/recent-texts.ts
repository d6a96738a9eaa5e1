import { sha256 } from "./sha256.ts";

/**
 * A bounded set of the most recently added texts; the oldest are removed first. It stores the SHA-256 of each text, so
 * a long text takes no more memory than a short one. Hashing is slow, so a caller with many texts should check
 * `isEmpty` first.
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
