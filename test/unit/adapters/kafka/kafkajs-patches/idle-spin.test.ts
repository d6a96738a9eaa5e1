import RequestQueue from "kafkajs/src/network/requestQueue/index.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repairIdleSpin } from "../../../../../src/adapters/kafka/kafkajs-patches/idle-spin.ts";

/** A queue of one request in flight, with what it sent and how often it looked for more. */
class Queue extends RequestQueue {
  readonly sent: number[] = [];
  looks = 0;

  constructor() {
    super({
      maxInFlightRequests: 1,
      requestTimeout: 30_000,
      enforceRequestTimeout: false,
      clientId: "weir",
      broker: "broker:9092",
      logger: { debug: () => undefined, warn: () => undefined },
    });
  }

  override checkPendingRequests(): void {
    this.looks += 1;
    super.checkPendingRequests();
  }

  request(correlationId: number): void {
    this.push({
      entry: { correlationId, resolve: () => undefined, reject: () => undefined },
      expectResponse: true,
      sendRequest: () => this.sent.push(correlationId),
    });
  }

  answer(correlationId: number): void {
    this.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 });
  }
}

let queue: Queue;
const unrepaired = RequestQueue.prototype.scheduleCheckPendingRequests;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  queue = new Queue();
});

afterEach(() => {
  queue.destroy();
  vi.useRealTimers();
});

test("an idle connection of kafkajs looks for requests all the time, until it is repaired", async () => {
  RequestQueue.prototype.scheduleCheckPendingRequests = unrepaired;
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(queue.looks).toBeGreaterThan(900);
});

test("a repaired one looks once, at the answer", async () => {
  repairIdleSpin();
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(10_000);

  expect(queue.looks).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("what waited for an answer is sent when it comes, in order", () => {
  repairIdleSpin();
  for (const id of [1, 2, 3]) queue.request(id);
  expect(queue.sent).toEqual([1]);

  queue.answer(1);
  expect(queue.sent).toEqual([1, 2]);
  queue.answer(2);
  expect(queue.sent).toEqual([1, 2, 3]);
});

test("what the broker throttled is sent when the throttle ends, with nobody else asking", async () => {
  repairIdleSpin();
  queue.maybeThrottle(500);
  queue.request(1);
  await vi.advanceTimersByTimeAsync(499);
  expect(queue.sent).toEqual([]);

  await vi.advanceTimersByTimeAsync(2);
  expect(queue.sent).toEqual([1]);
  expect(queue.looks).toBeLessThan(10);
});

test("what became pending after an idle time is sent too", async () => {
  repairIdleSpin();
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(5_000);
  queue.maybeThrottle(50);
  queue.request(2);
  await vi.advanceTimersByTimeAsync(51);

  expect(queue.sent).toEqual([1, 2]);
});

test("repairing twice is repairing once", async () => {
  repairIdleSpin();
  repairIdleSpin();
  queue.request(1);
  queue.request(2);
  queue.answer(1);

  expect(queue.sent).toEqual([1, 2]);
});

test("another version of kafkajs is refused", () => {
  expect(() => repairIdleSpin("2.3.0")).toThrow(
    "kafkajs is 2.3.0, and its idle connections are repaired for 2.2.4 only",
  );
});
