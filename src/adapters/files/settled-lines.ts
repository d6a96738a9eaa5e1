/** Marks of one page of lines: 256 KiB. */
const PAGE = 65_536;

/**
 * Which lines of an input are settled, each with 32 bits of its verdict's id: enough to see that a line is not what it
 * was. Ten million lines take 40 MB.
 */
export class SettledLines {
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param verdictId SHA-256 in hex. */
  add(line: number, verdictId: string): void {
    const key = Math.floor(line / PAGE);
    let page = this.#pages.get(key);
    if (page === undefined) {
      page = new Uint32Array(PAGE);
      this.#pages.set(key, page);
    }
    if (page[line % PAGE] === 0) this.#size++;
    page[line % PAGE] = markOf(verdictId);
  }

  /** Whether `line` is settled, and by this verdict; `other` when by one that is not this. */
  lookUp(line: number, verdictId: string): "open" | "settled" | "other" {
    const mark = this.#pages.get(Math.floor(line / PAGE))?.[line % PAGE] ?? 0;
    if (mark === 0) return "open";
    return mark === markOf(verdictId) ? "settled" : "other";
  }
}

/** 0 stands for no mark. */
function markOf(verdictId: string): number {
  return Number.parseInt(verdictId.slice(0, 8), 16) || 1;
}
