import type { TokenSecurityData } from "../../api/schemas/token-security.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";

/** Which token of which chain. */
export interface AnalysisKey {
  /** Canonical id, decimal. */
  readonly chainId: string;
  /** Canonical. */
  readonly address: string;
}

/** An answer, and when it was made, Unix milliseconds. */
export interface KeptAnswer {
  readonly data: TokenSecurityData;
  readonly madeAtMs: number;
}

/** Where answers and open questions outlive the process. */
export interface AnalysisStore {
  find(question: AnalysisKey): KeptAnswer | undefined;
  /** Also closes the question. */
  keep(question: AnalysisKey, answer: KeptAnswer): void;
  open(question: AnalysisKey): void;
  /** Closes a question that got no answer. */
  drop(question: AnalysisKey): void;
  /** Questions that are open, the oldest first. */
  opened(): readonly AnalysisKey[];
}

/** How far an analysis is. */
export type AnalysisProgress = { readonly data: TokenSecurityData } | { readonly pollAfterSec: number };

/** The analyses of a service. */
export interface Analyses {
  /** What is known now; begins the analysis when nobody has. @throws what the last try failed with, for some seconds. */
  ask(question: AnalysisKey): AnalysisProgress;
  /** The same once the analysis is done, or as it stands when patience ends. */
  wait(question: AnalysisKey): Promise<AnalysisProgress>;
}

/** How long an answer stands, milliseconds. Chosen: an owner can close a token at any time. */
const FRESH_MS = 600_000;
/** How long one stands that does not tell of selling: a pool may open, and a node may have failed the trials. Chosen. */
const UNTRIED_FRESH_MS = 60_000;
/** Answers in memory; each takes about 2 kB. */
const MAX_ANSWERS = 20_000;
/** Questions that wait at most, and analyses at once. Chosen. */
const MAX_WAITING = 1_000;
const MAX_RUNNING = 4;
/** Longest time for one analysis, milliseconds, and how long one waits who asked to. The server's own patience is longer. */
const ANALYSIS_MS = 15_000;
const WAIT_MS = 8_000;
/** For how long a failure is told to whoever asks again, milliseconds; then it is tried anew. */
const FAILURE_MS = 5_000;
/** What an analysis is taken to last before one was seen, milliseconds, and how much each one counts. */
const FIRST_ESTIMATE_MS = 2_000;
const WEIGHT = 0.2;

interface Work {
  readonly question: AnalysisKey;
  readonly done: PromiseWithResolvers<void>;
}

export interface AnalysesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Makes an answer. */
  readonly analyse: (question: AnalysisKey, signal: AbortSignal) => Promise<TokenSecurityData>;
  /** Without one, answers and questions end with the process. */
  readonly store?: AnalysisStore;
}

const keyOf = ({ chainId, address }: AnalysisKey) => `${chainId} ${address}`;

/**
 * One analysis for whoever asks, some at once, the others in line in the order of their first asking. What a former
 * process left open is begun again.
 */
export function openAnalyses({ clock, log, analyse, store }: AnalysesDeps): Analyses {
  const answers = new Map<string, KeptAnswer>();
  const failures = new Map<string, { readonly error: Error; readonly until: number }>();
  const underWay = new Map<string, Work>();
  const waiting: Work[] = [];
  let running = 0;
  let typicalMs = FIRST_ESTIMATE_MS;

  const remember = (key: string, answer: KeptAnswer) => {
    answers.delete(key);
    answers.set(key, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= MAX_ANSWERS) break;
      answers.delete(oldest);
    }
  };

  /** What cannot be written down is worth a warning; the answer in memory is as good. */
  const stored = (what: string, write: () => void) => {
    try {
      write();
    } catch (thrown) {
      log.warn("the store of token analyses cannot be written", { what, reason: toError(thrown).message });
    }
  };

  const isFresh = ({ madeAtMs, data }: KeptAnswer) => {
    const isTried = data.unknown?.includes("security_risks.is_honeypot") !== true;
    return clock.now() - madeAtMs < (isTried ? FRESH_MS : UNTRIED_FRESH_MS);
  };

  const fresh = (question: AnalysisKey) => {
    const known = answers.get(keyOf(question));
    if (known !== undefined) return isFresh(known) ? known : undefined;
    const kept = store?.find(question);
    if (kept === undefined || !isFresh(kept)) return undefined;
    remember(keyOf(question), kept);
    return kept;
  };

  const work = async ({ question, done }: Work) => {
    const key = keyOf(question);
    const began = clock.ticks();
    try {
      const answer = { data: await within(clock, analyse, question), madeAtMs: clock.now() };
      remember(key, answer);
      stored("keep", () => store?.keep(question, answer));
    } catch (thrown) {
      const error = toError(thrown);
      log.warn("a token could not be analysed", { ...question, reason: error.message });
      forgetOld(failures, clock.ticks());
      failures.set(key, { error, until: clock.ticks() + FAILURE_MS });
      stored("drop", () => store?.drop(question));
    }
    typicalMs += WEIGHT * (clock.ticks() - began - typicalMs);
    underWay.delete(key);
    done.resolve();
    running--;
    next();
  };

  const next = () => {
    while (running < MAX_RUNNING) {
      const first = waiting.shift();
      if (first === undefined) return;
      running++;
      void work(first);
    }
  };

  const begin = (question: AnalysisKey): void => {
    const begun = { question, done: Promise.withResolvers<void>() };
    underWay.set(keyOf(question), begun);
    waiting.push(begun);
    next();
  };

  /** Until the analysis of whoever stands `ahead` others behind is likely done, whole seconds. */
  const estimate = (ahead: number) => Math.max(1, Math.ceil(((ahead / MAX_RUNNING + 1) * typicalMs) / 1_000));

  const ask = (question: AnalysisKey): AnalysisProgress => {
    const key = keyOf(question);
    const known = fresh(question);
    if (known !== undefined) return { data: known.data };
    const asked = underWay.get(key);
    if (asked !== undefined) return { pollAfterSec: estimate(Math.max(0, waiting.indexOf(asked))) };
    const failed = failures.get(key);
    if (failed !== undefined && clock.ticks() < failed.until) throw failed.error;
    // Who finds no room is not in line: asking again after the line has moved is what gets a place.
    if (waiting.length >= MAX_WAITING) return { pollAfterSec: estimate(MAX_WAITING) };
    stored("open", () => store?.open(question));
    begin(question);
    return { pollAfterSec: estimate(waiting.length) };
  };

  for (const question of store?.opened() ?? []) if (waiting.length < MAX_WAITING) begin(question);

  return {
    ask,
    async wait(question) {
      const now = ask(question);
      const asked = underWay.get(keyOf(question));
      if ("data" in now || asked === undefined) return now;
      const over = new AbortController();
      const late = clock.sleep(WAIT_MS, over.signal).catch(() => {});
      await Promise.race([asked.done.promise, late]);
      over.abort();
      return ask(question);
    },
  };
}

async function within(
  clock: Clock,
  analyse: AnalysesDeps["analyse"],
  question: AnalysisKey,
): Promise<TokenSecurityData> {
  const patience = new AbortController();
  const finished = new AbortController();
  const late = () => patience.abort(new Error(`no analysis within ${ANALYSIS_MS} ms`));
  clock.sleep(ANALYSIS_MS, finished.signal).then(late, () => {});
  try {
    return await analyse(question, patience.signal);
  } finally {
    finished.abort();
  }
}

function forgetOld(failures: Map<string, { readonly until: number }>, now: number): void {
  for (const [key, { until }] of failures) if (until <= now) failures.delete(key);
}
