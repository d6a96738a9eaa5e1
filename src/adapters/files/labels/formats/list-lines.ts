import type { ListSource } from "./list-source.ts";

/** One line of a list, without its end. */
export interface ListLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** False for a last line without a line break: it may be truncated. */
  readonly isEnded: boolean;
}

/** Longest line, characters. The longest entities of OpenSanctions have some hundred thousand. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/**
 * The lines of a list in batches: those that end within one piece come together. @throws {Error} for a line above 16
 * MiB.
 */
export async function* lineBatches(list: ListSource): AsyncGenerator<readonly ListLine[]> {
  let number = 0;
  let parts: string[] = [];
  let length = 0;
  for await (const piece of list.pieces()) {
    const [first = "", ...others] = piece.split("\n");
    parts.push(first);
    length += first.length;
    if (length > MAX_LINE_LENGTH) throw new Error(`line ${number + 1} has more than ${MAX_LINE_LENGTH} characters`);
    const rest = others.pop();
    if (rest === undefined) continue;
    const texts = [parts.join(""), ...others];
    [parts, length] = [[rest], rest.length];
    yield texts.map((text) => ({ number: ++number, text: withoutReturn(text), isEnded: true }));
  }
  const last = parts.join("");
  if (last !== "") yield [{ number: number + 1, text: withoutReturn(last), isEnded: false }];
}

/** The lines of a list, one by one. */
export async function* listLines(list: ListSource): AsyncGenerator<ListLine> {
  for await (const lines of lineBatches(list)) yield* lines;
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
