import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Fault, FaultProxy } from "../servers/fault-proxy.ts";
import { type ChaosCluster, everyReplicaInSync, leaders } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";
import { brownOuts, type ServiceProcess } from "./service-process.ts";
import type { ChaosSettings } from "./settings.ts";
import type { ChaosStore } from "./store.ts";

export interface Stage {
  readonly settings: ChaosSettings;
  readonly fleet: Fleet;
  readonly cluster: ChaosCluster;
  readonly service: ServiceProcess;
  /** The proxy in front of the service. */
  readonly serviceProxy: FaultProxy;
  readonly store: Pick<ChaosStore, "proxy">;
  readonly note: (what: string) => void;
}

export interface DisturbanceCounts {
  brokerKills: number;
  brokerStops: number;
  /** Partitions with another leader after a broker's restart than before. */
  leaderMoves: number;
  readonly brownOuts: Map<string, number>;
  readonly networkFaults: Map<string, number>;
  readonly storeOutages: Map<string, number>;
}

const INSYNC_MS = 180_000;
const MIN_FAULT_MS = 2_000;

/** Faults in front of the service, and in front of the store. */
const serviceFaults: readonly Fault[] = [
  { mode: "blackHole" },
  { mode: "reset" },
  { mode: "refuse" },
  { mode: "latency", ms: 700 },
  { mode: "bandwidth", bytesPerSec: 4_096 },
];
const brokerFaults: readonly Fault[] = [
  { mode: "blackHole" },
  { mode: "reset" },
  { mode: "latency", ms: 300 },
  { mode: "bandwidth", bytesPerSec: 65_536 },
];

/**
 * Disturbs workers, brokers, the service and the network. The kinds run in parallel, in an order and with gaps from a
 * seed. When it resolves, all disturbances have ended and are repaired.
 */
export async function disturb(stage: Stage, counts: DisturbanceCounts): Promise<void> {
  const { settings } = stage;
  const dice = (lane: number) => new Draw(Math.imul(settings.seed, 0x9e3779b1) ^ Math.imul(lane, 0x85ebca6b), settings);
  await Promise.all([
    disturbWorkers(stage, dice(1)),
    disturbBrokers(stage, counts, dice(2)),
    disturbService(stage, counts, dice(3)),
    disturbNetwork(stage, counts, dice(4)),
    disturbStore(stage, counts, dice(5)),
  ]);
}

async function disturbWorkers({ settings, fleet, note }: Stage, dice: Draw): Promise<void> {
  const { kills, stops } = settings;
  const plan = dice.shuffled([...repeat(kills, "kill" as const), ...repeat(stops, "stop" as const)]);
  while (plan.length > 0) {
    await delay(dice.gapMs());
    const what = plan.pop();
    // Sometimes a whole deployment dies at once.
    const count = what === "kill" && dice.chance(0.1) ? fleet.size : 1;
    const first = dice.below(fleet.size);
    note(`${what} ${count === 1 ? `worker ${first}` : "all workers"}`);
    const each = Array.from({ length: count }, (_, i) => (first + i) % fleet.size);
    await Promise.all(each.map((index) => (what === "kill" ? fleet.kill(index) : fleet.stop(index))));
  }
}

async function disturbBrokers({ settings, cluster, note }: Stage, counts: DisturbanceCounts, dice: Draw) {
  const { kafka, direct } = cluster;
  for (let i = 0; i < settings.brokerRestarts; i++) {
    await delay(dice.gapMs());
    const before = await leaders(direct);
    const index = (i + dice.below(2)) % kafka.nodes.length;
    const node = kafka.nodes[index];
    const isKill = dice.chance(0.5);
    note(`${isKill ? "kill" : "stop"} broker ${index + 1}`);
    await (isKill ? node?.kill() : node?.stop());
    if (isKill) counts.brokerKills++;
    else counts.brokerStops++;
    await delay(dice.faultMs());
    await node?.start();
    await everyReplicaInSync(direct, INSYNC_MS);
    const after = await leaders(direct);
    const moved = [...before].filter(([partition, leader]) => after.get(partition) !== leader).length;
    counts.leaderMoves += moved;
    note(`broker ${index + 1} is back and in sync, ${moved} partitions have another leader`);
  }
}

async function disturbService(stage: Stage, counts: DisturbanceCounts, dice: Draw): Promise<void> {
  const { settings, service, serviceProxy, note } = stage;
  const moods = brownOuts.map((mood) => ({
    name: mood,
    set: () => service.set(mood),
    heal: () => service.set("well"),
  }));
  const faults = serviceFaults.map((fault) => ({
    name: `network ${fault.mode}`,
    set: () => serviceProxy.set(fault),
    heal: () => serviceProxy.set({ mode: "pass" }),
  }));
  const plan = [...repeat(settings.brownOuts, moods), ...repeat(settings.networkFaults, faults)].flat();
  for (const { name, set, heal } of dice.shuffled(plan)) {
    await delay(dice.gapMs());
    note(`service: ${name}`);
    await set();
    counts.brownOuts.set(name, (counts.brownOuts.get(name) ?? 0) + 1);
    await delay(dice.faultMs());
    await heal();
    note(`service: ${name} is over`);
  }
}

async function disturbNetwork({ settings, cluster, note }: Stage, counts: DisturbanceCounts, dice: Draw) {
  const plan = dice.shuffled(repeat(settings.networkFaults, brokerFaults).flat());
  for (const fault of plan) {
    await delay(dice.gapMs());
    const isOne = dice.chance(0.6);
    const one = dice.below(cluster.proxies.length);
    const proxies = cluster.proxies.filter((_, i) => !isOne || i === one);
    note(`network before ${isOne ? `broker ${one + 1}` : "all brokers"}: ${fault.mode}`);
    await Promise.all(proxies.map((proxy) => proxy.set(fault)));
    counts.networkFaults.set(fault.mode, (counts.networkFaults.get(fault.mode) ?? 0) + 1);
    await delay(dice.faultMs());
    await Promise.all(proxies.map((proxy) => proxy.set({ mode: "pass" })));
    note(`network: ${fault.mode} is over`);
  }
}

async function disturbStore({ settings, store, note }: Stage, counts: DisturbanceCounts, dice: Draw): Promise<void> {
  const faults = dice.shuffled(repeat(Math.ceil(settings.storeOutages / serviceFaults.length), serviceFaults).flat());
  for (const fault of faults.slice(0, settings.storeOutages)) {
    await delay(dice.gapMs());
    note(`store: ${fault.mode}`);
    await store.proxy.set(fault);
    counts.storeOutages.set(fault.mode, (counts.storeOutages.get(fault.mode) ?? 0) + 1);
    await delay(dice.faultMs());
    await store.proxy.set({ mode: "pass" });
    note(`store: ${fault.mode} is over`);
  }
}

function repeat<T>(times: number, item: T): T[] {
  return Array.from({ length: times }, () => item);
}

class Draw {
  readonly #random: () => number;
  readonly #settings: ChaosSettings;

  constructor(seed: number, settings: ChaosSettings) {
    this.#random = seededRandom(seed);
    this.#settings = settings;
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  gapMs(): number {
    return this.#random() * this.#settings.gapSec * 1000;
  }

  faultMs(): number {
    return MIN_FAULT_MS + this.#random() * Math.max(0, this.#settings.faultSec * 1000 - MIN_FAULT_MS);
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.#random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}
