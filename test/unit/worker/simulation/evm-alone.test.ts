import { expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { readEvm } from "../../../../src/worker/plan/reading/evm-reading.ts";
import { askEvm } from "../../../../src/worker/simulation/evm-alone.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { ManualSlots, PatientAsker, promptSlots } from "../../../fakes/slots.ts";
import { friend, me, nobody, stranger } from "../../../fixtures/evm-people.ts";

const chain = findChain("1") ?? bug();

function bug(): never {
  throw new Error("no such chain");
}

function questionOf(fields: object, users: Parameters<typeof askEvm>[0]["users"] = []) {
  const reading = readEvm({ from: me, ...fields }, chain);
  if (!reading.ok) throw new Error(reading.detail);
  return { chain, transaction: reading.value.transaction, users };
}

const answering = (extra: object = {}) =>
  new FakeService().on(
    "evmTransactionSecurity",
    () =>
      ({
        code: "0",
        status: "ok",
        data: { ...clean.tron, ...extra },
      }) as unknown as ResponseOf<"evmTransactionSecurity">,
  );

test("one transaction goes in a request of its own, in one spelling", async () => {
  const service = answering();
  const asker = new PatientAsker();
  const fields = { to: friend, value: "0x7", input: "0xABCD", authorizationList: [{ address: stranger }] };
  const question = questionOf(fields);

  expect(
    await askEvm({ ...question, users: [question.transaction.from] }, { service, slots: promptSlots }, asker),
  ).toEqual({ ...clean.tron, unread_delegates: [stranger] });
  expect(service.sentTo("evmTransactionSecurity")).toEqual([
    {
      chain_id: "1",
      from: me,
      to: friend,
      value: "7",
      data: "0xabcd",
      authorization_list: [{ address: stranger }],
      user_addresses: [me],
    },
  ]);
  expect(asker.sent).toBe(1);
});

test("delegated code (EIP-7702) counts as judged if the answer names it, in any case", async () => {
  const question = questionOf({ to: friend, authorization_list: [{ address: stranger }] });
  const ask = (extra: object, asked = question) =>
    askEvm(asked, { service: answering(extra), slots: promptSlots }, new PatientAsker());
  const revoked = questionOf({ to: friend, authorization_list: [{ address: nobody }] });

  expect(await ask({ delegates: [stranger.toUpperCase().replace("0X", "0x")] })).not.toHaveProperty("unread_delegates");
  expect(await ask({ delegates: [friend] })).toMatchObject({ unread_delegates: [stranger] });
  expect(await ask({ unread_delegates: [] })).toMatchObject({ unread_delegates: [stranger] });
  expect(await ask({ unread_delegates: [friend] }, questionOf({ to: friend }))).toEqual(clean.tron);
  expect(await ask({}, revoked)).toEqual(clean.tron);
});

test("absent fields are not sent, and a number beyond 2^53 is sent exactly", async () => {
  const service = answering();

  await askEvm(questionOf({ value: "9007199254740993" }), { service, slots: promptSlots }, new PatientAsker());

  expect(service.sentTo("evmTransactionSecurity")).toEqual([
    { chain_id: "1", from: me, value: "9007199254740993", data: "0x" },
  ]);
});

test("an error beside the data is no answer", async () => {
  const answers = askEvm(
    questionOf({}),
    { service: answering({ error: "x" }), slots: promptSlots },
    new PatientAsker(),
  );

  await expect(answers).rejects.toMatchObject({ code: "ANSWER_INVALID" });
});

test("an event that left before the permit is not sent", async () => {
  const slots = new ManualSlots();
  const service = answering();
  const leaving = new AbortController();

  const left = askEvm(questionOf({}), { service, slots }, new PatientAsker(leaving.signal));
  leaving.abort(new Error("too late"));
  slots.give();

  await expect(left).rejects.toThrow("too late");
  expect(service.requests).toEqual([]);
});
