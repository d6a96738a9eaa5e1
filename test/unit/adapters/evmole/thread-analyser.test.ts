import { afterEach, expect, test } from "vitest";
import { openThreadAnalyser, type ThreadAnalyser } from "../../../../src/adapters/evmole/thread-analyser.ts";
import { readCorpus } from "../../../corpus/corpus.ts";

let analyser: ThreadAnalyser | undefined;
afterEach(() => analyser?.close());

const code = readCorpus().find(({ contract }) => contract === "OwnerBurn")?.code ?? new Uint8Array();
const body = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

test("a contract is analysed in a thread, one after the other", async () => {
  analyser = openThreadAnalyser({ timeoutMs: 10_000, memoryMiB: 256, startMs: 10_000 });
  for (const bytes of [code, new Uint8Array(), code]) {
    const answer = await analyser.analyse(bytes);
    expect("analysis" in answer && answer.analysis.kind).toBe(bytes.length > 0 ? "token" : "empty");
  }
});

test("a thread that never answers is ended, and the next contract gets another", async () => {
  const loop = body(
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ code }) => {
       if (code.length > 0) for (;;);
       parentPort.postMessage({ kind: "empty" });
     });`,
  );
  analyser = openThreadAnalyser({ timeoutMs: 100, memoryMiB: 64, startMs: 900 }, loop);

  expect(await analyser.analyse(code)).toEqual({ failure: "too slow" });
  expect(await analyser.analyse(new Uint8Array())).toEqual({ analysis: { kind: "empty" } });
});

test("want of memory ends the thread, not the process", async () => {
  const hoard = body(
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", () => { let kept; for (;;) kept = { kept }; });`,
  );
  analyser = openThreadAnalyser({ timeoutMs: 10_000, memoryMiB: 32, startMs: 10_000 }, hoard);

  expect(await analyser.analyse(code)).toEqual({ failure: "too large" });
});
