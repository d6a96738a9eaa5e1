import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { openThreadAnalyser, type ThreadAnalyser } from "../../adapters/evmole/thread-analyser.ts";
import { InputUnreadableError } from "../../kernel/errors.ts";
import { MAX_CODE_BYTES, parseHex } from "../../service/bytecode/code.ts";
import { type Inspected, inspectLine, inspectReport } from "../inspect-report.ts";

export interface InspectFlags {
  /** File with hex code, or folder of such. */
  readonly bytecode: string;
  /** Longest time for one contract, milliseconds. */
  readonly timeout: number;
  readonly json?: boolean;
}

/** Memory of the analysing thread; a contract at its bounds needs a third of it. */
const MEMORY_MIB = 384;
/** Loading takes about a second on a busy machine. */
const START_MS = 10_000;
/** Hex digits, 0x and white space of the largest code. */
const MAX_FILE_BYTES = MAX_CODE_BYTES * 2 + 1024;

/**
 * Analyses every file and prints a line of JSON for each, or a report on a terminal.
 *
 * @returns the exit status: 0, or 2 when some file could not be analysed.
 * @throws {InputUnreadableError} when the file or folder is not there.
 */
export async function inspect(flags: InspectFlags, signal: AbortSignal): Promise<0 | 2> {
  const files = await filesAt(flags.bytecode);
  const print = flags.json || !process.stdout.isTTY ? (one: Inspected) => `${inspectLine(one)}\n` : inspectReport;
  const analyser = openThreadAnalyser({ timeoutMs: flags.timeout, memoryMiB: MEMORY_MIB, startMs: START_MS });
  let status: 0 | 2 = 0;
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const inspected = await inspectFile(file, analyser, flags.timeout);
      if ("failure" in inspected) status = 2;
      process.stdout.write(print(inspected));
    }
  } finally {
    await analyser.close();
  }
  return status;
}

async function inspectFile(file: string, analyser: ThreadAnalyser, timeoutMs: number): Promise<Inspected> {
  const { size } = await stat(file);
  const code = size <= MAX_FILE_BYTES ? parseHex(await readFile(file, "utf8")) : undefined;
  if (code === undefined) return { file, failure: "not the hex of a contract's code" };
  const answer = await analyser.analyse(code);
  if ("analysis" in answer) return { file, analysis: answer.analysis };
  return { file, failure: answer.failure === "too slow" ? `no answer within ${timeoutMs} ms` : "too large to analyse" };
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
