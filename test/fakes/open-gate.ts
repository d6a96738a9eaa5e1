import type { Clock } from "../../src/kernel/clock.ts";
import { Gate, type GateDeps } from "../../src/worker/rate-limit/gate/gate.ts";
import { FakeLog } from "./fake-log.ts";
import { evenly } from "./turns.ts";
import { freeSlots } from "./worker.ts";

/**
 * A gate with permits at once, a random source that returns 0.5, and unlimited patience, except for its `own` parts.
 */
export function openGate(clock: Clock, own: Partial<GateDeps> = {}): Gate {
  return new Gate(openGateDeps(clock, own));
}

/** The dependencies of an open gate. */
export function openGateDeps(clock: Clock, own: Partial<GateDeps> = {}): GateDeps {
  return {
    slots: freeSlots,
    concurrency: Number.POSITIVE_INFINITY,
    pacer: undefined,
    headroom: undefined,
    weightOf: evenly,
    clock,
    random: () => 0.5,
    log: new FakeLog(),
    onLoadRefused: () => {},
    reloadKey: async () => false,
    knock: undefined,
    patienceMs: Number.POSITIVE_INFINITY,
    maxWaitMs: 300_000,
    keyIsFixed: false,
    ...own,
  };
}
