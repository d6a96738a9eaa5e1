import { expect, test } from "vitest";
import { Outage } from "../../../../../src/worker/rate-limit/breaker/outage.ts";

test("the silence lasts from the first request without an answer to the next answer", () => {
  const silence = new Outage();
  expect(silence.lastsMs(500)).toBe(0);
  silence.failed(1_000);
  silence.failed(3_000);
  expect(silence.lastsMs(4_000)).toBe(3_000);
  silence.answered(5_000);
  expect(silence.lastsMs(6_000)).toBe(0);
});

test("a listener is called once, and only after an outage", () => {
  const silence = new Outage();
  const told: number[] = [];
  silence.onOver(() => told.push(1));
  silence.answered(0);
  silence.failed(1_000);
  silence.answered(10_999);
  expect(told).toEqual([]);
  silence.failed(20_000);
  silence.answered(30_000);
  expect(told).toEqual([1]);
  silence.failed(50_000);
  silence.answered(90_000);
  expect(told).toEqual([1]);
});

test("a removed listener is not called", () => {
  const silence = new Outage();
  const told: number[] = [];
  const forget = silence.onOver(() => told.push(1));
  forget();
  silence.failed(0);
  silence.answered(60_000);
  expect(told).toEqual([]);
});
