/** Lines of one page: 16 KiB, so that a short file takes little memory. */
const PAGE = 4_096;

/** A number of 32 bits for each line of a file; 0 for all other lines. Ten million lines take 40 MB. */
export class NumberByLine {
  readonly #pages = new Map<number, Uint32Array>();

  get(line: number): number {
    return this.#pages.get(Math.floor(line / PAGE))?.[line % PAGE] ?? 0;
  }

  set(line: number, value: number): void {
    const key = Math.floor(line / PAGE);
    let page = this.#pages.get(key);
    if (page === undefined) {
      // Most pages hold only zeros and are never allocated.
      if (value === 0) return;
      page = new Uint32Array(PAGE);
      this.#pages.set(key, page);
    }
    page[line % PAGE] = value;
  }
}
