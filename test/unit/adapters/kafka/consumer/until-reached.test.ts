import kafkajs from "kafkajs";
import { expect, test } from "vitest";
import { untilReached } from "../../../../../src/adapters/kafka/consumer/until-reached.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const { KafkaJSConnectionError, KafkaJSNumberOfRetriesExceeded, KafkaJSNonRetriableError } = kafkajs;
const reset = () => new KafkaJSConnectionError("read ECONNRESET", { code: "ECONNRESET" });

function setup() {
  const stopping = new AbortController();
  const clock = new VirtualClock();
  const log = new FakeLog();
  return { stopping, clock, log, deps: { clock, random: () => 0.5, log, signal: stopping.signal } };
}

test("a broker that is down at the start is waited for", async () => {
  const { clock, log, deps } = setup();
  const outcomes = [reset(), new KafkaJSNumberOfRetriesExceeded(reset(), { retryCount: 8, retryTime: 1 }), "reached"];
  const reached = untilReached(async () => {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }, deps);

  expect(await clock.runUntil(reached)).toBe("reached");
  expect(clock.slept).toEqual([250, 500]);
  expect(log.messages("warn")).toEqual([
    "Weir does not reach Kafka yet and keeps trying",
    "Weir does not reach Kafka yet and keeps trying",
  ]);
});

test("after a minute the error has the reason and the remedy", async () => {
  const { clock, deps } = setup();
  const since = clock.ticks();
  const reached = untilReached(() => Promise.reject(reset()), deps);
  await expect(clock.runUntil(reached)).rejects.toMatchObject({
    code: "KAFKA_UNREACHABLE",
    message: expect.stringMatching(
      /^Kafka cannot be reached: the broker closed the connection at once: check that KAFKA_TLS/,
    ),
  });
  expect(clock.ticks() - since).toBeGreaterThanOrEqual(60_000);
  expect(clock.ticks() - since).toBeLessThan(66_000);
});

test("an error that a retry cannot repair is thrown at once", async () => {
  const { clock, deps } = setup();
  for (const error of [new KafkaJSNonRetriableError("denied"), new TypeError("a bug")]) {
    await expect(clock.runUntil(untilReached(() => Promise.reject(error), deps))).rejects.toBe(error);
  }
  expect(clock.slept).toEqual([]);
});

test.each(["a call that hangs", "a wait"])("a stop ends %s", async (what) => {
  const { stopping, deps } = setup();
  const reason = new Error("told to stop");
  const reached = untilReached(
    () => (what === "a wait" ? Promise.reject(reset()) : new Promise<never>(() => undefined)),
    deps,
  );
  await settled();
  stopping.abort(reason);

  await expect(reached).rejects.toBe(reason);
});
