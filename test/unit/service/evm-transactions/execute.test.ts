import { expect, test } from "vitest";
import { parseAddress } from "../../../../src/chains/address.ts";
import { readTransaction } from "../../../../src/chains/evm/read-transaction.ts";
import {
  type CallResult,
  type EvmNode,
  NodeUnavailableError,
  type Rehearsal,
  type Rehearsed,
} from "../../../../src/service/evm/node.ts";
import { eventTopics } from "../../../../src/service/evm-transactions/event-logs.ts";
import { execute } from "../../../../src/service/evm-transactions/execute.ts";
import { friend, item, me, multiSendContract, safe, stranger, token } from "../../../fixtures/evm-people.ts";
import { calldata, multiSendOf, safeExec } from "../../../support/evm-calls.ts";

const never = new AbortController().signal;

function canonical(text: string) {
  const parsed = parseAddress("evm", text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const word = (value: bigint): CallResult => {
  const data = new Uint8Array(32);
  new DataView(data.buffer).setBigUint64(24, value);
  return { ok: true, data };
};
const topic = (address: string) => address.slice(2).padStart(64, "0");
const transferLog = (contract: string, from: string, to: string, amount: bigint) => ({
  contract,
  topics: [eventTopics["Transfer(address,address,uint256)"], topic(from), topic(to)],
  data: amount.toString(16).padStart(64, "0"),
});

/** A node that executes transactions as the test says. Each run gets the number of earlier runs. */
function nodeThat(own: Partial<EvmNode>): EvmNode {
  return {
    chainId: "1",
    head: async () => 7n,
    read: async () => [],
    call: async () => [],
    experiment: async () => [],
    rehearse: async () => undefined,
    follow: async () => undefined,
    touched: async () => undefined,
    ...own,
  };
}

const shown = (own: Partial<Rehearsed> = {}): Rehearsed => ({
  ending: { ok: true },
  before: [],
  after: [],
  logs: [],
  coins: [],
  ...own,
});

function run(to: string, data: string, node: EvmNode) {
  const transaction = { from: canonical(me), to: canonical(to), value: 0n, data: data.slice(2), delegates: [] };
  return execute(node, transaction, readTransaction(transaction), 7n, never);
}

test("a second run reads the balances of tokens that the first run moved for the sender or the Safe, and of no others", async () => {
  const views: Rehearsal["views"][] = [];
  const logs = [transferLog(token, safe, friend, 3n), transferLog(item, friend, stranger, 9n)];
  const node = nodeThat({
    rehearse: async (rehearsal) => {
      views.push(rehearsal.views);
      const numbers = rehearsal.views.map(({ data }) => (data.endsWith(safe.slice(2)) ? 10n : 0n));
      return shown({ logs, before: numbers.map(word), after: numbers.map((n) => word(n === 0n ? n : n - 4n)) });
    },
  });

  const execution = await run(safe, safeExec({ to: stranger, data: "0x12345678" }), node);

  expect(views.map((each) => each.map(({ to }) => to))).toEqual([[], [token, token]]);
  // The token's balance counts, not its event log.
  expect(execution).toEqual({
    ended: "done",
    changes: [{ account: safe, standard: "erc20", token, id: undefined, change: -4n, before: 10n }],
    grants: [],
    paid: [friend],
    seen: "all",
  });
});

test("one run is enough for tokens that the calldata names", async () => {
  let runs = 0;
  const node = nodeThat({
    rehearse: async () => {
      runs++;
      return shown({ before: [word(5n)], after: [word(0n)] });
    },
  });

  expect(await run(token, calldata("transfer(address,uint256)", [friend, 5n]), node)).toMatchObject({
    changes: [{ standard: "token", change: -5n, before: 5n }],
  });
  expect(runs).toBe(1);
});

test.each([
  ["fails the second time", shown({ ending: { ok: false, returned: new Uint8Array() } })],
  ["cannot be paid the second time", "too_poor" as const],
  ["is not run the second time", undefined],
])("an execution that %s is unclear", async (_name, second) => {
  let runs = 0;
  const node = nodeThat({
    rehearse: async () => (++runs === 1 ? shown({ logs: [transferLog(token, me, friend, 3n)] }) : second),
  });

  expect(await run(stranger, "0x12345678", node)).toEqual({
    ended: "unclear",
    reason: "it ends in two ways on the same state",
  });
});

test("a token with unreadable balances counts by its event logs", async () => {
  const logs = [transferLog(token, me, friend, 3n)];
  const node = nodeThat({ rehearse: async () => shown({ logs, before: [{ ok: false }], after: [word(1n)] }) });

  expect(await run(stranger, "0x12345678", node)).toMatchObject({
    changes: [{ token, change: -3n, before: undefined }],
  });
});

test("an execution with too many acting accounts or too many tokens is unclear, whatever was seen", async () => {
  const node = nodeThat({
    rehearse: async () =>
      shown({
        logs: Array.from({ length: 65 }, (_, i) =>
          transferLog(`0x${i.toString(16).padStart(40, "ab")}`, me, friend, 1n),
        ),
      }),
  });
  const safes = ["01", "02", "03", "04"].map((byte) => `0x${byte.repeat(20)}` as const);
  const nested = multiSendOf(safes.map((to) => ({ to, data: safeExec({ to: friend }) })));

  expect(await run(safe, safeExec({ to: multiSendContract, data: nested, operation: 1 }), node)).toEqual({
    ended: "unclear",
    reason: "more accounts act than are looked at",
  });
  expect(await run(stranger, "0x12345678", node)).toEqual({
    ended: "unclear",
    reason: "it moves more tokens than are looked at",
  });
});

test("by one call, a failed call is unclear, and a node that supports neither call gives no execution", async () => {
  const failing = nodeThat({ experiment: async () => [{ ok: false }] });
  const without = nodeThat({ experiment: async () => [{ ok: true, data: new Uint8Array() }] });
  const refusing = nodeThat({
    experiment: async () => {
      throw new NodeUnavailableError("too many arguments");
    },
  });

  expect(await run(stranger, "0x12345678", failing)).toEqual({
    ended: "unclear",
    reason: "it could not be run to its end",
  });
  expect([await run(stranger, "0x", without), await run(stranger, "0x", refusing)]).toEqual([undefined, undefined]);
});

test("by one call, an execution that touches too many contracts is unclear", async () => {
  const touched = Array.from({ length: 64 }, (_, i) => `0x${i.toString(16).padStart(40, "ab")}`);

  expect(await run(stranger, "0x12345678", nodeThat({ touched: async () => touched }))).toEqual({
    ended: "unclear",
    reason: "it touches more contracts than are looked at",
  });
});

test("a node that simulates and then fails makes the execution fail", async () => {
  const node = nodeThat({
    rehearse: async () => {
      throw new NodeUnavailableError("down");
    },
  });

  await expect(run(stranger, "0x", node)).rejects.toThrow("down");
});
