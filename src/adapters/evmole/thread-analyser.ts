import path from "node:path";
import { Worker } from "node:worker_threads";
import { toError } from "../../kernel/errors.ts";
import { within } from "../../kernel/within.ts";
import type { CodeAnalysis } from "../../service/bytecode/analyse-code.ts";
import type { Question } from "./analyse-thread.ts";

/** An analysis, or why there is none. */
export type Answer = { readonly analysis: CodeAnalysis } | { readonly failure: "too slow" | "too large" };

export interface ThreadAnalyser {
  /** Analyses runtime or creation code. One at a time: wait for the answer before asking again. Never rejects. */
  analyse(code: Uint8Array): Promise<Answer>;
  close(): Promise<void>;
}

export interface ThreadLimits {
  /** Longest time for one contract, milliseconds. */
  readonly timeoutMs: number;
  /** Most memory of the thread's objects, MiB. */
  readonly memoryMiB: number;
  /** Time that a thread has besides, for loading, when it is asked for the first time, milliseconds. */
  readonly startMs: number;
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
  const { timeoutMs, memoryMiB, startMs } = limits;
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
      const question: Question = { code, patienceMs: timeoutMs * PATIENCE };
      try {
        return { analysis: await within(timeoutMs + (fresh ? startMs : 0), "no answer", answerOf(asked, question)) };
      } catch (thrown) {
        await drop();
        return { failure: toError(thrown).message.startsWith("no answer") ? "too slow" : "too large" };
      }
    },
    close: drop,
  };
}

/** The answer to one question. @throws what ended the thread: with these bounds, want of memory. */
async function answerOf(thread: Worker, question: Question): Promise<CodeAnalysis> {
  const { promise, resolve, reject } = Promise.withResolvers<CodeAnalysis>();
  thread.once("message", resolve);
  thread.once("error", reject);
  thread.postMessage(question);
  try {
    return await promise;
  } finally {
    thread.off("message", resolve);
    thread.off("error", reject);
  }
}
