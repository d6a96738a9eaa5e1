import path from "node:path";
import { Worker } from "node:worker_threads";
import type { CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import { withTimeout } from "../../kernel/async.ts";
import { toError } from "../../kernel/errors.ts";
import type { AnalysisRequest, ThreadAnswer } from "./analyse-thread.ts";

/** An analysis, or the reason for its absence. */
export type AnalysisResult = { readonly analysis: CodeAnalysis } | { readonly failure: "too slow" | "too large" };

export interface ThreadAnalyser {
  /**
   * Analyses runtime or creation code, one contract at a time: a caller waits for the answer before the next call.
   * Never rejects.
   */
  analyse(code: Uint8Array): Promise<AnalysisResult>;
  close(): Promise<void>;
}

export interface ThreadLimits {
  /** Longest time for one contract, milliseconds. */
  readonly timeoutMs: number;
  /** Memory limit of the thread's objects, MiB. */
  readonly memoryMiB: number;
  /** Extra time for the first request of a thread, in which the thread loads its modules, milliseconds. */
  readonly startMs: number;
  /** Whether the code is also executed in an embedded machine. */
  readonly execute: boolean;
}

/** Share of the time limit after which the analysis itself stops. The rest is for its answer. */
const PATIENCE = 0.75;

/** The module that a thread runs. It lies beside this file, compiled or not. */
const body = new URL(`./analyse-thread${path.extname(import.meta.filename)}`, import.meta.url);

/**
 * Analyses contracts in a separate thread. The thread is ended and replaced when a contract takes too much time or
 * memory, so no bytes can stop the caller.
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
        // The result of the static analysis is valid, although the execution did not end.
        if (said.early) return { analysis: { ...said.early, execution: { calls: 0, reason: "did not end in time" } } };
        return { failure: toError(thrown).message.startsWith("no answer") ? "too slow" : "too large" };
      }
    },
    close: drop,
  };
}

/**
 * The last answer to one request. `said` receives the earlier answers. @throws the error that ended the thread, such as
 * a lack of memory.
 */
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
