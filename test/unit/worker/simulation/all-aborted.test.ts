import { expect, test } from "vitest";
import { allAborted } from "../../../../src/worker/simulation/all-aborted.ts";

const controllers = () => [new AbortController(), new AbortController()] as const;

test("the signal aborts with the last of its signals, and for its reason", () => {
  const [a, b] = controllers();
  const { signal } = allAborted([a.signal, b.signal]);

  a.abort(new Error("first"));
  expect(signal.aborted).toBe(false);

  b.abort(new Error("last"));
  expect(signal.reason).toEqual(new Error("last"));
});

test("signals that aborted before count", () => {
  const [a, b] = controllers();
  a.abort();

  const { signal } = allAborted([a.signal, b.signal]);
  expect(signal.aborted).toBe(false);

  b.abort();
  expect(signal.aborted).toBe(true);
});

test("if all signals have aborted before, the result has too", () => {
  expect(allAborted([AbortSignal.abort("over"), AbortSignal.abort("over")]).signal.reason).toBe("over");
});

test("one signal given several times is returned unchanged", () => {
  const [a] = controllers();

  expect(allAborted([a.signal, a.signal]).signal).toBe(a.signal);
});

test("after stop the result follows no signal", () => {
  const [a, b] = controllers();
  const { signal, stop } = allAborted([a.signal, b.signal]);

  stop();
  a.abort();
  b.abort();

  expect(signal.aborted).toBe(false);
});
