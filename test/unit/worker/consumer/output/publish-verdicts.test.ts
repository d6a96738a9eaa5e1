import { expect, test } from "vitest";
import type { Decision } from "../../../../../src/messages/decision.ts";
import { VerdictPublisher } from "../../../../../src/worker/consumer/output/publish-verdicts.ts";
import { answered, clean } from "../../../../fakes/evidence.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { FakePublisher } from "../../../../fakes/fake-publisher.ts";
import { recordOf } from "../../../../fakes/records.ts";
import { verdictAt } from "../../../../fakes/verdicts.ts";

const partly = answered("poisoning", {
  target: clean.target,
  unanswered: [
    { code: "SERVICE_UNAVAILABLE", detail: "503" },
    { code: "ITEM_FAILED", detail: "error" },
    { code: "SERVICE_UNAVAILABLE", detail: "504" },
  ],
});

/** The reasons of the dead letters that are published with a verdict on a partly answered check. */
async function reasonsBeside(decision: Decision, isLast: boolean) {
  const publisher = new FakePublisher();
  const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000 };
  const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics });
  await sink.write({ ...verdictAt(1), decision, checks: [partly] }, recordOf({}), isLast);
  expect(publisher.to("verdicts")).toHaveLength(1);
  return publisher.to("dead").map(({ headers }) => headers["weir-reasons"]);
}

test("a partly answered check has a dead letter, which names each reason once", async () => {
  expect(await reasonsBeside("UNKNOWN", true)).toEqual(["SERVICE_UNAVAILABLE,ITEM_FAILED"]);
});

test("there is no dead letter for a preliminary verdict, nor for a BLOCK, which no other answer could revoke", async () => {
  expect(await reasonsBeside("UNKNOWN", false)).toEqual([]);
  expect(await reasonsBeside("BLOCK", true)).toEqual([]);
});
