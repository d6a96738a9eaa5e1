import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { EvmTransactionSecurityRequest } from "../../../../src/api/schemas/transaction-security.ts";
import type { EvmBackend } from "../../../../src/service/address-classify/classify.ts";
import { type EvmNode, NodeUnavailableError } from "../../../../src/service/evm/node.ts";
import { analyseEvmTransaction } from "../../../../src/service/evm-transactions/analyse-evm-transaction.ts";
import { rules } from "../../../../src/service/evm-transactions/rules/rules.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { attacks, type EvmCase, ordinary, unproven } from "../../../fixtures/evm-cases.ts";
import { ALL, drainer, friend, labels, me, router, stranger, token } from "../../../fixtures/evm-people.ts";
import { calldata } from "../../../support/evm-calls.ts";

const read = requestParser(EvmTransactionSecurityRequest);

async function answerTo(fields: object, backend?: EvmBackend) {
  const request = read({ chain_id: "1", from: me, ...fields });
  if (!request.ok) throw new Error(request.detail);
  return analyseEvmTransaction(request.value, labels, backend);
}

async function securityOf(fields: object, backend?: EvmBackend) {
  const answered = await answerTo(fields, backend);
  if (!answered.ok) throw new Error(answered.detail);
  const { risk_details, overall_score, recommended_action, not_analysed } = answered.body.data.security;
  return { names: risk_details.map(({ name }) => name), overall_score, recommended_action, not_analysed };
}

/** A chain with one account that has `balance`, and with code at the given addresses. */
function chainWith(balance: bigint, codes: Readonly<Record<string, Uint8Array>>): EvmBackend {
  const word = new Uint8Array(32);
  new DataView(word.buffer).setBigUint64(24, balance);
  const node: EvmNode = {
    chainId: "1",
    head: async () => 7n,
    read: async (reads) =>
      reads.map((each) => (each.of === "balance" ? word : (codes[each.address] ?? new Uint8Array()))),
    call: async () => [],
    // A node that ignores state overrides, so that the sender's address has no code.
    experiment: async () => [{ ok: true, data: new Uint8Array() }],
    rehearse: async () => undefined,
    follow: async () => undefined,
    touched: async () => undefined,
  };
  return { nodes: { find: () => node }, clock: new FakeClock() };
}

const failing: EvmBackend = {
  nodes: {
    find: () => ({
      chainId: "1",
      head: async () => {
        throw new NodeUnavailableError("down");
      },
      read: async () => [],
      call: async () => [],
      experiment: async () => [],
      rehearse: async () => undefined,
      follow: async () => undefined,
      touched: async () => undefined,
    }),
  },
  clock: new FakeClock(),
};

const fieldsOf = ({ name: _name, finds: _finds, ...fields }: EvmCase) => fields;

test.each(ordinary.map((each) => [each.name, each] as const))("ordinary: %s is allowed", async (_name, each) => {
  expect(await securityOf(fieldsOf(each))).toMatchObject({ names: each.finds, recommended_action: "ALLOW" });
});

test.each(unproven.map((each) => [each.name, each] as const))(
  "without a node: %s is warned of",
  async (_name, each) => {
    expect(await securityOf(fieldsOf(each))).toMatchObject({ names: each.finds, recommended_action: "WARN" });
  },
);

test.each(attacks.map((each) => [each.name, each] as const))(
  "attack: %s is warned of or blocked",
  async (_name, each) => {
    const { names, recommended_action } = await securityOf(fieldsOf(each));

    expect(names).toEqual(each.finds);
    expect(["WARN", "BLOCK"]).toContain(recommended_action);
  },
);

test("every rule that needs no node fires in some case, and the highest scores come first", () => {
  const fired = new Set([...ordinary, ...attacks].flatMap(({ finds }) => finds));
  const scores = rules.map(({ score }) => score);

  expect(rules.map(({ name }) => name).filter((name) => !fired.has(name))).toEqual([
    "spender_is_wallet",
    "several_assets_leave",
    "most_of_asset_leaves",
    "moves_other_tokens",
    "approves_others",
    "spender_is_new",
    "assets_leave",
    "execution_unclear",
    "drains_balance",
    "would_fail",
  ]);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

describe("with a node", () => {
  const contract = Uint8Array.of(0x60, 0x80);
  const delegated = Uint8Array.of(0xef, 0x01, 0x00, ...new Array(20).fill(7));
  const approval = { to: token, data: calldata("approve(address,uint256)", [stranger, 5n]) };

  test.each([
    ["a wallet", {}, ["spender_is_wallet", "limited_approval"]],
    ["an account that other code acts for", { [stranger]: delegated }, ["spender_is_wallet", "limited_approval"]],
    ["a contract", { [stranger]: contract }, ["limited_approval"]],
  ])("an approval is judged by its spender: %s", async (_what, codes, names) => {
    expect(await securityOf(approval, chainWith(0n, codes))).toMatchObject({ names, not_analysed: ["execution"] });
  });

  test.each([
    ["all", "100", friend, ["drains_balance"]],
    ["nine tenths", "90", friend, ["drains_balance"]],
    ["less", "89", friend, []],
    ["all, to somebody labelled", "100", router, []],
    ["all, to oneself", "100", me, []],
  ])("a payment is judged by its share of the sender's balance: %s", async (_what, value, to, names) => {
    expect((await securityOf({ to, value }, chainWith(100n, {}))).names).toEqual(names);
  });

  test("after a failed node only a BLOCK is answered, because no answer of the node could revoke it", async () => {
    expect(await answerTo({ to: friend, value: "1" }, failing)).toMatchObject({ ok: false, failure: "internal" });
    expect(await securityOf({ to: drainer, value: "1" }, failing)).toEqual({
      names: ["malicious_address"],
      overall_score: 5,
      recommended_action: "BLOCK",
      not_analysed: ["execution", "state"],
    });
  });
});

test("without a node, the parts that were not analysed are named", async () => {
  expect(await securityOf({ to: token, data: calldata("approve(address,uint256)", [stranger, ALL]) })).toEqual({
    names: ["unlimited_approval"],
    overall_score: 3,
    recommended_action: "WARN",
    not_analysed: ["execution", "state"],
  });
});

test.each([
  [{ chain_id: "tron" }, "unsupportedChain", "unsupported chainId: tron"],
  [{ chain_id: "no-chain" }, "unsupportedChain", "unsupported chainId: no-chain"],
  [{ from: "0x1" }, "invalidAddress", "from: must have 40 hex digits after 0x, has 1"],
  [{ to: "0x1" }, "invalidAddress", "to: must have 40 hex digits after 0x, has 1"],
  [{ user_addresses: [me, "x"] }, "invalidAddress", "user_addresses[1]: must start with 0x"],
  [
    { to: me, authorization_list: [{ address: me }, { address: "x" }] },
    "invalidAddress",
    "authorization_list[1].address: must start with 0x",
  ],
])("the request %j is refused", async (fields, failure, detail) => {
  expect(await answerTo(fields)).toEqual({ ok: false, failure, detail });
});

test("docs/evm-transactions.md lists every rule with its score", () => {
  const page = readFileSync("docs/evm-transactions.md", "utf8");
  const actions = { 1: "ALLOW", 2: "WARN", 3: "WARN", 4: "BLOCK", 5: "BLOCK" } as const;

  expect([...page.matchAll(/^\| `(\w+)` \| (\d \w+) \|/gm)].map(([, name, score]) => `${name} ${score}`)).toEqual(
    rules.map(({ name, score }) => `${name} ${score} ${actions[score]}`),
  );
});

test("docs/quality.md gives the numbers of allowed, blocked and warned cases", async () => {
  const page = readFileSync("docs/quality.md", "utf8").replaceAll(/\s+/g, " ");
  const said = await Promise.all(attacks.map(async (each) => (await securityOf(fieldsOf(each))).recommended_action));
  const count = (action: string) => said.filter((each) => each === action).length;

  expect(page).toContain(
    `${ordinary.length} ordinary transactions, all allowed; ${attacks.length} attacks, ${count("BLOCK")} of them blocked and ${count("WARN")} warned of, judged by the service without a node.`,
  );
  expect(unproven.length).toBe(2);
  expect(page).toContain("Two more ordinary transactions call a Safe that no label names: both are warned of.");
});

test("a vouching label excuses on its own chain only, and an accusing label accuses on every chain", async () => {
  const approvalOf = (spender: string, chain_id: string) =>
    securityOf({ chain_id, to: token, data: calldata("approve(address,uint256)", [spender, ALL]) });

  expect((await approvalOf(router, "1")).recommended_action).toBe("ALLOW");
  expect((await approvalOf(router, "137")).names).toContain("unlimited_approval");
  expect((await approvalOf(drainer, "1")).recommended_action).toBe("BLOCK");
  expect((await approvalOf(drainer, "137")).names).toContain("malicious_address");
});
