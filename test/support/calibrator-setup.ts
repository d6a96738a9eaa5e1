import { Calibrator } from "../../src/worker/batching/calibration/calibrator.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { openGate } from "../fakes/open-gate.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";

/** A calibrator that calls `service`, in virtual time. */
export function calibratorOf(service: SecurityService) {
  const [clock, log, random] = [new VirtualClock(), new FakeLog(), () => 0.5];
  const { signal } = new AbortController();
  return { calibrator: new Calibrator(service, { gate: openGate(clock), clock, random, signal }, log), clock, log };
}
