import { Gate } from "../../src/worker/pace/gate.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeLog } from "./fake-log.ts";
import { evenly } from "./turns.ts";
import { freeSlots } from "./worker.ts";

/** What whoever asks the service needs: slots at once, a clock from `startAt` on, and a random source that says 0.5. */
export function askingDeps(
  startAt: number,
  {
    keyIsFixed = false,
    signal = new AbortController().signal,
    reloadKey = async () => false,
  }: { keyIsFixed?: boolean; signal?: AbortSignal; reloadKey?: () => Promise<boolean> } = {},
) {
  const clock = new FakeClock(startAt);
  const random = () => 0.5;
  const gate = new Gate({
    slots: freeSlots,
    learner: undefined,
    headroom: undefined,
    weightOf: evenly,
    clock,
    random,
    log: new FakeLog(),
    reloadKey,
    patienceMs: Number.POSITIVE_INFINITY,
    keyIsFixed,
  });
  return { gate, clock, random, signal };
}
