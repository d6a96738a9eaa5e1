/** The ranges of a call's arguments that were read as values, in hex digits. */
export class ReadSpans {
  readonly #spans: (readonly [from: number, to: number])[] = [];

  add(from: number, to: number): void {
    if (to > from) this.#spans.push([from, to]);
  }

  /**
   * Whether two values share digits. Encoders give each value its own digits; offsets that are made by hand may point
   * anywhere.
   */
  overlap(): boolean {
    const sorted = this.#spans.toSorted(([a], [b]) => a - b);
    return sorted.some(([from], i) => from < (sorted[i - 1]?.[1] ?? 0));
  }
}
