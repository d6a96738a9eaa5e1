import { emptyBook } from "../../src/labels/address-book.ts";
import type { AddressLabel } from "../../src/labels/label.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import * as p from "../fixtures/evm-people.ts";
import { listedBook } from "./address-book.ts";
import { bookOf, labelOf } from "./book-of.ts";
import { inProcessService } from "./in-process-service.ts";
import { screenRecord } from "./screen-record.ts";

/** Screens one event by the default policy, with a service that knows `labels`. */
export async function verdictOn(event: object, book = emptyBook, labels = bookOf()): Promise<Verdict> {
  const sink = new FakeSink();
  const options = { sink, policyFor: () => defaultPolicy, lists: { book } };
  const worker = workerFor(inProcessService(labels), options);
  worker.pool.expectMore(false);
  await screenRecord(recordOf(JSON.stringify(event)), worker);
  const [verdict] = sink.verdicts;
  if (verdict === undefined) throw new Error("no verdict");
  return verdict;
}

export const bad = "0x7f367cc41522ce07553e823bf3be79a889debe1b";
const evmLabel: AddressLabel = { ...labelOf("1", bad, "sanctioned", "A party"), program: "CYBER2", note: "uid 1" };
export const padded = (address: string) => `${"0".repeat(24)}${address.slice(2)}`;
export const transaction = (fields: object, more: object = {}) => ({
  type: "transaction",
  chain_id: "1",
  transaction: { from: p.me, ...fields },
  ...more,
});
export const tron = {
  bad: "TNd4cEh4xvxqewPDmTmbt3iacH9JuFypPs",
  badHex: "418aca4f36774f82a67c507cb9c96679482e2cc767",
  owner: "412744ccd10c7533bd736ad890f9dd5cab2adb27b0",
};
export const tronEvent = (type: string, value: object) => ({
  type: "transaction",
  chain_id: "tron",
  transaction: {
    visible: false,
    raw_data: {
      contract: [{ type, parameter: { value: { owner_address: tron.owner, ...value } } }],
      expiration: 1_900_000_060_000,
      timestamp: 1_900_000_000_000,
    },
  },
});
export const solana = {
  bad: "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR",
  user: "CfS355JNmMCxvB4qWbgJfLWvtqHi6DvAG66cJYEWzxU2",
};
/** The list, beside labels of trusted contracts. */
export const listed = listedBook(
  labelOf("1", p.token, "token", "GOLD"),
  ...[p.collection, p.permit2, p.multicaller].map((address) => labelOf("1", address, "protocol", "A service")),
  evmLabel,
  labelOf("tron", tron.bad, "sanctioned", "A party"),
  labelOf("solana", solana.bad, "sanctioned", "A party"),
);
