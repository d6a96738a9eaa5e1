/** The demo's Solana transactions at a service that answers exactly the interface. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSnapshot } from "../../../../../src/adapters/solana/simulator/snapshot.ts";
import { VirtualMachine } from "../../../../../src/adapters/solana/simulator/virtual-machine.ts";
import { LabelBook } from "../../../../../src/service/labels/label-book.ts";
import { FakeSink, recordOf } from "../../../../fakes/records.ts";
import { workerFor } from "../../../../fakes/worker.ts";
import { exactService } from "../../../../support/exact-service.ts";
import { inProcessService } from "../../../../support/in-process-service.ts";
import { screenRecord } from "../../../../support/screen-record.ts";

const demo = path.resolve(import.meta.dirname, "..", "..", "..", "..", "..", "demo");
const snapshot = readSnapshot(readFileSync(path.join(demo, "solana-accounts.json"), "utf8"));
const machine = new VirtualMachine(snapshot);
/** The database of the service has every account that is on the chain. */
const known = [...snapshot.accounts.keys()];
const solana = {
  simulator: {
    simulate: async (...[messages, sequence]: Parameters<VirtualMachine["simulate"]>) => ({
      ok: true as const,
      simulations: machine.simulate(messages, sequence),
    }),
  },
  requestId: () => "",
};
const lines = readFileSync(path.join(demo, "events.ndjson"), "utf8").split("\n");

test.each([
  ["solana-payment", "ALLOW"],
  ["solana-drain", "BLOCK"],
  ["solana-authority-theft", "BLOCK"],
])("%s is %s", async (name, decision) => {
  const sink = new FakeSink();
  const worker = workerFor(exactService(inProcessService(LabelBook.of([]), solana), known), { sink });
  worker.pool.expectMore(false);
  const line = lines.find((each) => each.includes(`"${name}"`)) ?? "";

  await screenRecord(recordOf(line, 1), worker);

  expect(sink.verdicts.map((verdict) => [verdict.event_id, verdict.decision])).toEqual([[name, decision]]);
});
