import RequestQueue from "kafkajs/src/network/requestQueue/index.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repairIdleSpin } from "../../../../../src/adapters/kafka/kafkajs-patches/idle-spin.ts";

/** A queue with one request in flight, its sent requests, and the number of its checks. */
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

test("an idle connection of kafkajs checks for requests all the time, without the patch", async () => {
  RequestQueue.prototype.scheduleCheckPendingRequests = unrepaired;
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(queue.looks).toBeGreaterThan(900);
});

test("a patched connection checks once, at the answer", async () => {
  repairIdleSpin();
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(10_000);

  expect(queue.looks).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("requests that wait for an answer are sent when it arrives, in order", () => {
  repairIdleSpin();
  for (const id of [1, 2, 3]) queue.request(id);
  expect(queue.sent).toEqual([1]);

  queue.answer(1);
  expect(queue.sent).toEqual([1, 2]);
  queue.answer(2);
  expect(queue.sent).toEqual([1, 2, 3]);
});

test("throttled requests are sent when the throttle ends, without another request", async () => {
  repairIdleSpin();
  queue.maybeThrottle(500);
  queue.request(1);
  await vi.advanceTimersByTimeAsync(499);
  expect(queue.sent).toEqual([]);

  await vi.advanceTimersByTimeAsync(2);
  expect(queue.sent).toEqual([1]);
  expect(queue.looks).toBeLessThan(10);
});

test("a request that becomes pending after an idle time is sent, too", async () => {
  repairIdleSpin();
  queue.request(1);
  queue.answer(1);
  await vi.advanceTimersByTimeAsync(5_000);
  queue.maybeThrottle(50);
  queue.request(2);
  await vi.advanceTimersByTimeAsync(51);

  expect(queue.sent).toEqual([1, 2]);
});

test("a second patch changes nothing", async () => {
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
