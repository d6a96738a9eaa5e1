import type { ReportRow } from "./report-row.ts";

/** The columns of a table of verdicts, with the text of each. */
const columns: readonly (readonly [name: string, text: (row: ReportRow) => string])[] = [
  ["decision", ({ decision }) => decision],
  ["file", ({ file }) => file],
  ["line", ({ position }) => position],
  ["event_id", ({ eventId }) => eventId],
  ["tenant", ({ tenant }) => tenant],
  ["chain", ({ chain }) => chain],
  ["type", ({ type }) => type],
  ["address", ({ address }) => address],
  ["token_address", ({ token }) => token],
  ["findings", ({ reasons }) => reasons.map(({ check, finding }) => `${check}: ${finding}`).join("; ")],
  ["details", ({ reasons }) => reasons.map(({ detail }) => detail).join("; ")],
  ["resembles", ({ reasons }) => reasons.flatMap(({ resembles }) => resembles ?? []).join("; ")],
  ["evidence", ({ evidence }) => evidence.join("; ")],
  ["sha256", ({ sha256 }) => sha256],
  ["decided_at", ({ decidedAt }) => decidedAt],
  ["verdict_id", ({ verdictId }) => verdictId],
  ["revision", ({ revision }) => String(revision)],
  ["policy", ({ policy }) => policy],
  ["lists", ({ lists }) => lists],
];

/** Most columns of the producer that a table shows. Chosen: more than a person reads in one table. */
const MOST_COLUMNS = 100;

/** The names of the columns that came with the rows. The first rows set their order. */
export class RefColumns {
  readonly #names = new Set<string>();
  /** Whether a row had more columns than the table shows. */
  isFull = false;

  add({ columns: own }: Pick<ReportRow, "columns">): void {
    for (const [name] of own) {
      if (this.#names.size < MOST_COLUMNS) this.#names.add(name);
      else if (!this.#names.has(name)) this.isFull = true;
    }
  }

  get names(): readonly string[] {
    return [...this.#names];
  }
}

/** The header of a table. A column that came with the rows is named after `ref`. */
export function headerCells(refNames: readonly string[]): readonly string[] {
  return [...columns.map(([name]) => name), ...refNames.map((name) => (name === "ref" ? name : `ref.${name}`))];
}

export function rowCells(row: ReportRow, refNames: readonly string[]): readonly string[] {
  const own = new Map(row.columns);
  return [...columns.map(([, text]) => text(row)), ...refNames.map((name) => own.get(name) ?? "")];
}
