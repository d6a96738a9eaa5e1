import { MAX_EVENT_BYTES } from "../../../messages/event.ts";
import type { Delimiter } from "./csv-event.ts";
import { Line } from "./lines.ts";

const QUOTE = '"';
const QUOTE_BYTE = 0x22;

/** Where a line of CSV ends: outside of quotes, inside of a quoted cell, or it is no CSV. */
export type LineEnding = "closed" | "open" | "bad";

/** How a line ends by RFC 4180: only a quote at the beginning of a cell opens it. @param isOpen whether it begins in a cell. */
export function endingOf(text: string, delimiter: Delimiter, isOpen: boolean): LineEnding {
  let isQuoted = isOpen || text[0] === QUOTE;
  let at = isQuoted && !isOpen ? 1 : 0;
  for (;;) {
    if (isQuoted) {
      const end = closingQuote(text, at);
      if (end === -1) return "open";
      if (end + 1 === text.length) return "closed";
      if (text[end + 1] !== delimiter) return "bad";
      at = end + 2;
    } else {
      const end = text.indexOf(delimiter, at);
      if (text.slice(at, end === -1 ? undefined : end).includes(QUOTE)) return "bad";
      if (end === -1) return "closed";
      at = end + 1;
    }
    isQuoted = text[at] === QUOTE;
    if (isQuoted) at++;
  }
}

/** The next quote from a place on that is not doubled; -1 for none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from);
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2);
  return at;
}

/**
 * Puts the lines of one row together, where a quoted cell holds line breaks. It keeps at most the bytes of one event. Lines that
 * make no row together, as after a quote that is never closed, are given one by one: a row behind that quote is not lost.
 */
export class CsvLines {
  readonly #delimiter: Delimiter;
  readonly #isRow: (text: string) => boolean;
  /** The lines of a row whose cell is still open. */
  #open: Line[] = [];
  #size = 0;
  /** Lines that made no row together. */
  #apart: Line[] = [];

  /** @param isRow whether a text is a row of the file, with as many cells as the header. */
  constructor(delimiter: Delimiter, isRow: (text: string) => boolean) {
    this.#delimiter = delimiter;
    this.#isRow = isRow;
  }

  /** The next row, made of the lines that `pull` gives; undefined: the rest comes with more lines. */
  next(pull: () => Line | undefined): Line | undefined {
    for (;;) {
      const apart = this.#apart.shift();
      if (apart !== undefined) return apart;
      const line = pull();
      if (line === undefined) return undefined;
      const row = this.#take(line);
      if (row !== undefined) return row;
    }
  }

  /** At the end of the file, the lines of a cell that is not closed. */
  get open(): readonly Line[] {
    return this.#open;
  }

  /** A line that has not ended does not say yet where its row ends. */
  #take(line: Line): Line | undefined {
    const isOpen = this.#open.length > 0;
    const { bytes } = line;
    if (!line.isEnded) {
      if (!isOpen) return line;
      this.#open.push(line);
      return undefined;
    }
    if (!bytes.includes(QUOTE_BYTE)) {
      if (!isOpen) return line;
      this.#keep(line);
      return undefined;
    }
    const text = isOpen ? bytes.toString("utf8") : bytes.toString("utf8").replace(/^\s+(?=")/, "");
    const ending = endingOf(text, this.#delimiter, isOpen);
    if (!isOpen && ending !== "open") return line;
    this.#keep(line);
    if (ending === "bad") this.#giveUp();
    return ending === "closed" ? this.#joined() : undefined;
  }

  /** A view would keep the chunk of the file that the line came in. */
  #keep(line: Line): void {
    const bytes = Buffer.from(line.bytes);
    this.#open.push(new Line(line.number, bytes));
    this.#size += line.bytes.length + 1;
    if (this.#size > MAX_EVENT_BYTES) this.#giveUp();
  }

  #joined(): Line | undefined {
    const [first] = this.#open;
    if (first === undefined) return undefined;
    const bytes = Buffer.from(this.#open.map((line) => line.bytes.toString("latin1")).join("\n"), "latin1");
    if (!this.#isRow(bytes.toString("utf8"))) {
      this.#giveUp();
      return undefined;
    }
    this.#open = [];
    this.#size = 0;
    return new Line(first.number, bytes);
  }

  #giveUp(): void {
    this.#apart.push(...this.#open);
    this.#open = [];
    this.#size = 0;
  }
}
