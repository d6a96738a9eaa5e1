import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChainAddress } from "../../../../src/api/schemas/address-poisoning.ts";
import { type Random, seededRandom } from "../../../../src/kernel/retry.ts";
import { screenBatch } from "../../../../src/service/address-poisoning/screen.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";
import { imitation, pick, randomAddress } from "../../../support/random-addresses.ts";

const RUNS = Number(process.env["FC_RUNS"] ?? 200);
const chains = ["1", "eth", "56", "137"];

interface World {
  readonly users: readonly ChainAddress[];
  readonly targets: readonly ChainAddress[];
  readonly tokens: readonly ChainAddress[];
}

const seeds = seededRandom(1);
const labelledAddresses = Array.from({ length: 30 }, () => randomAddress("evm", seeds));
const kinds = ["exchange", "bridge", "protocol", "token", "malicious", "sanctioned"] as const;
const labels = bookOf(...labelledAddresses.map((address) => labelOf("1", address, pick(kinds, seeds))));

/** A small set of users, targets, tokens and labels that equal and resemble each other. Some are no address. */
function world(random: Random): World {
  const known = [...labelledAddresses, ...Array.from({ length: 5 }, () => randomAddress("evm", random))];
  const item = (): ChainAddress => {
    const address = pick(known, random);
    const choice = random();
    if (choice < 0.3) return { chain_id: pick(chains, random), address };
    if (choice < 0.35) return { chain_id: "nowhere", address };
    if (choice < 0.4) return { chain_id: "1", address: address.slice(0, 20) };
    const shared = { prefix: 2 + Math.floor(random() * 3), suffix: 3 + Math.floor(random() * 3) };
    const made = imitation("evm", address, shared, random);
    if (choice < 0.7) known.push(made);
    return { chain_id: pick(chains, random), address: made };
  };
  const some = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) }, item);
  const isAddress = ({ chain_id, address }: ChainAddress) => chain_id !== "nowhere" && address.length === 42;
  return { users: [item(), ...some(6)].filter(isAddress), targets: some(12), tokens: some(6) };
}

function screen({ users, targets, tokens }: World) {
  const request = { user_addresses: [...users], target_addresses: [...targets], token_addresses: [...tokens] };
  const answered = screenBatch(request, labels);
  if (!answered.ok) throw new Error(answered.detail);
  return answered.body.data;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

test("an entry's answer does not depend on other entries, so batches may be shuffled, split and merged", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed);
      const { users, targets, tokens } = world(random);
      const whole = screen({ users, targets, tokens });

      const alone = targets.map((target) => screen({ users, targets: [target], tokens: [] }).target_addresses[0]);
      const aloneTokens = tokens.map((token) => screen({ users, targets: [], tokens: [token] }).token_addresses[0]);
      expect(whole).toEqual({ target_addresses: alone, token_addresses: aloneTokens });

      const order = shuffled([...targets.keys()], random);
      const mixed = screen({ users: shuffled(users, random), targets: order.flatMap((i) => targets[i] ?? []), tokens });
      expect(mixed.target_addresses).toEqual(order.map((i) => whole.target_addresses[i]));
    }),
    { numRuns: RUNS },
  );
});

test("adding users never removes a flag", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed);
      const { users, targets, tokens } = world(random);
      const more = [
        ...world(random).users,
        ...targets.filter(({ address, chain_id }) => chain_id !== "nowhere" && address.length === 42),
      ];

      const before = screen({ users, targets, tokens });
      const after = screen({ users: shuffled([...users, ...more], random), targets, tokens });

      for (const [i, item] of before.target_addresses.entries()) {
        for (const name of ["is_poisoning", "mimics_user", "mimics_exchange"]) {
          if (Reflect.get(item, name) === "1") expect(after.target_addresses[i]).toHaveProperty(name, "1");
        }
      }
      expect(after.token_addresses).toEqual(before.token_addresses);
    }),
    { numRuns: RUNS },
  );
});

test("a batch of several users flags the union of what each user alone flags", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const { users, targets } = world(seededRandom(seed));
      const flags = (asked: readonly ChainAddress[]) =>
        screen({ users: asked, targets, tokens: [] }).target_addresses.map(
          (item) => Reflect.get(item, "mimics_user") === "1",
        );

      const alone = users.map((user) => flags([user]));
      expect(flags(users)).toEqual(targets.map((_, i) => alone.some((each) => each[i])));
    }),
    { numRuns: RUNS },
  );
});

test("an equal address is never mimicry: a target that equals all users mimics none", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 20 }), (seed, copies) => {
      const random = seededRandom(seed);
      const address = randomAddress("evm", random);
      const users = Array.from({ length: copies }, () => ({ chain_id: pick(chains, random), address }));

      const [item] = screen({ users, targets: [{ chain_id: "1", address }], tokens: [] }).target_addresses;
      expect(item).toHaveProperty("mimics_user", "0");
    }),
    { numRuns: RUNS },
  );
});
