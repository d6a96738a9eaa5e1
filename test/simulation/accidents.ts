import type { Scenario } from "./scenario.ts";
import type { KeyFile } from "./simulated-key.ts";
import type { SimulatedService } from "./simulated-service.ts";
import type { VirtualTime } from "./virtual-clock.ts";
import type { Watch } from "./watch.ts";

interface World {
  readonly time: VirtualTime;
  readonly service: SimulatedService;
  readonly keyFile: KeyFile;
  readonly watch: Watch;
  /** Whether faults have ended for good. */
  readonly isHealed: () => boolean;
}

/** Schedules the accidents of a scenario: revoked keys, outages of services, and steps of the wall clock. */
export function planAccidents({ revocations, outages, wallSteps }: Scenario, world: World): void {
  const { time, service, keyFile, watch, isHealed } = world;
  for (const [i, { atMs, forMs }] of revocations.entries()) {
    time.after(atMs, () => {
      if (isHealed()) return;
      service.key = `key-${i + 1}`;
      watch.saw("keys revoked");
      time.after(forMs, () => {
        keyFile.text = service.key;
      });
    });
  }
  for (const { atMs, forMs } of outages) {
    time.after(atMs, () => {
      if (isHealed()) return;
      service.isOut = true;
      time.after(forMs, () => {
        service.isOut = false;
      });
    });
  }
  for (const { atMs, byMs } of wallSteps) {
    time.after(atMs, () => {
      time.stepWall(byMs);
      watch.saw("clock steps");
    });
  }
}
