/** The last texts that were added, up to a bound: the oldest are forgotten first. */
export class RecentTexts {
  readonly #max: number;
  readonly #texts = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    this.#texts.delete(text);
    this.#texts.add(text);
    if (this.#texts.size <= this.#max) return;
    for (const oldest of this.#texts) {
      this.#texts.delete(oldest);
      return;
    }
  }

  delete(text: string): void {
    this.#texts.delete(text);
  }
}
