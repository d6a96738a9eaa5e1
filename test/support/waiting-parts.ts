import type { Lane } from "../../src/messages/lane.ts";
import * as parts from "../../src/worker/batching/queue/entry-queue.ts";
import { type PartFields, partAbout } from "./poisoning-parts.ts";

/** A requester that ignores its answer. */
const nobody = { answered: () => {}, failed: () => {} };

/** A part that waits, and whom nobody answers. */
export function waitingFor(fields: PartFields, lane: Lane = "realtime", since = 0, tenant = ""): parts.QueuedEntry {
  return { ...parts.waitingFor(partAbout(fields), { lane, tenants: [tenant] }, nobody), since };
}

export function pushAll(
  queue: { push(waiting: parts.QueuedEntry): void },
  waiting: readonly parts.QueuedEntry[],
): void {
  for (const each of waiting) queue.push(each);
}
