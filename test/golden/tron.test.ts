import { test } from "vitest";
import type { ClaimedBytes } from "../../src/chains/tron/message/integrity.ts";
import { parseExact } from "../../src/kernel/json.ts";
import * as p from "../fixtures/tron/parts.ts";
import { swapTo } from "../fixtures/tron/swaps.ts";
import { type Expected, expectVerdicts } from "../support/golden.ts";
import { inProcessService } from "../support/in-process-service.ts";
import { tronVector } from "../support/tron-vectors.ts";

const event = (id: string, transaction: unknown, more: object = {}) =>
  JSON.stringify({ id, type: "transaction", chain_id: "tron", transaction, ...more });
const pay = (to_address: string, amount: unknown = 5) => p.tx("TransferContract", { to_address, amount });
/** A transaction with another body than its bytes encode. */
const forged = (name: string) =>
  parseExact(JSON.stringify(tronVector(name)).replace('"amount":1000000', '"amount":1000001')) as ClaimedBytes;

/** Events of a pipeline, each with the expected decision. */
const events: readonly Expected[] = [
  ["ALLOW", event("vote", tronVector("vote"))],
  ["ALLOW", event("payment", pay(p.friend))],
  ["ALLOW", event("payment-beyond-2^53", pay(p.friend, parseExact("9007199254740993")))],
  ["ALLOW", event("approval-of-a-router", p.call(p.usdt, p.approveOf(p.router, 5)))],
  ["ALLOW", event("revoked-from-a-thief", p.call(p.usdt, p.approveOf(p.drainer, 0)))],
  ["WARN", event("approval-of-a-stranger", p.call(p.usdt, p.approveOf(p.thief, p.MAX)))],
  ["BLOCK", event("payment-to-a-token", tronVector("sendTrx"))],
  ["BLOCK", event("forged-amount", forged("sendTrx"))],
  ["BLOCK", event("forged-id", { ...tronVector("vote"), txID: "ab".repeat(32) })],
  ["BLOCK", event("takeover", p.update({ owner: p.permission(1, [[p.thief, 1]]), actives: [p.ownActive] }))],
  [
    "BLOCK",
    event("takeover-from-a-site", tronVector("updateAccountPermissions with a witness"), {
      dapp_url: "https://gift.example.net/",
    }),
  ],
  ["BLOCK", event("imitated-owner", pay(p.userImitation))],
  ["BLOCK", event("imitated-friend", pay(p.exchangeImitation), { user_addresses: [p.exchange] })],
  ["BLOCK", event("imitated-token", p.call(p.goldImitation, p.transferOf(p.friend, 5)))],
  ["ALLOW", event("swap-for-oneself", p.call(p.router, swapTo(p.user)))],
  ["BLOCK", event("swap-for-a-stranger", p.call(p.router, swapTo(p.thief)))],
  [
    "BLOCK",
    event("swap-for-one-who-imitates-a-friend", p.call(p.router, swapTo(p.exchangeImitation)), {
      user_addresses: [p.exchange],
    }),
  ],
  [
    "BLOCK",
    event("forged-and-strange", { ...forged("sendTrx"), raw_data: { ...forged("sendTrx").raw_data, note: "x" } }),
  ],
  ["UNKNOWN", event("unknown-call", p.call(p.unknownContract, "12345678"))],
  ["UNKNOWN", event("unknown-call-of-a-router", p.call(p.router, "12345678"))],
  ["UNKNOWN", event("unknown-type", p.tx("LaterContract", {}))],
  ["UNKNOWN", event("unsupported-type", p.tx("GetContract", {}))],
  [
    "UNKNOWN",
    event(
      "two-operations",
      p.tx(
        "TransferContract",
        {},
        { raw: { contract: [pay(p.friend), pay(p.friend)].flatMap(({ raw_data }) => raw_data.contract) } },
      ),
    ),
  ],
  ["UNKNOWN", event("bad-user", pay(p.friend), { user_addresses: ["T"] })],
  ["UNKNOWN", event("no-transaction", { to: p.friend })],
];

test("TRON events get the checked-in verdicts and the expected decisions", async () => {
  await expectVerdicts(events, inProcessService(p.labels), "tron-verdicts.json");
});
