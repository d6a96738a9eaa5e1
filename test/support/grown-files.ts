import fc from "fast-check";

/** A row of a file, and its expected records. */
export interface Row {
  readonly text: string;
  /**
   * `ref` of each record of the row, from its first line on: null for a line that is no event; empty for a blank line
   * or a comment.
   */
  readonly refs: readonly (string | null)[];
}

export interface GrownFormat {
  readonly name: string;
  readonly head: string;
  /** Chain of addresses without a chain of their own. */
  readonly chain: string | undefined;
  readonly row: fc.Arbitrary<Row>;
}

const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "é"), maxLength: 4 });
/** None of these is an address, so no service is called. */
const address = fc.constantFrom("0xa", "0xab", "zz");

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record a line, and none is an event. */
export function apart(text: string): Row {
  return { text, refs: text.split("\n").map(() => null) };
}

/** A row with an unread column before its `ref`. */
export function csvRowOf(named: string, note: string, ref: string): Row {
  return { text: [named, note, ref].map(quoted).join(","), refs: [ref.trim()] };
}

const csv: GrownFormat = {
  name: "a.csv",
  head: "address,note,ref\n",
  chain: "1",
  row: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          address,
          cell,
          fc.tuple(cell, fc.constant("r")).map((parts) => parts.join("")),
        )
        .map((cells) => csvRowOf(...cells)),
    },
    // Too few cells, too many cells, and text behind a closed cell.
    { weight: 1, arbitrary: fc.constantFrom("zz", "a,b,c,d", 'zz,"n\nm"x,r', 'zz,"n\nm",r,s').map(apart) },
    { weight: 1, arbitrary: fc.constant({ text: "", refs: [] }) },
  ),
};

const list: GrownFormat = {
  name: "a.txt",
  head: "",
  chain: "1",
  row: fc.oneof(
    address.map((text) => ({ text, refs: [""] })),
    fc.constantFrom("# note", "").map((text) => ({ text, refs: [] })),
  ),
};

const ndjson: GrownFormat = {
  name: "a.ndjson",
  head: "",
  chain: undefined,
  row: fc.oneof(
    fc.tuple(address, fc.constantFrom("a", "ab", "é")).map(([named, ref]) => ({
      text: JSON.stringify({ type: "address", chain_id: "1", address: named, ref }),
      refs: [ref],
    })),
    fc.constantFrom('{"type":', "zz", '"{}"').map(apart),
  ),
};

export const grownFormats = [csv, list, ndjson] as const;

/** The slow reference reader: line and `ref` of each record of these rows, in order. */
export function recordsOf(
  head: string,
  rows: readonly Row[],
): readonly (readonly [line: number, ref: string | null])[] {
  let line = head.split("\n").length;
  const found: [number, string | null][] = [];
  for (const { text, refs } of rows) {
    for (const [i, ref] of refs.entries()) found.push([line + i, ref]);
    line += text.split("\n").length;
  }
  return found;
}
