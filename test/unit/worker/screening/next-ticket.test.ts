import { expect, test } from "vitest";
import type { Answers } from "../../../../src/worker/checks/answers.ts";
import { failuresLaterMs } from "../../../../src/worker/consumer/tiers.ts";
import type { Earlier } from "../../../../src/worker/ports.ts";
import { nextTicket } from "../../../../src/worker/screening/next-ticket.ts";

const NOW = 1_767_225_600_000;
const source = { file: "in.ndjson", line: 1 } as const;
const times = { firstSeenAt: NOW, now: NOW, deadlineAt: Number.POSITIVE_INFINITY };
const put = (ticket: Earlier | undefined, more: Partial<Answers>) => {
  const answers = { checks: [], open: [], laterMs: 30_000, isOverdue: false, isFailure: false, ...more };
  return nextTicket({ source, revision: 0, ...(ticket && { ticket }) }, "id", answers, times);
};

test("a running analysis comes back when its service says, however often it was put off before", () => {
  let ticket = put(undefined, {});
  for (let i = 2; i <= 8; i++) {
    ticket = put(ticket, {});
    expect(ticket).toMatchObject({ attempt: i, failures: 0, due_at: NOW + 30_000 });
  }
  // The first failure after that is repeated as soon as any first failure.
  expect(failuresLaterMs(ticket?.failures ?? -1)).toBe(10_000);
});

test("a future deadline stays with the event in whole milliseconds, and a past deadline does not", () => {
  const answers = { checks: [], open: [], laterMs: 1_000, isOverdue: false, isFailure: false };
  const at = (deadlineAt: number, isOverdue = false) =>
    nextTicket({ source, revision: 0 }, "id", { ...answers, isOverdue }, { ...times, deadlineAt });

  expect(at(NOW + 2_000.4)).toMatchObject({ revision: 0, deadline_at: NOW + 2_000 });
  expect(at(Number.POSITIVE_INFINITY)).not.toHaveProperty("deadline_at");
  expect(at(NOW, true)).not.toHaveProperty("deadline_at");
});

const DAY = 86_400_000;
/** A ticket of an event that was first seen at `NOW`, made `ageMs` later. */
const putAt = (ageMs: number, ticket: Earlier | undefined, more: Partial<Answers> = {}) => {
  const answers = { checks: [], open: [], laterMs: 30_000, isOverdue: false, isFailure: false, ...more };
  const late = { ...times, now: NOW + ageMs };
  return nextTicket({ source, revision: 0, ...(ticket && { ticket }) }, "id", answers, late);
};

test("a running analysis is limited to a day, and by no number of tickets", () => {
  const often = { checks: [], attempt: 400, failures: 10 };

  expect(putAt(DAY - 1, often)).toMatchObject({ attempt: 401, failures: 10, due_at: NOW + DAY });
  expect(putAt(DAY, often)).toBeUndefined();
});

test("a pollAfter of two hours is followed, and with a longer one the service is polled for two hours", () => {
  const endless = { laterMs: 1e12 };

  expect(putAt(60_000, undefined, { laterMs: 7_200_000 })).toMatchObject({ due_at: NOW + 7_260_000 });
  expect(putAt(60_000, undefined, { laterMs: 7_200_001 })).toMatchObject({ due_at: NOW + 660_000 });
  expect(putAt(60_000, undefined, endless)).toMatchObject({ due_at: NOW + 660_000 });
  expect(putAt(7_000_000, undefined, endless)).toMatchObject({ due_at: NOW + 7_200_000 });
  expect(putAt(7_200_000, undefined, endless)).toBeUndefined();
});

test("after ten tickets each wait is a tenth of the time so far, or the service's delay if it is longer", () => {
  const tenth = { checks: [], attempt: 11, failures: 2 };
  const eleventh = { checks: [], attempt: 12, failures: 2 };

  expect(putAt(3_600_000, tenth)).toMatchObject({ due_at: NOW + 3_630_000 });
  expect(putAt(3_600_000, eleventh)).toMatchObject({ due_at: NOW + 3_960_000 });
  expect(putAt(3_600_000, eleventh, { laterMs: 500_000 })).toMatchObject({ due_at: NOW + 4_100_000 });
});

test("the eleventh failure is the last", () => {
  const failed = (failures: number) => put({ checks: [], attempt: 40, failures }, { isFailure: true });

  expect([failed(9)?.failures, failed(10)]).toEqual([10, undefined]);
});

test("failures climb the tiers, and a running analysis between them does not", () => {
  const first = put(undefined, { isFailure: true });
  const second = put(first, {});
  const third = put(second, { isFailure: true });
  expect([first, second, third].map((ticket) => ticket?.failures)).toEqual([1, 1, 2]);
  expect([0, 1, 2, 3].map(failuresLaterMs)).toEqual([10_000, 60_000, 600_000, 600_000]);
});

test("every attempt of an earlier version's ticket counts as a failure", () => {
  expect(put({ checks: [], attempt: 2 }, {})).toMatchObject({ attempt: 3, failures: 2 });
  expect(put({ checks: [], attempt: 2 }, { isFailure: true })).toMatchObject({ attempt: 3, failures: 3 });
});
