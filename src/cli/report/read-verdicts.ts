import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type Line, lineChunks } from "../../adapters/files/input/lines.ts";
import { MAX_VERDICT_BYTES } from "../../adapters/files/output/verdict-log.ts";
import { readVerdict } from "../../archive/reading/read-verdict.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Verdict } from "../../messages/verdict.ts";

/** The log of verdicts in the folder of a run. */
export interface VerdictsRead {
  readonly file: string;
  /** Verdicts of all revisions. */
  readonly verdicts: number;
  readonly bytes: number;
  /** SHA-256 over the lines that were read. */
  readonly sha256: string;
  /** Lines that are no verdict, and the number of the first one. */
  readonly unreadable: { readonly lines: number; readonly first: number } | undefined;
  /** Whether a last line without its end was left out. A run may be writing it. */
  readonly isCut: boolean;
}

/** A caller that returns a promise makes the reader wait. */
type OnVerdict = (verdict: Verdict, line: Line) => Promise<void> | undefined;

const LF = Buffer.from("\n");

/**
 * Reads DIR/verdicts.ndjson once, from start to end. @param hashes whether to compute the hash.
 *
 * @throws {ConfigInvalidError} when there is none.
 */
export async function readVerdicts(
  dir: string,
  signal: AbortSignal,
  onVerdict: OnVerdict,
  hashes = false,
): Promise<VerdictsRead> {
  const file = await verdictFileIn(dir);
  const hash = createHash("sha256");
  const bad = { lines: 0, first: 0 };
  let verdicts = 0;
  let bytes = 0;
  let isCut = false;
  for await (const lines of lineChunks(file, MAX_VERDICT_BYTES)) {
    signal.throwIfAborted();
    for (const line of lines) {
      isCut = !line.isEnded;
      if (isCut) continue;
      bytes += line.to - line.from + 1;
      if (hashes) hash.update(line.bytes).update(LF);
      const verdict = readVerdict(line.bytes);
      if (verdict === undefined) {
        if (bad.lines++ === 0) bad.first = line.number;
        continue;
      }
      verdicts++;
      const wait = onVerdict(verdict, line);
      if (wait !== undefined) await wait;
    }
  }
  return {
    file,
    verdicts,
    bytes,
    sha256: hashes ? hash.digest("hex") : "",
    unreadable: bad.lines === 0 ? undefined : bad,
    isCut,
  };
}

/** The size of the log, for progress. @throws {ConfigInvalidError} */
export async function verdictFileIn(dir: string): Promise<string> {
  const file = path.join(dir, "verdicts.ndjson");
  const isThere = await stat(file).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (isThere) return file;
  throw new ConfigInvalidError(
    `${dir}: no verdicts.ndjson in it: name the folder of a run, as weir screen FILE --out ${dir} makes it`,
  );
}

/** The lines of a report or a list about lines that were not read. */
export function unreadVerdicts({ unreadable, isCut, file }: VerdictsRead): readonly string[] {
  const lines: string[] = [];
  if (unreadable !== undefined)
    lines.push(
      `${file}: ${unreadable.lines} of its lines hold no verdict, first line ${unreadable.first}: they are not in the counts`,
    );
  if (isCut) lines.push(`${file}: the last line has no end and is left out: a run may be writing it`);
  return lines;
}
