import path from "node:path";
import { describe, expect, test } from "vitest";
import { EventDeduplication } from "../../../../src/adapters/files/event-ids/event-deduplication.ts";
import { VerdictFile } from "../../../../src/adapters/files/output/verdict-file.ts";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { type ResumeDeps, resumableRecords } from "../../../../src/cli/screen/resume.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { Ticket } from "../../../../src/messages/ticket.ts";
import type { CheckEntry, Verdict } from "../../../../src/messages/verdict.ts";
import { RejectedError } from "../../../../src/worker/answers/service-errors.ts";
import { TicketBook } from "../../../../src/worker/checks/ticket-book.ts";
import { verdictIdOf } from "../../../../src/worker/plan/reading/record-identity.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { ticketOf } from "../../../fakes/tickets.ts";
import { forgetfulLog, workerFor } from "../../../fakes/worker.ts";
import { emptyFolder } from "../../../support/folder.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "1", address: target, user_addresses: [user], token_address: token };

/** Answered an hour before the start of the fake clock. */
const poisoned: CheckEntry = {
  ...answered("poisoning", {
    target: { ...clean.target, is_poisoning: "1", mimics_user: "1" },
    token: clean.token,
  }),
  answered_at: "2025-12-31T23:00:00.000Z",
};
const cleared: CheckEntry = {
  ...poisoned,
  requested_at: "2025-12-31T23:00:00.000Z",
  data: { target: clean.target, token: clean.token },
};
const unanswered: CheckEntry = {
  check: "token-security",
  outcome: "failed",
  cached: false,
  attempts: 5,
  error: { code: "SERVICE_UNAVAILABLE", detail: "503" },
};

/** The verdict of an earlier run on this record. */
function verdictOn(record: InputRecord, checks: readonly CheckEntry[], revision = 0): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: verdictIdOf(record),
    revision,
    event_id: record.defaultId,
    tenant: "",
    decision: "BLOCK",
    reasons: [{ check: "poisoning", finding: "is_poisoning", severity: "BLOCK", detail: "x" }],
    subject: { type: "unreadable", record_sha256: "00" },
    required_checks: [],
    checks: [...checks],
    policy: { id: "default", sha256: "00" },
    source: record.source,
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  };
}

/** Reads these records in a run after these verdicts and tickets. */
async function resume(
  records: readonly InputRecord[],
  left: readonly Verdict[] = [],
  tickets: readonly Ticket[] = [],
  waiting?: ResumeDeps["tally"]["waiting"],
) {
  const file = path.join(await emptyFolder(), "verdicts.ndjson");
  const before = await VerdictFile.open(file, "events.ndjson", () => undefined);
  for (const verdict of left) await before.write(verdict);
  await before.close();
  const verdicts = await VerdictFile.open(file, "events.ndjson", () => undefined);
  await verdicts.close();
  const book = new TicketBook(forgetfulLog, new FakeClock(0));
  const counted = { records: 0, repeated: 0, conflicting: 0 };
  const tally = {
    countRecord: () => counted.records++,
    countRepeated: () => counted.repeated++,
    countConflicting: () => counted.conflicting++,
    waiting,
  };
  async function* input() {
    yield records.map((record) => ({ ...record }));
  }
  const deps = {
    verdicts,
    tickets: new Map(tickets.map((each) => [each.verdict_id, each])),
    book,
    tally,
    seen: new EventDeduplication(path.join(await emptyFolder(), "ids.tmp"), seededRandom(1)),
  };
  const open: InputRecord[] = [];
  for await (const records of resumableRecords(input(), deps)) {
    for (const { verdictId, ...record } of records) {
      expect(verdictId).toBe(verdictIdOf(record));
      open.push(record);
    }
  }
  return { open, book, counted };
}

/** Screens these records with a service that flags only the target. @returns its verdicts, and the called routes. */
async function screened(open: readonly InputRecord[]) {
  const service = new FakeService()
    .on("poisoningBatch", ({ target_addresses: targets = [], token_addresses: tokens = [] }) => {
      const flags = { ...clean.target, is_poisoning: "1", mimics_user: "1" };
      const data = {
        target_addresses: targets.map((item) => ({ ...item, ...flags })),
        token_addresses: tokens.map((item) => ({ ...item, ...clean.token })),
      };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    })
    .on("tokenSecurity", () => ({ code: "0", status: "ok", data: clean.tokenSecurity }) as ResponseOf<"tokenSecurity">);
  const sink = new FakeSink();
  const worker = workerFor(service, { sink });
  worker.pool.expectMore(false);
  for (const record of open) await screenRecord(record, worker);
  return { verdicts: sink.verdicts, routes: service.requests.map(({ route }) => route).toSorted() };
}

const records = [1, 2, 3].map((line) => recordOf(event, line));
const [first = recordOf(event), second = recordOf(event), third = recordOf(event)] = records;

/** The kept part of a readable record in flight. */
const kept = (record: InputRecord) => ({ ...record, bytes: new Uint8Array(), sizeBytes: record.bytes.byteLength });

test("every record is open in a new directory", async () => {
  const { open, counted } = await resume(records);

  expect(open).toEqual(records);
  expect(counted).toEqual({ records: 3, repeated: 0, conflicting: 0 });
});

test("a record with a verdict is skipped", async () => {
  const settled = answered("token-security", clean.tokenSecurity);

  const { open, counted } = await resume(records, [verdictOn(second, [poisoned, settled])]);

  expect(open).toEqual([first, third]);
  expect(counted).toEqual({ records: 3, repeated: 0, conflicting: 0 });
});

describe("a check that the service failed to answer", () => {
  test("is screened again for the next revision, with the present answers", async () => {
    const { open } = await resume(records, [verdictOn(second, [poisoned, unanswered], 1)]);

    expect(open).toEqual([first, { ...kept(second), revision: 2, ticket: { checks: [poisoned] } }, third]);
  });

  test("is screened again as a whole when it has no answer", async () => {
    const { open } = await resume([first], [verdictOn(first, [unanswered])]);

    expect(open).toEqual([{ ...kept(first), revision: 1 }]);
  });

  test("keeps the answers of the last verdict", async () => {
    const now = { ...poisoned, attempts: 7 };

    const { open } = await resume(
      [first],
      [verdictOn(first, [poisoned, unanswered]), verdictOn(first, [now, unanswered], 1)],
    );

    expect(open).toEqual([{ ...kept(first), revision: 2, ticket: { checks: [now] } }]);
  });

  test("is screened again as a whole when its answers are more than a day old", async () => {
    const old = { ...poisoned, answered_at: "2025-12-30T23:59:59.000Z" };
    const { open } = await resume([first], [verdictOn(first, [old, unanswered])]);
    const refused = () => {
      throw new RejectedError("the service answered 422");
    };
    const service = new FakeService().on("poisoningBatch", refused).on("tokenSecurity", refused);
    const worker = workerFor(service, {});
    worker.pool.expectMore(false);

    for (const record of open) await screenRecord(record, worker);

    expect(new Set(service.requests.map(({ route }) => route))).toEqual(new Set(["poisoningBatch", "tokenSecurity"]));
  });

  const beside: CheckEntry = {
    ...poisoned,
    outcome: "failed",
    error: { code: "USER_ADDRESS_INVALID", detail: "user_addresses[1]: not an EVM address" },
  };

  test.each<[string, InputRecord, CheckEntry]>([
    ["", first, poisoned],
    [", beside an impossible user", recordOf({ ...event, user_addresses: [user, "0x1"] }), beside],
  ])("stays BLOCK by its present answers%s, though the service answers nothing now", async (_name, record, known) => {
    const { open } = await resume([record], [verdictOn(record, [known, unanswered])]);
    const refused = () => {
      throw new RejectedError("the service answered 422");
    };
    const service = new FakeService().on("poisoningBatch", refused).on("tokenSecurity", refused);
    const sink = new FakeSink();
    const worker = workerFor(service, { sink });
    worker.pool.expectMore(false);

    for (const record of open) await screenRecord(record, worker);

    expect(sink.verdicts).toMatchObject([
      {
        decision: "BLOCK",
        revision: 1,
        checks: [known, { outcome: "failed", error: { code: "SERVICE_REJECTED" } }],
      },
    ]);
    expect(service.requests.map(({ route }) => route)).toEqual(["tokenSecurity"]);
  });

  test("repeats cleared answers: they may come from a batch with a canary that failed since", async () => {
    const { open } = await resume([first], [verdictOn(first, [cleared, unanswered])]);

    const { verdicts, routes } = await screened(open);

    expect(verdicts).toMatchObject([{ decision: "BLOCK", revision: 1 }]);
    expect(routes).toEqual(["poisoningBatch", "tokenSecurity"]);
  });

  test("is delayed again by tickets, like any other check", async () => {
    const { open } = await resume([first], [verdictOn(first, [poisoned, unanswered])]);
    const inProgress = { code: "0", status: "in progress", pollAfter: 60 } as ResponseOf<"tokenSecurity">;
    const book = new TicketBook(forgetfulLog, new FakeClock(0));
    const worker = workerFor(
      new FakeService().on("tokenSecurity", () => inProgress),
      { tickets: book },
    );

    for (const record of open) await screenRecord(record, worker);

    expect(book.take(Number.MAX_SAFE_INTEGER)?.ticket).toEqual({
      schema: "weir.ticket/1",
      verdict_id: verdictIdOf(first),
      source: first.source,
      revision: 1,
      attempt: 1,
      first_seen_at: worker.clock.now(),
      due_at: worker.clock.now() + 60_000,
      failures: 0,
      checks: [poisoned],
    });
  });
});

describe("a ticket of an earlier run", () => {
  const ticketFor = (record: InputRecord, own: Partial<Ticket>) =>
    ticketOf({ verdict_id: verdictIdOf(record), source: record.source, ...own });

  test("brings its record back when it is due, and not before", async () => {
    const ticket = ticketFor(second, { due_at: 5_000, checks: [poisoned] });

    const { open, book } = await resume(records, [], [ticket]);

    expect(open).toEqual([first, third]);
    expect(book.take(4_999)).toBeUndefined();
    expect(book.take(5_000)).toEqual({ ...kept(second), verdictId: verdictIdOf(second), revision: 0, ticket });
    expect(book.size).toBe(0);
  });

  test("brings back the record with a provisional UNKNOWN verdict", async () => {
    const overdue: CheckEntry = { ...unanswered, error: { code: "DEADLINE_PASSED", detail: "x" } };
    const ticket = ticketFor(first, { due_at: 5_000, revision: 1, checks: [poisoned] });

    const { open, book } = await resume([first], [verdictOn(first, [poisoned, overdue])], [ticket]);

    expect(open).toEqual([]);
    expect(book.take(5_000)).toEqual({ ...kept(first), verdictId: verdictIdOf(first), revision: 1, ticket });
  });

  test("clears no address: its answers may come from a batch with a canary that failed since", async () => {
    const { book } = await resume([first], [], [ticketFor(first, { due_at: 5_000, checks: [cleared] })]);
    const record = book.take(5_000);

    const { verdicts, routes } = await screened(record === undefined ? [] : [record]);

    expect(verdicts).toMatchObject([{ decision: "BLOCK", revision: 0 }]);
    expect(routes).toEqual(["poisoningBatch", "tokenSecurity"]);
  });

  test("for a verdict that was written since is obsolete", async () => {
    const ticket = ticketFor(first, { revision: 0, checks: [] });
    const settled = answered("token-security", clean.tokenSecurity);

    const answeredNow = await resume([first], [verdictOn(first, [poisoned, settled])], [ticket]);
    const failedNow = await resume([first], [verdictOn(first, [poisoned, unanswered])], [ticket]);

    expect([answeredNow.open, answeredNow.book.size]).toEqual([[], 0]);
    expect([failedNow.open, failedNow.book.size]).toEqual([
      [{ ...kept(first), revision: 1, ticket: { checks: [poisoned] } }],
      0,
    ]);
  });

  test("counts for the records that repeat its event, too", async () => {
    const [named, repeated] = [1, 2].map((line) => recordOf({ ...event, id: "order-7" }, line));
    if (named === undefined || repeated === undefined) throw new Error("two records");

    const { open, book, counted } = await resume([named, repeated], [], [ticketFor(named, {})]);

    expect([open, book.size, counted]).toEqual([[], 1, { records: 2, repeated: 1, conflicting: 0 }]);
  });
});

describe("another input", () => {
  const settled = [poisoned, answered("token-security", clean.tokenSecurity)];

  test("with another event on a screened line is refused", async () => {
    const other = recordOf({ ...event, address: user }, 2);

    const resumed = resume([first, other, third], [verdictOn(second, settled)]);

    await expect(resumed).rejects.toThrow(
      new OutputUnwritableError(
        "events.ndjson line 2 is not what was screened here before (another file, or other flags): choose another --out",
      ),
    );
  });

  test.each([
    [{ from: 2, to: 2, isQuoted: false }, "line 2"],
    [{ from: 2, to: 4, isQuoted: true }, "lines 2 to 4"],
  ])("is refused where a run with --finished screened lines that wait now: %j", async (waiting, lines) => {
    const resumed = resume(
      [first],
      [verdictOn(third, settled), verdictOn(second, settled)].slice(waiting.isQuoted ? 0 : 1),
      [],
      waiting,
    );

    await expect(resumed).rejects.toThrow(
      `the end of the input was screened here before and may still grow (${lines}): give --finished if nothing more comes, or choose another --out`,
    );
  });

  test("with lines that wait is refused for another missing line", async () => {
    const resumed = resume([first], [verdictOn(second, settled)], [], { from: 3, to: 3, isQuoted: false });

    await expect(resumed).rejects.toThrow(/^no longer in the input, though screened here before: 1 line /);
  });

  test("that lacks a screened line is refused at its end", async () => {
    const resumed = resume([first, second], [verdictOn(third, settled)]);

    await expect(resumed).rejects.toThrow(/^no longer in the input, though screened here before: 1 line /);
  });
});

test("an id of two different events of one tenant is counted, and both are open", async () => {
  const events = [
    { ...event, id: "order-7" },
    { ...event, id: "order-7", token_address: undefined },
    { ...event, id: "order-7", tenant: "acme", token_address: undefined },
    { ...event, id: "order-7" },
    { ...event, id: "order-8", user_addresses: [] },
  ];

  const { open, counted } = await resume(events.map((each, i) => recordOf(each, i + 1)));

  expect(open).toHaveLength(4);
  expect(counted).toEqual({ records: 5, repeated: 1, conflicting: 1 });
});
