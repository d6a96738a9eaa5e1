import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { TronTransaction } from "../../../../src/api/schemas/transaction-security.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { askTron } from "../../../../src/worker/simulation/tron-alone.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { ManualSlots, PatientAsker, promptSlots } from "../../../fakes/slots.ts";

const text =
  '{"visible":true,"txID":"00","raw_data":{"contract":[{"type":"TransferContract","parameter":{"value":{"owner_address":"T1","amount":9007199254740993,"other":12345678901234567890}}}],"fee_limit":18014398509481985}}';

function transactionOf(json: string): TronTransaction {
  const parsed = requestParser(TronTransaction)(parseExact(json));
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const answer = (extra: object = {}) =>
  ({ code: "0", status: "ok", data: { ...clean.tron, ...extra } }) as unknown as ResponseOf<"transactionSecurity">;
const answering = (extra?: object) => new FakeService().on("transactionSecurity", () => answer(extra));

function ask(service: FakeService, own: { json?: string; dappUrl?: string } = {}, asker = new PatientAsker()) {
  const question = { transaction: transactionOf(own.json ?? text), dappUrl: own.dappUrl };
  return askTron(question, { service, slots: promptSlots }, asker);
}

test("one transaction goes in a request of its own, and the data of the answer is the evidence", async () => {
  const service = answering();
  const asker = new PatientAsker();

  expect(await ask(service, { dappUrl: "https://dapp.example/" }, asker)).toEqual(clean.tron);

  const request = { tron_transactions: [transactionOf(text)], simulate: true, dapp_url: "https://dapp.example/" };
  expect(service.sentTo("transactionSecurity")).toEqual([request]);
  expect(asker.sent).toBe(1);
});

test("number text beyond 2^53 is kept, also in unknown fields", async () => {
  const service = answering();

  await ask(service);

  const sent = JSON.stringify(service.sentTo("transactionSecurity")[0]);
  for (const digits of ["9007199254740993", "12345678901234567890", "18014398509481985"])
    expect(sent).toContain(digits);
});

test("without an application none is named", async () => {
  const service = answering();

  await ask(service);

  expect(service.sentTo("transactionSecurity")[0]).not.toHaveProperty("dapp_url");
});

test("several operations are not sent, because only the first would be analysed", async () => {
  const service = answering();
  const operation = '{"type":"TransferContract","parameter":{"value":{"owner_address":"T1"}}}';

  const answers = ask(service, { json: `{"raw_data":{"contract":[${operation},${operation}]}}` });

  await expect(answers).rejects.toMatchObject({ code: "ITEM_FAILED" });
  expect(service.requests).toEqual([]);
});

test("an error beside the data is no answer", async () => {
  await expect(ask(answering({ error: "partial" }))).rejects.toMatchObject({ code: "ANSWER_INVALID" });
});

test("an event that left before the permit is not sent", async () => {
  const slots = new ManualSlots();
  const service = answering();
  const leaving = new AbortController();
  const question = { transaction: transactionOf(text), dappUrl: undefined };

  const left = askTron(question, { service, slots }, new PatientAsker(leaving.signal));
  leaving.abort(new Error("too late"));
  slots.give();

  await expect(left).rejects.toThrow("too late");
  expect(service.requests).toEqual([]);
});
