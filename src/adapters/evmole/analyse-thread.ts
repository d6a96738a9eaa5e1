import { parentPort } from "node:worker_threads";
import { analyseCode, type CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import { confirmed } from "../../evm-analysis/findings/confirm.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openMachine } from "../ethereumjs/open-machine.ts";
import { readSignatures } from "./read-signatures.ts";

/** A request to the thread: the bytes of a contract, and the time for the analysis, milliseconds. */
export interface AnalysisRequest {
  readonly code: Uint8Array;
  readonly patienceMs: number;
  /** Whether the code is also executed. */
  readonly execute: boolean;
}

/**
 * An answer of the thread; the last answer when `final`. The result of the static analysis is sent before the
 * execution, which may never end.
 */
export interface ThreadAnswer {
  readonly analysis: CodeAnalysis;
  readonly final: boolean;
}

/** Gas of one call: enough for a transfer with fees, and at most a fraction of a second for any instructions. */
const GAS = 500_000n;

// The body of the thread. The main thread ends the thread when an answer is late.
parentPort?.on("message", async ({ code, patienceMs, execute }: AnalysisRequest) => {
  const until = systemClock.ticks() + patienceMs;
  const alive = () => systemClock.ticks() < until;
  const tell = (answer: ThreadAnswer) => parentPort?.postMessage(answer);
  const analysis = analyseCode(code, readSignatures, alive);
  tell({ analysis, final: !execute });
  if (!execute) return;
  const open = (runtime: Uint8Array) => openMachine(runtime, GAS);
  tell({ analysis: await confirmed(code, analysis, readSignatures, open, alive), final: true });
});
