import type { Clock } from "../../src/kernel/clock.ts";
import { Gate, type GateDeps } from "../../src/worker/rate-limit/gate/gate.ts";
import { FakeLog } from "./fake-log.ts";
import { evenly } from "./turns.ts";
import { freeSlots } from "./worker.ts";

/** A gate with a slot for everyone at once, a random source that says 0.5, and no end of patience, but for its `own`. */
export function openGate(clock: Clock, own: Partial<GateDeps> = {}): Gate {
  return new Gate(openGateDeps(clock, own));
}

/** What such a gate is made of. */
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
