import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LabelFiles } from "../../src/adapters/files/label-files.ts";
import { readRecords } from "../../src/adapters/files/records.ts";
import { readPolicy } from "../../src/events/policy.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { screenRecord } from "../../src/worker/screen-record.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { patient } from "../fakes/patient.ts";
import { inProcessService } from "../support/in-process-service.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

/** What each line of demo/SOURCES.md says in bold, by line. */
function expectedDecisions(): Map<number, string> {
  const text = readFileSync(path.join(root, "demo", "SOURCES.md"), "utf8");
  const lines = text.matchAll(/^(\d+)\. (?:`[^`]+`|\(unreadable\)) \*\*([A-Z]+)\*\*/gm);
  return new Map([...lines].map(([, line, decision = ""]) => [Number(line), decision]));
}

test("the demo's events get the verdicts that are checked in, and the decisions that their sources call for", async () => {
  const deps = {
    service: inProcessService(LabelBook.of(await new LabelFiles([path.join(root, "data", "labels.csv")]).load())),
    clock: new FakeClock(),
    random: () => 0.5,
    retry: { attempts: 1, baseMs: 1, maxMs: 1 },
    health: patient,
    policyFor: readPolicy(JSON.parse(readFileSync(path.join(root, "data", "policy.json"), "utf8"))),
    software: "weir/golden",
  };
  const decisions = new Map<number, string>();
  const verdicts: unknown[] = [];

  for await (const record of readRecords({
    path: path.join(root, "demo", "events.ndjson"),
    defaults: { users: [] },
  })) {
    const verdict = await screenRecord(record, deps, AbortSignal.timeout(5_000));
    if ("line" in verdict.source) decisions.set(verdict.source.line, verdict.decision);
    verdicts.push(verdict);
  }

  expect(decisions).toEqual(expectedDecisions());
  await expect(`${JSON.stringify(verdicts, undefined, 2)}\n`).toMatchFileSnapshot("demo-verdicts.json");
});
