import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Verdict } from "../../src/events/verdict.ts";
import type { StreamRecord } from "../../src/kernel/stream.ts";
import { settled } from "../fakes/virtual-clock.ts";
import { running, SECOND } from "../support/running-groups.ts";
import { broughtBack } from "./brought-back.ts";
import { honestService } from "./honest-service.ts";
import { WaitingSlots } from "./waiting-slots.ts";

const QUOTA = 10;
const STEP_MS = 200;
const MINUTE_MS = 60 * SECOND;
const OUTAGE = { fromMs: 2 * MINUTE_MS, toMs: 3 * MINUTE_MS };

const addressOf = (role: string, n: number) =>
  `0x${createHash("sha256").update(`${role} ${n}`).digest("hex").slice(0, 40)}`;
/**
 * So many EVM transactions a second in realtime, a quota of ten requests a second, and a minute without a slot after two.
 *
 * @returns of each minute the share of events whose first verdict was UNKNOWN, and the requests about transactions in all.
 */
async function withOutage(perSecond: number, minutes: number) {
  const service = honestService();
  const slots = new WaitingSlots();
  const { clock, publisher, events: live, retries, stopping, ended, bytes, pass } = await running(service, { slots });
  const unknownIn = new Array<number>(minutes).fill(0);
  let [events, due, tokens, looked, brought] = [0, 0, 0, 0, 0];
  for (let ms = 0; ms < minutes * MINUTE_MS; ms += STEP_MS) {
    const batch: StreamRecord[] = [];
    for (due += (perSecond * STEP_MS) / SECOND; due >= 1; due--) {
      const value = bytes(transactionEvent(events));
      batch.push({ topic: "live", partition: 0, offset: events++, timestamp: clock.now(), value, headers: {} });
    }
    live.handler.delivered(batch);
    await settled();
    const isOut = ms >= OUTAGE.fromMs && ms < OUTAGE.toMs;
    for (tokens = isOut ? 0 : tokens + (QUOTA * STEP_MS) / SECOND; tokens >= 1; tokens--) {
      if (slots.next()) await settled();
    }
    for (; looked < publisher.records.length; looked++) {
      const record = publisher.records[looked];
      if (record?.topic.startsWith("retry") === true)
        retries.handler.delivered([broughtBack(record, brought++, clock.now())]);
      const said =
        record?.topic === "verdicts" ? Verdict.parse(JSON.parse(Buffer.from(record.value).toString())) : undefined;
      const minute = Math.floor(ms / MINUTE_MS);
      if (said?.revision === 0 && said.decision === "UNKNOWN") unknownIn[minute] = (unknownIn[minute] ?? 0) + 1;
    }
    await pass(STEP_MS);
  }
  stopping.abort();
  await pass(MINUTE_MS);
  await ended;
  const asked = service.requests.filter(({ route }) => route === "evmTransactionSecurity").length;
  return { unknownIn, events, asked };
}

function transactionEvent(i: number) {
  const transaction = { from: addressOf("from", i), to: addressOf("to", i), value: "1000", data: "0x" };
  const known = { user_addresses: [transaction.from], id: `w${i}`, checks: ["evm-security"] };
  return { type: "transaction", chain_id: "1", transaction, ...known };
}

test.each([3, 6, 8])(
  "after a minute without a slot no first verdict is UNKNOWN at %i transactions a second, 10 requests a second",
  async (perSecond) => {
    const { unknownIn, events, asked } = await withOutage(perSecond, 7);

    // The first minute after it catches up with what came during the outage.
    expect(unknownIn.slice(4)).toEqual([0, 0, 0]);
    expect(unknownIn[2]).toBeGreaterThan(0);
    // One question is one request, however often an event and its tickets ask it.
    expect(asked).toBeLessThanOrEqual(events);
  },
);
