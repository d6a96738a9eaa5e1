import path from "node:path";
import { formatOfName } from "../../adapters/files/input/format-of.ts";
import type { RecordsOptions } from "../../adapters/files/input/records.ts";
import { MAX_REJECTS, writeRejects } from "../../adapters/files/output/reject-file.ts";
import { failuresIn, lacking, type Verdict } from "../../messages/verdict.ts";

/** The lines of a run whose events could not be screened, with the reason. A later revision may remove a line. */
export class Rejects {
  readonly reasons = new Map<number, string>();
  #beyond = 0;

  add(verdict: Verdict): void {
    const { source } = verdict;
    if (!("line" in source)) return;
    if (lacking(verdict) !== "input") {
      this.reasons.delete(source.line);
      return;
    }
    if (this.reasons.size === MAX_REJECTS && !this.reasons.has(source.line)) this.#beyond++;
    else this.reasons.set(source.line, reasonOf(verdict));
  }

  /** Rejects without room in the file. */
  get beyond(): number {
    return this.#beyond;
  }
}

function reasonOf(verdict: Verdict): string {
  const failures = failuresIn(verdict).map(({ code, detail }) => `${code}: ${detail}`);
  const texts = failures.length > 0 ? failures : verdict.reasons.map(({ finding, detail }) => `${finding}: ${detail}`);
  return texts.join("; ");
}

/** Writes DIR/rejects.csv. @returns its path for the summary; undefined without rejects. @throws {OutputUnwritableError} */
export async function keepRejects(
  out: string,
  input: RecordsOptions,
  { reasons, beyond }: Rejects,
): Promise<string | undefined> {
  const file = path.join(out, "rejects.csv");
  await writeRejects(file, input.path, reasons, (input.format ?? formatOfName(input.path)) === "csv");
  if (reasons.size === 0) return undefined;
  return beyond === 0 ? file : `${file} (${beyond} more rows did not fit)`;
}
