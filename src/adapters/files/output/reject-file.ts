import { rename, rm, writeFile } from "node:fs/promises";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { MAX_EVENT_BYTES } from "../../../messages/event.ts";
import { csvRow } from "../input/csv/csv-cells.ts";
import { readColumns } from "../input/csv/csv-columns.ts";
import { CsvLines } from "../input/csv/csv-lines.ts";
import { STDIN } from "../input/input-bytes.ts";
import { isRegularFile, type Line, readLines } from "../input/lines.ts";

/** The most rows of a file of rejects. */
export const MAX_REJECTS = 100_000;

/** The rows of an input that gave no screening, by line. */
export type RejectReasons = ReadonlyMap<number, string>;

/**
 * Writes the rows that were not screened: line, reason, and the row's own columns. The input is read again for them; a
 * pipe has only lines and reasons. Without rejects, a file of an earlier run is removed.
 *
 * @param isCsv whether the input has columns. Any other row is one cell.
 * @throws {OutputUnwritableError}
 */
export async function writeRejects(
  file: string,
  inputPath: string,
  reasons: RejectReasons,
  isCsv: boolean,
): Promise<void> {
  try {
    if (reasons.size === 0) return await rm(file, { force: true });
    const unfinished = `${file}.${process.pid}.tmp`;
    await writeFile(unfinished, await contentOf(inputPath, reasons, isCsv));
    await rename(unfinished, file);
  } catch (thrown) {
    throw new OutputUnwritableError(`cannot write ${file}: ${toError(thrown).message}: choose another --out`);
  }
}

async function contentOf(inputPath: string, reasons: RejectReasons, isCsv: boolean): Promise<string> {
  const isReadable = inputPath !== STDIN && (await isRegularFile(inputPath));
  const rows = isReadable
    ? await rowsOf(inputPath, reasons, isCsv)
    : { names: [], cells: new Map<number, readonly string[]>() };
  const lines = [...reasons.keys()].sort((a, b) => a - b);
  return [
    csvText(["line", "reason", ...rows.names]),
    ...lines.map((line) => csvText([String(line), reasons.get(line) ?? "", ...(rows.cells.get(line) ?? [])])),
    "",
  ].join("\n");
}

async function rowsOf(inputPath: string, reasons: RejectReasons, isCsv: boolean) {
  const cells = new Map<number, readonly string[]>();
  let header: ReturnType<typeof readColumns> | undefined;
  let joined: CsvLines | undefined;
  const keep = (line: Line) => {
    if (!reasons.has(line.number)) return;
    const text = line.bytes.toString("utf8").replace(/\r$/, "");
    const row = header === undefined ? undefined : csvRow(text, header.delimiter);
    cells.set(line.number, row?.ok === true ? row.value : [text]);
  };
  for await (const line of readLines(inputPath, MAX_EVENT_BYTES)) {
    if (!isCsv) keep(line);
    else if (header === undefined) {
      header = headerIn(line.bytes.toString("utf8"));
      if (header !== undefined) joined = linesOf(header);
    } else {
      let next: Line | undefined = line;
      const pull = () => {
        const given = next;
        next = undefined;
        return given;
      };
      for (let row = joined?.next(pull); row !== undefined; row = joined?.next(pull)) keep(row);
    }
  }
  for (const line of joined?.open ?? []) keep(line);
  return { names: header?.names ?? ["row"], cells };
}

function headerIn(text: string): ReturnType<typeof readColumns> | undefined {
  const bare = text.replace(/^\uFEFF/, "").trim();
  return bare === "" || bare.startsWith("#") || /^sep=[,;\t]$/i.test(bare) ? undefined : readColumns(text);
}

function linesOf({ names, delimiter }: ReturnType<typeof readColumns>): CsvLines {
  return new CsvLines(delimiter, (text) => {
    const row = csvRow(text, delimiter);
    return row.ok && row.value.length === names.length;
  });
}

/** One row by RFC 4180. */
function csvText(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",");
}
