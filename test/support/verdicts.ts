import { readFile } from "node:fs/promises";
import path from "node:path";
import { Verdict } from "../../src/messages/verdict.ts";

/** The verdicts in an output directory, by their lines in the input. Each is parsed by the schema of verdicts. */
export async function verdictsIn(out: string): Promise<readonly Verdict[]> {
  const text = await readFile(path.join(out, "verdicts.ndjson"), "utf8");
  const verdicts = text
    .split("\n")
    .slice(0, -1)
    .map((line) => Verdict.parse(JSON.parse(line)));
  return verdicts.sort((a, b) => lineOf(a) - lineOf(b));
}

export function lineOf({ source }: Verdict): number {
  return "line" in source ? source.line : 0;
}

/** Line, decision and, where there are findings or failures, their names. */
export async function outcomesIn(out: string): Promise<readonly string[]> {
  const verdicts = await verdictsIn(out);
  return verdicts.map((verdict) => {
    const fired = verdict.reasons.filter(({ severity }) => severity !== "INFO").map(({ finding }) => finding);
    return [lineOf(verdict), verdict.decision, ...fired].join(" ");
  });
}
