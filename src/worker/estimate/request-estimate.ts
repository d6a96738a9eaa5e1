import type { Random } from "../../kernel/retry.ts";
import { AnswerCache, type CachedQuestion, textCache } from "../answers/answer-cache.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import { type BatchEntry, partsOf, textOf } from "../batching/batch-entry.ts";
import { ByPart } from "../batching/replies/by-part.ts";
import { questionKey } from "../checks/question-key.ts";
import type { PoisoningQuestion, Question } from "../plan/question.ts";
import { cutGroup } from "../simulation/cut-group.ts";
import type { SolanaDecoder } from "../simulation/decoder.ts";
import { type LockSets, locksForSharing } from "../simulation/locks.ts";
import { withStructured } from "../simulation/structured-locks.ts";
import { DistinctCount } from "./distinct-count.ts";
import { Packing } from "./packing.ts";
import { type TypicalAnswer, typicalAnswers } from "./typical-answers.ts";

/** Checks that a service answers. */
export const estimatedChecks = [
  "poisoning",
  "token-security",
  "classification",
  "solana-simulation",
  "tron-security",
  "evm-security",
] as const satisfies readonly Question["check"][];
export type EstimatedCheck = Question["check"];

export interface RequestEstimateOptions {
  /** Reads serialized transactions. */
  readonly decoder: SolanaDecoder;
  /** Limit of events in work at once, at least 1. */
  readonly window: number;
  /** Limit of Solana transactions in a request, if the service allows as many. */
  readonly groupMax: number;
  readonly reach: ServiceReach;
  /** Memory limit of each of the two answer caches (batched poisoning answers; all other answers), in bytes. */
  readonly cacheBytes: number;
  /** Cache age of answers, milliseconds. */
  readonly cacheAgeMs: number;
  readonly random: Random;
}

/** The estimate for the questions of one check. */
export interface CheckForecast {
  readonly questions: number;
  /** Distinct questions, and whether their count is exact. */
  readonly distinct: number;
  readonly isExact: boolean;
  /** Smallest number of requests, if cached answers have the typical size. */
  readonly requests: number;
}

/** Limit of distinct texts that are counted exactly. Beyond it the count is an estimate. */
const MAX_EXACT = 2 ** 20;

class CheckCount {
  readonly distinct = new DistinctCount(MAX_EXACT);
  questions = 0;
  requests = 0;

  get result(): CheckForecast {
    const { questions, requests, distinct } = this;
    return { questions, distinct: distinct.size, isExact: distinct.isExact, requests };
  }
}

/** A clock that stands still. */
const atOnce = { now: () => 0, ticks: () => 0 };

/**
 * Questions to the service, and an estimate of their requests. No address is flagged, and every answer arrives at once.
 */
export class RequestEstimate {
  readonly #options: RequestEstimateOptions;
  readonly #decoder: SolanaDecoder;
  readonly #counts = {
    poisoning: new CheckCount(),
    "token-security": new CheckCount(),
    classification: new CheckCount(),
    "solana-simulation": new CheckCount(),
    "tron-security": new CheckCount(),
    "evm-security": new CheckCount(),
  } as const satisfies Record<EstimatedCheck, CheckCount>;
  readonly #packing: Packing;
  readonly #ofPool: AnswerCache<BatchEntry, readonly string[]>;
  readonly #ofOthers: AnswerCache<string, readonly string[]>;
  #simulations: readonly { readonly locks: LockSets | undefined }[] = [];
  /** Accounts that a simulation may show as receivers. */
  #receivers = 0;

  constructor(options: RequestEstimateOptions) {
    this.#options = options;
    this.#decoder = withStructured(options.decoder);
    this.#packing = new Packing(options.window, options.random, options.reach);
    const ages = { clean: 0, raised: 0, backfill: options.cacheAgeMs };
    const byPart = new ByPart<CachedQuestion<BatchEntry, readonly string[]>>();
    this.#ofPool = new AnswerCache(options.cacheBytes, ages, atOnce, byPart);
    this.#ofOthers = textCache(options.cacheBytes, ages, atOnce);
  }

  get receivers(): number {
    return this.#receivers;
  }

  /** Requests that `Packing.confirmations` counts. The number is complete after the last question. */
  get confirmations(): number {
    return this.#packing.confirmations;
  }

  /** All requests, if each entry takes one request by itself. */
  get unpooled(): number {
    return this.#packing.unpooled;
  }

  ask(question: Question): void {
    const count = this.#counts[question.check];
    count.questions++;
    switch (question.check) {
      case "poisoning":
        if ("parties" in question) {
          for (const party of question.parties) {
            this.#askParts({ check: "poisoning", chain: question.chain, users: question.users, ...party });
          }
          return;
        }
        if (!("target" in question)) {
          this.#receivers += question.candidates.length;
          return;
        }
        this.#askParts(question);
        return;
      case "token-security": {
        const { check, chain } = question;
        const tokens = "token" in question ? [question.token] : question.tokens;
        for (const token of tokens) this.#askShared(check, questionKey({ check, chain, token }));
        return;
      }
      case "classification":
        this.#askShared(question.check, questionKey(question));
        return;
      case "solana-simulation": {
        count.distinct.add(`${count.questions}`);
        const locks = locksForSharing(question.transactions.map((each) => this.#decoder.locksOf(each)));
        this.#simulations = [...this.#simulations, { locks }];
        if (this.#simulations.length >= Math.min(this.#options.window, MOST_WAITING)) this.#cutSimulations();
        return;
      }
      case "tron-security":
      case "evm-security":
        count.distinct.add(`${count.questions}`);
        count.requests++;
        return;
    }
  }

  /** The estimate by check. No question may be added afterwards. */
  finish(): Readonly<Record<EstimatedCheck, CheckForecast>> {
    while (this.#simulations.length > 0) this.#cutSimulations();
    this.#counts.poisoning.requests = this.#packing.finish();
    return {
      poisoning: this.#counts.poisoning.result,
      "token-security": this.#counts["token-security"].result,
      classification: this.#counts.classification.result,
      "solana-simulation": this.#counts["solana-simulation"].result,
      "tron-security": this.#counts["tron-security"].result,
      "evm-security": this.#counts["evm-security"].result,
    };
  }

  #askShared(check: "token-security" | "classification", key: string): void {
    const count = this.#counts[check];
    count.distinct.add(key);
    if (isNew(key, check, this.#ofOthers)) count.requests++;
  }

  #askParts(question: PoisoningQuestion): void {
    for (const part of partsOf(question, this.#options.reach.maxItems)) this.#askPart(part);
  }

  #askPart(part: BatchEntry): void {
    this.#counts.poisoning.distinct.add(textOf(part));
    const answer = part.token === undefined ? "poisoning" : "poisoningWithToken";
    if (isNew(part, answer, this.#ofPool)) this.#packing.add(part);
  }

  #cutSimulations(): void {
    const { groupMax, reach } = this.#options;
    const group = new Set(cutGroup(this.#simulations, Math.min(groupMax, reach.maxTransactions)));
    this.#simulations = this.#simulations.filter((each) => !group.has(each));
    this.#counts["solana-simulation"].requests++;
  }
}

/** Limit of waiting simulations that are considered for one request. */
const MOST_WAITING = 256;

/** Whether the question has no cached answer. Caches a typical answer to it. */
function isNew<Q>(question: Q, answer: TypicalAnswer, remembered: AnswerCache<Q, readonly string[]>): boolean {
  if (remembered.find(question, "backfill") !== undefined) return false;
  remembered.keep(question, typicalAnswers[answer], { requests: 1, askedAt: 0, answeredAt: 0, cached: false }, false);
  return true;
}
