import { test } from "vitest";
import * as p from "../fixtures/evm-people.ts";
import { calldata, multiSendOf, safeExec } from "../support/evm-calls.ts";
import { type Expected, expectVerdicts } from "../support/golden.ts";
import { inProcessService } from "../support/in-process-service.ts";

const event = (id: string, transaction: object, more: object = {}) =>
  JSON.stringify({ id, type: "transaction", chain_id: "1", transaction: { from: p.me, ...transaction }, ...more });
const call = (to: string, signature: string, args: readonly unknown[]) => ({ to, data: calldata(signature, args) });
const transfer = (to: string) => calldata("transfer(address,uint256)", [to, 5n]);
const batch = (...targets: readonly string[]) =>
  safeExec({
    to: p.multiSendContract,
    data: multiSendOf(targets.map((target) => ({ to: p.token, data: transfer(target) }))),
    operation: 1,
  });

/** Events of a pipeline, each with the expected decision. */
const events: readonly Expected[] = [
  ["ALLOW", event("payment", { to: p.friend, value: "1000000000000000000" })],
  ["ALLOW", event("payment-in-hex", { to: p.friend, value: "0xde0b6b3a7640000", nonce: 1, gas: "0x5208" })],
  ["ALLOW", event("token-transfer", call(p.token, "transfer(address,uint256)", [p.friend, 5n]))],
  [
    "ALLOW",
    event("approval-of-a-known-router", call(p.token, "approve(address,uint256)", [p.router, p.ALL]), {
      user_addresses: [p.router],
    }),
  ],
  ["WARN", event("approval-of-a-stranger", call(p.token, "approve(address,uint256)", [p.stranger, p.ALL]))],
  ["WARN", event("some-tokens-for-a-stranger", call(p.token, "approve(address,uint256)", [p.stranger, 5n]))],
  ["ALLOW", event("approval-of-a-labelled-router", call(p.token, "approve(address,uint256)", [p.router, 5n]))],
  [
    "WARN",
    event("permit-of-a-friend-for-a-stranger", call(p.token, p.PERMIT, p.permitArguments(p.friend, p.stranger))),
  ],
  ["BLOCK", event("all-items-for-a-stranger", call(p.item, "setApprovalForAll(address,bool)", [p.stranger, true]))],
  ["WARN", event("ownership-for-a-stranger", call(p.token, "transferOwnership(address)", [p.stranger]))],
  ["BLOCK", event("delegated-to-a-stranger", { to: p.me, authorization_list: [{ address: p.stranger }] })],
  [
    "ALLOW",
    event("revoked-from-an-imitation", call(p.token, "approve(address,uint256)", [p.imitationOf(p.exchange), 0n])),
  ],
  ["ALLOW", event("safe-batch", { to: p.allowedSafe, data: batch(p.friend, p.exchange) })],
  [
    "WARN",
    event("safe-batch-of-a-user", { to: p.safe, data: batch(p.friend, p.exchange) }, { user_addresses: [p.safe] }),
  ],
  ["WARN", event("safe-batch-of-an-unknown-safe", { to: p.safe, data: batch(p.friend, p.exchange) })],
  ["WARN", event("transfer-of-an-unlabelled-token", call(p.unlabelled, "transfer(address,uint256)", [p.friend, 5n]))],
  ["BLOCK", event("tokens-for-a-listed-address", call(p.token, "transfer(address,uint256)", [p.sanctioned, 5n]))],
  ["BLOCK", event("tokens-for-their-contract", call(p.token, "transfer(address,uint256)", [p.token, 5n]))],
  ["WARN", event("tokens-burnt", call(p.token, "transfer(address,uint256)", [p.nobody, 5n]))],
  ["WARN", event("coins-burnt", { to: p.nobody, value: "1" })],
  [
    "WARN",
    event("coins-beside-an-empty-multicall", {
      to: p.stranger,
      value: "1",
      data: calldata("multicall(bytes[])", [[]]),
    }),
  ],
  ["BLOCK", event("imitated-sender", { to: p.imitationOf(p.me), value: "1" })],
  ["BLOCK", event("imitated-friend", { to: p.imitationOf(p.friend), value: "1" }, { user_addresses: [p.friend] })],
  ["BLOCK", event("imitated-spender", call(p.token, "approve(address,uint256)", [p.imitationOf(p.router), 5n]))],
  [
    "BLOCK",
    event("imitated-operator", call(p.item, "setApprovalForAll(address,bool)", [p.imitationOf(p.exchange), true])),
  ],
  ["BLOCK", event("imitated-token", call(p.imitationOf(p.token), "transfer(address,uint256)", [p.friend, 5n]))],
  [
    "BLOCK",
    event(
      "imitated-permit2",
      call(p.imitationOf(p.permit2), "approve(address,address,uint160,uint48)", [p.token, p.friend, 5n, 1]),
    ),
  ],
  ["BLOCK", event("imitation-deep-in-a-safe-batch", { to: p.safe, data: batch(p.friend, p.imitationOf(p.exchange)) })],
  [
    "BLOCK",
    event("imitation-beside-an-unknown-call", {
      to: p.token,
      data: calldata("multicall(bytes[])", [[transfer(p.imitationOf(p.exchange)), "0xdeadbeef"]]),
    }),
  ],
  ["BLOCK", event("imitated-delegate", { to: p.me, authorization_list: [{ address: p.imitationOf(p.router) }] })],
  ["UNKNOWN", event("unknown-call", { to: p.router, data: "0xdeadbeef" })],
  ["UNKNOWN", event("broken-call", { to: p.token, data: transfer(p.friend).slice(0, -2) })],
  ["BLOCK", event("foreign-code-in-a-safe", { to: p.safe, data: safeExec({ to: p.stranger, operation: 1 }) })],
  ["BLOCK", event("payment-to-a-drainer", { to: p.drainer, value: "1" }, { checks: ["evm-security"] })],
  ["ALLOW", event("payment-that-is-asked-about", { to: p.friend, value: "1" }, { checks: ["evm-security"] })],
  ["BLOCK", event("unknown-call-of-a-drainer", { to: p.drainer, data: "0xdeadbeef" })],
  ["UNKNOWN", event("creation", { data: "0x6080" })],
  ["UNKNOWN", event("unknown-field", { to: p.friend, calls: [{ to: p.stranger }] })],
  ["UNKNOWN", event("another-chain", { to: p.friend, chainId: 10 })],
  ["UNKNOWN", event("two-calldatas", { to: p.token, data: transfer(p.friend), input: transfer(p.stranger) })],
  ["UNKNOWN", event("bad-user", { to: p.friend }, { user_addresses: ["0x"] })],
  ["UNKNOWN", event("no-sender", { from: undefined, to: p.friend })],
];

test("EVM events get the checked-in verdicts and the expected decisions", async () => {
  await expectVerdicts(events, inProcessService(p.labels), "evm-verdicts.json", { book: p.knownBook });
});
