/** What docs/quality.md says of Solana: decisions of the worker, under the default policy, on the cases that are checked in. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Decision } from "../../../../src/events/decision.ts";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { withService } from "../../../fakes/solana/service-double.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { attackVerdicts } from "../../../fixtures/solana/attack-verdicts.ts";
import {
  attacks,
  type Case,
  gold,
  listed,
  ordinary,
  protocol,
  services,
  worthless,
} from "../../../fixtures/solana/cases.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { inProcessService } from "../../../support/in-process-service.ts";
import { screenRecord } from "../../../support/screen-record.ts";

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

async function verdictOn({ instructions, accounts, form, users, inside, service = protocol, next = [] }: Case) {
  const sink = new FakeSink();
  const machine = w.simulatorOver(w.world(accounts));
  const simulator = inside === undefined ? machine : withService(machine, service, inside);
  const solana = { simulator, requestId: () => "" };
  const options = { sink, policyFor: () => defaultPolicy, software: "weir/quality" };
  const worker = workerFor(inProcessService(labels, solana), options);
  worker.pool.expectMore(false);
  const named = users === undefined ? {} : { user_addresses: users };
  const all = [instructions, ...next].map((each) => w.serialized(each, form));
  const event = { type: "transaction", chain_id: "solana", transaction: all.length === 1 ? all[0] : all, ...named };
  await screenRecord(recordOf(JSON.stringify(event), 1), worker);
  const [verdict] = sink.verdicts;
  const fired = (verdict?.reasons ?? []).filter(({ severity }) => severity !== "INFO").map(({ finding }) => finding);
  return { decision: verdict?.decision, fired };
}

test.each(ordinary)("ordinary: $name", async (each) => {
  expect(await verdictOn(each)).toEqual({ decision: "ALLOW", fired: [] });
});

test.each(attacks)("attack: $name", async (each) => {
  const { decision, fired } = await verdictOn(each);

  expect([decision, ...fired]).toEqual(attackVerdicts[each.name]);
});

test("every attack has its verdict, none is allowed, and the page has the numbers", async () => {
  const decisions = Object.values(attackVerdicts).map(([decision]) => decision);
  const count = (wanted: Decision) => decisions.filter((decision) => decision === wanted).length;
  const page = (await readFile("docs/quality.md", "utf8")).replaceAll(/\s+/g, " ");
  const begin = page.indexOf(`${ordinary.length} ordinary transactions on Solana`);

  expect(attacks.map(({ name }) => name)).toEqual(Object.keys(attackVerdicts));
  expect(count("ALLOW")).toBe(0);
  expect(page.slice(begin, begin + 120)).toContain(
    `${ordinary.length} ordinary transactions on Solana, all allowed; ${attacks.length} attacks, ${count("BLOCK")} of them blocked, ${count("WARN")} warned of and ${count("UNKNOWN")} unknown.`,
  );
});
