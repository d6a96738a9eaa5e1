import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import type { Ticket } from "../../../../src/messages/ticket.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import type { Outcome, OutcomeListener } from "../../../../src/worker/answers/outcome.ts";
import { RejectedError } from "../../../../src/worker/answers/service-errors.ts";
import { TicketBook } from "../../../../src/worker/checks/ticket-book.ts";
import { verdictIdOf } from "../../../../src/worker/plan/reading/record-identity.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import type { ScreenDeps } from "../../../../src/worker/screening/screening-task.ts";
import type { WorkerOptions } from "../../../../src/worker/worker.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 86_400_000;
const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "eth", address: target, user_addresses: [user], token_address: token };
/** An event with only one question. */
const { token_address: _none, ...plain } = event;
const realtime = recordOf({ ...event, lane: "realtime" });
const backfill = recordOf(event);

const inProgress = (pollAfter: number) =>
  ({ code: "0", status: "in progress", pollAfter }) as ResponseOf<"tokenSecurity">;
const analysed = { code: "0", status: "ok", data: clean.tokenSecurity } as ResponseOf<"tokenSecurity">;

/** Raises these flags on the target, and answers about the token as the test says. */
function service(
  tokenAnswer: (nth: number) => ResponseOf<"tokenSecurity"> | Promise<ResponseOf<"tokenSecurity">>,
  flags: Readonly<Record<string, string>> = {},
) {
  return new FakeService()
    .on("poisoningBatch", (request) => {
      const item = { chain_id: "1", address: target, ...clean.target, ...flags };
      const tokens = (request.token_addresses ?? []).map((each) => ({ ...each, ...clean.token }));
      return {
        code: "0",
        status: "ok",
        data: { target_addresses: [item], token_addresses: tokens },
      } as ResponseOf<"poisoningBatch">;
    })
    .on("tokenSecurity", (_request, nth) => tokenAnswer(nth));
}

/** A worker with a clock that the test moves, and its output. */
function worker(asked: FakeService, own: Partial<WorkerOptions<TicketBook>> = {}, parts: Partial<ScreenDeps> = {}) {
  const { clock = new VirtualClock(START) } = own as { readonly clock?: VirtualClock };
  const sink = new FakeSink();
  const tickets: Ticket[] = [];
  const order: string[] = [];
  const append = async (ticket: Ticket) => {
    tickets.push(ticket);
    order.push(`ticket ${ticket.revision}`);
  };
  const book = new TicketBook({ append }, clock);
  const onVerdict = ({ revision, decision }: Verdict) => order.push(`verdict ${revision} ${decision}`);
  const deps = workerFor(asked, { clock, sink, tickets: book, onVerdict, ...own });
  deps.pool.expectMore(false);
  const screen = (record: InputRecord) => screenRecord(record, { ...deps, ...parts });
  /** Screens the next due record. Returns false when none is due. */
  const bringBack = async () => {
    const record = book.take(clock.ticks());
    if (record === undefined) return false;
    const screening = screen(record);
    await settled();
    void screening;
    return true;
  };
  return { clock, verdicts: sink.verdicts, tickets, order, screen, bringBack };
}

const outcomes = ({ checks }: Verdict) => checks.map(({ check, outcome, error }) => [check, error?.code ?? outcome]);

describe("an overdue realtime event", () => {
  test("the event gets a provisional UNKNOWN, and its late answer becomes the next revision", async () => {
    const late = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const asked = service(() => late.promise);
    const { clock, verdicts, tickets, order, screen, bringBack } = worker(asked);

    const screening = screen(realtime);
    await clock.advance(29_999);
    expect(verdicts).toEqual([]);
    await clock.advance(1);
    await screening;

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts[0]).toMatchObject({ revision: 0, unanswered: true, decided_at: "2026-01-01T00:00:30.000Z" });
    expect(verdicts[0]?.checks).toMatchObject([
      { check: "poisoning", outcome: "ok" },
      {
        check: "token-security",
        outcome: "failed",
        attempts: 0,
        error: {
          code: "DEADLINE_PASSED",
          detail: "no answer in time; a later revision of this verdict will have it",
        },
      },
    ]);
    expect(tickets).toEqual([
      {
        schema: "weir.ticket/1",
        verdict_id: verdictIdOf(realtime),
        source: { file: "events.ndjson", line: 1 },
        revision: 1,
        attempt: 1,
        failures: 0,
        first_seen_at: START,
        due_at: START + 30_000,
        checks: [verdicts[0]?.checks[0]],
      },
    ]);

    await bringBack();
    await clock.advance(10 * MINUTE);
    expect(verdicts).toHaveLength(1);
    late.resolve(analysed);
    await settled();

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1", "verdict 1 ALLOW"]);
    expect(verdicts[1]).not.toHaveProperty("unanswered");
    expect(verdicts[1]?.verdict_id).toBe(verdicts[0]?.verdict_id);
    const askedAgain = { requested_at: "2026-01-01T00:10:30.000Z", answered_at: "2026-01-01T00:10:30.000Z" };
    expect(verdicts[1]?.checks[0]).toEqual({ ...verdicts[0]?.checks[0], ...askedAgain });
    expect(verdicts[1]?.checks[1]).toMatchObject({
      outcome: "ok",
      attempts: 1,
      requested_at: "2026-01-01T00:00:00.000Z",
      answered_at: "2026-01-01T00:10:30.000Z",
    });
    const routes = asked.requests.map(({ route }) => route);
    expect(routes.sort()).toEqual(["poisoningBatch", "poisoningBatch", "tokenSecurity"]);
  });

  test("the event waits no longer when the clock is set back while its verdict is written", async () => {
    const sink = { write: async () => clock.stepWall(-40 * DAY) };
    const { clock, tickets, order, screen, bringBack } = worker(
      service(() => Promise.withResolvers<ResponseOf<"tokenSecurity">>().promise),
      { sink },
    );

    const screening = screen(realtime);
    await clock.advance(30_000);
    await screening;

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(tickets[0]?.due_at).toBe(START - 40 * DAY + 30_000);
    expect(await bringBack()).toBe(true);
  });

  test("the event is BLOCK if that is already certain, and stays BLOCK", async () => {
    const late = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const asked = service(() => late.promise, { mimics_user: "1", is_poisoning: "1" });
    const { clock, verdicts, order, screen, bringBack } = worker(asked);

    const screening = screen(realtime);
    await clock.advance(30_000);
    await screening;
    await bringBack();
    late.reject(new RejectedError("the service answered 422"));
    await settled();

    expect(order).toEqual(["verdict 0 BLOCK", "ticket 1", "verdict 1 BLOCK"]);
    expect(verdicts.map(outcomes)).toEqual([
      [
        ["poisoning", "ok"],
        ["token-security", "DEADLINE_PASSED"],
      ],
      [
        ["poisoning", "ok"],
        ["token-security", "SERVICE_REJECTED"],
      ],
    ]);
  });

  test("the event gets its provisional verdict at once when the service states too long a delay", async () => {
    const asked = service((nth) => (nth === 1 ? inProgress(60) : analysed));
    const { clock, tickets, order, screen, bringBack } = worker(asked);

    await screen(realtime);
    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(tickets[0]).toMatchObject({ revision: 1, due_at: START + MINUTE, first_seen_at: START });
    expect(await bringBack()).toBe(false);
    await clock.advance(MINUTE);
    await bringBack();

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1", "verdict 1 ALLOW"]);
  });

  test("an event that was put off within its deadline is overdue by the time when it was first seen", async () => {
    const late = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const asked = service((nth) => (nth === 1 ? inProgress(20) : late.promise));
    const { clock, tickets, order, screen, bringBack } = worker(asked);

    await screen(realtime);
    expect(order).toEqual(["ticket 0"]);
    await clock.advance(20_000);
    await bringBack();
    await clock.advance(9_999);
    expect(order).toEqual(["ticket 0"]);
    await clock.advance(1);

    expect(order).toEqual(["ticket 0", "verdict 0 UNKNOWN", "ticket 1"]);
    expect(tickets[1]).toMatchObject({ revision: 1, attempt: 2, first_seen_at: START, due_at: START + 30_000 });
    late.resolve(analysed);
    await bringBack();

    expect(order).toEqual(["ticket 0", "verdict 0 UNKNOWN", "ticket 1", "verdict 1 ALLOW"]);
  });

  test("an event with all answers in time is not overdue", async () => {
    const answer = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const { clock, order, tickets, screen } = worker(service(() => answer.promise));

    const screening = screen(realtime);
    await clock.advance(29_999);
    answer.resolve(analysed);
    await screening;

    expect([order, tickets, clock.sleeping]).toEqual([["verdict 0 ALLOW"], [], 0]);
  });

  test("a later revision is never overdue, because no caller waits for it", async () => {
    const answer = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const { clock, order, screen } = worker(service(() => answer.promise));

    const screening = screen({ ...realtime, revision: 1 });
    await clock.advance(DAY);
    expect(order).toEqual([]);
    answer.resolve(analysed);
    await screening;

    expect(order).toEqual(["verdict 1 ALLOW"]);
  });
});

describe("a realtime event that is overdue when it is read", () => {
  const old = (content: Readonly<Record<string, unknown>>) => ({
    ...recordOf({ ...content, lane: "realtime" }),
    timestamp: START - DAY,
  });
  /** Answers about poisoning after `ms`. */
  const slow = (clock: VirtualClock, ms: number) =>
    new FakeService().on("poisoningBatch", async () => {
      await clock.sleep(ms);
      const item = { chain_id: "1", address: target, ...clean.target };
      const data = { target_addresses: [item], token_addresses: [] };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    });

  test("the event has a single verdict when its only question is answered within the grace", async () => {
    const clock = new VirtualClock(START);
    const { order, tickets, screen } = worker(slow(clock, 1_900), { clock });

    const screening = screen(old(plain));
    await clock.advance(1_900);
    await screening;

    expect([order, tickets]).toEqual([["verdict 0 ALLOW"], []]);
  });

  test("the event has a single verdict when both of its questions are answered within the grace", async () => {
    const answer = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const { clock, order, tickets, screen } = worker(service(() => answer.promise));

    const screening = screen(old(event));
    await clock.advance(1_999);
    expect(order).toEqual([]);
    answer.resolve(analysed);
    await screening;

    expect([order, tickets]).toEqual([["verdict 0 ALLOW"], []]);
  });

  test.each([
    ["one question", plain],
    ["two questions", event],
  ])("the event gets a provisional UNKNOWN once the grace is over, with %s", async (_what, content) => {
    const clock = new VirtualClock(START);
    const never = () => Promise.withResolvers<never>().promise;
    const { order, verdicts, tickets, screen } = worker(
      new FakeService().on("poisoningBatch", never).on("tokenSecurity", never),
      { clock },
    );

    const screening = screen(old(content));
    await clock.advance(1_999);
    expect(order).toEqual([]);
    await clock.advance(1);
    await screening;

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts[0]?.decided_at).toBe("2026-01-01T00:00:02.000Z");
    expect(tickets[0]).toMatchObject({ revision: 1, due_at: START + 2_000 });
  });

  test("the event has one grace, however often the service says that it is ready soon", async () => {
    const asked = service(() => inProgress(1));
    const { clock, verdicts, tickets, screen, bringBack } = worker(asked);

    void screen({ ...old(event), isCrowded: () => true });
    await clock.advance(1_000);
    await bringBack();
    await clock.advance(1_000);
    await bringBack();

    expect(tickets[0]).toMatchObject({ revision: 0, due_at: START + 1_000, deadline_at: START + 2_000 });
    expect(tickets[1]).toMatchObject({ revision: 1 });
    expect(tickets[1]).not.toHaveProperty("deadline_at");
    expect(verdicts[0]).toMatchObject({ revision: 0, decision: "UNKNOWN", decided_at: "2026-01-01T00:00:01.000Z" });
  });

  test("the event has a new grace when its ticket comes back too late", async () => {
    const answer = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const asked = service((nth) => (nth === 1 ? inProgress(20) : answer.promise));
    const { clock, order, screen, bringBack } = worker(asked);

    await screen(realtime);
    expect(order).toEqual(["ticket 0"]);
    await clock.advance(DAY);
    await bringBack();
    await clock.advance(1_999);
    expect(order).toEqual(["ticket 0"]);
    answer.resolve(analysed);
    await settled();

    expect(order).toEqual(["ticket 0", "verdict 0 ALLOW"]);
  });
});

describe("a backfill event", () => {
  test("the event has no deadline", async () => {
    const answer = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const { clock, order, screen } = worker(service(() => answer.promise));

    const screening = screen(backfill);
    await clock.advance(DAY);
    expect(order).toEqual([]);
    answer.resolve(analysed);
    await screening;

    expect(order).toEqual(["verdict 0 ALLOW"]);
  });

  test("the event is put off without a verdict, and a cached '0' is not asked for again", async () => {
    const asked = service((nth) => (nth === 1 ? inProgress(60) : analysed));
    const { clock, verdicts, tickets, order, screen, bringBack } = worker(asked, { cacheBytes: 1_000_000 });

    await screen(backfill);
    expect(order).toEqual(["ticket 0"]);
    expect(tickets[0]).toMatchObject({
      revision: 0,
      attempt: 1,
      first_seen_at: START,
      due_at: START + MINUTE,
      checks: [{ check: "poisoning", outcome: "ok", requested_at: "2026-01-01T00:00:00.000Z" }],
    });
    await clock.advance(MINUTE);
    await bringBack();

    expect(order).toEqual(["ticket 0", "verdict 0 ALLOW"]);
    expect(verdicts[0]?.checks).toMatchObject([
      { check: "poisoning", requested_at: "2026-01-01T00:00:00.000Z", cached: true, attempts: 0 },
      { check: "token-security", requested_at: "2026-01-01T00:01:00.000Z" },
    ]);
    expect(asked.sentTo("poisoningBatch")).toHaveLength(1);
    expect(asked.sentTo("tokenSecurity")).toHaveLength(2);
  });

  test.each([
    ["INFO", 2],
    ["WARN", 1],
    ["BLOCK", 1],
  ] as const)("an event with a '1' that is %s asks for it %i times", async (severity, times) => {
    const asked = service((nth) => (nth === 1 ? inProgress(60) : analysed), { is_poisoning: "1" });
    const { clock, order, screen, bringBack } = worker(asked, { policyFor: policyOf(severity) });

    await screen(backfill);
    await clock.advance(MINUTE);
    await bringBack();

    expect(order).toEqual(["ticket 0", `verdict 0 ${severity === "INFO" ? "ALLOW" : severity}`]);
    expect(asked.sentTo("poisoningBatch")).toHaveLength(times);
  });

  test("the event is put off for a day, ten times as the service says and then ever longer, and then is UNKNOWN", async () => {
    const asked = service(() => inProgress(60));
    const { clock, verdicts, tickets, order, screen, bringBack } = worker(asked);

    await screen(backfill);
    while (verdicts.length === 0) {
      await clock.advance(MINUTE);
      await bringBack();
    }

    expect(tickets.slice(0, 10).map(({ attempt, due_at }) => [attempt, due_at])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i + 1, START + (i + 1) * MINUTE]),
    );
    expect(tickets).toHaveLength(59);
    expect(tickets.at(-1)).toMatchObject({ due_at: START + DAY });
    expect(order.at(-1)).toBe("verdict 0 UNKNOWN");
    expect(verdicts[0]?.checks).toMatchObject([
      { check: "poisoning", outcome: "ok" },
      {
        check: "token-security",
        outcome: "failed",
        error: { code: "SERVICE_NOT_READY", detail: "the analysis was still in progress at the last poll" },
      },
    ]);
    expect(asked.sentTo("poisoningBatch")).toHaveLength(1);
    expect(asked.sentTo("tokenSecurity")).toHaveLength(60);
  });

  test.each([
    ["as long as the service wants, for a day at most", 7_200, [7_200_000, 14_400_000], DAY / 7_200_000, DAY],
    ["for two hours at most where the service wants longer", 1e9, [600_000, 1_200_000], 12, 7_200_000],
  ])("the event is put off %s, then it is UNKNOWN", async (_name, pollAfter, [first, second], times, last) => {
    const asked = service(() => inProgress(pollAfter));
    const { clock, verdicts, tickets, screen, bringBack } = worker(asked);

    await screen(backfill);
    for (let i = 0; i < 5 * times && verdicts.length === 0; i++) {
      await clock.advance(Math.max(0, (tickets.at(-1)?.due_at ?? 0) - clock.now()));
      await bringBack();
    }

    const due = tickets.map(({ due_at }) => due_at - START);
    expect([due[0], due[1], due.at(-1)]).toEqual([first, second, last]);
    expect(tickets.length).toBeLessThanOrEqual(times);
    expect(verdicts.map(outcomes)).toEqual([
      [
        ["poisoning", "ok"],
        ["token-security", "SERVICE_NOT_READY"],
      ],
    ]);
  });
});

describe("a realtime event with one question", () => {
  const one = recordOf({ ...plain, lane: "realtime" });

  /** A service that answers or fails when the test says so. */
  function late() {
    const answer = Promise.withResolvers<void>();
    const clean = service(() => analysed);
    const asked = new FakeService().on("poisoningBatch", async (request, _nth, signal) => {
      await answer.promise;
      return clean.ask("poisoningBatch", request, signal);
    });
    return { answer, ...worker(asked) };
  }

  test("an overdue event gets a provisional UNKNOWN, and its late answer becomes the next revision", async () => {
    const { answer, clock, verdicts, tickets, order, screen, bringBack } = late();

    const screening = screen(one);
    await clock.advance(29_999);
    expect(order).toEqual([]);
    await clock.advance(1);
    await screening;
    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts.map(outcomes)).toEqual([[["poisoning", "DEADLINE_PASSED"]]]);
    expect(tickets).toMatchObject([{ revision: 1, attempt: 1, due_at: START + 30_000, checks: [] }]);
    await bringBack();
    answer.resolve();
    await settled();

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1", "verdict 1 ALLOW"]);
    expect(clock.sleeping).toBe(0);
  });

  test("an overdue event ignores a later failure of its question", async () => {
    const { answer, clock, order, screen } = late();

    const screening = screen(one);
    await clock.advance(30_000);
    await screening;
    answer.reject(new TypeError("a bug"));
    await settled();

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
  });

  test("an event with a timely answer is not overdue, and leaves no timer", async () => {
    const { answer, clock, order, tickets, screen } = late();

    const screening = screen(one);
    await clock.advance(29_999);
    answer.resolve();
    await screening;

    expect([order, tickets, clock.sleeping]).toEqual([["verdict 0 ALLOW"], [], 0]);
  });

  test("an event with a bug before its deadline fails, and leaves no timer", async () => {
    const { answer, clock, order, screen } = late();
    const bug = new TypeError("a bug");

    const screening = screen(one);
    answer.reject(bug);

    await expect(screening).rejects.toBe(bug);
    expect([order, clock.sleeping]).toEqual([[], 0]);
  });
});

/** The default policy with another severity for is_poisoning. */
function policyOf(is_poisoning: "INFO" | "WARN" | "BLOCK"): ScreenDeps["policyFor"] {
  const { table } = defaultPolicy;
  const poisoning = { ...table.findings.poisoning, is_poisoning };
  const policy = { ...defaultPolicy, table: { ...table, findings: { ...table.findings, poisoning } } };
  return () => policy;
}

describe("an event with users that take two requests, one of which has no answer and the other a flag", () => {
  const target = { chain_id: "1", address: event.address, ...clean.target, is_poisoning: "1" } as const;
  const why = { code: "SERVICE_UNAVAILABLE", detail: "the service answered 503" };

  /** Screens the event with a batcher that answers in part at first, and in full from the second time on. */
  async function screened(severity: "WARN" | "BLOCK", lane: Lane = "backfill") {
    const evidence = [{ target, unanswered: [why] }, { target }];
    const outcome = (): Outcome<PoisoningEvidence> => {
      const [value = { target }] = evidence.splice(0, 1);
      return { ok: true, value, trace: { requests: 1, cached: false, askedAt: START, answeredAt: START } };
    };
    const pool = {
      ask: async () => outcome(),
      askFor: (told: OutcomeListener<PoisoningEvidence>) => {
        told.answered(outcome());
        return undefined;
      },
      withdraw: () => undefined,
    };
    const asked = worker(new FakeService(), { policyFor: policyOf(severity), failuresLaterMs: () => MINUTE }, { pool });
    await asked.screen(recordOf({ ...plain, lane }));
    return asked;
  }

  test("the event is put off and decided later, if the flag does not decide", async () => {
    const { clock, order, tickets, verdicts, bringBack } = await screened("WARN");

    expect([order, tickets[0]?.checks]).toEqual([["ticket 0"], []]);
    await clock.advance(MINUTE);
    await bringBack();
    expect(order).toEqual(["ticket 0", "verdict 0 WARN"]);
    expect(verdicts[0]?.checks[0]?.data).toEqual({ target });
  });

  test("the event gets a provisional UNKNOWN if a caller waits", async () => {
    const { order, verdicts } = await screened("WARN", "realtime");

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts[0]?.reasons.map(({ finding, severity }) => [finding, severity])).toEqual([
      ["DEADLINE_PASSED", "UNKNOWN"],
      ["is_poisoning", "WARN"],
      ["SERVICE_UNAVAILABLE", "UNKNOWN"],
    ]);
  });

  test.each(["backfill", "realtime"] as const)(
    "the event is BLOCK at once and for good if the flag decides (%s)",
    async (lane) => {
      const { order, verdicts } = await screened("BLOCK", lane);

      expect(order).toEqual(["verdict 0 BLOCK"]);
      expect(verdicts[0]?.checks[0]?.data).toEqual({ target, unanswered: [why] });
    },
  );
});

describe("a realtime event with users that take two requests, one of which is answered in time", () => {
  const users = Array.from({ length: 1_000 }, (_, i) => `0x${"7".repeat(36)}${i.toString(16).padStart(4, "0")}`);
  const record = recordOf({ ...plain, user_addresses: users, lane: "realtime" });
  const lastUser = users.at(-1);

  /**
   * Screens the event until it is overdue.
   *
   * @param raised Flags in the request that is answered.
   */
  async function overdue(severity: "WARN" | "BLOCK", raised: Readonly<Record<string, string>>) {
    const late = Promise.withResolvers<void>();
    const asked = new FakeService().on("poisoningBatch", async ({ user_addresses = [] }) => {
      const isLast = user_addresses.some(({ address }) => address === lastUser);
      if (isLast) await late.promise;
      const item = { chain_id: "1", address: target, ...clean.target, ...(isLast ? {} : raised) };
      return {
        code: "0",
        status: "ok",
        data: { target_addresses: [item], token_addresses: [] },
      } as ResponseOf<"poisoningBatch">;
    });
    const running = worker(asked, { policyFor: policyOf(severity), cacheBytes: 1e6 });
    const screening = running.screen(record);
    await running.clock.advance(30_000);
    await screening;
    return { ...running, late };
  }

  const flagged = { target: { chain_id: "1", address: target, ...clean.target, is_poisoning: "1" } };
  const unanswered = [{ code: "SERVICE_NOT_READY", detail: "no answer in time" }];

  test("the known flag is in the provisional verdict, and again in the next one", async () => {
    const { order, verdicts, late, bringBack } = await overdue("WARN", { is_poisoning: "1" });

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts[0]?.checks).toMatchObject([
      { check: "poisoning", outcome: "failed", attempts: 1, error: { code: "DEADLINE_PASSED" } },
    ]);
    expect(verdicts[0]?.checks[0]?.data).toEqual({ ...flagged, unanswered });
    expect(verdicts[0]?.reasons.map(({ finding, severity }) => [finding, severity])).toEqual([
      ["DEADLINE_PASSED", "UNKNOWN"],
      ["is_poisoning", "WARN"],
      ["SERVICE_NOT_READY", "UNKNOWN"],
    ]);
    await bringBack();
    late.resolve();
    await settled();
    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1", "verdict 1 WARN"]);
  });

  test("the event is BLOCK at once and for good if the flag suffices", async () => {
    const { order, verdicts, tickets } = await overdue("BLOCK", { is_poisoning: "1" });

    expect([order, tickets]).toEqual([["verdict 0 BLOCK"], []]);
    expect(verdicts[0]?.checks).toMatchObject([
      { check: "poisoning", outcome: "ok", data: { ...flagged, unanswered } },
    ]);
  });

  test("the provisional verdict has no evidence if the answer raised no flag", async () => {
    const { order, verdicts } = await overdue("BLOCK", {});

    expect(order).toEqual(["verdict 0 UNKNOWN", "ticket 1"]);
    expect(verdicts.map(outcomes)).toEqual([[["poisoning", "DEADLINE_PASSED"]]]);
    expect(verdicts[0]?.checks[0]?.data).toBeUndefined();
  });
});
