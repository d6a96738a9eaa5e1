import { MAX_BATCH_ITEMS } from "../../../../src/api/schemas/address-poisoning.ts";
import { AppError } from "../../../../src/kernel/errors.ts";
import { type Random, seededRandom } from "../../../../src/kernel/retry.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { defaultAges } from "../../../../src/worker/answers/answer-cache.ts";
import { AnswerInvalidError, ChainUnsupportedError } from "../../../../src/worker/answers/service-errors.ts";
import { AloneGroup, askAlone } from "../../../../src/worker/batching/ask-alone.ts";
import { type BatchEntry, partsOf } from "../../../../src/worker/batching/batch-entry.ts";
import { PoisoningBatcher } from "../../../../src/worker/batching/poisoning-batcher.ts";
import { CONFIRM_SHARE } from "../../../../src/worker/batching/replies/confirm-share.ts";
import { unobserved } from "../../../../src/worker/observer.ts";
import type { PoisoningQuestion } from "../../../../src/worker/plan/question.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { openGate } from "../../../fakes/open-gate.ts";
import { ReferenceService } from "../../../fakes/reference-services/reference-service.ts";
import type { Rule } from "../../../fakes/reference-services/rule.ts";
import { evenly } from "../../../fakes/turns.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { type Arrival, trappedQuestions } from "./calibration/trapped-questions.ts";

/** The outcomes of one run of events, once batched and once with single requests. */
export interface Comparison {
  readonly arrivals: readonly Arrival[];
  readonly pooled: readonly (Flags | string)[];
  readonly unpooled: readonly (Flags | string)[];
  readonly isOff: boolean;
  /** For each batched answer, whether its flags were believed without a confirmation. */
  readonly believed: readonly boolean[];
  /** Requests of the batcher, calibration included. */
  readonly requests: ReferenceService["requests"];
}

/** The flags of an answer, in the order of their names in the interface. */
export type Flags = readonly string[];

const signal = new AbortController().signal;

/** @param maxItems Limit of items in a request. */
export async function compare(
  rule: Rule,
  seed: number,
  arrivalsBy = trappedQuestions,
  maxItems = MAX_BATCH_ITEMS,
): Promise<Comparison> {
  const random = seededRandom(seed);
  const arrivals = arrivalsBy(random);
  const unpooled = await Promise.all(arrivals.map(({ question }) => askUnpooled(question, new ReferenceService(rule))));
  const clock = new VirtualClock();
  const service = new ReferenceService(rule, delays(clock, random));
  const pool = poolOver(service, clock, random, maxItems);
  const answers = arrivals.map(async ({ question, lane, atMs }) => {
    if (atMs > 0) await clock.sleep(atMs);
    const outcome = await pool.ask(question, { lane, tenant: "" });
    const flags = outcome.ok ? flagsOf(outcome.value) : outcome.error.code;
    return { flags, isBelieved: outcome.ok && outcome.value.believed !== undefined };
  });
  const told = await clock.runUntil(Promise.all(answers));
  const pooled = told.map(({ flags }) => flags);
  const believed = told.map(({ isBelieved }) => isBelieved);
  return { arrivals, pooled, unpooled, believed, isOff: pool.isOff, requests: service.requests };
}

function poolOver(service: ReferenceService, clock: VirtualClock, random: Random, maxItems: number): PoisoningBatcher {
  const log = new FakeLog();
  return new PoisoningBatcher({
    weightOf: evenly,
    service,
    gate: openGate(clock, { random, log }),
    clock,
    random,
    signal,
    log,
    cacheBytes: 1e9,
    cacheAges: defaultAges,
    confirmShare: CONFIRM_SHARE,
    reach: { maxItems, hasBatches: true },
    observer: unobserved,
  });
}

/** Answers that arrive at once in some runs, and out of order in others. */
function delays(clock: VirtualClock, random: Random): () => Promise<void> {
  const longestMs = random() < 0.5 ? 0 : 50;
  return async () => {
    if (longestMs > 0) await clock.sleep(Math.ceil(random() * longestMs));
  };
}

/** Asks about each batch entry by itself. A '1' of any entry stands. A refused question gives the code of its error. */
async function askUnpooled(question: PoisoningQuestion, service: ReferenceService): Promise<Flags | string> {
  const answers = await Promise.all(partsOf(question).map((part) => askOnePart(part, service)));
  const refused = answers.find((answer) => answer instanceof ChainUnsupportedError);
  if (refused !== undefined) return refused.code;
  return answers
    .map((answer) => {
      if (answer instanceof AppError) throw new Error("the reference gave no answer", { cause: answer });
      return flagsOf(answer);
    })
    .reduce((a, b) => a.map((flag, i) => (flag === "1" ? flag : (b[i] ?? flag))));
}

async function askOnePart(part: BatchEntry, service: ReferenceService): Promise<PoisoningEvidence | AppError> {
  try {
    const evidence = (await askAlone(new AloneGroup(part), service, signal)).get(part);
    return evidence ?? new AnswerInvalidError("the reference gave no answer");
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}

function flagsOf({ target, token }: PoisoningEvidence): Flags {
  const flags = [target.is_poisoning, target.mimics_user, target.mimics_exchange];
  return token === undefined ? flags : [...flags, token.is_poisoning, token.mimics_top_token];
}
