import type { Lane } from "../../src/messages/lane.ts";
import * as parts from "../../src/worker/batching/queue/waiting.ts";
import { type PartFields, partAbout } from "./poisoning-parts.ts";

/** A requester that ignores its answer. */
const nobody = { answered: () => {}, failed: () => {} };

/** A batch entry that waits, with a requester that ignores its answer. */
export function waitingFor(fields: PartFields, lane: Lane = "realtime", since = 0, tenant = ""): parts.Waiting {
  return { ...parts.waitingFor(partAbout(fields), { lane, tenants: [tenant] }, nobody), since };
}

export function pushAll(queue: { push(waiting: parts.Waiting): void }, waiting: readonly parts.Waiting[]): void {
  for (const each of waiting) queue.push(each);
}
