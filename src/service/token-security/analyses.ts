import type { TokenSecurityData } from "../../api/schemas/token-security.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";

/** The token and the chain of an analysis. */
export interface AnalysisKey {
  /** Canonical id, decimal. */
  readonly chainId: string;
  /** Canonical. */
  readonly address: string;
}

/** An answer with the time when it was made, in Unix milliseconds. */
export interface KeptAnswer {
  readonly data: TokenSecurityData;
  readonly madeAtMs: number;
}

/** Stores answers and open questions so that they outlive the process. */
export interface AnalysisStore {
  find(question: AnalysisKey): KeptAnswer | undefined;
  /** Stores the answer and closes the question. */
  keep(question: AnalysisKey, answer: KeptAnswer): void;
  open(question: AnalysisKey): void;
  /** Closes a question that got no answer. */
  drop(question: AnalysisKey): void;
  /** Open questions, the oldest first. */
  opened(): readonly AnalysisKey[];
}

/** The answer of an analysis, or the time until the next poll. */
export type AnalysisProgress = { readonly data: TokenSecurityData } | { readonly pollAfterSec: number };

/** Starts token analyses and returns their results. */
export interface Analyses {
  /**
   * Returns the current progress, and starts the analysis if it is not running. @throws the error of the last attempt,
   * for some seconds after the attempt.
   */
  ask(question: AnalysisKey): AnalysisProgress;
  /** Returns the progress once the analysis is done, or when `WAIT_MS` is over. */
  wait(question: AnalysisKey): Promise<AnalysisProgress>;
}

/** How long an answer stays fresh, milliseconds. Chosen: an owner can close a token at any time. */
const FRESH_MS = 600_000;
/**
 * How long an answer without a trial sale stays fresh, milliseconds. A pool may open, or a failed node may recover.
 * Chosen.
 */
const UNTRIED_FRESH_MS = 60_000;
/** Maximum number of answers in memory. Each takes about 2 kB. */
const MAX_ANSWERS = 20_000;
/** Maximum number of queued questions, and of parallel analyses. Chosen. */
const MAX_WAITING = 1_000;
const MAX_RUNNING = 4;
/**
 * Timeout of one analysis, and longest wait of a caller that asks to wait, in milliseconds. The server's own timeout is
 * longer.
 */
const ANALYSIS_MS = 15_000;
const WAIT_MS = 8_000;
/**
 * How long a failure is returned for the same question, milliseconds. The next question after that starts a new
 * attempt.
 */
const FAILURE_MS = 5_000;
/**
 * First estimate of an analysis's duration, milliseconds. WEIGHT is the weight of each new measurement in the moving
 * average.
 */
const FIRST_ESTIMATE_MS = 2_000;
const WEIGHT = 0.2;

interface Work {
  readonly question: AnalysisKey;
  readonly done: PromiseWithResolvers<void>;
}

export interface AnalysesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Runs one analysis. */
  readonly analyse: (question: AnalysisKey, signal: AbortSignal) => Promise<TokenSecurityData>;
  /** Without a store, answers and open questions end with the process. */
  readonly store?: AnalysisStore;
}

const keyOf = ({ chainId, address }: AnalysisKey) => `${chainId} ${address}`;

/**
 * Runs at most one analysis per question. MAX_RUNNING analyses run in parallel, and the others are queued in the order
 * of their first request. Questions that an earlier process left open are started again.
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

  /** A failed write is only a warning, because the answer in memory still serves. */
  const stored = (what: string, write: () => void) => {
    try {
      write();
    } catch (thrown) {
      log.warn("Weir cannot write the store of token analyses", { what, reason: toError(thrown).message });
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
      log.warn("Weir could not analyse a token", { ...question, reason: error.message });
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

  /** Estimated time until an analysis behind `ahead` queued ones is done, in whole seconds. */
  const estimate = (ahead: number) => Math.max(1, Math.ceil(((ahead / MAX_RUNNING + 1) * typicalMs) / 1_000));

  const ask = (question: AnalysisKey): AnalysisProgress => {
    const key = keyOf(question);
    const known = fresh(question);
    if (known !== undefined) return { data: known.data };
    const asked = underWay.get(key);
    if (asked !== undefined) return { pollAfterSec: estimate(Math.max(0, waiting.indexOf(asked))) };
    const failed = failures.get(key);
    if (failed !== undefined && clock.ticks() < failed.until) throw failed.error;
    // A question that finds the queue full is not queued. The caller has to ask again after the queue has moved.
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
