import { expect, test } from "vitest";
import { allAborted } from "../../../../src/worker/simulation/all-aborted.ts";

const controllers = () => [new AbortController(), new AbortController()] as const;

test("aborts with the last of them, and for its reason", () => {
  const [a, b] = controllers();
  const { signal } = allAborted([a.signal, b.signal]);

  a.abort(new Error("first"));
  expect(signal.aborted).toBe(false);

  b.abort(new Error("last"));
  expect(signal.reason).toEqual(new Error("last"));
});

test("those that aborted before count", () => {
  const [a, b] = controllers();
  a.abort();

  const { signal } = allAborted([a.signal, b.signal]);
  expect(signal.aborted).toBe(false);

  b.abort();
  expect(signal.aborted).toBe(true);
});

test("when all have aborted before, so has it", () => {
  expect(allAborted([AbortSignal.abort("over"), AbortSignal.abort("over")]).signal.reason).toBe("over");
});

test("one signal given several times is that signal", () => {
  const [a] = controllers();

  expect(allAborted([a.signal, a.signal]).signal).toBe(a.signal);
});

test("once stopped it follows nobody", () => {
  const [a, b] = controllers();
  const { signal, stop } = allAborted([a.signal, b.signal]);

  stop();
  a.abort();
  b.abort();

  expect(signal.aborted).toBe(false);
});
