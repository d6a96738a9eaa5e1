import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Verdict } from "../../src/messages/verdict.ts";
import { emptyFolder } from "./folder.ts";

/** A folder of a run with these verdicts in its log. @param end what follows behind the last line. */
export async function verdictFolder(verdicts: readonly Verdict[], end = ""): Promise<string> {
  const folder = await emptyFolder();
  const lines = verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join("");
  await writeFile(path.join(folder, "verdicts.ndjson"), lines + end);
  return folder;
}
