import { randomUUID } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { toError } from "../../../kernel/errors.ts";

/** The process that took a lock, as the text of the lock names it. */
export interface LockHolder {
  readonly pid: number;
  /** Start of the process, clock ticks since the machine started; "-" where the system does not report it. */
  readonly started: string;
  /** The host on which the process id is valid, as `ownHost` returns it. Undefined in locks of earlier versions. */
  readonly place: string | undefined;
}

/**
 * The host on which process ids have the same meaning as here, as BOOT/NAMESPACE: the boot of the machine, and the
 * process namespace, which each container has for itself. "-" stands for a part that the system does not report.
 */
export async function ownHost(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${/^[\da-f-]{36}/.exec(boot)?.[0] ?? "-"}/${/\d+/.exec(namespace)?.[0] ?? "-"}`;
}

/**
 * The text of a lock of process `pid`. No two texts are equal, so the text alone identifies a lock. Earlier versions
 * read everything behind the start as the unique part.
 */
export async function lockText(pid: number, place: string): Promise<string> {
  return `${pid} ${(await processOf(pid))?.started ?? "-"} ${place}/${randomUUID()}`;
}

/** The holder that a lock's text names; undefined for text that is no complete lock. */
export function holderIn(text: string): LockHolder | undefined {
  // Locks of earlier versions hold no host. Still earlier versions wrote only the process id.
  const [, pid, started = "-", place] = /^(\d+)(?: (\d+|-) (?:([^\s/]+\/[^\s/]+)\/)?[^\s/]+)?$/.exec(text.trim()) ?? [];
  return pid === undefined || Number(pid) === 0 ? undefined : { pid: Number(pid), started, place };
}

/**
 * Whether the process id of the holder is meaningless here: the holder is, or may be, in another container or machine.
 * A lock of an earlier version counts as a lock of this host.
 */
export function isForeign({ place }: LockHolder, own: string): boolean {
  return place !== undefined && (place !== own || own.startsWith("-/") || own.endsWith("/-"));
}

/** The name of the holder in messages. */
export function named(holder: LockHolder, own: string): string {
  const isElsewhere = holder.place !== undefined && holder.place !== own;
  return `process ${holder.pid}${isElsewhere ? " of another container or machine" : ""}`;
}

/**
 * Whether the very process that took the lock still runs. The process id alone is not enough: ids are reused, after the
 * restart of a container even for the same program. A doubtful case counts as running.
 */
export async function isRunning(
  { pid, started }: Pick<LockHolder, "pid" | "started">,
  ownPid: number,
): Promise<boolean> {
  const found = await processOf(pid);
  if (found?.hasEnded) return false;
  if (started !== "-" && found !== undefined) return found.started === started;
  // Without a start time, a lock with this process's own id belongs to an earlier process: this process has not taken
  // the lock yet.
  return pid !== ownPid && hasProcess(pid);
}

/**
 * The state that Linux reports of a process. Undefined on other systems, where Linux hides processes of other users,
 * and when there is no process.
 */
async function processOf(pid: number): Promise<{ readonly started: string; readonly hasEnded: boolean } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // "pid (name) state ppid ...", where the name may hold any character. Source: proc_pid_stat(5), fields 3 and 22.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  if (state === undefined || started === undefined) return undefined;
  // The process has ended, but its parent has not collected its status. In a container without an init, the parent may
  // never collect it.
  return { started, hasEnded: state === "Z" || state === "X" };
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process lives, under another user.
    return (toError(thrown) as NodeJS.ErrnoException).code === "EPERM";
  }
}
