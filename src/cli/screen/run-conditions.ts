import { readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { readLines } from "../../adapters/files/input/lines.ts";
import type { MappedInput } from "../../adapters/files/mapping/mapped-reader.ts";
import { MAX_VERDICT_BYTES } from "../../adapters/files/output/verdict-log.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { lacking, verdictIn } from "../../messages/verdict.ts";

/** The conditions that determine the verdicts of a directory beside their input. */
export interface RunConditions {
  /** SHA-256 of the policy file's canonical JSON. */
  readonly policy: string;
  /** Base URL of the service, or `embedded`. */
  readonly service: string;
  /** SHA-256 over the label files of an embedded service; empty for a remote service. */
  readonly labels: string;
  /** SHA-256 of the mapping's canonical JSON; absent without a mapping. */
  readonly mapping?: string | undefined;
  /** The addresses of --wallet; absent without the flag. */
  readonly wallets?: readonly string[] | undefined;
}

/** The conditions of a mapped input. */
export function mappingConditions(mapping: MappedInput | undefined): Pick<RunConditions, "mapping" | "wallets"> {
  if (mapping === undefined) return {};
  const { sha256, view } = mapping;
  return view === undefined ? { mapping: sha256 } : { mapping: sha256, wallets: view.wallets.addresses };
}

const SCHEMA = "weir.run/1";
const RunFile = z.strictObject({
  schema: z.literal(SCHEMA),
  policy: z.string(),
  service: z.string(),
  labels: z.string(),
  mapping: z.string().optional(),
  wallets: z.array(z.string()).optional(),
});

/**
 * DIR/run.json: the conditions under which the directory was begun. A run under other conditions would add verdicts
 * that look alike but are not comparable. Verdicts without any answer of a service do not count: each is screened again
 * under its next revision, by the service and policy of the next run.
 *
 * @returns whether the labels are equal. They may change during a long run, so a change is reported, and not refused.
 * @throws {OutputUnwritableError} when the policy or the service differs, or when the conditions of existing verdicts
 * are unknown.
 */
export async function keepConditions(directory: string, conditions: RunConditions): Promise<{ sameLabels: boolean }> {
  await refuseLastRows(directory);
  const file = path.join(directory, "run.json");
  const kept = await readRunFile(file);
  const verdicts = path.join(directory, "verdicts.ndjson");
  const hasVerdicts = (await sizeOf(verdicts)) > 0;
  const isBound =
    (hasVerdicts && (await holdsAnswers(verdicts))) || (await sizeOf(path.join(directory, "tickets.ndjson"))) > 0;
  const begun = isBound ? kept : undefined;
  if (kept === undefined && hasVerdicts) {
    throw new OutputUnwritableError(`${directory} holds verdicts without run.json: choose another --out`);
  }
  if (begun !== undefined && begun.policy !== conditions.policy) throw differs("with another policy file", file);
  if (begun !== undefined && begun.service !== conditions.service) {
    throw differs(`by the service ${begun.service}, not ${conditions.service}`, file);
  }
  if (begun !== undefined && begun.mapping !== conditions.mapping) throw differs("with another mapping", file);
  if (begun !== undefined && String(begun.wallets) !== String(conditions.wallets))
    throw differs("for another --wallet", file);
  if (begun?.labels === conditions.labels) return { sameLabels: true };
  try {
    // A partial file would block access to its verdicts, so the file gets its name when it is complete.
    const unfinished = `${file}.${process.pid}.tmp`;
    await writeFile(unfinished, `${JSON.stringify({ schema: SCHEMA, ...conditions }, undefined, 2)}\n`);
    await rename(unfinished, file);
  } catch (thrown) {
    throw new OutputUnwritableError(`cannot write ${file}: ${toError(thrown).message}: choose another --out`);
  }
  return { sameLabels: begun === undefined };
}

/** Earlier versions screened rows that still grew. The unfinished `ref` of such a row stays in its verdict forever. */
async function refuseLastRows(directory: string): Promise<void> {
  const file = path.join(directory, "last-rows.json");
  if ((await sizeOf(file)) === 0) return;
  throw new OutputUnwritableError(
    `${file} is of an earlier version, which screened rows before they were whole: choose another --out`,
  );
}

/** Whether any verdict rests on an answer of the service. An unreadable verdict counts as one that does. */
async function holdsAnswers(file: string): Promise<boolean> {
  for await (const { bytes } of readLines(file, MAX_VERDICT_BYTES)) {
    const verdict = verdictIn(bytes);
    if (verdict === undefined || lacking(verdict) !== "service") return true;
    if (verdict.checks.some(({ outcome }) => outcome === "ok")) return true;
  }
  return false;
}

/** Size in bytes; 0 for an absent file. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (thrown) {
    const { code, message } = toError(thrown) as NodeJS.ErrnoException;
    if (code === "ENOENT") return 0;
    throw new OutputUnwritableError(`cannot look at ${file}: ${message}: choose another --out`);
  }
}

/** The conditions of a folder for a report. Undefined when its file is absent or of another form. */
export async function runConditionsIn(directory: string): Promise<RunConditions | undefined> {
  return readRunFile(path.join(directory, "run.json")).catch(() => undefined);
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
