import { parentPort } from "node:worker_threads";
import { systemClock } from "../../kernel/system-clock.ts";
import { analyseCode } from "../../service/bytecode/analyse-code.ts";
import { readSignatures } from "./read-signatures.ts";

/** What the thread is asked: the bytes of a contract, and for how long to look, milliseconds. */
export interface Question {
  readonly code: Uint8Array;
  readonly patienceMs: number;
}

// The body of a thread: one answer for each question, in order. It is ended from outside when an answer is late.
parentPort?.on("message", ({ code, patienceMs }: Question) => {
  const until = systemClock.ticks() + patienceMs;
  parentPort?.postMessage(analyseCode(code, readSignatures, () => systemClock.ticks() < until));
});
