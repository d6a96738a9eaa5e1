import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LabelFiles } from "../../src/adapters/files/label-files.ts";
import { readRecords } from "../../src/adapters/files/records.ts";
import { readSnapshot } from "../../src/adapters/solana/snapshot.ts";
import { VirtualMachine } from "../../src/adapters/solana/virtual-machine.ts";
import { bundled } from "../../src/cli/package-root.ts";
import { readPolicy } from "../../src/events/policy.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import type { Simulator } from "../../src/service/solana-emulate/simulator.ts";
import { screenRecord } from "../../src/worker/screen-record.ts";
import { FakeSink } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import { inProcessService } from "../support/in-process-service.ts";
import { lineOf } from "../support/verdicts.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

/** What each line of demo/SOURCES.md says in bold, by line. */
function expectedDecisions(): Map<number, string> {
  const text = readFileSync(path.join(root, "demo", "SOURCES.md"), "utf8");
  const lines = text.matchAll(/^(\d+)\. (?:`[^`]+`|\(unreadable\)) \*\*([A-Z]+)\*\*/gm);
  return new Map([...lines].map(([, line, decision = ""]) => [Number(line), decision]));
}

test("the demo's events get the verdicts that are checked in, and the decisions that their sources call for", async () => {
  const book = LabelBook.of(await new LabelFiles(bundled.labels).load());
  const sink = new FakeSink();
  const accounts = readSnapshot(readFileSync(path.join(root, "demo", "solana-accounts.json"), "utf8"));
  const machine = new VirtualMachine(accounts);
  const simulator: Simulator = {
    simulate: async (messages, sequence) => ({ ok: true, simulations: machine.simulate(messages, sequence) }),
  };
  const solana = { simulator, requestId: () => "00000000-0000-4000-8000-000000000000" };
  const worker = workerFor(inProcessService(book, solana), {
    sink,
    policyFor: readPolicy(JSON.parse(readFileSync(path.join(root, "data", "policy.json"), "utf8"))),
    software: "weir/golden",
  });
  // One event after the other: nothing to wait for.
  worker.pool.expectMore(false);

  for await (const record of readRecords({
    path: path.join(root, "demo", "events.ndjson"),
    defaults: { users: [] },
  })) {
    await screenRecord(record, worker);
  }

  expect(new Map(sink.verdicts.map((verdict) => [lineOf(verdict), verdict.decision]))).toEqual(expectedDecisions());
  await expect(`${JSON.stringify(sink.verdicts, undefined, 2)}\n`).toMatchFileSnapshot("demo-verdicts.json");
});
