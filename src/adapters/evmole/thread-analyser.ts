import path from "node:path";
import { Worker } from "node:worker_threads";
import type { CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import { withTimeout } from "../../kernel/async.ts";
import { toError } from "../../kernel/errors.ts";
import type { AnalysisRequest, ThreadAnswer } from "./analyse-thread.ts";

/** An analysis, or why there is none. */
export type AnalysisResult = { readonly analysis: CodeAnalysis } | { readonly failure: "too slow" | "too large" };

export interface ThreadAnalyser {
  /** Analyses runtime or creation code. One at a time: wait for the answer before asking again. Never rejects. */
  analyse(code: Uint8Array): Promise<AnalysisResult>;
  close(): Promise<void>;
}

export interface ThreadLimits {
  /** Longest time for one contract, milliseconds. */
  readonly timeoutMs: number;
  /** Most memory of the thread's objects, MiB. */
  readonly memoryMiB: number;
  /** Time that a thread has besides, for loading, when it is asked for the first time, milliseconds. */
  readonly startMs: number;
  /** Whether what was read is also tried out in an embedded machine. */
  readonly execute: boolean;
}

/** Part of the time after which the analysis itself stops looking; the rest is for its answer. */
const PATIENCE = 0.75;

/** The module that a thread runs: beside this one, compiled or not. */
const body = new URL(`./analyse-thread${path.extname(import.meta.filename)}`, import.meta.url);

/**
 * Analyses contracts in a thread of its own, which is ended and replaced when a contract takes too long or too much
 * memory: whatever the bytes, the caller goes on.
 */
export function openThreadAnalyser(limits: ThreadLimits, module = body): ThreadAnalyser {
  const { timeoutMs, memoryMiB, startMs, execute } = limits;
  let thread: Worker | undefined;
  const start = () => new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: memoryMiB } });
  const drop = async () => {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };
  return {
    async analyse(code) {
      const fresh = thread === undefined;
      const asked = thread ?? start();
      thread = asked;
      const question: AnalysisRequest = { code, patienceMs: timeoutMs * PATIENCE, execute };
      const said: { early: CodeAnalysis | undefined } = { early: undefined };
      const limitMs = timeoutMs + (fresh ? startMs : 0);
      try {
        return { analysis: await withTimeout(limitMs, "no answer", answerOf(asked, question, said)) };
      } catch (thrown) {
        await drop();
        // What was read stands, although trying it out did not end.
        if (said.early) return { analysis: { ...said.early, execution: { calls: 0, reason: "did not end in time" } } };
        return { failure: toError(thrown).message.startsWith("no answer") ? "too slow" : "too large" };
      }
    },
    close: drop,
  };
}

/** The last answer to one question; `said` gets what comes before. @throws what ended the thread: want of memory. */
async function answerOf(
  thread: Worker,
  question: AnalysisRequest,
  said: { early: CodeAnalysis | undefined },
): Promise<CodeAnalysis> {
  const { promise, resolve, reject } = Promise.withResolvers<CodeAnalysis>();
  const take = ({ analysis, final }: ThreadAnswer) => {
    if (final) resolve(analysis);
    else said.early = analysis;
  };
  thread.on("message", take);
  thread.once("error", reject);
  thread.postMessage(question);
  try {
    return await promise;
  } finally {
    thread.off("message", take);
    thread.off("error", reject);
  }
}
