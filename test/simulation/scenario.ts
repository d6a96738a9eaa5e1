import { base58 } from "@scure/base";
import { seededRandom } from "../../src/kernel/retry.ts";
import { type CacheAges, defaultAges } from "../../src/worker/answers/answer-cache.ts";
import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { InputRecord } from "../../src/worker/ports.ts";
import { recordOf } from "../fakes/records.ts";
import { brownOutOf } from "./brown-out.ts";
import { crowdOf } from "./crowd.ts";
import { evmTransactionsOf, type People } from "./evm-transactions.ts";
import { type Expected, expectedOf } from "./expected.ts";
import { imitatorsOf } from "./imitators.ts";
import { lateSilenceOf } from "./late-silence.ts";
import { partlyDownOf } from "./partly-down.ts";
import { type KnownTransactions, transactionsOf } from "./transactions.ts";
import { twoCrowds } from "./two-crowds.ts";
import { BEGUN_AT } from "./virtual-clock.ts";

/** Random draws from a seed. */
export class Dice {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ 0x51ed270b);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Uniform in [from, to). */
  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  /** Uniform among the integers from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits)
      text += Math.floor(this.random() * 0x1000000)
        .toString(16)
        .padStart(6, "0");
    return text.slice(0, digits);
  }
}

/** Faults that a request may meet. Probabilities are per request, times in milliseconds. */
export interface Faults {
  readonly limited: number;
  readonly failing: number;
  readonly hanging: number;
  readonly mixedUp: number;
  readonly itemError: number;
  readonly deafToCanaries: number;
}

/** The world of the service: the addresses that it reports as poisoning, and the questions that it refuses. */
export interface World {
  /**
   * Whether answers have only fields of the interface. Then EVM transactions are refused, because the interface has no
   * operation for them.
   */
  readonly isExact: boolean;
  /**
   * With more users than this, the service detects no imitation of a user. Batched answers are not trustworthy then.
   */
  readonly blindBeyondUsers: number;
  readonly comparesAcrossChains: boolean;
  readonly exemptsEquals: boolean;
  /** Addresses for which the service refuses the whole request, and whether it names the address. */
  readonly refused: ReadonlySet<string>;
  readonly namesRefused: boolean;
  /** Targets that fail by themselves. */
  readonly failing: ReadonlySet<string>;
  /** A chain without a backend. The service refuses each item on it, but no other item. */
  readonly unsupported: string | undefined;
  /** The bad tokens on all chains but one (`tokenKind`). */
  readonly badTokens: ReadonlyMap<string, "copy" | "honeypot" | "owner">;
  /** Duration of a token's analysis, milliseconds. */
  readonly analysisMs: ReadonlyMap<string, number>;
  readonly unverified: ReadonlySet<string>;
  /** Targets that imitate a label, whatever the user is. */
  readonly labelled: ReadonlySet<string>;
}

/** Everything that a seed decides in advance. Later random events are drawn from `dice`. */
export interface Scenario {
  readonly dice: Dice;
  /** Whether an answer about poisoning names its request. Separate dice, so that its draws affect nothing else. */
  readonly stamps: Dice;
  /** Damages to answers on their way. Separate dice, so that its draws affect nothing else. */
  readonly wire: Dice;
  /** Whether no fault happens. Then the first finished run must have answered everything. */
  readonly isCalm: boolean;
  /** Whether the scenario is a crowd (crowd.ts), in which requests are counted. */
  readonly isCrowd: boolean;
  /** Whether the scenario is a brown-out (brown-out.ts), in which retries are counted. */
  readonly isBrownOut: boolean;
  /** Whether the share of confirmations is checked (imitators.ts). */
  readonly confirmsInTurn: boolean;
  /** Routes with this beginning answer nothing (partly-down.ts). */
  readonly downRoute: "poisoning" | "tokenSecurity" | undefined;
  readonly records: readonly InputRecord[];
  /** The question of each record, and its expected result. */
  readonly expected: readonly Expected[];
  readonly world: World;
  readonly transactions: KnownTransactions;
  readonly faults: Faults;
  readonly latencyMs: number;
  readonly timeoutMs: number;
  /** The limit of the service. Undefined when it has none. */
  readonly limit: { readonly requests: number; readonly windowMs: number } | undefined;
  /** Whether the worker knows the limit. */
  readonly isLimitKnown: boolean;
  readonly concurrency: number;
  readonly bounds: { readonly events: number; readonly span: number; readonly bytes: number };
  readonly patienceMs: number;
  readonly deadlineMs: number;
  /** How long an event waits that is overdue when it is read, milliseconds. */
  readonly overdueGraceMs: number;
  readonly cacheBytes: number;
  readonly cacheAges: CacheAges;
  readonly keyIsFixed: boolean;
  /** When a key is revoked, and after how long the file holds another key. */
  readonly revocations: readonly { readonly atMs: number; readonly forMs: number }[];
  readonly outages: readonly { readonly atMs: number; readonly forMs: number }[];
  readonly wallSteps: readonly { readonly atMs: number; readonly byMs: number }[];
  /** For each process, the step at which it dies. */
  readonly deaths: readonly number[];
  /** For each process, the time at which it is told to stop, milliseconds. It may take as long as an answer. */
  readonly stops: readonly number[];
  readonly diskFails: number;
  readonly arrivalMs: number;
  /** Pauses in the input before some lines, milliseconds. */
  readonly gaps: ReadonlyMap<number, number>;
}

/** @param isExact whether the service answers the interface and nothing else. Drawn when it is not given. */
export function scenarioOf(seed: number, isExact: boolean = new Dice(seed ^ 0x2d7f0b9).chance(0.25)): Scenario {
  const dice = new Dice(seed);
  const isCalm = dice.chance(0.15);
  const some = (probability: number, most: number) => (!isCalm && dice.chance(probability) ? dice.between(0, most) : 0);
  const input = inputOf(dice);
  const { events } = input;
  // Separate dice, so that its draws affect nothing else.
  const chains = new Dice(seed ^ 0x1c9d3a7);
  const apart = new Dice(seed ^ 0x33d5f1b);
  const far = new Dice(seed ^ 0x5be0cd1);
  const backlog = new Dice(seed ^ 0x6a09e67);
  const crowds = isCalm ? undefined : twoCrowds(apart);
  for (const event of crowds?.events ?? []) events.splice(apart.int(0, events.length), 0, event);
  const world: World = {
    ...input.world,
    refused: new Set([...input.world.refused, ...(crowds?.refused ?? [])]),
    isExact,
    unsupported: chains.chance(0.15) ? chains.pick(evmChains) : undefined,
  };
  const own = new Dice(seed ^ 0x7a31c5d);
  const others = transactionsOf(own, new Dice(seed ^ 0x3a94e5b));
  for (const event of others.events) events.splice(own.int(0, events.length), 0, event);
  const evm = new Dice(seed ^ 0x4c21922);
  const ofEvm = evmTransactionsOf(evm, input.people);
  for (const event of ofEvm.events) events.splice(evm.int(0, events.length), 0, event);
  const transactions: KnownTransactions = { ...others, evm: ofEvm.evm };
  const records = events.map((each, i) => recordOf(each, i + 1));
  const times = (probability: number, most: number) => (!isCalm && dice.chance(probability) ? dice.int(1, most) : 0);
  const moments = (count: number) =>
    Array.from({ length: count }, () => dice.between(0, dice.pick([500, 5_000, 60_000])));
  const scenario: Scenario = {
    dice,
    stamps: new Dice(~seed),
    wire: new Dice(seed ^ 0x2f6e2b1),
    isCalm,
    isCrowd: false,
    isBrownOut: false,
    confirmsInTurn: false,
    downRoute: undefined,
    records,
    expected: records.map((record) => expectedOf(record, world, transactions)),
    world,
    transactions,
    faults: {
      limited: some(0.4, 0.3),
      failing: some(0.5, dice.pick([0.1, 0.5])),
      hanging: some(0.2, 0.2),
      mixedUp: some(0.5, 0.4),
      itemError: some(0.3, 0.1),
      deafToCanaries: some(0.25, 0.5),
    },
    latencyMs: dice.pick([1, 50, 400, 3_000]),
    timeoutMs: dice.pick([2_000, 10_000]),
    limit: dice.chance(0.4) ? { requests: dice.int(2, 10), windowMs: dice.pick([200, 1_000, 5_000]) } : undefined,
    isLimitKnown: dice.chance(0.7),
    concurrency: dice.pick([1, 2, 4, 16]),
    bounds: {
      events: dice.pick([1, 3, 10, 1_000]),
      span: dice.pick([4, 20, 1_000]),
      bytes: dice.pick([8_000, 800_000]),
    },
    patienceMs: dice.pick([5_000, 60_000, Number.POSITIVE_INFINITY]),
    deadlineMs: dice.pick([300, 2_000, 30_000]),
    overdueGraceMs: backlog.pick([200, 2_000]),
    cacheBytes: dice.pick([2_000, 1_000_000]),
    cacheAges: agesOf(new Dice(seed ^ 0x15d7a3b)),
    keyIsFixed: dice.chance(0.2),
    revocations: moments(times(0.2, 2)).map((atMs) => ({ atMs, forMs: dice.between(0, 40_000) })),
    outages: moments(times(0.25, 2)).map((atMs) => ({ atMs, forMs: dice.between(0, 90_000) })),
    wallSteps: moments(times(0.25, 3)).map((atMs) => {
      const byMs = dice.between(-1, 1) * dice.pick([500, 60_000, 7_200_000]);
      return { atMs, byMs: far.chance(0.3) ? Math.sign(byMs) * far.pick([1, 40]) * DAY_MS : byMs };
    }),
    deaths: Array.from({ length: times(0.5, 3) }, () => dice.int(1, dice.pick([40, 400]))),
    stops: Array.from({ length: times(0.2, 3) }, () => dice.between(0, dice.pick([200, 20_000]))),
    diskFails: some(0.1, 0.05),
    arrivalMs: dice.pick([0, 0, 5, 300]),
    gaps: new Map(),
  };
  const crowd = crowdOf(new Dice(seed ^ 0x5e8b4f1));
  if (crowd !== undefined) return crowd(scenario);
  const partlyDown = partlyDownOf(new Dice(seed ^ 0x2b7c9e3));
  if (partlyDown !== undefined) return partlyDown(scenario);
  const brownOut = brownOutOf(new Dice(seed ^ 0x6d2f8a7));
  if (brownOut !== undefined) return brownOut(scenario);
  const imitators = imitatorsOf(new Dice(seed ^ 0x4a9d1e5));
  if (imitators !== undefined) return imitators(scenario);
  const lateSilence = lateSilenceOf(new Dice(seed ^ 0x41c7be3));
  if (lateSilence !== undefined) return lateSilence(scenario);
  const other = crowds === undefined ? scenario : crowds.meet(scenario);
  return backlog.chance(0.25) ? asBacklog(other) : other;
}

/** The same input, written long before it is read. */
function asBacklog(scenario: Scenario): Scenario {
  const timestamp = BEGUN_AT - DAY_MS;
  return { ...scenario, records: scenario.records.map((record) => ({ ...record, timestamp })) };
}

/** The time that an event is waited for, from its reading on, milliseconds. */
export function waitedForMs({ deadlineMs, overdueGraceMs }: Scenario, { timestamp }: InputRecord): number {
  return timestamp === undefined ? deadlineMs : Math.min(deadlineMs, overdueGraceMs);
}

/** Often so short that answers expire during the life of a process. */
function agesOf(dice: Dice): CacheAges {
  if (!dice.chance(0.3)) return defaultAges;
  const age = () => dice.pick([0, 100, 1_000, 10_000]);
  return { clean: age(), raised: age(), backfill: age() };
}

const DAY_MS = 86_400_000;
const evmChains = ["1", "56"];
const evmCanaries = canaryPairs.filter(({ family }) => family === "evm");

/** Few addresses, so that events share them, imitate them, and name one another's targets as users. */
function inputOf(dice: Dice): {
  readonly events: (string | Readonly<Record<string, unknown>>)[];
  readonly world: Omit<World, "unsupported" | "isExact">;
  readonly people: People;
} {
  const evm = (count: number) => Array.from({ length: count }, () => `0x${dice.hex(40)}`);
  const solana = (count: number) =>
    Array.from({ length: count }, () => base58.encode(Uint8Array.from({ length: 32 }, () => dice.int(0, 255))));
  const users = evm(dice.int(2, 8));
  const solanaUsers = solana(2);
  const imitations = users.map((user) => `${user.slice(0, 5)}${dice.hex(33)}${user.slice(-4)}`);
  // The user of one event may imitate the user of another.
  const known = dice.chance(0.3) ? [...users, ...imitations.slice(0, 2)] : users;
  const clean = evm(dice.int(2, 12));
  const tokens = evm(4);
  const [refused, failing] = [evm(2), evm(2)];
  const hasRefused = dice.chance(0.4);
  const hasFailing = dice.chance(0.3);
  const hasTokens = dice.chance(0.5);
  const classifies = dice.chance(0.2);
  const realtime = dice.pick([0, 0.3, 1]);
  // Rare, because the table of ids of a process takes as long to make as everything else.
  const usesIds = dice.chance(0.06);
  const addressOf = () => {
    const kind = dice.random();
    if (kind < 0.35) return dice.pick(imitations);
    if (kind < 0.45) return dice.pick(users);
    if (kind < 0.48) return dice.pick(evmCanaries).target;
    if (kind < 0.5) return dice.pick(evmCanaries).user;
    if (hasRefused && kind < 0.56) return dice.pick(refused);
    if (hasFailing && kind < 0.62) return dice.pick(failing);
    return dice.chance(0.3) ? `0x${dice.hex(40)}` : dice.pick(clean);
  };
  const some = <T>(items: readonly T[], most: number) =>
    Array.from({ length: dice.int(0, most) }, () => dice.pick(items));
  const event = (i: number) => ({
    type: "address",
    ...(usesIds && dice.chance(0.7) ? { id: `event-${dice.chance(0.1) ? 0 : i}` } : {}),
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
  });
  const onSolana = () => ({ chain_id: "solana", address: dice.pick(solana(1)), user_addresses: some(solanaUsers, 1) });
  const onEvm = () => ({
    chain_id: dice.pick(evmChains),
    address: addressOf(),
    user_addresses: some(known, 2),
    ...(hasTokens && dice.chance(0.3) ? { token_address: dice.pick(tokens) } : {}),
    ...(classifies && dice.chance(0.4) ? { checks: ["classification"] } : {}),
  });
  const bad = () =>
    dice.pick(["{", '{"type":"address"}', JSON.stringify({ type: "address", chain_id: "1", address: "0x12" })]);
  const usesSolana = dice.chance(0.2);
  const events: (string | Readonly<Record<string, unknown>>)[] = Array.from(
    { length: dice.int(4, dice.pick([8, 12, 12, 40])) },
    (_, i) => {
      if (dice.chance(0.03)) return bad();
      return { ...event(i), ...(usesSolana && dice.chance(0.5) ? onSolana() : onEvm()) };
    },
  );
  if (usesIds) for (let i = 1; i < events.length; i++) if (dice.chance(0.3)) events[i] = dice.pick(events.slice(0, i));
  const others = [...imitations, ...clean, ...(hasRefused ? refused : []), ...(hasFailing ? failing : [])];
  return {
    events,
    people: { users, others, tokens },
    world: {
      blindBeyondUsers: dice.chance(0.1) ? dice.int(1, 2) : Number.POSITIVE_INFINITY,
      comparesAcrossChains: dice.chance(0.5),
      exemptsEquals: dice.chance(0.3),
      refused: new Set(refused),
      namesRefused: dice.chance(0.5),
      failing: new Set(failing),
      badTokens: new Map(tokens.slice(1).map((token) => [token, dice.pick(["copy", "honeypot", "owner"] as const)])),
      analysisMs: new Map(tokens.map((token) => [token, dice.pick([0, 0, 2_000, 40_000])])),
      unverified: new Set(clean.slice(0, 1)),
      labelled: new Set(clean.slice(-1)),
    },
  };
}
