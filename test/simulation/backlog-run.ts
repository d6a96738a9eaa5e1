import { queryObjects } from "node:v8";
import type { OutRecord, StreamRecord } from "../../src/kernel/stream.ts";
import { lacking, Verdict } from "../../src/messages/verdict.ts";
import type { FakeService } from "../fakes/fake-service.ts";
import { settled } from "../fakes/virtual-clock.ts";
import { reachableSizes } from "../support/reachable-sizes.ts";
import { running, SECOND } from "../support/running-groups.ts";
import { backlogEvent } from "./backlog-events.ts";
import { broughtBack } from "./brought-back.ts";
import { WaitingSlots } from "./waiting-slots.ts";

const STEP_MS = 500;
const FETCH = 20;
/** Events and tickets in flight. The bound is small, so that a short backlog fills it. */
export const IN_FLIGHT = 60;
const EVENTS = { events: IN_FLIGHT, span: IN_FLIGHT, bytes: 2 ** 26 };
const TICKETS = { events: 90, span: 180, bytes: 2 ** 26 };
const MINUTE_MS = 60 * SECOND;
const HOUR_MS = 60 * MINUTE_MS;
/** The fakes keep everything that they receive. That memory is not the worker's. */
const fakes = /\.(service|clock|log|publisher|consumer|sink|slots|events|retries)\b/;

export type Sizes = ReadonlyMap<string, number>;

/** A realtime backlog that a worker reads. The test decides how many permits come. */
export async function backlog(service: FakeService, events: number) {
  const slots = new WaitingSlots();
  const ran = await running(service, { slots, bounds: { realtime: EVENTS, backfill: EVENTS }, ticketBounds: TICKETS });
  const { clock, log, publisher, events: live, retries, worker, stopping, ended, bytes, pass } = ran;
  const waiting: StreamRecord[] = [];
  const offsets = new Map<string, number>();
  const final = new Set<string>();
  let [read, due] = [0, 0];

  const take = (record: OutRecord<Uint8Array>) => {
    if (record.topic.startsWith("retry")) {
      const offset = offsets.get(record.topic) ?? 0;
      offsets.set(record.topic, offset + 1);
      waiting.push(broughtBack(record, offset, clock.now()));
    } else if (record.topic === "verdicts") {
      const verdict = Verdict.parse(JSON.parse(Buffer.from(record.value).toString()));
      if (lacking(verdict) === undefined) final.add(verdict.verdict_id);
    }
  };
  const forgetFakes = () => {
    for (const record of publisher.records.splice(0)) take(record);
    for (const kept of [
      clock.slept,
      service.requests as unknown[],
      live.commits,
      retries.commits,
      log.lines as unknown[],
    ])
      kept.splice(0);
  };
  const fetch = () => {
    if (read < events && !live.paused.has("live/0")) {
      const batch = Array.from({ length: Math.min(FETCH, events - read) }, (_, at) => {
        const [value, timestamp] = [bytes(backlogEvent(read + at)), clock.now() - HOUR_MS];
        return { topic: "live", partition: 0, offset: read + at, timestamp, value, headers: {} };
      });
      if (live.handler.delivered(batch)) read += batch.length;
    }
    for (const topic of new Set(waiting.map((each) => each.topic))) {
      if (retries.paused.has(`${topic}/0`)) continue;
      const batch = waiting.filter((each) => each.topic === topic).slice(0, FETCH);
      for (const each of batch) waiting.splice(waiting.indexOf(each), 1);
      retries.handler.delivered(batch);
    }
  };

  return {
    get isRead() {
      return read === events;
    },
    get isDone() {
      return final.size === events && waiting.length === 0;
    },
    /** @param slotsPerSecond requests that may be sent. */
    async step(slotsPerSecond: number): Promise<void> {
      fetch();
      await settled();
      for (due += (slotsPerSecond * STEP_MS) / SECOND; due >= 1; due--) if (slots.next()) await settled();
      await pass(STEP_MS);
      forgetFakes();
    },
    pass,
    sizes(): Sizes {
      const { service: _, clock: __, policyFor: ___, ...parts } = worker;
      const held = Object.entries(parts).filter(([, part]) => typeof part === "object");
      const roots = { ...Object.fromEntries(held), events: live.handler, retries: retries.handler };
      const own = [...reachableSizes(roots)].filter(([name]) => !fakes.test(name.slice(name.search(/[.(]/))));
      return new Map([...own, ["promises", queryObjects(Promise, { format: "count" })], ["sleeping", clock.sleeping]]);
    },
    async end(): Promise<void> {
      stopping.abort();
      await pass(MINUTE_MS);
      await ended;
    },
  };
}
