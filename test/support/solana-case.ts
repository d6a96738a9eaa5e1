import { readLabelList } from "../../src/labels/label-list.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { withService } from "../fakes/solana/service-double.ts";
import { workerFor } from "../fakes/worker.ts";
import { type Case, gold, listed, protocol, services, worthless } from "../fixtures/solana/cases.ts";
import * as w from "../fixtures/solana/world.ts";
import { inProcessService } from "./in-process-service.ts";
import { screenRecord } from "./screen-record.ts";

const rows = [
  ...services.map((address) => ({ chain: "solana", address, kind: "protocol", name: "Service" })),
  { chain: "solana", address: listed, kind: "malicious", name: "drainer" },
  { chain: "solana", address: gold, kind: "token", name: "GOLD" },
  { chain: "solana", address: worthless, kind: "token", name: "FREE" },
  { chain: "solana", address: protocol, kind: "protocol", name: "Swap" },
];
const labels = LabelBook.of([
  readLabelList(
    "test",
    rows.map((row, i) => ({ line: i + 2, row })),
  ),
]);

/** The worker's decision on a case under the default policy, with Weir's service or the result of `wrap`. */
export async function verdictOnCase(
  { instructions, accounts, form, users, inside, service = protocol, next = [] }: Case,
  wrap: (service: SecurityService) => SecurityService = (own) => own,
  book: LabelBook = labels,
) {
  const sink = new FakeSink();
  const machine = w.simulatorOver(w.world(accounts));
  const simulator = inside === undefined ? machine : withService(machine, service, inside);
  const solana = { simulator, requestId: () => "" };
  const options = { sink, policyFor: () => defaultPolicy, software: "weir/quality" };
  const worker = workerFor(wrap(inProcessService(book, solana)), options);
  worker.pool.expectMore(false);
  const named = users === undefined ? {} : { user_addresses: users };
  const all = [instructions, ...next].map((each) => w.serialized(each, form));
  const event = { type: "transaction", chain_id: "solana", transaction: all.length === 1 ? all[0] : all, ...named };
  await screenRecord(recordOf(JSON.stringify(event), 1), worker);
  const [verdict] = sink.verdicts;
  if (verdict === undefined) throw new Error("no verdict");
  const fired = verdict.reasons.filter(({ severity }) => severity !== "INFO").map(({ finding }) => finding);
  return { verdict, decision: verdict.decision, fired };
}
