import { describe, expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { answeredHere } from "../../../../src/worker/answers/check-entry.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import {
  friend,
  item,
  knownBook,
  me,
  multiSendContract,
  nobody,
  permit2,
  router,
  safe,
  stranger,
  token,
  unlabelled,
} from "../../../fixtures/evm-people.ts";
import { shippedBook } from "../../../support/address-book.ts";
import { labelOf } from "../../../support/book-of.ts";
import { calldata, multiSendOf, safeExec } from "../../../support/evm-calls.ts";

const chain = findChain("1");
const planOf = (transaction: object, fields: object = {}) =>
  plan(
    eventOf({ type: "transaction", chain_id: "1", transaction: { from: me, ...transaction }, ...fields }),
    defaultPolicy.table,
    knownBook,
  );
/** The planned comparisons. Other tests show that the service is asked as well. */
const comparedIn = (transaction: object) =>
  planOf(transaction).questions.filter((question) => question.check === "poisoning");
const call = (signature: string, args: readonly unknown[]) => calldata(signature, args);
const failure = (check: string, code: string, detail: string) => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 0,
  error: { code, detail },
});

test("a transfer compares its recipient and token with the sender and the user's known addresses", () => {
  const data = call("transfer(address,uint256)", [stranger, 5n]);

  expect(planOf({ to: token, data }, { user_addresses: [friend, me] })).toEqual({
    subject: {
      type: "transaction",
      chain_id: "1",
      user_addresses: [me, friend],
      transaction_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      address: stranger,
      token_address: token,
    },
    requiredChecks: ["poisoning"],
    questions: [{ check: "poisoning", chain, target: stranger, users: [me, friend], token }],
    settled: [],
    parties: {
      chain,
      addresses: [me, token, stranger],
      packed: [{ bytes: Buffer.from(data.slice(2), "hex"), losing: new Map() }],
      users: [friend, me],
    },
  });
});

test("every address that gains, and every called contract, is compared once", () => {
  const transfer = call("transfer(address,uint256)", [stranger, 5n]);
  const data = safeExec({
    to: multiSendContract,
    data: multiSendOf([
      { to: token, data: transfer },
      { to: token, data: transfer },
      { to: item, data: call("setApprovalForAll(address,bool)", [router, true]) },
      { to: friend, value: 1n },
    ]),
    operation: 1,
  });

  const { subject } = planOf({ to: safe, data });

  expect(comparedIn({ to: safe, data })).toEqual([
    {
      check: "poisoning",
      chain,
      parties: [
        { target: stranger, token },
        { target: router, token: item },
        { target: friend, token: undefined },
        { target: safe, token: undefined },
        { target: multiSendContract, token: undefined },
      ],
      users: [me],
    },
  ]);
  expect(subject).not.toHaveProperty("address");
});

test("a revocation names only the contract, not the former spender", () => {
  const data = call("decreaseAllowance(address,uint256)", [stranger, 5n]);

  expect(planOf({ to: token, data }).questions).toEqual([
    { check: "poisoning", chain, target: token, users: [me], token },
  ]);
  expect(comparedIn({ to: token, data: call("approve(address,uint256)", [stranger, 0n]) })).toEqual([
    { check: "poisoning", chain, target: token, users: [me], token },
  ]);
});

test("a spender by Permit2 is compared together with the token, and so is Permit2", () => {
  const data = call("approve(address,address,uint160,uint48)", [token, stranger, 5n, 1]);

  expect(comparedIn({ to: permit2, data })).toEqual([
    {
      check: "poisoning",
      chain,
      parties: [
        { target: stranger, token },
        { target: permit2, token: undefined },
      ],
      users: [me],
    },
  ]);
});

test("code that an account lets act for it is compared, and the zero address is not", () => {
  const list = [{ address: stranger }, { address: nobody }];

  expect(comparedIn({ to: me, authorizationList: list })).toEqual([
    {
      check: "poisoning",
      chain,
      parties: [
        { target: stranger, token: undefined },
        { target: me, token: undefined },
      ],
      users: [me],
    },
  ]);
});

test("undecoded calldata prevents ALLOW, and its decoded part is still compared", () => {
  const data = call("multicall(bytes[])", [
    [call("transfer(address,uint256)", [stranger, 5n]), "0xdeadbeef", "0x01", "0x02", "0x03"],
  ]);

  const { questions, settled } = planOf({ to: token, data });

  expect(questions).toMatchObject([
    { check: "poisoning", chain, target: stranger, users: [me], token },
    { check: "evm-security", transaction: { to: token, data: data.slice(2) } },
  ]);
  expect(settled).toEqual([
    failure(
      "event",
      "SERVICE_CALL_UNDECODED",
      `${token} 0xdeadbeef no known function; ${token} 0x01 no known function; ${token} 0x02 no known function; and 1 more`,
    ),
  ]);
});

test("a created contract has no address to compare yet", () => {
  expect(planOf({ data: "0x60" })).toMatchObject({
    requiredChecks: ["evm-security"],
    questions: [{ check: "evm-security", transaction: { to: undefined, data: "60" } }],
    settled: [
      failure("event", "CALLDATA_UNDECODED", "creates a contract"),
      { check: "poisoning", outcome: "not_applicable" },
    ],
  });
});

test("more than 256 addresses are not compared", () => {
  const transfers = Array.from({ length: 257 }, (_, i) => [me, `0x01${i.toString(16).padStart(38, "0")}`, 1n, token]);
  const data = call("transferFrom((address,address,uint160,address)[])", [transfers]);

  expect(planOf({ to: permit2, data }).settled).toEqual([
    failure("poisoning", "SUBJECT_UNSUPPORTED", "256 addresses are compared for one transaction, this one has 258"),
  ]);
});

test.each([
  [{ from: "0x1" }, "from: must have 40 hex digits after 0x, has 1"],
  [{ to: "0x1" }, "to: must have 40 hex digits after 0x, has 1"],
  [{ to: me, value: "-1" }, "value: must be a whole number, decimal or 0x and hex digits"],
  [{ to: me, value: `1${"0".repeat(78)}` }, "value: must be a whole number, decimal or 0x and hex digits"],
  [{ to: me, value: String(2n ** 256n) }, "value: must be below 2^256"],
  [{ to: me, data: "0xabc" }, "data: must be hex"],
  [{ to: me, chain_id: "10" }, "chain_id: is 10, the event's is 1"],
  [{ to: me, calls: [] }, "unknown field calls"],
  [
    { to: me, authorization_list: [{ address: "0x" }] },
    "authorization_list[0].address: must have 40 hex digits after 0x, has 0",
  ],
])("%j is no transaction", (fields, detail) => {
  expect(planOf(fields).settled).toEqual([failure("poisoning", "EVENT_MALFORMED", `transaction: ${detail}`)]);
});

test("a list of transactions is no transaction", () => {
  const event = eventOf({ type: "transaction", chain_id: "1", transaction: [{ from: me, to: friend }] });

  expect(plan(event, defaultPolicy.table, knownBook).settled).toEqual([
    failure("poisoning", "EVENT_MALFORMED", "transaction: must be an object"),
  ]);
});

const grants = [
  ["approve(address,uint256)", [stranger, 5n], "take tokens"],
  ["setApprovalForAll(address,bool)", [stranger, true], "take tokens"],
  ["approve(address,uint256)", [stranger, 0n], "take item 0, if the contract keeps items"],
  ["transferOwnership(address)", [stranger], "own a contract"],
] as const;

test.each(grants)("%s is sent to the service for an unknown address, and for a known one not", (signature, args) => {
  const transaction = { to: token, data: call(signature, args) };
  const asked = {
    check: "evm-security",
    chain,
    transaction: { from: me, to: token, value: 0n, data: transaction.data.slice(2), delegates: [] },
    users: [friend],
  };

  const unknown = planOf(transaction, { user_addresses: [friend, me] });
  const known = planOf(transaction, { user_addresses: [stranger] });

  expect([unknown.requiredChecks, unknown.questions[1], unknown.settled]).toEqual([
    ["poisoning", "evm-security"],
    asked,
    [],
  ]);
  expect([known.requiredChecks, known.settled]).toEqual([["poisoning"], []]);
});

test.each(grants)("%s for an unknown address is UNKNOWN if the policy asks no service", (signature, args, may) => {
  const { table } = defaultPolicy;
  const asking = { ...table, required_checks: { ...table.required_checks, evm_transaction_unclear: [] } };
  const transaction = { from: me, to: token, data: call(signature, args) };
  const event = eventOf({ type: "transaction", chain_id: "1", transaction });
  const said = `lets ${stranger} ${may}: the check evm-security says whether that is harmless, and the policy does not require that check; name known addresses in user_addresses`;

  expect(plan(event, asking, knownBook)).toMatchObject({
    questions: [],
    settled: [failure("event", "CHECK_UNSUPPORTED", said)],
  });
});

test("a Safe's refund to an unknown address is sent to the service, and to an address that the user knows it is not", () => {
  const exec = (refundReceiver: typeof me) => ({
    to: safe,
    data: safeExec({ to: friend, value: 1n, gasPrice: 1n, refundReceiver }),
  });
  const allowed = shippedBook({ ...labelOf("1", safe, "allowed") });
  const checksOf = (refundReceiver: typeof me) => {
    const event = eventOf({
      type: "transaction",
      chain_id: "1",
      transaction: { from: me, ...exec(refundReceiver) },
      user_addresses: [friend],
    });
    return plan(event, defaultPolicy.table, allowed).requiredChecks;
  };

  expect(checksOf(stranger)).toEqual(["poisoning", "evm-security"]);
  expect(checksOf(friend)).toEqual(["poisoning"]);
});

test("coins in a call that takes none are not explained", () => {
  const { settled } = planOf({ to: stranger, value: "5", data: call("transfer(address,uint256)", [me, 1n]) });

  expect(settled).toEqual([
    failure(
      "event",
      "CALLDATA_UNDECODED",
      `${stranger} 0xa9059cbb the arguments, or coins beside them, are not those of the function`,
    ),
    answeredHere("payment", { mistakes: [{ mistake: "value_to_unknown_contract", to: stranger }] }),
  ]);
});

test("any transaction is sent to the service if the event requires it", () => {
  const { requiredChecks, questions } = planOf({ to: friend, value: "7" }, { checks: ["evm-security"] });

  expect(requiredChecks).toEqual(["poisoning", "evm-security"]);
  expect(questions[1]).toEqual({
    check: "evm-security",
    chain,
    transaction: { from: me, to: friend, value: 7n, data: "", delegates: [] },
    users: [],
  });
});

test("known addresses that cannot be sent with a transaction fail the check", () => {
  const many = Array.from({ length: 1_001 }, (_, i) => `0x01${i.toString(16).padStart(38, "0")}`);
  const askedWith = (user_addresses: readonly string[]) =>
    planOf({ to: friend }, { checks: ["evm-security"], user_addresses }).settled;

  expect(askedWith([...many.slice(1), me])).toEqual([]);
  expect(askedWith(many)).toEqual([
    failure("evm-security", "SUBJECT_UNSUPPORTED", "1000 user addresses go with one transaction, this one has 1001"),
  ]);
  // Poisoning compares the other addresses. Here, the address that the invalid one was meant to be would pass for a
  // stranger.
  expect(askedWith([me, "0x"])).toEqual([
    failure("evm-security", "USER_ADDRESS_INVALID", "user_addresses[1]: must have 40 hex digits after 0x, has 0"),
  ]);
});

test("a token that moves or that a spender may take is analysed if the event requires it", () => {
  const checks = ["token-security", "classification", "solana-simulation"];
  const approve = { to: token, data: call("approve(address,uint256)", [stranger, 5n]) };
  const two = call("transferFrom((address,address,uint160,address)[])", [
    [
      [me, friend, 1n, token],
      [me, friend, 1n, item],
    ],
  ]);

  expect(planOf(approve, { checks })).toMatchObject({
    requiredChecks: ["poisoning", "evm-security", ...checks],
    questions: [
      { check: "poisoning" },
      { check: "evm-security" },
      { check: "token-security", chain, token },
      { check: "classification", chain, address: stranger },
    ],
    settled: [
      failure(
        "solana-simulation",
        "CHECK_UNSUPPORTED",
        "solana-simulation does not apply to a transaction on Ethereum",
      ),
    ],
  });
  expect(planOf({ to: permit2, data: two }, { checks })).toMatchObject({
    requiredChecks: ["poisoning", "token-security", "solana-simulation"],
    questions: [{ check: "poisoning" }, { check: "token-security", chain, tokens: [token, item] }],
    settled: [
      { check: "classification", outcome: "not_applicable" },
      { check: "solana-simulation", outcome: "failed" },
    ],
  });
});

test.each([
  ["a transfer", { to: unlabelled, data: call("transfer(address,uint256)", [friend, 5n]) }],
  ["a lowered allowance", { to: unlabelled, data: call("decreaseAllowance(address,uint256)", [friend, 5n]) }],
  ["a revoked operator", { to: unlabelled, data: call("setApprovalForAll(address,bool)", [stranger, false]) }],
  ["a lockdown", { to: unlabelled, data: call("lockdown((address,address)[])", [[[token, stranger]]]) }],
  ["a multicall of nothing", { to: unlabelled, data: call("multicall(bytes[])", [[]]) }],
  ["a labelled token's name on another chain", { to: token, data: call("transfer(address,uint256)", [friend, 5n]) }],
])("%s of an unlabelled contract is unclear, whatever its selector says", (name, transaction) => {
  const chain_id = name.includes("another chain") ? "8453" : "1";

  expect(planOf(transaction, { user_addresses: [friend, stranger, unlabelled], chain_id }).requiredChecks).toEqual([
    "poisoning",
    "evm-security",
  ]);
});

test("a call of a labelled token or service, or of an allowed contract, needs no further check", () => {
  const allowed = shippedBook(labelOf("137", unlabelled, "allowed"));
  const allowedElsewhere = shippedBook(labelOf("1", unlabelled, "allowed"));
  const pay = call("transfer(address,uint256)", [friend, 5n]);
  const ofItem = eventOf({
    type: "transaction",
    chain_id: "137",
    transaction: { from: me, to: unlabelled, data: pay },
  });
  const bySafe = { to: safe, data: safeExec({ to: token, data: pay }) };

  expect(planOf({ to: token, data: pay }).requiredChecks).toEqual(["poisoning"]);
  expect(planOf({ to: router, data: call("multicall(bytes[])", [[]]) }).requiredChecks).toEqual(["poisoning"]);
  expect(planOf(bySafe, { user_addresses: [safe] }).requiredChecks).toEqual(["poisoning", "evm-security"]);
  expect(plan(ofItem, defaultPolicy.table, allowed).requiredChecks).toEqual(["poisoning"]);
  expect(plan(ofItem, defaultPolicy.table, allowedElsewhere).requiredChecks).toEqual(["poisoning", "evm-security"]);
});

test("without evm-security a call of an unlabelled contract is settled as failed", () => {
  const asking = { ...defaultPolicy.table };
  const table = {
    ...asking,
    required_checks: { ...asking.required_checks, evm_transaction_unclear: ["poisoning"] as const },
  };
  const transaction = { from: me, to: unlabelled, data: call("transfer(address,uint256)", [friend, 5n]) };
  const event = eventOf({ type: "transaction", chain_id: "1", transaction });

  expect(plan(event, table, knownBook).settled).toMatchObject([
    { check: "event", error: { code: "CHECK_UNSUPPORTED" } },
  ]);
});

describe("payments that are mistakes", () => {
  const burn = `0x${"0".repeat(36)}dead`;
  const transfer = (to: string) => ({ to: token, data: call("transfer(address,uint256)", [to, 5n]) });

  test.each([
    ["a token to its own contract", transfer(token), "to_token_contract", token],
    [
      "an unlabelled token to a token's contract",
      { to: unlabelled, data: transfer(token).data },
      "to_token_contract",
      token,
    ],
    [
      "an unlabelled token to itself",
      { to: unlabelled, data: transfer(unlabelled).data },
      "to_token_contract",
      unlabelled,
    ],
    ["a token to the zero address", transfer(nobody), "to_burn_address", nobody],
    ["a token to the burn address", transfer(burn), "to_burn_address", burn],
    ["coins to the zero address", { to: nobody, value: "1" }, "to_burn_address", nobody],
    ["coins to the burn address", { to: burn, value: "1" }, "to_burn_address", burn],
    [
      "coins beside a multicall of nothing",
      { to: stranger, value: "1", data: call("multicall(bytes[])", [[]]) },
      "value_to_unknown_contract",
      stranger,
    ],
    [
      "coins beside a multicall of nothing, at a router",
      { to: router, value: "1", data: call("multicall(bytes[])", [[]]) },
      "value_to_unknown_contract",
      router,
    ],
    [
      "coins beside a multiSend of nothing",
      { to: stranger, value: "1", data: call("multiSend(bytes)", ["0x"]) },
      "value_to_unknown_contract",
      stranger,
    ],
    [
      "coins that a MultiSend keeps",
      { to: multiSendContract, value: "5", data: multiSendOf([{ to: friend, value: 4n }]) },
      "value_to_unknown_contract",
      multiSendContract,
    ],
    [
      "coins beside what looks like a Safe's transaction",
      { to: stranger, value: "1", data: safeExec({ to: friend, value: 1n }) },
      "value_to_unknown_contract",
      stranger,
    ],
  ])("%s", (_name, transaction, mistake, to) => {
    const { settled } = planOf(transaction);

    expect(settled.find(({ check }) => check === "payment")?.data).toMatchObject({ mistakes: [{ mistake, to }] });
  });

  test("coins that a MultiSend passes on are no mistake", () => {
    const data = multiSendOf([
      { to: friend, value: 4n },
      { to: me, value: 1n },
    ]);
    const transaction = { from: me, to: multiSendContract, value: "5", data };
    const event = eventOf({ type: "transaction", chain_id: "1", transaction });
    const { settled } = plan(
      event,
      defaultPolicy.table,
      shippedBook({ ...labelOf("1", multiSendContract, "protocol") }),
    );

    expect(settled.find(({ check }) => check === "payment")).toBeUndefined();
  });

  test.each([
    ["a payment", { to: friend, value: "1" }],
    ["a payment of tokens", transfer(friend)],
    ["coins that a labelled service takes", { to: router, value: "1", data: call("deposit()", []) }],
    ["coins to a token's contract, which may wrap them", { to: token, value: "1" }],
  ])("%s is no mistake", (_name, transaction) => {
    expect(planOf(transaction).settled.filter(({ check }) => check === "payment")).toEqual([]);
  });
});
