import { expect } from "vitest";
import { redecide } from "../../src/cli/audit/redecide.ts";
import { type AddressBook, emptyBook } from "../../src/labels/address-book.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import { exactService } from "./exact-service.ts";
import { expectNotMilder } from "./not-milder.ts";
import { screenRecord } from "./screen-record.ts";
import { lineOf } from "./verdicts.ts";

/** An event and its expected decision. */
export type Expected = readonly [decision: string, event: string];

/**
 * Screens `events` by the default policy. Their decisions must be the expected ones, and their verdicts must equal the
 * checked-in ones. An exact service must not give a milder decision.
 */
export async function expectVerdicts(
  events: readonly Expected[],
  service: SecurityService,
  file: string,
  { book = emptyBook }: { readonly book?: AddressBook } = {},
) {
  const said = await screened(events, service, book);
  expect(said.map(({ event_id, decision }) => `${event_id} ${decision}`)).toEqual(
    events.map(([decision, text]) => `${(JSON.parse(text) as { id: string }).id} ${decision}`),
  );
  // What an audit does with them once they are archived.
  expect(said.map((verdict) => redecide(verdict, [() => defaultPolicy]))).toEqual(
    said.map(({ decision }) => ({ decision, missing: [] })),
  );
  await expect(`${JSON.stringify(said, undefined, 2)}\n`).toMatchFileSnapshot(file);
  // A service that has only the interface gives no event a milder decision.
  const exact = byLine(await screened(events, exactService(service), book));
  expectNotMilder(byLine(said), exact);
}

/** Screens events by the default policy. @returns their verdicts in order. */
export async function screened(events: readonly Expected[], service: SecurityService, book: AddressBook) {
  const sink = new FakeSink();
  const worker = workerFor(service, { sink, policyFor: () => defaultPolicy, software: "weir/golden", lists: { book } });
  // One event after the other, so a batch never waits.
  worker.pool.expectMore(false);
  for (const [i, [, text]] of events.entries()) await screenRecord(recordOf(text, i + 1), worker);
  return sink.verdicts.toSorted((a, b) => lineOf(a) - lineOf(b));
}

function byLine(verdicts: readonly Verdict[]): ReadonlyMap<number, string> {
  return new Map(verdicts.map((verdict) => [lineOf(verdict), verdict.decision]));
}
