import { expect, test } from "vitest";
import type { Answers } from "../../../src/worker/answers.ts";
import { failuresLaterMs } from "../../../src/worker/group/tiers.ts";
import { nextTicket } from "../../../src/worker/next-ticket.ts";
import type { Earlier } from "../../../src/worker/ports.ts";

const NOW = 1_767_225_600_000;
const source = { file: "in.ndjson", line: 1 } as const;
const times = { firstSeenAt: NOW, now: NOW };
const put = (ticket: Earlier | undefined, more: Partial<Answers>) => {
  const answers = { checks: [], open: [], laterMs: 30_000, isOverdue: false, isFailure: false, ...more };
  return nextTicket({ source, revision: 0, ...(ticket && { ticket }) }, "id", answers, times);
};

test("what is in progress comes back when its service says, however often it was put off before", () => {
  let ticket = put(undefined, {});
  for (let i = 2; i <= 8; i++) {
    ticket = put(ticket, {});
    expect(ticket).toMatchObject({ attempt: i, failures: 0, due_at: NOW + 30_000 });
  }
  // The first failure after that is asked about again as soon as any first one.
  expect(failuresLaterMs(ticket?.failures ?? -1)).toBe(10_000);
});

test("failures climb the tiers, and what is in progress between them does not", () => {
  const first = put(undefined, { isFailure: true });
  const second = put(first, {});
  const third = put(second, { isFailure: true });
  expect([first, second, third].map((ticket) => ticket?.failures)).toEqual([1, 1, 2]);
  expect([0, 1, 2, 3].map(failuresLaterMs)).toEqual([10_000, 60_000, 600_000, 600_000]);
});

test("of a ticket by an earlier version every attempt counts as a failure", () => {
  expect(put({ checks: [], attempt: 2 }, {})).toMatchObject({ attempt: 3, failures: 2 });
  expect(put({ checks: [], attempt: 2 }, { isFailure: true })).toMatchObject({ attempt: 3, failures: 3 });
});
