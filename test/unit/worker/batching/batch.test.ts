import { describe, expect, test } from "vitest";
import { MAX_BATCH_ITEMS } from "../../../../src/api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { formatOf } from "../../../../src/chains/address-format.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { Batch } from "../../../../src/worker/batching/batch.ts";
import { maxPartUsers } from "../../../../src/worker/batching/batch-entry.ts";
import { lookalikeGroups } from "../../../fixtures/lookalikes.generated.ts";
import {
  addressOf,
  calibrated,
  chainOf,
  evm,
  evmBackCanary,
  evmCanary,
  evmMiddleCanary,
  partAbout,
} from "../../../support/poisoning-parts.ts";

const [alice, bob] = [evm(10), evm(11)];
const users = (count: number) => Array.from({ length: count }, (_, i) => evm(i + 100));
const [tronTarget] = (lookalikeGroups.tron[2] ?? []).map((text) => addressOf(text, "tron"));
const [btcUser] = (lookalikeGroups.bitcoinBase58[2] ?? []).map((text) => addressOf(text, "bitcoin"));
const [segwitTarget] = (lookalikeGroups.bitcoinBech32[2] ?? []).map((text) => addressOf(text, "bitcoin"));

function requestOf(batch: Batch, seed = 1) {
  const { user_addresses, target_addresses, token_addresses } = batch.seal(seededRandom(seed)).request;
  const texts = (items: typeof user_addresses) => items.map(({ chain_id, address }) => `${chain_id} ${address}`);
  return { users: texts(user_addresses), targets: texts(target_addresses), tokens: texts(token_addresses) };
}

/** The items between the end canaries, sorted. */
const between = (items: readonly string[]) => items.slice(1, -1).toSorted();

describe("the content of a request", () => {
  test("a request holds an entry's users, target and token, and three canary pairs for its chain", () => {
    const batch = new Batch(calibrated);

    expect(batch.add(partAbout({ target: evm(1), token: evm(2), users: [alice] }))).toBe(true);

    expect(batch.size).toBe(9);
    const { users, targets, tokens } = requestOf(batch);
    expect([users[0], users.at(-1)]).toEqual([`1 ${evmCanary?.user}`, `1 ${evmBackCanary?.user}`]);
    expect(between(users)).toEqual([`1 ${alice}`, `1 ${evmMiddleCanary?.user}`].toSorted());
    expect([targets[0], targets.at(-1)]).toEqual([`1 ${evmCanary?.target}`, `1 ${evmBackCanary?.target}`]);
    expect(between(targets)).toEqual([`1 ${evm(1)}`, `1 ${evmMiddleCanary?.target}`].toSorted());
    expect(tokens).toEqual([`1 ${evm(2)}`]);
  });

  test("a request holds each distinct item once", () => {
    const batch = new Batch(calibrated);
    for (const part of [
      partAbout({ target: evm(1), token: evm(2), users: [alice] }),
      partAbout({ target: evm(1), token: evm(2), users: [alice, bob] }),
      partAbout({ target: evm(3), token: evm(2), users: [bob] }),
    ])
      expect(batch.add(part)).toBe(true);

    expect(batch.size).toBe(11);
    const { users, targets, tokens } = requestOf(batch);
    expect(between(users)).toEqual([`1 ${alice}`, `1 ${bob}`, `1 ${evmMiddleCanary?.user}`].toSorted());
    expect(between(targets)).toEqual([`1 ${evm(1)}`, `1 ${evm(3)}`, `1 ${evmMiddleCanary?.target}`].toSorted());
    expect(tokens).toEqual([`1 ${evm(2)}`]);
  });

  test("a request holds one address on two chains twice, and canaries for each chain and address format", () => {
    const batch = new Batch(calibrated);
    batch.add(partAbout({ target: evm(1), users: [alice] }));
    batch.add(partAbout({ target: evm(1), users: [alice], chain: chainOf("56") }));
    batch.add(partAbout({ target: tronTarget as CanonicalAddress, chain: chainOf("tron") }));
    batch.add(partAbout({ target: btcUser as CanonicalAddress, chain: chainOf("bitcoin") }));
    batch.add(partAbout({ target: segwitTarget as CanonicalAddress, chain: chainOf("bitcoin") }));

    const { request, targets, canaries } = batch.seal(seededRandom(1));
    const chainsAt = (places: readonly number[]) =>
      places.map((at) => {
        const { chain_id, address = "" } = request.target_addresses[at] ?? {};
        return chain_id === "bitcoin" ? address.slice(0, address.startsWith("bc1") ? 3 : 0) : chain_id;
      });
    const formats = ["1", "56", "tron", "", "bc1"];
    expect(chainsAt(targets)).toEqual(formats);
    expect(chainsAt(canaries)).toEqual(formats.flatMap((format) => [format, format, format]));
    expect(batch.size).toBe(2 + 5 + 30);
  });

  test("a request holds no entry of a format that is not calibrated or that the service never flags", () => {
    expect(new Batch(() => undefined).add(partAbout({}))).toBe(false);
    expect(new Batch(() => ({ canaries: undefined, flaggedShapes: [] })).add(partAbout({}))).toBe(false);
  });
});

test("a sealed batch states the indexes of each entry's target and token, and of the canaries", () => {
  const batch = new Batch(calibrated);
  const parts = [
    ...Array.from({ length: 20 }, (_, i) => partAbout({ target: evm(i % 15), users: [evm(100 + i)] })),
    ...Array.from({ length: 20 }, (_, i) =>
      partAbout({ target: evm(i), token: evm(200 + (i % 7)), chain: chainOf("56") }),
    ),
  ];
  for (const part of parts) expect(batch.add(part)).toBe(true);

  const { request, targets, tokens, canaries } = batch.seal(seededRandom(1));

  const item = ({ chain }: (typeof parts)[number], address: CanonicalAddress | undefined) =>
    address && { chain_id: chain.id, address };
  expect(targets.map((at) => request.target_addresses[at])).toEqual(parts.map((part) => item(part, part.target)));
  expect(tokens.map((at) => at !== undefined && request.token_addresses[at])).toEqual(
    parts.map((part) => item(part, part.token) ?? false),
  );
  expect(canaries.map((at) => request.target_addresses[at])).toEqual(
    ["1", "56"].flatMap((chain_id) =>
      [evmCanary, evmMiddleCanary, evmBackCanary].map((pair) => ({ chain_id, address: pair?.target })),
    ),
  );
});

test("entries of different families never conflict, but entries on different chains of a family do", () => {
  const batch = new Batch(calibrated);
  const tron = tronTarget as CanonicalAddress;
  expect(batch.add(partAbout({ target: tron, chain: chainOf("tron") }))).toBe(true);
  expect(batch.add(partAbout({ target: evm(1), users: [alice] }))).toBe(true);

  expect(batch.add(partAbout({ target: evm(2), users: [evm(1)], chain: chainOf("56") }))).toBe(false);
  expect(batch.add(partAbout({ target: alice, users: [bob], chain: chainOf("56") }))).toBe(false);
  expect(batch.add(partAbout({ target: btcUser as CanonicalAddress, users: [tron], chain: chainOf("tron") }))).toBe(
    false,
  );
  expect(batch.add(partAbout({ target: evm(2), users: [tron], chain: chainOf("solana") }))).toBe(true);
});

test("a canary that an entry has already named moves to the canary's position", () => {
  const { front, middle, back } =
    calibrated("bitcoin", formatOf("bitcoin", segwitTarget as CanonicalAddress))?.canaries ?? {};
  const strangers = lookalikeGroups.bitcoinBase58.slice(3, 9).map(([text = ""]) => addressOf(text, "bitcoin"));
  const chain = chainOf("bitcoin");
  for (const seed of [1, 2, 3, 4, 5]) {
    const batch = new Batch(calibrated);
    const named = [front, middle, back].map((pair) => pair?.user as CanonicalAddress);
    expect(batch.add(partAbout({ target: btcUser as CanonicalAddress, users: [...named, ...strangers], chain }))).toBe(
      true,
    );
    expect(batch.size).toBe(6 + 9 + 1);
    expect(batch.add(partAbout({ target: segwitTarget as CanonicalAddress, chain }))).toBe(true);

    expect(batch.size).toBe(16 + 3 + 1);
    const { users } = requestOf(batch, seed);
    expect(users.slice(0, 2)).toContain(`bitcoin ${front?.user}`);
    expect(users.slice(-2)).toContain(`bitcoin ${back?.user}`);
    expect(users.slice(2, -2)).toContain(`bitcoin ${middle?.user}`);
    expect(new Set(users).size).toBe(12);
  }
});

describe("the order of a request", () => {
  const filled = () => {
    const batch = new Batch(calibrated);
    for (let i = 1; i <= 30; i++) {
      const chain = chainOf(i % 2 === 0 ? "1" : "56");
      batch.add(partAbout({ target: evm(i), users: [evm(100 + i)], token: evm(200 + i), chain }));
    }
    return batch;
  };

  test("the items between the end canaries are in random order", () => {
    const canaries = [evmCanary, evmBackCanary].map((pair) => [pair?.user ?? "", pair?.target ?? ""]);
    const whose = (text: string) => canaries.findIndex((pair) => pair.some((address) => text.endsWith(address)));
    const ends = [0, 0, ...Array(32).fill(-1), 1, 1];
    const orders = [1, 2, 3, 4, 5].map((seed) => requestOf(filled(), seed));

    for (const { users, targets } of orders) {
      expect(users.map(whose)).toEqual(ends);
      expect(targets.map(whose)).toEqual(ends);
    }
    for (const array of ["users", "targets", "tokens"] as const)
      expect(new Set(orders.map((order) => order[array].join())).size).toBe(5);
  });

  test("the middle canary is equally often at each index, its user and its target independently", () => {
    const SEEDS = 3_000;
    const countsOf = { users: Array<number>(10).fill(0), targets: Array<number>(10).fill(0) };
    let sideBySide = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const batch = new Batch(calibrated);
      for (let i = 1; i <= 9; i++) batch.add(partAbout({ target: evm(i), users: [evm(100 + i)] }));
      const { users, targets } = requestOf(batch, seed);
      const user = users.indexOf(`1 ${evmMiddleCanary?.user}`) - 1;
      const target = targets.indexOf(`1 ${evmMiddleCanary?.target}`) - 1;
      countsOf.users[user] = (countsOf.users[user] ?? 0) + 1;
      countsOf.targets[target] = (countsOf.targets[target] ?? 0) + 1;
      if (user === target) sideBySide++;
    }

    // Each of ten indexes has a tenth, within five standard deviations.
    const deviation = Math.sqrt(SEEDS * 0.1 * 0.9);
    for (const counts of [countsOf.users, countsOf.targets, [sideBySide]])
      for (const count of counts) expect(Math.abs(count - SEEDS / 10)).toBeLessThan(5 * deviation);
  });
});

describe("the size of a request", () => {
  test("an entry with the most users that an entry may have fits exactly", () => {
    const batch = new Batch(calibrated);
    expect(batch.add(partAbout({ users: users(maxPartUsers()), token: evm(2) }))).toBe(true);
    expect(batch.size).toBe(MAX_BATCH_ITEMS);
    expect(batch.isFull).toBe(true);
    expect(batch.add(partAbout({ users: users(1), target: evm(1), token: evm(2) }))).toBe(true);
    expect(batch.add(partAbout({ users: users(1), target: evm(3) }))).toBe(false);
    expect(batch.size).toBe(MAX_BATCH_ITEMS);
  });

  test("the last free item is used and no more, and a rejected entry changes nothing", () => {
    const batch = new Batch(calibrated);
    batch.add(partAbout({ users: users(991) }));
    expect(batch.size).toBe(998);
    expect(batch.add(partAbout({ users: [alice], target: evm(2), token: evm(3) }))).toBe(false);
    expect(batch.add(partAbout({ users: users(1), target: evm(2), chain: chainOf("56") }))).toBe(false);
    expect(batch.size).toBe(998);
    expect(batch.isFull).toBe(false);
    expect(batch.add(partAbout({ users: [alice], target: evm(2) }))).toBe(true);
    expect(batch.isFull).toBe(true);
    expect(batch.seal(seededRandom(1)).targets).toHaveLength(2);
  });
});

test("an entry on a new chain is added if its items and its canaries fit", () => {
  for (const [taken, fits] of [
    [976, true],
    [977, false],
  ] as const) {
    const batch = new Batch(calibrated);
    batch.add(partAbout({ users: users(taken) }));
    expect(batch.size).toBe(taken + 7);
    const brings = partAbout({ users: users(10), target: evm(2), chain: chainOf("56") });
    expect([batch.add(brings), batch.size]).toEqual(fits ? [true, 1_000] : [false, taken + 7]);
  }
});

describe("an entry that names a canary", () => {
  test.each([
    ["as its target", { target: evmCanary?.user as CanonicalAddress }],
    ["as its token", { token: evmCanary?.user as CanonicalAddress }],
    ["as its user, beside others", { users: [alice, evmCanary?.target as CanonicalAddress] }],
  ])("an entry that names a canary %s shares no request", (_name, fields) => {
    expect(new Batch(calibrated).add(partAbout(fields))).toBe(false);
    const standing = new Batch(calibrated);
    standing.add(partAbout({ target: evm(5) }));
    expect(standing.add(partAbout(fields))).toBe(false);
  });

  test("an entry with the canary's user as its own user may share a request", () => {
    const batch = new Batch(calibrated);
    expect(batch.add(partAbout({ users: [evmCanary?.user as CanonicalAddress] }))).toBe(true);
    expect(batch.size).toBe(7);
  });

  test("an entry that names a canary of another format keeps that canary, and entries that need it, out of the request", () => {
    const { front, middle, back } =
      calibrated("bitcoin", formatOf("bitcoin", segwitTarget as CanonicalAddress))?.canaries ?? {};
    const chain = chainOf("bitcoin");
    const segwit = partAbout({ target: segwitTarget as CanonicalAddress, chain });
    for (const known of [front?.target, middle?.target, back?.target]) {
      const batch = new Batch(calibrated);
      const users = [known as CanonicalAddress];
      expect(batch.add(partAbout({ target: btcUser as CanonicalAddress, users, chain }))).toBe(true);
      expect(batch.add(segwit)).toBe(false);
      expect(batch.size).toBe(8);
    }
  });
});
