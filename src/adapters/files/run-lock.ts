import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/sha256.ts";
import { holderIn, isRunning, lockText } from "./lock-holder.ts";

/** Times that a lock may be gone, or another's, by the time it is looked at. Each means that some run went on. */
const MAX_ATTEMPTS = 20;

/**
 * Keeps a second run out of an output directory. The lock names its process; one whose process is gone is taken over.
 *
 * A lock changes hands in three ways only, so that of many runs exactly one has it:
 * - there is none, and `link` lets one of all that try put theirs there;
 * - its holder releases it, which nobody else does while the holder runs;
 * - its holder is gone. Then the lock may be replaced by whoever holds a second lock, whose name says which text is to
 *   be replaced, and still finds that text there. The second lock is taken by the same rules, should its holder die.
 *
 * @returns what releases it. @throws {OutputUnwritableError} while another run is alive.
 */
export async function lockDirectory(directory: string, pid: number): Promise<() => Promise<void>> {
  const file = path.join(directory, ".lock");
  const mine = await lockText(pid);
  try {
    const holder = await acquire(file, mine, pid);
    if (holder === undefined) return () => release(file, mine);
    throw new OutputUnwritableError(
      `${directory} is in use by process ${holder}: wait for it, or choose another --out`,
    );
  } catch (thrown) {
    if (thrown instanceof OutputUnwritableError) throw thrown;
    const error = toError(thrown);
    throw new OutputUnwritableError(
      `cannot write to ${directory}: ${error.message}: let this user write there, or choose another --out`,
      {},
      { cause: error },
    );
  }
}

/** Takes the lock. @returns the process that has it instead, undefined when it is ours. */
async function acquire(file: string, mine: string, pid: number): Promise<number | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (await create(file, mine)) return undefined;
    const found = await textOf(file);
    if (found === undefined) continue;
    const holder = holderIn(found);
    if (holder !== undefined && (await isRunning(holder, pid))) return holder.pid;
    const successor = await takeOver({ file, found, mine, pid });
    if (successor !== "changed") return successor;
  }
  throw new OutputUnwritableError(`${file} keeps changing: start again when the other runs have ended`);
}

interface Stale {
  readonly file: string;
  /** The text of the lock whose holder is gone. */
  readonly found: string;
  readonly mine: string;
  readonly pid: number;
}

/** @returns "changed" when the lock is not what was found any more, else as `acquire`. */
async function takeOver({ file, found, mine, pid }: Stale): Promise<number | undefined | "changed"> {
  const claim = `${file}.${sha256(found).slice(0, 16)}`;
  const claimant = await acquire(claim, mine, pid);
  if (claimant !== undefined) return claimant;
  try {
    // From here on nobody else replaces this text. Whoever had the claim before may have done so.
    if ((await textOf(file)) !== found) return "changed";
    const unfinished = `${file}.${mine.slice(-36)}`;
    await writeFile(unfinished, mine);
    await rename(unfinished, file);
    return undefined;
  } finally {
    await release(claim, mine);
  }
}

/** The file appears with its text or not at all: whoever finds it can read whose it is. @returns false when there is one. */
async function create(file: string, text: string): Promise<boolean> {
  const unfinished = `${file}.${text.slice(-36)}`;
  try {
    await writeFile(unfinished, text);
    await link(unfinished, file);
    return true;
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Takes our own lock away. One that somebody removed by hand may be another's by now, and stays. */
async function release(file: string, mine: string): Promise<void> {
  if ((await textOf(file)) === mine) await rm(file, { force: true });
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}
