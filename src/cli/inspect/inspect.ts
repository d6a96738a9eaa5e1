import { openThreadAnalyser, type ThreadAnalyser } from "../../adapters/evmole/thread-analyser.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { EvmEnv } from "../config/env/nodes-env.ts";
import { codeFilesAt, codeIn } from "./code-files.ts";
import { readDeployedCode } from "./deployed-code.ts";
import { type CodeLocation, type Inspected, inspectLine, inspectReport } from "./inspect-report.ts";

export interface InspectFlags {
  /** File with hex code, or a folder of such files. */
  readonly bytecode?: string;
  /** Id of the chain on which an address is looked up, in place of a file. */
  readonly chain?: string;
  /** Longest time for one contract, milliseconds. */
  readonly timeout: number;
  readonly json?: boolean;
  /** False: the code is analysed without execution. */
  readonly execute: boolean;
}

/** Memory of the analysing thread. A contract at its limits needs a third of it. */
const MEMORY_MIB = 384;
/** Loading takes about a second on a busy machine. */
const START_MS = 10_000;

/**
 * Analyses every file, or the code at `address`. It prints a line of JSON for each, or a report on a terminal.
 *
 * @returns the exit status: 0, or 2 when an analysis failed.
 * @throws {InputUnreadableError} when the file or folder does not exist. @throws {ConfigInvalidError}
 * @throws {NodeUnavailableError}
 */
export async function inspect(
  flags: InspectFlags,
  address: string | undefined,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const subjects = await subjectsOf(flags, address, env, signal);
  const print = flags.json || !process.stdout.isTTY ? (one: Inspected) => `${inspectLine(one)}\n` : inspectReport;
  const { timeout: timeoutMs, execute } = flags;
  const analyser = openThreadAnalyser({ timeoutMs, memoryMiB: MEMORY_MIB, startMs: START_MS, execute });
  let status: 0 | 2 = 0;
  try {
    for (const subject of subjects) {
      signal.throwIfAborted();
      const inspected = await inspectCode(subject.place, await subject.code(), analyser, flags.timeout);
      if ("failure" in inspected) status = 2;
      process.stdout.write(print(inspected));
    }
  } finally {
    await analyser.close();
  }
  return status;
}

interface Subject {
  readonly place: CodeLocation;
  readonly code: () => ReturnType<typeof codeIn>;
}

async function subjectsOf(
  { bytecode, chain }: InspectFlags,
  address: string | undefined,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly Subject[]> {
  if (bytecode !== undefined && chain === undefined && address === undefined)
    return (await codeFilesAt(bytecode)).map((file) => ({ place: { file }, code: () => codeIn(file) }));
  if (bytecode !== undefined || chain === undefined || address === undefined)
    throw new ConfigInvalidError("name either --bytecode FILE, or --chain ID and an address");
  const { at, code } = await readDeployedCode({ chain, address }, readEnv(EvmEnv, env), signal);
  return [{ place: at, code: async () => ({ code }) }];
}

async function inspectCode(
  place: CodeLocation,
  found: Awaited<ReturnType<typeof codeIn>>,
  analyser: ThreadAnalyser,
  timeoutMs: number,
): Promise<Inspected> {
  if ("failure" in found) return { place, failure: found.failure };
  const answer = await analyser.analyse(found.code);
  if ("analysis" in answer) return { place, analysis: answer.analysis };
  return {
    place,
    failure: answer.failure === "too slow" ? `no answer within ${timeoutMs} ms` : "too large to analyse",
  };
}
