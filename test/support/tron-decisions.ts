import { AddressListFiles } from "../../src/adapters/files/labels/address-list-files.ts";
import { LabelFiles } from "../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../src/cli/program/package-root.ts";
import { atOnce } from "../../src/kernel/async.ts";
import { AddressBook } from "../../src/labels/address-book.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import { inProcessService } from "./in-process-service.ts";
import { screenRecord } from "./screen-record.ts";
import { lineOf } from "./verdicts.ts";

/** An event about one TRON transaction, as a producer sends it. */
export interface TronEvent {
  readonly transaction: unknown;
  readonly user_addresses?: readonly string[];
  readonly dapp_url?: string;
}

/** The service and the address book of the bundled labels, without a node, and further rows of an operator. */
export async function bundledWorld(...labels: readonly string[]) {
  const paths = [...bundled.labels, ...labels];
  const service = inProcessService(LabelBook.of(await new LabelFiles(paths, bundled.labels).load()));
  const files = new AddressListFiles(
    { lists: [], labels, bundled: bundled.labels },
    { now: () => Date.UTC(2027, 0, 1) },
  );
  return { service, book: atOnce(AddressBook.steps(await files.load())) };
}

/** The verdicts on events under the default policy, in the order of the events. */
export async function verdictsOn(
  events: readonly TronEvent[],
  { service, book }: { readonly service: SecurityService; readonly book: AddressBook },
): Promise<readonly Verdict[]> {
  const sink = new FakeSink();
  const worker = workerFor(service, { sink, policyFor: () => defaultPolicy, software: "weir/test", lists: { book } });
  // One event after the other, so a batch never waits.
  worker.pool.expectMore(false);
  for (const [i, event] of events.entries()) {
    const text = JSON.stringify({ id: `event-${i}`, type: "transaction", chain_id: "tron", ...event });
    await screenRecord(recordOf(text, i + 1), worker);
  }
  return sink.verdicts.toSorted((a, b) => lineOf(a) - lineOf(b));
}
