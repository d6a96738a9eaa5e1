import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../../adapters/files/make-directory.ts";
import type { Verdict } from "../../events/verdict.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import type { Environment } from "../config.ts";
import { bundled } from "../package-root.ts";
import { paintFor, verdictLines } from "../report.ts";
import { screenRun } from "../screen-run.ts";
import { outcomeLine, summaryLines } from "../summary.ts";

/** `weir demo`: the checked-in events through the real service and the real worker code. @returns the exit status. */
export async function demo(out: string, env: Environment, signal: AbortSignal): Promise<number> {
  await clear(out);
  process.stdout.write(`Screening ${path.relative(process.cwd(), bundled.demoEvents)} (sources: demo/SOURCES.md)\n\n`);
  const verdicts: Verdict[] = [];
  const result = await screenRun({
    input: { path: bundled.demoEvents, defaults: { users: [] } },
    out,
    env: withAccounts(env),
    signal,
    watch: () => () => undefined,
    warn: () => undefined,
    onVerdict: (verdict) => verdicts.push(verdict),
  });
  const paint = paintFor(process.stdout, env);
  const inOrder = verdicts.sort((a, b) => lineOf(a) - lineOf(b));
  process.stdout.write(`${inOrder.map((verdict) => verdictLines(verdict, paint).join("\n")).join("\n")}\n`);
  process.stdout.write(`${summaryLines(result, out).join("\n")}\n`);
  if (result.tally.exitStatus() === 1) {
    process.stdout.write(`\n${outcomeLine(result.tally)}\n`);
    return 1;
  }
  // The file holds lines that must be refused, so a run that refuses them is a success.
  process.stdout.write("\nUNKNOWN are the events that must not be guessed at; each says why.\n");
  return 0;
}

/** The accounts that the demo's Solana events are simulated on, for its own service, unless others are named. */
function withAccounts(env: Environment): Environment {
  const named = ["SERVICE_URL", "SOLANA_SNAPSHOT", "SOLANA_RPC_URL", "SOLANA_RPC_URL_FILE"];
  const isNamed = named.some((name) => (env[name] ?? "") !== "");
  return isNamed ? env : { ...env, SOLANA_SNAPSHOT: bundled.demoSolana };
}

/** Left in the folder of a demo; only a folder that holds it is emptied for the next one. */
const MARK = ".demo";

/** @throws {OutputUnwritableError} when the folder holds anything that no demo left there. */
async function clear(out: string): Promise<void> {
  try {
    await makeDirectory(path.resolve(out));
    const files = await readdir(out);
    if (files.length > 0 && !files.includes(MARK)) {
      throw new OutputUnwritableError(`${out} is not empty and holds no earlier demo: choose another --out`);
    }
    await writeFile(path.join(out, MARK), "");
    for (const file of ["verdicts.ndjson", "run.json"]) await rm(path.join(out, file), { force: true });
    await rm(path.join(out, "archive"), { recursive: true, force: true });
  } catch (thrown) {
    if (thrown instanceof OutputUnwritableError) throw thrown;
    throw new OutputUnwritableError(`cannot write to ${out}: ${toError(thrown).message}: choose another --out`);
  }
}

function lineOf({ source }: Verdict): number {
  return "line" in source && typeof source.line === "number" ? source.line : 0;
}
