/** A chain that advances and nodes that fail on the way to an answer, over real HTTP and kit's client. */
import { base58 } from "@scure/base";
import { getAssignInstruction } from "@solana-program/system";
import { describe, expect, onTestFinished, test } from "vitest";
import { isWritable, readTransaction } from "../../../../../src/chains/solana/message/message.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { LabelBook } from "../../../../../src/service/labels/label-book.ts";
import { judge } from "../../../../../src/service/solana-transactions/judge.ts";
import type { Simulator } from "../../../../../src/service/solana-transactions/simulator.ts";
import { RpcNode, type RpcNodeOptions } from "../../../../fakes/solana/rpc-node.ts";
import { pay, raw, read, tableAccount, write } from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { deadUrl, listen } from "../../../../support/http-server.ts";
import { enginesOver } from "../../../../support/solana-engines.ts";

const table = w.named(65);

function messageOf(amount: bigint, form: w.Form = {}) {
  const message = readTransaction(w.wireOf(w.messageBytes([pay(amount)], form)));
  if (!message.ok) throw new Error(message.detail);
  return message.value;
}

function nodeWith(onCall?: RpcNodeOptions["onCall"], accounts = w.world()) {
  return new RpcNode({ accounts, slot: w.SLOT, unixTimestamp: 0, ...(onCall === undefined ? {} : { onCall }) });
}

async function over(nodes: readonly RpcNode[], timeoutMs?: number) {
  const engines = enginesOver(await Promise.all(nodes.map(({ listener }) => listen(listener))), undefined, timeoutMs);
  onTestFinished(() => engines.close());
  return engines;
}

async function lamportsOf(simulator: Simulator) {
  const simulated = await simulator.simulate([messageOf(7n)], false);
  if (!simulated.ok) return simulated;
  const [{ slot, before, after } = { slot: 0, before: new Map(), after: new Map() }] = simulated.simulations;
  return [slot, before.get(w.friend)?.lamports, after.get(w.friend)?.lamports];
}

const isRun = (method: string) => method === "simulateTransaction";

describe("the chain advances between reading and running", () => {
  test("the accounts count when the node's own balances agree with them", async () => {
    const node = nodeWith((method, self) => (isRun(method) ? void self.goOn() : undefined));
    node.tellsBalances = true;

    expect(await lamportsOf((await over([node])).node)).toEqual([w.SLOT + 1, 10_000_000_000n, 10_000_000_007n]);
    expect(node.calls.map(({ method }) => method)).toEqual(["getMultipleAccounts", "simulateTransaction"]);
  });

  test("the accounts also count when the node reports no balances and they are equal afterwards", async () => {
    const node = nodeWith((method, self) => (isRun(method) ? void self.goOn() : undefined));

    expect(await lamportsOf((await over([node])).node)).toEqual([w.SLOT + 1, 10_000_000_000n, 10_000_000_007n]);
    expect(node.calls.map(({ method }) => method)).toEqual([
      "getMultipleAccounts",
      "simulateTransaction",
      "getMultipleAccounts",
    ]);
  });

  test.each([true, false])("changed accounts are read again, and run again (reported balances: %s)", async (told) => {
    let runs = 0;
    const node = nodeWith((method, self) => {
      if (!isRun(method) || ++runs > 1) return undefined;
      self.goOn();
      self.set(w.friend, w.wallet(500_000_000n));
      return undefined;
    });
    node.tellsBalances = told;

    expect(await lamportsOf((await over([node])).node)).toEqual([w.SLOT + 1, 500_000_000n, 500_000_007n]);
    expect(runs).toBe(2);
  });

  test("accounts that change each time are a failure", async () => {
    let lamports = 500_000_000n;
    const node = nodeWith((method, self) => {
      if (!isRun(method)) return undefined;
      self.goOn();
      self.set(w.friend, w.wallet(lamports++));
      return undefined;
    });

    expect(await lamportsOf((await over([node])).node)).toEqual({
      ok: false,
      failure: "badGateway",
      detail: "no Solana node answered as it should",
    });
  });
});

describe("nodes that fail", () => {
  const bad = { ok: false, failure: "badGateway", detail: "no Solana node answered as it should" };
  const late = { ok: false, failure: "gatewayTimeout", detail: "no Solana node answered in time" };

  test.each([
    ["is unhealthy", { error: { code: -32005, message: "Node is behind by 42 slots" } }],
    ["has not that method", { error: { code: -32601, message: "Method not found" } }],
    ["says nothing", {}],
    ["answers without a slot", { result: { value: [] } }],
    ["answers with too few accounts", { result: { context: { slot: 5 }, value: [] } }],
    [
      "answers with accounts that are none",
      { result: { context: { slot: 5 }, value: Array(3).fill({ lamports: -1 }) } },
    ],
  ])("a node that %s is a bad gateway, for both engines", async (_what, answer) => {
    const { node, local } = await over([nodeWith(() => answer)]);

    expect(await lamportsOf(node)).toEqual(bad);
    expect(await lamportsOf(local)).toEqual(bad);
  });

  test("an unhealthy node is followed by the next", async () => {
    const unhealthy = nodeWith(() => ({ error: { code: -32005, message: "Node is behind by 42 slots" } }));
    const { node, failures } = await over([unhealthy, nodeWith()]);

    expect(await lamportsOf(node)).toEqual([w.SLOT, 10_000_000_000n, 10_000_000_007n]);
    expect(failures).toEqual(["1: it refuses: -32005 Node is behind by 42 slots"]);
  });

  test("an unreachable node is a bad gateway", async () => {
    const { node, local, close } = enginesOver([await deadUrl()]);
    onTestFinished(close);

    expect([await lamportsOf(node), await lamportsOf(local)]).toEqual([bad, bad]);
  });

  test("a node that does not answer is a gateway timeout", async () => {
    const url = await listen(() => {});
    const { node, local, close } = enginesOver([url], undefined, 50);
    onTestFinished(close);

    expect([await lamportsOf(node), await lamportsOf(local)]).toEqual([late, late]);
  });

  test("all answers together have a time limit, too", async () => {
    const url = await listen(() => {});
    const { node, local, failures, close } = enginesOver([url], undefined, 60_000, 50);
    onTestFinished(close);

    expect([await lamportsOf(node), await lamportsOf(local)]).toEqual([late, late]);
    expect(failures).toEqual([]);
  });

  test.each([
    ["refuses the question", { error: { code: -32602, message: "Too many accounts provided; max 1" } }],
    [
      "answers with an error that is none",
      { result: { context: { slot: w.SLOT }, value: { err: { InstructionError: [] } } } },
    ],
    ["shows too few accounts", { result: { context: { slot: w.SLOT }, value: { err: null, accounts: [] } } }],
  ])("an answer that %s is a bad gateway", async (_what, answer) => {
    const { node } = await over([nodeWith((method) => (isRun(method) ? answer : undefined))]);

    expect(await lamportsOf(node)).toEqual(bad);
  });
});

test("a successful run without inner instructions is a bad gateway", async () => {
  const node = nodeWith();
  node.tellsInner = false;
  const { node: simulator } = await over([node]);

  expect(await lamportsOf(simulator)).toMatchObject({ ok: false, failure: "badGateway" });
  expect(await simulator.simulate([messageOf(99_000_000_000n)], false)).toMatchObject({
    ok: true,
    simulations: [{ error: { name: "Custom", code: 1 }, inner: [[]] }],
  });
});

/** The findings on a payment with `told` as inner instructions, for a run without changes. */
async function foundWith(told: object) {
  const { node } = await over([
    nodeWith((method, self) => {
      if (!isRun(method)) return undefined;
      const inner = [{ index: 0, instructions: [{ programId: programs.system, stackHeight: 2, ...told }] }];
      const accounts = [self.account(w.user), self.account(w.friend)];
      const value = { err: null, accounts, unitsConsumed: 150, innerInstructions: inner };
      return { result: { context: { slot: w.SLOT }, value } };
    }),
  ]);
  const message = messageOf(7n);
  const simulated = await node.simulate([message], false);
  if (!simulated.ok) return simulated;
  return simulated.simulations.flatMap((simulation) => judge(message, simulation, LabelBook.of([])).findings);
}

describe("inner instructions of nodes", () => {
  test("an unknown type of a known program is reported", async () => {
    expect(
      await foundWith({ program: "system", parsed: { type: "moveEverything", info: { account: w.user } } }),
    ).toEqual([
      {
        name: "instruction_unknown",
        account: programs.system,
        description: `calls the program ${programs.system} by the name "moveEverything", and what that does is not known here`,
      },
    ]);
  });

  test("an irrelevant one gives no finding", async () => {
    expect(await foundWith({ program: "system", parsed: { type: "transfer", info: {} } })).toEqual([]);
  });

  test("one that the node could not parse is read from its bytes", async () => {
    const assign = getAssignInstruction({ account: w.signing(w.user), programAddress: w.named(70) });
    const data = base58.encode(Uint8Array.from(assign.data));

    expect(await foundWith({ accounts: [w.user], data })).toMatchObject([
      { name: "account_owner_changed", account: w.user, gains: w.named(70) },
    ]);
    expect(await foundWith({ accounts: [], data: base58.encode(Uint8Array.of(200, 0, 0, 0)) })).toMatchObject([
      { name: "instruction_unknown", account: programs.system },
    ]);
  });

  test.each([{ parsed: { info: {} } }, { parsed: "transfer" }, { parsed: null }, { accounts: [w.user], data: "0" }])(
    "an unreadable one makes the answer unreadable: %j",
    async (told) => {
      expect(await foundWith(told)).toMatchObject({ ok: false, failure: "badGateway" });
    },
  );
});

test.each([
  ["mintTo", { mint: w.mint, account: w.thiefTokens, mintAuthority: w.user, amount: "5" }, "minted_for_another"],
  ["burn", { account: w.userTokens, mint: w.mint, authority: w.user, amount: "900000000" }, "most_of_token_burnt"],
  ["transfer", { source: w.friendTokens, destination: w.thiefTokens, authority: w.user }, "moved_as_delegate"],
  ["freezeAccount", { account: w.friendTokens, mint: w.mint, freezeAuthority: w.user }, "tokens_frozen"],
])("a parsed %s under another program counts as a use of an authority", async (type, info, name) => {
  const program = w.named(70);
  const written = [w.mint, w.userTokens, w.friendTokens, w.thiefTokens];
  const call = raw(program, [], [...written.map(write), read(programs.token)]);
  const message = readTransaction(w.wireOf(w.messageBytes([call])));
  if (!message.ok) throw new Error(message.detail);
  const { staticKeys } = message.value;
  const { node } = await over([
    nodeWith((method, self) => {
      if (!isRun(method)) return undefined;
      const inner = [{ index: 0, instructions: [{ programId: programs.token, parsed: { type, info } }] }];
      const accounts = staticKeys
        .filter((_, place) => isWritable(message.value, place))
        .map((key) => self.account(key));
      const value = {
        err: { InstructionError: [0, { Custom: 1 }] },
        accounts,
        unitsConsumed: 1,
        innerInstructions: inner,
      };
      return { result: { context: { slot: w.SLOT }, value } };
    }),
  ]);

  const simulated = await node.simulate([message.value], false);

  const [simulation] = simulated.ok ? simulated.simulations : [];
  if (simulation === undefined) throw new Error("no simulation");
  const { findings } = judge(message.value, simulation, LabelBook.of([]));
  expect(findings.map((finding) => finding.name)).toEqual([name, "program_unknown"]);
});

test("an unknown error is still an error", async () => {
  const value = { err: { SomethingNew: { depth: 3 } }, accounts: [null, null], unitsConsumed: 0 };
  const { node } = await over([
    nodeWith((method) => (isRun(method) ? { result: { context: { slot: w.SLOT }, value } } : undefined)),
  ]);

  expect(await node.simulate([messageOf(7n)], false)).toMatchObject({
    ok: true,
    simulations: [{ error: { kind: "transaction", name: "UnknownError" } }],
  });
});

test("a node is queried for at most the transaction's accounts, and for no read-only account", async () => {
  const accounts = w.world([[table, tableAccount([w.friend])]]);
  const node = nodeWith(undefined, accounts);
  const { node: simulator } = await over([node]);

  await simulator.simulate([messageOf(7n, { tables: { [table]: [w.friend] } })], false);

  expect(node.calls.at(-1)).toMatchObject({
    method: "simulateTransaction",
    params: [expect.any(String), { commitment: "confirmed", accounts: { addresses: [w.user, w.friend] } }],
  });
});
