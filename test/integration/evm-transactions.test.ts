/** EVM transactions that are executed without being sent, on a real chain: anvil, with test/fixtures/evm/drains.sol. */
import { lookup } from "node:dns";
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openEvmNodes } from "../../src/adapters/viem/open-evm-nodes.ts";
import { requestParser } from "../../src/api/requests/request.ts";
import { EvmTransactionSecurityRequest } from "../../src/api/schemas/transaction-security.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { readLabelList } from "../../src/labels/label-list.ts";
import { analyseEvmTransaction } from "../../src/service/evm-transactions/analyse-evm-transaction.ts";
import { observeSelector } from "../../src/service/evm-transactions/observer.generated.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { ALL, labels as people, permit2 } from "../fixtures/evm-people.ts";
import type { Anvil } from "../servers/anvil.ts";
import { at, call, me, startDrainWorld } from "../support/drain-world.ts";
import { calldata, safeExec } from "../support/evm-calls.ts";
import { answering, listen, sendJson } from "../support/http-server.ts";

const thief: Hex = `0x${"77".repeat(20)}`;
const stranger: Hex = `0x${"5a".repeat(20)}`;
let anvil: Anvil;
beforeAll(async () => {
  anvil = await startDrainWorld();
});
afterAll(() => anvil.stop());

const read = requestParser(EvmTransactionSecurityRequest);

interface Over {
  readonly url?: string | undefined;
  readonly labels?: LabelBook;
}

/** The answer of a service over this node, with these labels. */
async function answerTo(transaction: object, { url = anvil.url, labels = people }: Over = {}) {
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 4, timeoutMs: 5_000 };
  const nodes = openEvmNodes(new Map([["1", [new Secret(url)]]]), options);
  onTestFinished(nodes.close);
  const request = read({ chain_id: "1", from: me, ...transaction });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseEvmTransaction(request.value, labels, { nodes, clock: systemClock });
  if (!answered.ok) throw new Error(answered.failure);
  const { security, execution } = answered.body.data;
  return {
    names: security.risk_details.map(({ name }) => name),
    action: security.recommended_action,
    not_analysed: security.not_analysed,
    ended: execution?.ended,
    reason: execution?.reason,
    changes: execution?.balance_changes.map(
      ({ address, standard, token_address, token_id, begin_value, delta_value }) =>
        `${address === me ? "me" : address} ${standard} ${token_address} ${token_id ?? "-"} ${begin_value ?? "-"} ${delta_value}`,
    ),
    rights: execution?.rights_given.map(
      ({ token_address, spender, amount }) => `${token_address} ${spender} ${amount}`,
    ),
  };
}

/** A node that reports some methods as missing, and forwards all other calls to anvil. */
async function nodeWithout(...methods: readonly string[]): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answerOf = async (request: { readonly id: number; readonly method: string }) =>
    methods.includes(request.method)
      ? { jsonrpc: "2.0", id: request.id, error: { code: -32601, message: "the method does not exist" } }
      : (await fetch(anvil.url, { method: "POST", headers, body: JSON.stringify(request) })).json();
  const answersOf = (asked: unknown) =>
    Array.isArray(asked) ? Promise.all(asked.map(answerOf)) : answerOf(Object(asked));
  return listen(
    answering(({ body }, response) => {
      answersOf(JSON.parse(body)).then(
        (answers) => sendJson(response, 200, answers),
        () => response.destroy(),
      );
    }),
  );
}

/** The parts of an answer that a test compares: the findings and the balance changes. */
async function foundAnd(transaction: object, url?: string) {
  const { names, changes } = await answerTo(transaction, { url });
  return { names, changes };
}

const { Gold, Chatty, Careless, Pictures, Cards, Taker, Lying, Sly, OpenSafe } = at;
const drain = call(Taker, "claimAll", [
  [Gold, Chatty],
  [900n, 1_000n],
]);

const inSafe = ({ to, data, value }: { readonly to: Hex; readonly data?: Hex; readonly value?: bigint }) => ({
  to: OpenSafe,
  data: safeExec({ to, ...(data === undefined ? {} : { data }), ...(value === undefined ? {} : { value }) }),
});
/** As many tokens as are read, and one more. */
const ofManyTokens = {
  to: permit2,
  data: calldata("transferFrom((address,address,uint160,address)[])", [
    Array.from({ length: 65 }, (_, i) => [me, stranger, 1n, `0x${i.toString(16).padStart(40, "ab")}`]),
  ]),
};

describe("a node that simulates", () => {
  test.each([
    ["a payment", { to: stranger, value: "5" }, [], ["me native native - 100000 -5"]],
    ["tokens", call(Gold, "transfer", [stranger, 10n]), [], [`me erc20 ${Gold} - 1000 -10`]],
    ["an item", call(Pictures, "transferFrom", [me, stranger, 5n]), [], [`me erc721 ${Pictures} 5 - -1`]],
    [
      "several tokens that a claim takes",
      drain,
      ["several_assets_leave", "most_of_asset_leaves", "assets_leave", "unknown_call"],
      [`me erc20 ${Gold} - 1000 -900`, `me erc20 ${Chatty} - 1000 -1000`],
    ],
    [
      "coins and a token that a claim takes",
      { ...call(Taker, "claimAll", [[Gold], [900n]]), value: "7" },
      ["several_assets_leave", "most_of_asset_leaves", "assets_leave", "value_to_unknown_contract", "unknown_call"],
      ["me native native - 100000 -7", `me erc20 ${Gold} - 1000 -900`],
    ],
    [
      "one token",
      call(Taker, "claimAll", [[Gold], [900n]]),
      ["most_of_asset_leaves", "assets_leave", "unknown_call"],
      [`me erc20 ${Gold} - 1000 -900`],
    ],
    [
      "an item that a claim takes",
      call(Taker, "claimItem", [Pictures, 5n]),
      ["assets_leave", "unknown_call"],
      [`me erc721 ${Pictures} 5 - -1`],
    ],
    [
      "some of an ERC-1155 item",
      call(Taker, "claimCards", [Cards, 9n, 30n]),
      ["assets_leave", "unknown_call"],
      [`me erc1155 ${Cards} 9 - -30`],
    ],
    [
      "a token for one of which nobody knows the worth",
      call(Taker, "trade", [Gold, 100n, Careless]),
      ["assets_leave", "unknown_call"],
      [`me erc20 ${Gold} - 1000 -100`, `me erc20 ${Careless} - 1000 100`],
    ],
    [
      "a token for one that only says it pays",
      call(Taker, "pretend", [Gold, 100n, Lying]),
      ["assets_leave", "unknown_call"],
      [`me erc20 ${Gold} - 1000 -100`],
    ],
    [
      "a token that takes another one along",
      call(Sly, "transfer", [stranger, 10n]),
      ["several_assets_leave", "moves_other_tokens"],
      [`me erc20 ${Sly} - 1000 -10`, `me erc20 ${Gold} - 1000 -500`],
    ],
    [
      "what a Safe pays",
      inSafe({ ...call(Gold, "transfer", [stranger, 10n]), value: 0n }),
      [],
      [`${OpenSafe} erc20 ${Gold} - 1000 -10`],
    ],
    ["coins of a Safe", inSafe({ to: stranger, value: 60n }), [], [`${OpenSafe} native native - - -60`]],
    ["more tokens than are looked at", ofManyTokens, ["execution_unclear"], []],
  ])("the findings and the balance changes of %s", async (_name, transaction, names, changes) => {
    expect(await foundAnd(transaction)).toEqual({ names, changes });
  });

  test("assets that leave without a payment are blocked, and everything was analysed", async () => {
    expect(await answerTo(drain)).toMatchObject({
      action: "BLOCK",
      ended: "done",
      not_analysed: undefined,
      rights: [],
    });
  });

  test("a right that the call does not state is reported, and one that is only used up is not", async () => {
    const hidden = await answerTo(call(Careless, "update"));
    const used = await answerTo(call(Taker, "claimAll", [[Chatty], [100n]]));

    expect([hidden.names, hidden.rights]).toEqual([
      ["approves_others", "unknown_call"],
      [`${Careless} ${thief} ${ALL}`],
    ]);
    expect([used.names, used.rights]).toEqual([["assets_leave", "unknown_call"], []]);
  });

  test("a right that the call states is shown, without a finding of its own", async () => {
    const { names, rights } = await answerTo(call(Gold, "approve", [Lying, 10n]));

    expect([names, rights]).toEqual([["limited_approval"], [`${Gold} ${Lying} 10`]]);
  });

  test("an approval of 0 gives item 0 of a collection, and revokes a token allowance", async () => {
    const [, holder] = Object(await anvil.rpc("eth_accounts"));
    const transaction = { from: holder, gas: "0x100000", ...call(Pictures, "mint", [holder, 0n]) };
    await anvil.rpc("eth_sendTransaction", transaction);
    await anvil.rpc("evm_mine");
    const of = async (token: Hex, over?: Over) => {
      const { names, action } = await answerTo({ from: holder, ...call(token, "approve", [stranger, 0n]) }, over);
      return [names, action];
    };

    expect(await of(Pictures)).toEqual([["approves_others"], "BLOCK"]);
    expect(await of(Gold)).toEqual([[], "ALLOW"]);
    const url = await nodeWithout("eth_simulateV1");
    expect(await of(Pictures, { url })).toEqual([["may_give_item"], "WARN"]);
    expect(await of(Gold, { url })).toEqual([["may_give_item"], "WARN"]);
  });

  test("a receiver that only the execution shows is found on a list", async () => {
    const lists = [
      readLabelList("bad", [{ line: 2, row: { chain: "1", address: thief, name: "T", kind: "malicious" } }]),
    ];

    const { names } = await answerTo(call(Taker, "claimAll", [[Gold], [1n]]), { labels: LabelBook.of(lists) });

    expect(names).toEqual(["malicious_address", "assets_leave", "unknown_call"]);
  });

  test.each([
    ["words", call(Taker, "fail", ["not\u001b[2J today"]), '"not?[2J today"', ["would_fail", "unknown_call"]],
    ["nothing to say", call(Taker, "burn"), "it gives no reason", ["would_fail", "unknown_call"]],
    [
      "too little money",
      { to: stranger, value: String(10n ** 30n) },
      "the sender cannot pay what it sends",
      ["drains_balance", "would_fail"],
    ],
  ])("a transaction that fails with %s", async (_name, transaction, reason, names) => {
    expect(await answerTo(transaction)).toMatchObject({ ended: "failed", reason, names, not_analysed: undefined });
  });

  test("code that acts for the account by EIP-7702 runs at the account", async () => {
    const transaction = { ...call(me, "claimItem", [Pictures, 5n]), authorization_list: [{ address: Taker }] };

    expect(await foundAnd(transaction)).toEqual({
      names: ["delegates_account", "assets_leave", "unknown_call"],
      changes: [`me erc721 ${Pictures} 5 - -1`],
    });
  });

  test("as many logs as gas allows are an answer, and no failure of the node", async () => {
    const bomb: Hex = `0x${"b0".repeat(20)}`;
    // Empty logs, 500 at a time, as long as 50,000 gas are left.
    await anvil.rpc("anvil_setCode", bomb, `0x5b${"5f5fa0".repeat(500)}61c3505a1160005700`);

    expect(await answerTo({ to: bomb, data: "0x12345678" })).toMatchObject({ ended: "done", changes: [] });
  });

  test("as long a reason as gas allows is an answer as well", async () => {
    const bomb: Hex = `0x${"b2".repeat(20)}`;
    await anvil.rpc("anvil_setCode", bomb, "0x621800005ffd");

    expect(await answerTo({ to: bomb, data: "0x12345678" })).toMatchObject({
      ended: "failed",
      reason: "error 0x00000000",
    });
  });

  test("a contract creation and several delegations are not executed", async () => {
    for (const transaction of [
      { data: "0x6080" },
      { to: me, authorization_list: [{ address: Taker }, { address: Gold }] },
    ]) {
      expect(await answerTo(transaction)).toMatchObject({ ended: undefined, not_analysed: ["execution"] });
    }
  });
});

describe("a node that does not simulate, by one call that changes nothing", () => {
  test("the call shows the balances of all touched contracts, but neither approvals nor item ids", async () => {
    const url = await nodeWithout("eth_simulateV1");

    expect(await answerTo(drain, { url })).toMatchObject({
      action: "BLOCK",
      names: ["several_assets_leave", "most_of_asset_leaves", "assets_leave", "unknown_call"],
      ended: "done",
      not_analysed: ["logs"],
    });
    expect((await answerTo(call(Taker, "claimItem", [Pictures, 5n]), { url })).changes).toEqual([
      `me token ${Pictures} - 1 -1`,
    ]);
    expect((await answerTo(call(Gold, "transfer", [stranger, 10n]), { url })).names).toEqual([]);
    expect((await answerTo(call(Careless, "update"), { url })).names).toEqual(["unknown_call"]);
    expect((await answerTo({ to: stranger, value: "5" }, { url })).changes?.join()).toMatch(
      /^me native native - \d+ -5$/,
    );
  });

  test("the call shows what a Safe pays", async () => {
    const url = await nodeWithout("eth_simulateV1");

    expect((await answerTo(inSafe({ to: stranger, value: 60n }), { url })).changes).toEqual([
      `${OpenSafe} native native - 100 -60`,
    ]);
  });

  test("the call shows why a transaction fails", async () => {
    const url = await nodeWithout("eth_simulateV1");

    expect(await answerTo(call(Taker, "fail", ["not today"]), { url })).toMatchObject({
      ended: "failed",
      reason: '"not today"',
      not_analysed: undefined,
    });
  });

  test("a called contract cannot control the observer", async () => {
    const url = await nodeWithout("eth_simulateV1");
    const puppeteer: Hex = `0x${"b1".repeat(20)}`;
    const args = encodeAbiParameters(parseAbiParameters("(address, bytes)[], address, uint256, bytes"), [
      [],
      stranger,
      5n,
      "0x",
    ]);
    const data = concatHex([`0x${observeSelector}`, args]);
    // Calls its caller with its own calldata: CALLDATACOPY, then CALL(gas, caller, 0, data), and stop.
    await anvil.rpc("anvil_setCode", puppeteer, "0x365f5f375f5f365f5f335af1505f5ff3");

    expect((await answerTo({ to: puppeteer, data }, { url })).changes).toEqual([]);
  });

  test("without a list of touched contracts, only tokens in the calldata are read", async () => {
    const url = await nodeWithout("eth_simulateV1", "eth_createAccessList");

    expect(await answerTo(drain, { url })).toMatchObject({ changes: [], not_analysed: ["logs", "balances"] });
    expect((await answerTo(call(Gold, "transfer", [stranger, 10n]), { url })).changes).toEqual([
      `me token ${Gold} - 1000 -10`,
    ]);
  });

  test("code that acts for an account is not executed", async () => {
    const url = await nodeWithout("eth_simulateV1");

    expect(await answerTo({ to: me, authorization_list: [{ address: Taker }] }, { url })).toMatchObject({
      ended: undefined,
      not_analysed: ["execution"],
    });
  });
});

test("a spender that is a wallet, or a contract that did not exist 100 blocks ago, is reported", async () => {
  const fresh: Hex = `0x${"f5".repeat(20)}`;
  await anvil.rpc("anvil_mine", "0x80");
  await anvil.rpc("anvil_setCode", fresh, "0x00");
  await anvil.rpc("anvil_mine", "0x1");

  const namesFor = async (spender: Hex) => (await answerTo(call(Gold, "approve", [spender, 10n]))).names;

  expect(await namesFor(fresh)).toEqual(["spender_is_new", "limited_approval"]);
  expect(await namesFor(Taker)).toEqual(["limited_approval"]);
  expect(await namesFor(stranger)).toEqual(["spender_is_wallet", "limited_approval"]);
});
