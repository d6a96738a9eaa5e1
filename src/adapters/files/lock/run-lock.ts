import path from "node:path";
import type { Clock } from "../../../kernel/clock.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { create, type ExistingLock, look, release, replace } from "./lock-file.ts";
import { Heartbeat, isRefreshed, LOCK_PACE, type LockPace } from "./lock-heartbeat.ts";
import { holderIn, isForeign, isRunning, type LockHolder, lockText, named } from "./lock-holder.ts";

/**
 * Most attempts at a lock that vanishes or changes before it is read. Each change means that another run made progress.
 */
const MAX_ATTEMPTS = 20;

export interface RunLock {
  /** Called before every write. @throws {OutputUnwritableError} once the lock is another process's. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  readonly pid: number;
  /** The host of this process (`ownHost`). */
  readonly place: string;
  readonly clock: Clock;
  /** Ends the wait for a holder on another host. */
  readonly signal: AbortSignal;
  /** Receives a message about the wait. */
  readonly warn: (message: string) => void;
  /** Called at the heartbeat that finds the lock taken by another process. */
  readonly onLost: (error: Error) => void;
  readonly pace?: LockPace;
}

/**
 * Keeps a second run out of an output directory. The lock names its process. A lock of a process that is gone is taken
 * over. For a process of another container or machine, only its heartbeat tells that it is gone (lock-heartbeat.ts).
 *
 * A lock changes hands in three ways only, so exactly one of many runs has it:
 * - There is no lock, and `link` lets one of all contenders create it.
 * - The holder releases the lock. No other process releases it while the holder runs.
 * - The holder is gone. A contender takes a second lock, named after the text to be replaced. It replaces the first
 *   lock only if the text is still there and not refreshed. The second lock follows the same rules, should its holder
 *   die.
 *
 * A holder may only seem to be gone: a stopped one (SIGSTOP, a paused container, a network away) may wake at any time.
 * So the new holder waits for as long as the old holder may write without a heartbeat. It goes on only if the lock is
 * still its own. Two gaps remain. The old holder may complete a write that it had begun when it was stopped. A process
 * may also be stopped within the takeover for longer than all these times.
 *
 * @throws {OutputUnwritableError} while another run is alive; `signal.reason` when aborted.
 */
export async function lockDirectory(directory: string, options: LockOptions): Promise<RunLock> {
  const { pid, place, clock, signal, onLost, pace = LOCK_PACE } = options;
  const file = path.join(directory, ".lock");
  const mine = await lockText(pid, place);
  const lost = (text: string | undefined) => lostTo(text, directory, place);
  const heartbeat = new Heartbeat({ file, mine, clock, pace, lost, onLost });
  const letGo = () => {
    heartbeat.stop();
    return release(file, mine);
  };
  try {
    const outcome = await acquire(file, { ...options, directory, mine, pace });
    if (typeof outcome === "object") throw inUse(directory, named(outcome, place));
    try {
      await heartbeat.start();
      if (outcome === "taken unseen") {
        await clock.sleep(pace.leaseMs, signal);
        await heartbeat.beat();
      }
    } catch (thrown) {
      await letGo();
      throw thrown;
    }
    return { confirm: () => heartbeat.confirm(), release: letGo };
  } catch (thrown) {
    if (thrown instanceof OutputUnwritableError || (signal.aborted && thrown === signal.reason)) throw thrown;
    const error = toError(thrown);
    throw new OutputUnwritableError(
      `cannot write to ${directory}: ${error.message}: let this user write there, or choose another --out`,
      {},
      { cause: error },
    );
  }
}

interface Contender extends LockOptions {
  readonly directory: string;
  readonly mine: string;
  readonly pace: LockPace;
}

/**
 * The result of an attempt: the other holder, a lock of this process, or a lock taken from a holder on another host.
 */
type Outcome = LockHolder | "ours" | "taken unseen";

async function acquire(file: string, us: Contender): Promise<Outcome> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (await create(file, us.mine)) return "ours";
    const found = await look(file);
    if (found === undefined) continue;
    const holder = holderIn(found.text);
    const isAlive = holder !== undefined && (await lives(holder, file, found, us));
    if (isAlive === "changed") continue;
    if (isAlive) return holder;
    const claimant = await takeOver(file, found, us);
    if (claimant === "changed") continue;
    return claimant ?? (holder !== undefined && isForeign(holder, us.place) ? "taken unseen" : "ours");
  }
  throw new OutputUnwritableError(`${file} keeps changing: start again when the other runs have ended`);
}

/** @returns "changed" when the lock is not the found one any more. */
async function lives(
  holder: LockHolder,
  file: string,
  found: ExistingLock,
  us: Contender,
): Promise<boolean | "changed"> {
  if (!isForeign(holder, us.place)) return isRunning(holder, us.pid);
  const seconds = Math.ceil((us.pace.looks * us.pace.lookMs + us.pace.leaseMs) / 1000);
  us.warn(
    `${us.directory} is locked by ${named(holder, us.place)}; waiting up to ${seconds} s to see whether it lives`,
  );
  return isRefreshed(file, found, us);
}

/**
 * Replaces the lock of a holder that is gone. @returns the process that replaces it instead, or "changed" when the lock
 * is not the found one any more.
 */
async function takeOver(file: string, found: ExistingLock, us: Contender): Promise<LockHolder | undefined | "changed"> {
  const claim = `${file}.${sha256(found.text).slice(0, 16)}`;
  const outcome = await acquire(claim, us);
  if (typeof outcome === "object") return outcome;
  try {
    // From here on no other process replaces this text. An earlier holder of the claim may have replaced it.
    const now = await look(file);
    if (now?.text !== found.text || now.mtimeMs !== found.mtimeMs) return "changed";
    await replace(file, us.mine);
    return undefined;
  } finally {
    await release(claim, us.mine);
  }
}

function inUse(directory: string, holder: string): OutputUnwritableError {
  return new OutputUnwritableError(`${directory} is in use by ${holder}: wait for it, or choose another --out`);
}

function lostTo(text: string | undefined, directory: string, place: string): OutputUnwritableError {
  const holder = text === undefined ? undefined : holderIn(text);
  const what =
    holder === undefined
      ? `the lock of ${directory} is gone: somebody removed it, or another run had ${directory} while this one stood still`
      : `${directory} was taken over by ${named(holder, place)} while this run stood still`;
  return new OutputUnwritableError(
    `${what}; nothing more is written: start again once no other run is at it, or choose another --out`,
  );
}
