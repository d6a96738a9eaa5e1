/** How large a run is. Every size is an environment variable of the same name in capitals. */
export interface ChaosSettings {
  readonly seed: number;
  /** Events at least; they go on for as long as the disturbances last. */
  readonly events: number;
  readonly eventsPerSec: number;
  readonly partitions: number;
  readonly workers: number;
  /** Workers killed with SIGKILL, told to stop with SIGTERM. */
  readonly kills: number;
  readonly stops: number;
  /** Brokers killed or stopped, one at a time. */
  readonly brokerRestarts: number;
  /** How often each kind of brown-out comes, and each fault of the network before the service and the brokers. */
  readonly brownOuts: number;
  readonly networkFaults: number;
  /** How often the archive's store is cut off, slow, or refuses. */
  readonly storeOutages: number;
  /** Longest gap between two disturbances of one kind, and longest disturbance, seconds. */
  readonly gapSec: number;
  readonly faultSec: number;
  /** How long the backlog may take to drain once all is healed, seconds. */
  readonly drainSec: number;
  /** Realtime events that are written an hour old before the workers start: older than every deadline. */
  readonly backlog: number;
  /** Load of the machine, at least: as many processes as that lacks keep a processor busy, each. */
  readonly load: number;
}

/** As far as library-traps, section 4, asks for: minutes by the dozen. */
export const fullRun: ChaosSettings = {
  seed: 1,
  events: 100_000,
  eventsPerSec: 80,
  partitions: 12,
  workers: 3,
  kills: 50,
  stops: 20,
  brokerRestarts: 15,
  brownOuts: 3,
  networkFaults: 4,
  storeOutages: 10,
  gapSec: 35,
  faultSec: 12,
  drainSec: 1_500,
  backlog: 0,
  load: 0,
};

/** Every kind of disturbance once or twice, in about two minutes. */
export const shortRun: ChaosSettings = {
  ...fullRun,
  events: 4_000,
  kills: 4,
  stops: 2,
  brokerRestarts: 1,
  brownOuts: 1,
  networkFaults: 1,
  storeOutages: 2,
  gapSec: 6,
  faultSec: 4,
  drainSec: 240,
};

/** Brokers restart while the workers catch up with a backlog, on a machine with more to do than it can. */
export const backlogRun: ChaosSettings = {
  ...fullRun,
  events: 150_000,
  backlog: 150_000,
  load: 8,
  kills: 0,
  stops: 0,
  brokerRestarts: 5,
  brownOuts: 0,
  networkFaults: 0,
  storeOutages: 0,
  gapSec: 4,
  faultSec: 6,
  drainSec: 600,
};

/** @throws for a variable that is no whole number. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  defaults: ChaosSettings,
): ChaosSettings {
  const named = Object.entries(defaults).map(([name, fallback]: [string, number]) => {
    const variable = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const text = env[variable] ?? String(fallback);
    if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable} must be a whole number`);
    return [name, Number(text)];
  });
  return { ...defaults, ...Object.fromEntries(named) };
}
