/** Accounts of one slot, over a stand-in for a node that records its requests. */
import { describe, expect, test } from "vitest";
import { LiveAccounts } from "../../../../../src/adapters/solana/simulator/live-accounts.ts";
import type { AccountState } from "../../../../../src/chains/solana/accounts/account-state.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { named, wallet } from "../../../../fixtures/solana/world.ts";

const never = new AbortController().signal;

interface Asked {
  readonly addresses: readonly string[];
  readonly minSlot: number;
  readonly firstBytes: number | undefined;
}

/**
 * `slots`: the slot of each answer in turn, and the last one repeats. `onAnswer` receives the number of each answer
 * before it is returned.
 */
function fakeNode(accounts: Map<string, AccountState>, slots: number[], onAnswer: (n: number) => void = () => {}) {
  const asked: Asked[] = [];
  return {
    asked,
    accounts: async (addresses: readonly string[], minSlot: number, _signal: AbortSignal, firstBytes?: number) => {
      asked.push({ addresses, minSlot, firstBytes });
      onAnswer(asked.length);
      const slot = slots.length > 1 ? (slots.shift() ?? 0) : (slots[0] ?? 0);
      const cut = (state: AccountState) => ({ ...state, data: state.data.subarray(0, firstBytes) });
      const states = addresses.map((address) => [address, accounts.get(address)] as const);
      return {
        slot,
        accounts: new Map(states.map(([address, state]) => [address, state === undefined ? undefined : cut(state)])),
        sizes: new Map(states.map(([address, state]) => [address, state?.data.length ?? 0])),
      };
    },
  };
}

const many = (count: number) => Array.from({ length: count }, (_, i) => named(i));

test("at most 100 keys are in one request, and all accounts are of one slot", async () => {
  const node = fakeNode(new Map([[named(3), wallet(5n)]]), [7, 8, 7, 8, 8, 8]);
  const live = new LiveAccounts({ node, clock: new FakeClock() });

  const { slot, accounts } = await live.load(() => many(230), never);

  expect([slot, accounts.size, accounts.get(named(3)), accounts.get(named(4))]).toEqual([
    8,
    230,
    wallet(5n),
    undefined,
  ]);
  expect(node.asked.map(({ addresses, minSlot }) => [addresses.length, minSlot])).toEqual([
    [100, 0],
    [100, 0],
    [30, 0],
    [100, 8],
    [100, 8],
    [30, 8],
  ]);
});

test("a chain that always advances is a failure, not a mixture", async () => {
  const node = fakeNode(
    new Map(),
    Array.from({ length: 100 }, (_, i) => i),
  );

  await expect(new LiveAccounts({ node, clock: new FakeClock() }).load(() => many(101), never)).rejects.toThrow(
    "the slot changed each time that accounts were read",
  );
});

test("accounts that another account names are read next, and all are read again when the slot advanced", async () => {
  const [a, b] = [named(1), named(2)];
  const node = fakeNode(new Map([[a, wallet(1n)]]), [7, 8]);
  const live = new LiveAccounts({ node, clock: new FakeClock() });

  const { slot, accounts } = await live.load((get) => (get(a) === undefined ? [a] : [a, b]), never);

  expect([slot, [...accounts.keys()]]).toEqual([8, [a, b]]);
  expect(node.asked.map(({ addresses, minSlot }) => [addresses, minSlot])).toEqual([
    [[a], 0],
    [[b], 7],
    [[a, b], 8],
  ]);
});

test("a slot's accounts are kept for the length of a slot, and not for a caller that needs a later one", async () => {
  const clock = new FakeClock();
  const node = fakeNode(new Map(), [7, 7, 8]);
  const live = new LiveAccounts({ node, clock });
  const load = (minSlot?: number) => live.load(() => [named(1)], never, minSlot);

  await load();
  await clock.sleep(399);
  expect((await load()).slot).toBe(7);
  expect(node.asked).toHaveLength(1);
  await clock.sleep(1);
  await load();
  expect(node.asked).toHaveLength(2);
  expect((await load(8)).slot).toBe(8);
  expect(node.asked).toHaveLength(3);
});

const codeOf = (version: number): AccountState => ({
  lamports: 5n,
  owner: programs.upgradeableLoader,
  executable: false,
  data: Uint8Array.from([3, 0, 0, 0, version, ...new Uint8Array(1_000).fill(version)]),
});

describe("kept code that changes while accounts are read", () => {
  const [code, account] = [named(1), named(2)];
  /** Reads both once, so that the code is kept. Then reads them again, with the answers of `slots` and `onAnswer`. */
  const readTwice = async (slots: number[], onAnswer: (n: number, chain: Map<string, AccountState>) => void) => {
    const clock = new FakeClock();
    const chain = new Map([
      [code, codeOf(1)],
      [account, wallet(1n)],
    ]);
    const node = fakeNode(chain, [7, ...slots], (n) => onAnswer(n - 1, chain));
    const live = new LiveAccounts({ node, clock });
    const load = () => live.load(() => [code, account], never);
    await load();
    await clock.sleep(400);
    const read = load().then(({ slot, accounts }) => [
      slot,
      accounts.get(code)?.data[500],
      accounts.get(account)?.lamports,
    ]);
    return {
      read,
      asked: () => node.asked.slice(1).map(({ addresses, minSlot, firstBytes }) => [addresses, minSlot, firstBytes]),
    };
  };
  /** All changes of one slot. */
  const next = (chain: Map<string, AccountState>, version: number) => {
    chain.set(code, codeOf(version));
    chain.set(account, wallet(BigInt(version)));
  };

  test("between the answers on accounts and on headers", async () => {
    const { read, asked } = await readTwice([8, 9, 9], (n, chain) => {
      if (n === 2) next(chain, 2);
    });

    expect(await read).toEqual([9, 2, 2n]);
    expect(asked()).toEqual([
      [[account], 0, undefined],
      [[code], 0, 45],
      [[account], 9, undefined],
      [[code], 9, 45],
      [[code], 9, undefined],
    ]);
  });

  test("between the header and the code itself", async () => {
    const { read, asked } = await readTwice([8, 8, 9, 9, 9], (n, chain) => {
      if (n === 1) next(chain, 2);
      if (n === 3) next(chain, 3);
    });

    expect(await read).toEqual([9, 3, 3n]);
    expect(asked()).toEqual([
      [[account], 0, undefined],
      [[code], 0, 45],
      [[code], 8, undefined],
      [[code, account], 9, undefined],
    ]);
  });

  test("at each read", async () => {
    const slots = Array.from({ length: 30 }, (_, i) => 8 + i);
    const { read } = await readTwice(slots, (n, chain) => next(chain, n + 1));

    await expect(read).rejects.toThrow(UnavailableError);
  });

  test("on a node that answers with an older slot than requested", async () => {
    const { read } = await readTwice([8, 9, 8, 8, 8, 8, 8, 8], () => {});

    await expect(read).rejects.toThrow("the slot changed each time that accounts were read");
  });
});

test("code is read in full once, and again when its header changes", async () => {
  const clock = new FakeClock();
  const chain = new Map([[named(1), codeOf(1)]]);
  const node = fakeNode(chain, [7]);
  const live = new LiveAccounts({ node, clock });
  const load = async () => {
    const { accounts } = await live.load(() => [named(1), named(2)], never);
    await clock.sleep(400);
    return accounts.get(named(1))?.data[500];
  };

  expect([await load(), await load()]).toEqual([1, 1]);
  chain.set(named(1), codeOf(2));
  expect(await load()).toBe(2);
  chain.delete(named(1));
  expect(await load()).toBeUndefined();
  expect(node.asked.map(({ addresses, firstBytes }) => [addresses.length, firstBytes])).toEqual([
    [2, undefined],
    [1, undefined],
    [1, 45],
    [1, undefined],
    [1, 45],
    [1, undefined],
    [1, undefined],
    [1, 45],
    [1, undefined],
  ]);
});
