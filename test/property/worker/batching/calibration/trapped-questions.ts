import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, createBase58check } from "@scure/base";
import { type CanonicalAddress, parseAddress } from "../../../../../src/chains/address.ts";
import { formatOf } from "../../../../../src/chains/address-format.ts";
import type { Chain, Family } from "../../../../../src/chains/chain.ts";
import { lookalike } from "../../../../../src/chains/lookalike.ts";
import { findChain } from "../../../../../src/chains/registry.ts";
import type { Random } from "../../../../../src/kernel/retry.ts";
import { type Lane, lanes } from "../../../../../src/messages/lane.ts";
import { canaryPairs } from "../../../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { PoisoningQuestion } from "../../../../../src/worker/plan/question.ts";
import { exchanges } from "../../../../fakes/reference-services/reference-service.ts";
import { lookalikeGroups } from "../../../../fixtures/lookalikes.generated.ts";
import { imitation, pick } from "../../../../support/random-addresses.ts";

/** A question with its arrival time and lane. */
export interface Arrival {
  readonly question: PoisoningQuestion;
  readonly lane: Lane;
  readonly atMs: number;
}

const chains = ["1", "56", "8453", "tron", "solana", "bitcoin"].map((id): Chain => {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  return chain;
});

/** Numbers of users per question, by frequency. Some crowd a request, and some exceed one request. */
const USER_COUNTS = [0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 5, 8, 15, 19, 30, 49, 60];
const HUGE_USER_COUNTS = [200, 997, 1_500, 1_992];

/**
 * Questions of events that interfere with each other. Their targets, users and tokens come from one small set of
 * addresses. The set holds groups of similar addresses, canaries, near misses and lookalikes of exchanges.
 */
export function trappedQuestions(random: Random): readonly Arrival[] {
  const used = chains.filter(() => random() < 0.5);
  if (used.length === 0) used.push(pick(chains, random));
  const neighbourhood = new Map<Family, CanonicalAddress[]>();
  for (const { family } of used) {
    if (!neighbourhood.has(family)) neighbourhood.set(family, addressesOf(family, random));
  }
  const crowd = new Map<Family, CanonicalAddress[]>();
  const crowdOf = (family: Family, size: number) => {
    const members = crowd.get(family) ?? [];
    crowd.set(family, members);
    while (members.length < size) members.push(stranger(family, random));
    return members;
  };

  const span = pick([0, 0, 40, 2_000], random);
  const size = pick([3, 20, 40, 80, 160], random);
  const strangeness = pick([0.1, 0.5, 0.8, 0.95], random);
  const userCounts = pick([[0, 1], [1, 2], USER_COUNTS, USER_COUNTS], random);
  const arrivals: Arrival[] = [];
  const crowded = pick(used, random);
  const one = (): Arrival => {
    const chain = pick(used, random);
    const known = neighbourhood.get(chain.family) ?? [];
    const any = () => (random() < strangeness ? stranger(chain.family, random) : pick(known, random));
    const users = new Set<CanonicalAddress>();
    const count = chain === crowded || random() < 0.1 ? pick(userCounts, random) : pick([0, 1, 1, 2], random);
    for (let i = 0; i < Math.min(count, 8); i++) users.add(any());
    if (count > 8) {
      const members = crowdOf(chain.family, 70);
      while (users.size < count) users.add(pick(members, random));
    }
    const token = random() < 0.3 ? any() : undefined;
    const imitators = known.filter((address) => [...users].some((user) => lookalike(chain.family, address, user)));
    const target = imitators.length > 0 && random() < 0.4 ? pick(imitators, random) : any();
    const question = { check: "poisoning", chain, target, users: shuffled([...users], random), token } as const;
    return { question, lane: pick(lanes, random), atMs: Math.floor(random() * span) };
  };
  for (let i = 0; i < size; i++) arrivals.push(random() < 0.1 ? again(pickOr(arrivals, one, random), random) : one());
  if (random() < 0.05) arrivals.push(...followersOf(one(), 1_500, random));
  if (random() < 0.1) arrivals.push(huge(one(), crowdOf, random));
  return arrivals;
}

/** Events with one distinct user each, enough to fill several requests of one chain. A tenth are imitations. */
export function fullRequests(random: Random): readonly Arrival[] {
  const [chain] = chains;
  if (chain === undefined) throw new Error("no chain");
  return Array.from({ length: 2_000 }, (_, i) => {
    const user = stranger("evm", random);
    const isTrap = i % 10 === 0;
    const target = isTrap ? imitation("evm", user, { prefix: 3, suffix: 4 }, random) : stranger("evm", random);
    return {
      question: { check: "poisoning", chain, target, users: [user], token: undefined },
      lane: "backfill",
      atMs: 0,
    };
  });
}

/** Events that arrive one by one at first, so that confirmations can accumulate. */
const FEW_AT_FIRST = 300;

/**
 * Events with one distinct user each over some seconds, so that a service with confirmed flags is believed. Later, one
 * event in fifty imitates the user of the previous event, and one in fifty its own user. In half of the sets the later
 * events arrive by the hundred, so that their requests are crowded.
 */
export function listedQuestions(random: Random): readonly Arrival[] {
  const isCrowded = random() < 0.5;
  const [chain] = chains;
  if (chain === undefined) throw new Error("no chain");
  let before = stranger("evm", random);
  return Array.from({ length: 1_500 }, (_, i) => {
    const user = stranger("evm", random);
    const isLater = i >= FEW_AT_FIRST;
    const crowd = isCrowded && isLater ? Math.floor((i - FEW_AT_FIRST) / 100) : undefined;
    const imitated = isLater && i % 50 === 10 ? before : i % 50 === 30 ? user : undefined;
    const target =
      imitated === undefined ? stranger("evm", random) : imitation("evm", imitated, { prefix: 3, suffix: 4 }, random);
    before = user;
    return {
      question: { check: "poisoning", chain, target, users: [user], token: undefined },
      lane: crowd === undefined ? pick(lanes, random) : "backfill",
      atMs: crowd === undefined ? 5 * i : 5 * FEW_AT_FIRST + 2_000 * crowd,
    };
  });
}

/** The same question once more, with its users in another order and at another time. */
function again({ question, atMs }: Arrival, random: Random): Arrival {
  const users = shuffled([...question.users], random);
  return { question: { ...question, users }, lane: pick(lanes, random), atMs: random() < 0.5 ? atMs : atMs * 2 };
}

/** One wallet that asks about many targets, a few of which resemble it. */
function followersOf({ question, lane, atMs }: Arrival, count: number, random: Random): Arrival[] {
  const { chain } = question;
  const user = stranger("evm", random);
  const users = [chain.family === "evm" ? user : stranger(chain.family, random)];
  return Array.from({ length: count }, (_, i) => {
    const isTrap = chain.family === "evm" && i % 100 === 0;
    const target = isTrap ? imitation("evm", user, { prefix: 3, suffix: 4 }, random) : stranger(chain.family, random);
    return { question: { ...question, users, target }, lane, atMs };
  });
}

/** A question with more users than most requests hold, or than any request holds. Its target often imitates a user. */
function huge(
  { question, lane, atMs }: Arrival,
  crowdOf: (family: Family, size: number) => readonly CanonicalAddress[],
  random: Random,
): Arrival {
  const { family } = question.chain;
  const count = pick(HUGE_USER_COUNTS, random);
  const [user = question.target, imitator = user] = groupOf(family, random).map((text) => canonical(family, text));
  const target = random() < 0.7 ? imitator : question.target;
  const users = [...new Set([user, ...question.users, ...crowdOf(family, count)])].slice(0, count);
  return { question: { ...question, target, users: shuffled(users, random) }, lane, atMs };
}

/** Addresses of one family that interfere with each other. */
function addressesOf(family: Family, random: Random): CanonicalAddress[] {
  const found: string[] = [];
  for (let i = 0; i < 1 + Math.floor(random() * 5); i++) found.push(...groupOf(family, random));
  for (const { user, target } of canaryPairs.filter((pair) => pair.family === family)) {
    // A caller that has read the source knows the canaries.
    if (random() < 0.1) found.push(...pick<readonly string[]>([[user, target], [user], [target]], random));
  }
  for (const { chain, address } of exchanges) {
    if (chain.family !== family || random() < 0.7) continue;
    found.push(address);
    if (family === "evm") found.push(imitation(family, address, { prefix: 4, suffix: 4 }, random));
  }
  for (let i = 0; i < 2 + Math.floor(random() * 8); i++) found.push(stranger(family, random));
  return found.map((text) => canonical(family, text));
}

/** Addresses that resemble one another, though not all pairs do. The first formats also have near misses. */
function groupOf(family: Family, random: Random): readonly string[] {
  if (family === "tron") return pick<readonly string[]>(lookalikeGroups.tron, random);
  if (family === "bitcoin")
    return pick<readonly string[]>([...lookalikeGroups.bitcoinBase58, ...lookalikeGroups.bitcoinBech32], random);
  const first = stranger(family, random);
  const group = [first];
  const { shapes } = formatOf(family, first);
  for (let i = 0; i < 1 + Math.floor(random() * 3); i++) {
    const { prefix, suffix } = pick(shapes, random);
    const more = pick([{}, {}, { prefix: prefix + 1 }, { suffix: suffix + 2 }, { prefix: prefix - 1 }], random);
    const shape = { prefix: Math.max(0, prefix), suffix, ...more };
    const next = imitation(family, pick(group, random), { ...shape, prefix: Math.max(0, shape.prefix) }, random);
    if (parseAddress(family, next).ok) group.push(next);
  }
  return group;
}

const base58check = createBase58check(sha256);

/** A random valid address. */
function stranger(family: Family, random: Random): CanonicalAddress {
  const bytes = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
  const short = bytes.subarray(0, 20);
  if (family === "evm") return canonical(family, `0x${Buffer.from(short).toString("hex")}`);
  if (family === "solana") return canonical(family, base58.encode(bytes));
  if (family === "tron") return canonical(family, base58check.encode(Uint8Array.of(0x41, ...short)));
  const isSegwit = random() < 0.5;
  const words = [0, ...bech32.toWords(short)];
  return canonical(family, isSegwit ? bech32.encode("bc", words) : base58check.encode(Uint8Array.of(0, ...short)));
}

function canonical(family: Family, text: string): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

function pickOr<T>(items: readonly T[], otherwise: () => T, random: Random): T {
  return items.length === 0 ? otherwise() : pick(items, random);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
