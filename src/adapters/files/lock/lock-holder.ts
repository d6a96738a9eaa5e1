import { randomUUID } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { toError } from "../../../kernel/errors.ts";

/** What a lock says of the process that took it. */
export interface LockHolder {
  readonly pid: number;
  /** When the process started, clock ticks since the machine did; "-" where the system does not tell. */
  readonly started: string;
  /** Where its id means something, as `ownHost` has it; undefined in locks of earlier versions. */
  readonly place: string | undefined;
}

/**
 * Where the ids of processes mean what they mean to this one: BOOT/NAMESPACE, the machine since it started and the process
 * namespace on it, which each container has for itself. "-" for what the system does not tell.
 */
export async function ownHost(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${/^[\da-f-]{36}/.exec(boot)?.[0] ?? "-"}/${/\d+/.exec(namespace)?.[0] ?? "-"}`;
}

/**
 * The text of a lock of process `pid`. No two are equal, so a lock is told from any other by its text alone. Earlier versions
 * take all behind the start for the part that makes it so.
 */
export async function lockText(pid: number, place: string): Promise<string> {
  return `${pid} ${(await processOf(pid))?.started ?? "-"} ${place}/${randomUUID()}`;
}

/** The holder that a lock's text names; undefined for text that nobody's lock holds whole. */
export function holderIn(text: string): LockHolder | undefined {
  // Locks of earlier versions hold no place, and before that the process id alone.
  const [, pid, started = "-", place] = /^(\d+)(?: (\d+|-) (?:([^\s/]+\/[^\s/]+)\/)?[^\s/]+)?$/.exec(text.trim()) ?? [];
  return pid === undefined || Number(pid) === 0 ? undefined : { pid: Number(pid), started, place };
}

/**
 * Whether nothing can be told of the holder by its process id, since that means another process here, or none: it is of
 * another container or machine, or might be. A lock of an earlier version is taken for one of this place.
 */
export function isForeign({ place }: LockHolder, own: string): boolean {
  return place !== undefined && (place !== own || own.startsWith("-/") || own.endsWith("/-"));
}

/** The holder, as people are told of it. */
export function named(holder: LockHolder, own: string): string {
  const isElsewhere = holder.place !== undefined && holder.place !== own;
  return `process ${holder.pid}${isElsewhere ? " of another container or machine" : ""}`;
}

/**
 * Whether the very process that took the lock still runs. Its id alone does not tell: ids are given anew, after the
 * restart of a container even the same one to the same program. When in doubt it runs.
 */
export async function isRunning(
  { pid, started }: Pick<LockHolder, "pid" | "started">,
  ownPid: number,
): Promise<boolean> {
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
