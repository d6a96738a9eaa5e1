import path from "node:path";
import type { Clock } from "../../../kernel/clock.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { create, type ExistingLock, look, release, replace } from "./lock-file.ts";
import { Heartbeat, isRefreshed, LOCK_PACE, type LockPace } from "./lock-heartbeat.ts";
import { holderIn, isForeign, isRunning, type LockHolder, lockText, named } from "./lock-holder.ts";

/** Times that a lock may be gone, or another's, by the time it is looked at. Each means that some run went on. */
const MAX_ATTEMPTS = 20;

export interface RunLock {
  /** To be asked before anything is written. @throws {OutputUnwritableError} once the lock is another's. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  readonly pid: number;
  /** Of this process (`ownHost`). */
  readonly place: string;
  readonly clock: Clock;
  /** Ends the wait for a holder that cannot be looked at. */
  readonly signal: AbortSignal;
  /** Says what is waited for. */
  readonly warn: (message: string) => void;
  /** Told at the beat that finds the lock another's. */
  readonly onLost: (error: Error) => void;
  readonly pace?: LockPace;
}

/**
 * Keeps a second run out of an output directory. The lock names its process; one whose process is gone is taken over.
 * Whether a process of another container or machine is gone is told by its heartbeat alone (lock-heartbeat.ts).
 *
 * A lock changes hands in three ways only, so that of many runs exactly one has it:
 * - there is none, and `link` lets one of all that try put theirs there;
 * - its holder releases it, which nobody else does while the holder runs;
 * - its holder is gone. Then the lock may be replaced by whoever holds a second lock, whose name says which text is to
 *   be replaced, and still finds that text there, not refreshed. The second lock is taken by the same rules, should its
 *   holder die.
 *
 * Who only seemed to be gone, since it was stopped (SIGSTOP, a paused container, a network away), may wake at any time. So
 * whoever replaced its lock waits for as long as it may write without a beat, and goes on only if the lock is still its own.
 * What is left is a write that the other had begun when it was stopped, and a process that is stopped within the
 * takeover itself for longer than all of that.
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

/** Whether a lock is ours, and was taken from one whose process could not be looked at; or else whose it is. */
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

/** @returns "changed" when the lock is not what was found any more. */
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

/** Puts our lock in place of one whose holder is gone. @returns who is at it instead, "changed" when it is not what was found any more. */
async function takeOver(file: string, found: ExistingLock, us: Contender): Promise<LockHolder | undefined | "changed"> {
  const claim = `${file}.${sha256(found.text).slice(0, 16)}`;
  const outcome = await acquire(claim, us);
  if (typeof outcome === "object") return outcome;
  try {
    // From here on nobody else replaces this text. Whoever had the claim before may have done so.
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
