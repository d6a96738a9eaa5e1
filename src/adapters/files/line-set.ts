/** A set of line numbers in one bit each: ten million lines in 1.25 MB. */
export class LineSet {
  #bits = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(line: number): void {
    const at = line >>> 3;
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(this.#bits.length * 2, at + 1));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    if (!this.has(line)) this.#size++;
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (line & 7));
  }

  has(line: number): boolean {
    return ((this.#bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}
