import type { Lane } from "../../src/events/lane.ts";
import { UNASKED } from "../../src/worker/pace/outcome.ts";
import type { Waiting } from "../../src/worker/poisoning-pool/waiting.ts";
import { type PartFields, partAbout } from "./poisoning-parts.ts";

/** A part that waits, and whom nobody answers. */
export function waitingFor(fields: PartFields, lane: Lane = "realtime", since = 0, tenant = ""): Waiting {
  return {
    part: partAbout(fields),
    lane,
    tenants: [tenant],
    since,
    asks: 1,
    attempts: 0,
    trace: UNASKED,
    answer: Promise.withResolvers(),
  };
}
