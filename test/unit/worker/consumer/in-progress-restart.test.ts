import { expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { Verdict } from "../../../../src/messages/verdict.ts";
import { clean } from "../../../fakes/evidence.ts";
import type { FakeService } from "../../../fakes/fake-service.ts";
import { broughtBack } from "../../../simulation/brought-back.ts";
import { honestService } from "../../../simulation/honest-service.ts";
import { running, SECOND } from "../../../support/running-groups.ts";

const EVENTS = 100;
const POLL_AFTER_S = 120;
const POLLS = 3;
const STEP_MS = SECOND;
const TOKEN = `0x${"c".repeat(40)}`;

type Process = Awaited<ReturnType<typeof running>>;

/** A service that reports POLLS times that the analysis is in progress. */
function analysing(): FakeService {
  return honestService().on("tokenSecurity", (_request, nth) => {
    const data = { ...clean.tokenSecurity, address: `eth:${TOKEN}` };
    const answer =
      nth <= POLLS ? { code: "0", status: "in progress", pollAfter: POLL_AFTER_S } : { code: "0", status: "ok", data };
    return answer as unknown as ResponseOf<"tokenSecurity">;
  });
}

/**
 * Events about one token come within a minute, half of them before a restart and half after it.
 *
 * @returns the requests about the token, and the number of events with a verdict.
 */
async function asked(restartsAtMs: number) {
  const service = analysing();
  let [process, published] = [await running(service), 0];
  const offsets = new Map<string, number>();
  const tickets: ReturnType<typeof broughtBack>[] = [];
  const done = new Set<string>();
  const take = ({ publisher, clock }: Process) => {
    for (; published < publisher.records.length; published++) {
      const record = publisher.records[published];
      if (record?.topic.startsWith("retry") === true) {
        const offset = offsets.get(record.topic) ?? 0;
        offsets.set(record.topic, offset + 1);
        tickets.push(broughtBack(record, offset, clock.now()));
        process.retries.handler.delivered(tickets.slice(-1));
      } else if (record?.topic === "verdicts")
        done.add(Verdict.parse(JSON.parse(Buffer.from(record.value).toString())).verdict_id);
    }
  };
  for (let ms = 0; ms < 1_000 * SECOND; ms += STEP_MS) {
    if (ms === restartsAtMs) {
      process.stopping.abort();
      await process.pass(0);
      process = await running(service);
      published = 0;
      await process.pass(ms);
      // The group has committed none of the waiting retry tickets.
      for (const ticket of tickets) process.retries.handler.delivered([ticket]);
    }
    const n = ms / (0.6 * SECOND);
    for (let i = Math.ceil(n); i < n + STEP_MS / (0.6 * SECOND) && i < EVENTS; i++) {
      const address = `0x${i.toString(16).padStart(40, "d")}`;
      const event = { type: "address", chain_id: "1", address, user_addresses: [`0x${"b".repeat(40)}`] };
      const value = process.bytes({ ...event, token_address: TOKEN, id: `e${i}` });
      await process.deliver({ topic: "bulk", offset: i, value });
    }
    await process.pass(STEP_MS);
    take(process);
  }
  return { requests: service.sentTo("tokenSecurity").length, done: done.size };
}

test("a restart costs a token with an analysis in progress at most two requests", async () => {
  const without = await asked(Number.POSITIVE_INFINITY);
  const restarted = await asked(30 * SECOND);

  expect([without.done, restarted.done]).toEqual([EVENTS, EVENTS]);
  expect(without.requests).toBe(POLLS + 1);
  expect(restarted.requests).toBeLessThanOrEqual(without.requests + 2);
});
