import { parentPort } from "node:worker_threads";
import { analyseCode, type CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import { confirmed } from "../../evm-analysis/findings/confirm.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openMachine } from "../ethereumjs/open-machine.ts";
import { readSignatures } from "./read-signatures.ts";

/** What the thread is asked: the bytes of a contract, and for how long to look, milliseconds. */
export interface AnalysisRequest {
  readonly code: Uint8Array;
  readonly patienceMs: number;
  /** Whether the code is run, too. */
  readonly execute: boolean;
}

/** An answer; the last one when `final`. What was read is told before it is tried out, which may never end. */
export interface ThreadAnswer {
  readonly analysis: CodeAnalysis;
  readonly final: boolean;
}

/** Gas of one call: enough for a transfer with fees, and a fraction of a second of any instructions. */
const GAS = 500_000n;

// The body of a thread: it is ended from outside when an answer is late.
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
