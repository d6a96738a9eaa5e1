import { CsvError, parse } from "csv-parse/sync";
import { fail, ok, type Result } from "../../../../kernel/result.ts";

/** The separator of the columns of one file. */
export type Delimiter = "," | ";" | "\t";

/** Deviations from RFC 4180 that were accepted: white space around quoted cells, and quotes within unquoted cells. */
export interface Leniency {
  readonly trim?: boolean;
  readonly relax_quotes?: boolean;
}

/** The cells of one row of CSV (RFC 4180). */
export function csvRow(line: string, delimiter: Delimiter, leniency: Leniency = {}): Result<readonly string[]> {
  if (!line.includes('"')) return ok(line.replace(/\r$/, "").split(delimiter));
  try {
    const [row = [], ...others] = parse(line, { ...leniency, delimiter, relax_column_count: true }) as string[][];
    // The library also ends a record at a lone CR. The cells behind a lone CR must not vanish.
    return others.length === 0 ? ok(row) : fail(`not valid CSV: ${others.length + 1} records in one line`);
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    return fail(`not valid CSV: ${thrown.code.toLowerCase().replaceAll("_", " ")}`);
  }
}
