import { afterEach, expect, test } from "vitest";
import { openThreadAnalyser, type ThreadAnalyser } from "../../../../src/adapters/evmole/thread-analyser.ts";
import { readCorpus } from "../../../corpus/corpus.ts";

let analyser: ThreadAnalyser | undefined;
afterEach(() => analyser?.close());

const code = readCorpus().find(({ contract }) => contract === "OwnerBurn")?.code ?? new Uint8Array();
const body = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

test("contracts are analysed in a thread, one after the other", async () => {
  analyser = openThreadAnalyser({ timeoutMs: 10_000, memoryMiB: 256, startMs: 10_000, execute: false });
  for (const bytes of [code, new Uint8Array(), code]) {
    const answer = await analyser.analyse(bytes);
    expect("analysis" in answer && answer.analysis.kind).toBe(bytes.length > 0 ? "token" : "empty");
  }
});

test("a thread that never answers is ended, and the next contract gets a new thread", async () => {
  const loop = body(
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ code }) => {
       if (code.length > 0) for (;;);
       parentPort.postMessage({ analysis: { kind: "empty" }, final: true });
     });`,
  );
  analyser = openThreadAnalyser({ timeoutMs: 100, memoryMiB: 64, startMs: 900, execute: false }, loop);

  expect(await analyser.analyse(code)).toEqual({ failure: "too slow" });
  expect(await analyser.analyse(new Uint8Array())).toEqual({ analysis: { kind: "empty" } });
});

test("a lack of memory ends the thread, not the process", async () => {
  const hoard = body(
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", () => { let kept; for (;;) kept = { kept }; });`,
  );
  analyser = openThreadAnalyser({ timeoutMs: 10_000, memoryMiB: 32, startMs: 10_000, execute: false }, hoard);

  expect(await analyser.analyse(code)).toEqual({ failure: "too large" });
});

test("the static analysis is kept when the execution does not end", async () => {
  const slow = body(
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {
       parentPort.postMessage({ analysis: { kind: "token" }, final: false });
       for (;;);
     });`,
  );
  analyser = openThreadAnalyser({ timeoutMs: 100, memoryMiB: 64, startMs: 900, execute: true }, slow);

  expect(await analyser.analyse(code)).toEqual({
    analysis: { kind: "token", execution: { calls: 0, reason: "did not end in time" } },
  });
});

test("a contract is executed in the thread", async () => {
  analyser = openThreadAnalyser({ timeoutMs: 10_000, memoryMiB: 384, startMs: 10_000, execute: true });
  const answer = await analyser.analyse(code);

  expect("analysis" in answer && answer.analysis.findings.moves_others_tokens.confidence).toBe(0.97);
});
