import { rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../../adapters/files/output/make-directory.ts";
import { ParquetTable } from "../../adapters/parquet/parquet-table.ts";
import { COLUMNS_VERSION, type VerdictColumn } from "../../archive/export/flat-verdict.ts";
import { blocksOf, linesOf, type VerdictBlock } from "../../archive/reading/newest-first.ts";
import { readVerdict } from "../../archive/reading/read-verdict.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/hash.ts";
import type { ArchivedTopic } from "../archive-source/archive-source.ts";

/** The counts of an export. */
export interface ExportCounts {
  files: number;
  /** Objects that were exported before. */
  present: number;
  verdicts: number;
  /** Lines that hold no verdict. */
  unreadable: number;
}

/** The file of an object below the folder of an export: the same partitions, by date and number. */
export function parquetFile(objectKey: string): string {
  return objectKey.replace(/\.ndjson\.gz$/, ".parquet");
}

/**
 * Writes one Parquet file for each object, unless the file is there. A file gets its name when it is complete, so an
 * export that was stopped goes on with the next object.
 *
 * @throws {StoreUnavailableError | ObjectUnreadableError | OutputUnwritableError}
 */
export async function exportObjects(
  { store, keys }: ArchivedTopic,
  out: string,
  columns: readonly VerdictColumn[],
  counts: ExportCounts,
  signal: AbortSignal,
): Promise<void> {
  for (const key of keys) {
    signal.throwIfAborted();
    const file = path.join(out, ...parquetFile(key).split("/"));
    if (await isThere(file)) {
      counts.present++;
      continue;
    }
    for await (const block of blocksOf(store, [key], signal)) await write(file, tableOf(block, columns, counts));
    counts.files++;
  }
}

function tableOf(block: VerdictBlock, columns: readonly VerdictColumn[], counts: ExportCounts): Uint8Array {
  const table = new ParquetTable(columns, {
    "weir.columns": String(COLUMNS_VERSION),
    "weir.object": block.name,
    "weir.object_sha256": sha256(block.lines),
  });
  for (const line of linesOf(block.lines)) {
    const verdict = readVerdict(line);
    if (verdict === undefined) {
      counts.unreadable++;
      continue;
    }
    table.add(columns.map(({ read }) => read(verdict)));
    counts.verdicts++;
  }
  return table.finish();
}

async function write(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await makeDirectory(path.dirname(file));
    await writeFile(`${file}.tmp`, bytes);
    await rename(`${file}.tmp`, file);
  } catch (thrown) {
    const error = toError(thrown);
    throw new OutputUnwritableError(`cannot write ${file}: ${error.message}`, {}, { cause: error });
  }
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
