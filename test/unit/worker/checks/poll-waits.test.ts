import { expect, test } from "vitest";
import type { Polled } from "../../../../src/worker/checks/poll-waits.ts";
import { PollWaits } from "../../../../src/worker/checks/poll-waits.ts";

const ready: Polled<string> = { ok: true, value: "ready", trace: { requests: 2, cached: false } };
const always = () => true;
const never = () => false;

test("a crowded event leaves when the poll waits, and another event gets its answer", async () => {
  const waits = new PollWaits();
  const answer = Promise.withResolvers<Polled<string>>();
  const crowded = waits.unlessCrowded("q", answer.promise, always);
  const patient = waits.unlessCrowded("q", answer.promise, never);

  waits.begin("q", 3_000);
  expect(await crowded).toEqual({ ok: "later", afterMs: 3_000 });
  waits.end("q");
  answer.resolve(ready);
  expect(await patient).toEqual(ready);
});

test("an event that arrives while the poll waits leaves at once, and stays after the wait", async () => {
  const waits = new PollWaits();
  const answer = Promise.withResolvers<Polled<string>>();
  waits.begin("q", 2_000);
  expect(await waits.unlessCrowded("q", answer.promise, always)).toEqual({ ok: "later", afterMs: 2_000 });

  waits.end("q");
  const late = waits.unlessCrowded("q", answer.promise, always);
  answer.resolve(ready);
  expect(await late).toEqual(ready);
});

test("an event that becomes crowded leaves at the next wait", async () => {
  const waits = new PollWaits();
  let isCrowded = false;
  const asked = waits.unlessCrowded("q", new Promise<Polled<string>>(() => undefined), () => isCrowded);
  waits.begin("q", 1_000);
  waits.end("q");
  isCrowded = true;
  waits.begin("q", 4_000);

  expect(await asked).toEqual({ ok: "later", afterMs: 4_000 });
});

test("an event that stays is notified of the next wait, after others have left or have the answer", async () => {
  const waits = new PollWaits();
  const pending = new Promise<Polled<string>>(() => undefined);
  let isCrowded = false;
  const staying = waits.unlessCrowded("q", pending, () => isCrowded);
  expect(await waits.unlessCrowded("q", Promise.resolve(ready), never)).toEqual(ready);
  isCrowded = true;
  waits.begin("q", 5_000);

  expect(await staying).toEqual({ ok: "later", afterMs: 5_000 });
});

test("the wait of another question has no effect, and a failure is thrown on", async () => {
  const waits = new PollWaits();
  waits.begin("other", 1_000);
  const failing = waits.unlessCrowded("q", Promise.reject(new Error("stop")), always);

  await expect(failing).rejects.toThrow("stop");
});
