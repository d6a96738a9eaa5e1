import { FakeClock } from "./fake-clock.ts";
import { openGate } from "./open-gate.ts";

/**
 * The dependencies of code that calls the service: permits at once, a clock from `startAt` on, and a random source that
 * returns 0.5.
 */
export function askingDeps(
  startAt: number,
  {
    keyIsFixed = false,
    signal = new AbortController().signal,
    reloadKey = async () => false,
  }: { keyIsFixed?: boolean; signal?: AbortSignal; reloadKey?: () => Promise<boolean> } = {},
) {
  const clock = new FakeClock(startAt);
  return { gate: openGate(clock, { keyIsFixed, reloadKey }), clock, random: () => 0.5, signal };
}
