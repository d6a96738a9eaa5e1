import { getTransferSolInstruction } from "@solana-program/system";
import { expect, test } from "vitest";
import { subjectOf } from "../../../../../src/worker/plan/reading/subject.ts";
import { eventOf } from "../../../../fakes/events.ts";
import { me, stranger, token } from "../../../../fixtures/evm-people.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { calldata } from "../../../../support/evm-calls.ts";

const subjectOn = (chain: string, transaction: unknown) =>
  subjectOf(eventOf({ type: "transaction", chain_id: chain, transaction }));

test("an EVM transaction is named by its effects, in any spelling", () => {
  const named = (fields: object) => subjectOn("1", { from: me, ...fields });
  const data = calldata("transfer(address,uint256)", [stranger, 5n]);
  const plain = named({ to: token, data });

  expect(named({ to: token.toUpperCase().replace("0X", "0x"), input: data, value: "0x0", gas: 5 })).toEqual(plain);
  expect(named({ to: token, data, value: 1 })).not.toEqual(plain);
});

test("a Solana transaction has the same name with or without signatures, and another name if structured or in a list", () => {
  const pay = getTransferSolInstruction({ source: w.signing(w.user), destination: w.friend, amount: 5n });
  const message = { transaction: Buffer.from(w.messageBytes([pay])).toString("base64") };
  const shaOf = (transaction: unknown) => Reflect.get(subjectOn("solana", transaction), "transaction_sha256");

  expect(shaOf(message)).toBe(shaOf(w.serialized([pay])));
  expect(new Set([message, [message], [message, message], w.structured([pay])].map(shaOf)).size).toBe(4);
});
