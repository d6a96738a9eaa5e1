import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import {
  EvmTransactionSecurityRequest,
  TransactionSecurityRequest,
} from "../../../../src/api/schemas/transaction-security.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { analyseEvmTransaction } from "../../../../src/service/evm-transactions/analyse-evm-transaction.ts";
import type { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { ALL, addressOf as evmAddressOf, me } from "../../../fixtures/evm-people.ts";
import * as p from "../../../fixtures/tron/parts.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";
import { calldata } from "../../../support/evm-calls.ts";

const evmSpender = evmAddressOf("labelled party");
const tronSpender = p.addressOf("labelled party");

async function evmDetails(labels: LabelBook): Promise<string> {
  const to = evmAddressOf("a token");
  const data = calldata("approve(address,uint256)", [evmSpender, ALL]);
  const request = requestParser(EvmTransactionSecurityRequest)({ chain_id: "1", from: me, to, data });
  if (!request.ok) throw new Error(request.detail);
  return JSON.stringify(await analyseEvmTransaction(request.value, labels));
}

async function tronDetails(labels: LabelBook): Promise<string> {
  const transaction = p.call(p.addressOf("a token"), p.approveOf(tronSpender, p.MAX));
  const body = parseExact(JSON.stringify({ tron_transactions: [transaction] }));
  const request = requestParser(TransactionSecurityRequest)(body);
  if (!request.ok) throw new Error(request.detail);
  return JSON.stringify(await analyseTransaction(request.value, labels));
}

test("an approval for a labelled exchange names the label", async () => {
  const evm = await evmDetails(bookOf(labelOf("1", evmSpender, "exchange", "Some Exchange 7")));
  const tron = await tronDetails(bookOf(labelOf("tron", tronSpender, "exchange", "Some Exchange 8")));

  expect(evm).toContain(`lets ${evmSpender}, labelled \\"Some Exchange 7\\" (exchange), take all of`);
  expect(tron).toContain(`lets ${tronSpender}, labelled \\"Some Exchange 8\\" (exchange), take all your tokens`);
});

test("an approval for an address without a label says that nothing is known", async () => {
  expect(await evmDetails(bookOf())).toContain(`lets ${evmSpender}, of whom nothing is known, take all of`);
  expect(await tronDetails(bookOf())).toContain(`lets ${tronSpender}, of whom nothing is known, take all your tokens`);
});
