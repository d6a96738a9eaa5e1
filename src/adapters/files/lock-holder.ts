import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { toError } from "../../kernel/errors.ts";

/** What a lock says of the process that took it. */
export interface LockHolder {
  readonly pid: number;
  /** When the process started, clock ticks since the machine did; "-" where the system does not tell. */
  readonly started: string;
}

/** The text of a lock of process `pid`. No two are equal, so a lock is told from any other by its text alone. */
export async function lockText(pid: number): Promise<string> {
  return `${pid} ${(await processOf(pid))?.started ?? "-"} ${randomUUID()}`;
}

/** The holder that a lock's text names; undefined for text that nobody's lock holds whole. */
export function holderIn(text: string): LockHolder | undefined {
  // Locks of earlier versions hold the process id alone.
  const [, pid, started = "-"] = /^(\d+)(?: (\d+|-) \S+)?$/.exec(text.trim()) ?? [];
  return pid === undefined || Number(pid) === 0 ? undefined : { pid: Number(pid), started };
}

/**
 * Whether the very process that took the lock still runs. Its id alone does not tell: ids are given anew, after the
 * restart of a container even the same one to the same program. When in doubt it runs.
 */
export async function isRunning({ pid, started }: LockHolder, ownPid: number): Promise<boolean> {
  const found = await processOf(pid);
  if (found?.hasEnded) return false;
  if (started !== "-" && found !== undefined) return found.started === started;
  // Without a start to compare, a lock of our own id is an earlier process's: this one is only about to take it.
  return pid !== ownPid && hasProcess(pid);
}

/** What Linux tells of a process; undefined elsewhere, where it hides others' processes, and when there is none. */
async function processOf(pid: number): Promise<{ readonly started: string; readonly hasEnded: boolean } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // "pid (name) state ppid ...", and a name may hold anything. Source: proc_pid_stat(5), fields 3 and 22.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  if (state === undefined || started === undefined) return undefined;
  // Ended, but its parent has not asked for its status yet; in a container without an init it never may.
  return { started, hasEnded: state === "Z" || state === "X" };
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it lives, under another user.
    return (toError(thrown) as NodeJS.ErrnoException).code === "EPERM";
  }
}
