/** The size of a run. Every field is an environment variable with the same name in capitals. */
export interface ChaosSettings {
  readonly seed: number;
  /** Least number of events; they go on as long as the disturbances last. */
  readonly events: number;
  readonly eventsPerSec: number;
  readonly partitions: number;
  readonly workers: number;
  /** Numbers of workers killed with SIGKILL, and stopped with SIGTERM. */
  readonly kills: number;
  readonly stops: number;
  /** Number of brokers killed or stopped, one at a time. */
  readonly brokerRestarts: number;
  /** Number of brown-outs of each kind, and of each network fault in front of the service and the brokers. */
  readonly brownOuts: number;
  readonly networkFaults: number;
  /** Number of outages of the archive's store: cut off, slow, or refusing. */
  readonly storeOutages: number;
  /** Longest gap between two disturbances of one kind, and longest disturbance, seconds. */
  readonly gapSec: number;
  readonly faultSec: number;
  /** Longest time to drain the backlog after all repairs, seconds. */
  readonly drainSec: number;
  /** Realtime events that are written an hour before the workers start: older than every deadline. */
  readonly backlog: number;
  /** Least load of the machine: additional processes keep processors busy up to this load. */
  readonly load: number;
}

/** The size that the project requires (library-traps, section 4): dozens of minutes. */
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

/** Brokers restart while the workers catch up with a backlog, on an overloaded machine. */
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
