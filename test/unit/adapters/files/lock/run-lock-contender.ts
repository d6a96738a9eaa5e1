import { ownHost } from "../../../../../src/adapters/files/lock/lock-holder.ts";
import { lockDirectory, type RunLock } from "../../../../../src/adapters/files/lock/run-lock.ts";
import { systemClock } from "../../../../../src/kernel/clock.ts";

/** A tenth of the real times, about. A busy machine may delay a heartbeat by two seconds. */
const pace = { beatMs: 100, leaseMs: 500, lookMs: 100, looks: 20 };

let lock: RunLock | undefined;

/** An answer, or an unrequested report. */
function say(message: { readonly answer: string } | { readonly told: string }): void {
  process.send?.(message);
}

async function lockFolder(folder: string, place: string): Promise<void> {
  const { signal } = new AbortController();
  const warn = (told: string) => say({ told });
  const onLost = ({ message }: Error) => say({ told: message });
  lock = await lockDirectory(folder, {
    pid: process.pid,
    place,
    clock: systemClock,
    signal,
    warn,
    onLost,
    pace,
  });
}

/**
 * A separate process that tries to lock every folder it receives, answers whether it could, and never releases a lock.
 * With `place` it acts as a process of that host. With neither, it answers whether it may still write.
 */
process.on("message", async ({ folder, place }: { readonly folder?: string; readonly place?: string }) => {
  try {
    if (folder === undefined) await lock?.confirm();
    else await lockFolder(folder, place ?? (await ownHost()));
    say({ answer: folder === undefined ? "writes" : "locked" });
  } catch (thrown) {
    say({ answer: (thrown as Error).message });
  }
});
process.on("disconnect", () => process.exit());
say({ answer: "ready" });
