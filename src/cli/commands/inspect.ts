import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { openThreadAnalyser, type ThreadAnalyser } from "../../adapters/evmole/thread-analyser.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../kernel/errors.ts";
import { MAX_CODE_BYTES, parseHex } from "../../service/bytecode/code.ts";
import { type Environment, readEnv } from "../config.ts";
import { readDeployedCode } from "../deployed-code.ts";
import { EvmEnv } from "../env/nodes-env.ts";
import { type CodePlace, type Inspected, inspectLine, inspectReport } from "../inspect-report.ts";

export interface InspectFlags {
  /** File with hex code, or folder of such. */
  readonly bytecode?: string;
  /** Id of the chain that an address is looked up on, in place of a file. */
  readonly chain?: string;
  /** Longest time for one contract, milliseconds. */
  readonly timeout: number;
  readonly json?: boolean;
  /** False: the code is read, not run. */
  readonly execute: boolean;
}

/** Memory of the analysing thread; a contract at its bounds needs a third of it. */
const MEMORY_MIB = 384;
/** Loading takes about a second on a busy machine. */
const START_MS = 10_000;
/** Hex digits, 0x and white space of the largest code. */
const MAX_FILE_BYTES = MAX_CODE_BYTES * 2 + 1024;

/**
 * Analyses every file, or the code at `address`, and prints a line of JSON for each, or a report on a terminal.
 *
 * @returns the exit status: 0, or 2 when something could not be analysed.
 * @throws {InputUnreadableError} when the file or folder is not there. @throws {ConfigInvalidError}
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
  readonly place: CodePlace;
  /** undefined when there is no hex of code where it should be. */
  readonly code: () => Promise<Uint8Array | undefined>;
}

async function subjectsOf(
  { bytecode, chain }: InspectFlags,
  address: string | undefined,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly Subject[]> {
  if (bytecode !== undefined && chain === undefined && address === undefined)
    return (await filesAt(bytecode)).map((file) => ({ place: { file }, code: () => codeIn(file) }));
  if (bytecode !== undefined || chain === undefined || address === undefined)
    throw new ConfigInvalidError("name either --bytecode FILE, or --chain ID and an address");
  const { at, code } = await readDeployedCode({ chain, address }, readEnv(EvmEnv, env), signal);
  return [{ place: at, code: async () => code }];
}

async function codeIn(file: string): Promise<Uint8Array | undefined> {
  const { size } = await stat(file);
  return size <= MAX_FILE_BYTES ? parseHex(await readFile(file, "utf8")) : undefined;
}

async function inspectCode(
  place: CodePlace,
  code: Uint8Array | undefined,
  analyser: ThreadAnalyser,
  timeoutMs: number,
): Promise<Inspected> {
  if (code === undefined) return { place, failure: "not the hex of a contract's code" };
  const answer = await analyser.analyse(code);
  if ("analysis" in answer) return { place, analysis: answer.analysis };
  return {
    place,
    failure: answer.failure === "too slow" ? `no answer within ${timeoutMs} ms` : "too large to analyse",
  };
}

/** The file itself, or the files in a folder in order of their names. */
async function filesAt(place: string): Promise<readonly string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place];
    const entries = await readdir(place, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return names.sort().map((name) => path.join(place, name));
  } catch (thrown) {
    throw new InputUnreadableError(`cannot read ${place}`, {}, { cause: thrown });
  }
}
