import { expect, test } from "vitest";
import { Alarm } from "../../../../../src/worker/rate-limit/breaker/alarm.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

function alarmed() {
  const clock = new VirtualClock(0);
  const rung: number[] = [];
  const ending = new AbortController();
  return { alarm: new Alarm(clock, ending.signal, () => rung.push(clock.ticks())), clock, rung, ending };
}

test("an alarm rings once, on one timer, however often it is set to the same or a later time", async () => {
  const { alarm, clock, rung } = alarmed();
  for (const at of [700, 700, 900]) alarm.set(at);
  await clock.advance(699);
  expect(rung).toEqual([]);
  await clock.advance(10_000);

  expect([rung, clock.slept]).toEqual([[700], [700]]);
});

test("an alarm that is set to an earlier time rings then, and can be set again", async () => {
  const { alarm, clock, rung } = alarmed();
  alarm.set(700);
  alarm.set(200);
  await clock.advance(200);
  expect(rung).toEqual([200]);
  alarm.set(300);
  await clock.advance(100);

  expect(rung).toEqual([200, 300]);
});

test("an alarm for a time that has passed rings at once", async () => {
  const { alarm, clock, rung } = alarmed();
  await clock.advance(500);
  alarm.set(300);
  await clock.advance(0);

  expect([rung, clock.slept]).toEqual([[500], [0]]);
});

test("an alarm never rings after its signal aborts, and leaves no timer", async () => {
  const { alarm, clock, rung, ending } = alarmed();
  alarm.set(700);
  ending.abort(new Error("the end"));
  await clock.advance(1_000);

  expect([rung, clock.sleeping]).toEqual([[], 0]);
});
