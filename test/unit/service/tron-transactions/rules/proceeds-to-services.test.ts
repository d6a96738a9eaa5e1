import { expect, test } from "vitest";
import { requestParser } from "../../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../../src/api/schemas/transaction-security.ts";
import { analyseTransaction } from "../../../../../src/service/tron-transactions/analyse-transaction.ts";
import * as p from "../../../../fixtures/tron/parts.ts";
import { swapTo } from "../../../../fixtures/tron/swaps.ts";

const parse = requestParser(TransactionSecurityRequest);
const otherRouter = p.addressOf("another router");
const labels = p.labelsWith({ chain: "tron", address: otherRouter, name: "Another router", kind: "protocol" });

async function namesOf(transaction: unknown) {
  const request = parse({ tron_transactions: [transaction] });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseTransaction(request.value, labels, undefined);
  if (!answered.ok) throw new Error(answered.detail);
  return answered.body.data.security.risk_details.map(({ name }) => name);
}

test("what a swap yields is not left with another labelled protocol, whose next caller can take it", async () => {
  expect(await namesOf(p.call(p.router, swapTo(otherRouter)))).toContain("proceeds_to_another");
});

test("what a swap yields may go into a labelled bridge", async () => {
  expect(await namesOf(p.call(p.router, swapTo(p.bridge)))).toEqual(["paid_to_service"]);
});

test("tokens that come from another owner are no payment to oneself", async () => {
  expect(await namesOf(p.call(p.usdt, p.moveOf(p.friend, p.user, 5)))).toEqual(["transfer_from_another"]);
  expect(await namesOf(p.call(p.usdt, p.moveOf(p.user, p.user, 5)))).toContain("transfer_to_self");
  expect(await namesOf(p.call(p.usdt, p.transferOf(p.user, 5)))).toContain("transfer_to_self");
});
