import { expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { AnswerCache, type CachedQuestion, defaultAges } from "../../../../src/worker/answers/answer-cache.ts";
import { jsonSize } from "../../../../src/worker/answers/json-size.ts";
import { wholeInterface } from "../../../../src/worker/answers/service-reach.ts";
import { type BatchEntry, partsOf } from "../../../../src/worker/batching/batch-entry.ts";
import { ByPart } from "../../../../src/worker/batching/replies/by-part.ts";
import { ask } from "../../../../src/worker/checks/ask.ts";
import { type EstimatedCheck, RequestEstimate } from "../../../../src/worker/estimate/request-estimate.ts";
import { answerSizes, typicalAnswers } from "../../../../src/worker/estimate/typical-answers.ts";
import type { Question } from "../../../../src/worker/plan/question.ts";
import { serializedLocks } from "../../../../src/worker/simulation/serialized-locks.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { workerFor } from "../../../fakes/worker.ts";
import demo from "../../../golden/demo-verdicts.json" with { type: "json" };
import { addressOf, chainOf, questionAbout } from "../../../support/poisoning-parts.ts";

const CACHE_BYTES = 2 ** 16;
const chain = chainOf("1");
const address = (i: number) => addressOf(`0x${i.toString(16).padStart(4, "0")}${"c".repeat(36)}`);
const token = address(0xffff);

/** The answers of Weir's own service to the demo's events without findings. */
function demoAnswers(check: string): readonly object[] {
  return demo.flatMap(({ checks }) =>
    checks.flatMap((entry) => (entry.check === check && "data" in entry && entry.data !== null ? [entry.data] : [])),
  );
}

function medianOf(answers: readonly object[]): object {
  const byLength = answers.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  const median = byLength[Math.floor(byLength.length / 2)];
  if (median === undefined) throw new Error("the demo has no such answer");
  return median;
}

const isFlagged = (evidence: object) => JSON.stringify(evidence).includes('"is_poisoning":"1"');
const poisoning = demoAnswers("poisoning").filter((each) => !isFlagged(each));
const medians = {
  poisoning: medianOf(poisoning.filter((each) => !("token" in each))),
  poisoningWithToken: medianOf(poisoning.filter((each) => "token" in each)),
  "token-security": medianOf(demoAnswers("token-security")),
  classification: medianOf(demoAnswers("classification")),
};

/** Orders in which a number of different addresses are asked about: in turn, and at random. */
const orders = {
  "in turn": (different: number) => Array.from({ length: 10 * different }, (_, i) => i % different),
  "by chance": (different: number) => {
    const random = seededRandom(7);
    return Array.from({ length: 10 * different }, () => Math.floor(random() * different));
  },
};

function planned(questions: readonly Question[], check: EstimatedCheck): number {
  // With one event in work each poisoning question takes one request.
  const asked = new RequestEstimate({
    decoder: serializedLocks,
    window: 1,
    groupMax: 8,
    reach: wholeInterface,
    cacheBytes: CACHE_BYTES,
    cacheAgeMs: defaultAges.backfill,
    random: seededRandom(1),
  });
  for (const question of questions) asked.ask(question);
  return asked.finish()[check].requests;
}

const aboutToken = (i: number): Question => ({ check: "token-security", chain, token: address(i) });
const aboutClass = (i: number): Question => ({ check: "classification", chain, address: address(i) });

/** Requests of a real run for these questions. */
async function run(questions: readonly Question[]): Promise<number> {
  const answer = (data: object, about: string) => ({
    code: "0",
    status: "ok",
    data: { ...data, address: `eth:${about}` },
  });
  const service = new FakeService()
    .on("tokenSecurity", (request) => answer(medians["token-security"], request.address) as ResponseOf<"tokenSecurity">)
    .on("classifyQuery", (request) => answer(medians.classification, request.address) as ResponseOf<"classifyQuery">);
  const worker = workerFor(service, { clock: new FakeClock(), cacheBytes: CACHE_BYTES });
  for (const question of questions)
    await ask(question, { lane: "backfill", tenant: "", isCrowded: () => false }, worker);
  return service.requests.length;
}

/** Batch entries without a cached answer in the batcher of a real run. */
function poolRun(questions: readonly Extract<Question, { target: unknown }>[], evidence: object): number {
  const byPart = new ByPart<CachedQuestion<BatchEntry, PoisoningEvidence>>();
  const cache = new AnswerCache(CACHE_BYTES, defaultAges, new FakeClock(0), byPart);
  let asked = 0;
  for (const part of questions.flatMap((question) => partsOf(question))) {
    if (cache.find(part, "backfill") !== undefined) continue;
    asked++;
    cache.keep(part, evidence as PoisoningEvidence, { requests: 1, askedAt: 0, answeredAt: 0, cached: false }, false);
  }
  return asked;
}

test("typical answers have the size of the service's own, within a tenth", () => {
  for (const name of Object.keys(answerSizes) as (keyof typeof answerSizes)[]) {
    const { characters, pieces } = jsonSize(medians[name]);
    for (const share of [answerSizes[name].characters / characters, answerSizes[name].pieces / pieces]) {
      expect(share, name).toBeGreaterThan(0.9);
      expect(share, name).toBeLessThan(1.1);
    }
    expect(jsonSize(typicalAnswers[name])).toEqual(answerSizes[name]);
  }
});

test("questions that repeat in turn beyond the cache's size are all sent again", async () => {
  const tokens = orders["in turn"](60).map(aboutToken);
  const classes = orders["in turn"](100).map(aboutClass);

  expect([planned(tokens, "token-security"), await run(tokens)]).toEqual([600, 600]);
  expect([planned(classes, "classification"), await run(classes)]).toEqual([1_000, 1_000]);
});

test("for questions that repeat at random the estimate equals the requests of a run", async () => {
  // A run caches the answers to 17 of 60 tokens here, and to 55 of 100 classes.
  const tokens = orders["by chance"](60).map(aboutToken);
  const classes = orders["by chance"](100).map(aboutClass);

  expect(planned(tokens, "token-security") / (await run(tokens))).toBeCloseTo(1, 1);
  expect(planned(classes, "classification") / (await run(classes))).toBeCloseTo(1, 1);
});

test.each([
  ["addresses", undefined, medians.poisoning],
  ["addresses with a token", token, medians.poisoningWithToken],
])("repeated %s count as often as a run's batcher has no cached answer", (_, dealtIn, evidence) => {
  const questions = orders["by chance"](200).map((i) =>
    questionAbout({ chain, target: address(i), ...(dealtIn && { token: dealtIn }) }),
  );
  const counted = planned(questions, "poisoning");

  expect(counted / poolRun(questions, evidence)).toBeCloseTo(1, 1);
});
