import { MAX_EVENT_BYTES } from "../../../../messages/event.ts";
import { Line } from "../lines.ts";
import type { Delimiter } from "./csv-cells.ts";

const QUOTE = '"';
const QUOTE_BYTE = 0x22;

/** The state at the end of a line of CSV: outside of quotes, inside a quoted cell, or not valid CSV. */
export type LineEnding = "closed" | "open" | "bad";

/**
 * The state at the end of a line by RFC 4180: only a quote at the beginning of a cell opens it. @param isOpen whether
 * the line begins in a quoted cell.
 */
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

/** Position of the next quote from `from` on that is not doubled; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from);
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2);
  return at;
}

/**
 * Joins the lines of one row where a quoted cell holds line breaks. It keeps at most the bytes of one event. Lines that
 * form no row, as after a quote that is never closed, are returned one by one. So a row behind such a quote is not
 * lost.
 */
export class CsvLines {
  readonly #delimiter: Delimiter;
  readonly #isRow: (text: string) => boolean;
  /** The lines of a row with an open cell. */
  #open: Line[] = [];
  #size = 0;
  /** Lines that form no row. */
  #apart: Line[] = [];

  /** @param isRow whether a text is a row of the file, with as many cells as the header. */
  constructor(delimiter: Delimiter, isRow: (text: string) => boolean) {
    this.#delimiter = delimiter;
    this.#isRow = isRow;
  }

  /** The next row, from the lines that `pull` returns. Undefined: more lines are needed. */
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

  /** The lines of a cell that is not closed at the end of the file. */
  get open(): readonly Line[] {
    return this.#open;
  }

  /** An unended line does not tell yet where its row ends. */
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

  /** A view would keep alive the whole chunk of the file that the line came in. */
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
