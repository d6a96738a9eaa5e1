import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { OutputUnwritableError, toError } from "../kernel/errors.ts";

/** What the verdicts of a directory depend on beside their input. */
export interface RunConditions {
  /** SHA-256 of the policy file. */
  readonly policy: string;
  /** Base URL of the service, or `embedded`. */
  readonly service: string;
  /** SHA-256 over the label files of an embedded service; empty for a service elsewhere. */
  readonly labels: string;
}

const SCHEMA = "weir.run/1";
const RunFile = z.strictObject({
  schema: z.literal(SCHEMA),
  policy: z.string(),
  service: z.string(),
  labels: z.string(),
});

/**
 * DIR/run.json: under which conditions the directory was begun. A run that goes on under others would leave verdicts that
 * look alike and are not.
 *
 * @returns whether the labels differ: they may grow while a long run is on, so that is told, and not refused.
 * @throws {OutputUnwritableError} when the policy or the service differs.
 */
export async function keepConditions(directory: string, conditions: RunConditions): Promise<{ sameLabels: boolean }> {
  const file = path.join(directory, "run.json");
  const begun = await readRunFile(file);
  if (begun !== undefined && begun.policy !== conditions.policy) throw differs("with another policy file", file);
  if (begun !== undefined && begun.service !== conditions.service) {
    throw differs(`by the service ${begun.service}, not ${conditions.service}`, file);
  }
  if (begun?.labels === conditions.labels) return { sameLabels: true };
  try {
    await writeFile(file, `${JSON.stringify({ schema: SCHEMA, ...conditions }, undefined, 2)}\n`);
  } catch (thrown) {
    throw new OutputUnwritableError(`cannot write ${file}: ${toError(thrown).message}: choose another --out`);
  }
  return { sameLabels: begun === undefined };
}

async function readRunFile(file: string): Promise<RunConditions | undefined> {
  try {
    return RunFile.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new OutputUnwritableError(`${file} cannot be read as the conditions of a run: choose another --out`);
  }
}

function differs(how: string, file: string): OutputUnwritableError {
  return new OutputUnwritableError(
    `the verdicts here were begun ${how} (${file}): choose another --out, or put it back`,
  );
}
