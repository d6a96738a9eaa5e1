import { describe, expect, test } from "vitest";
import { type AppError, OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import {
  AnswerInvalidError,
  LoadRefusedError,
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import type { Gate, GateDeps, SentRequest } from "../../../../../src/worker/rate-limit/gate/gate.ts";
import { gateSlots } from "../../../../../src/worker/rate-limit/gate/gate-slots.ts";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";
import type { BatchWaiter, Waiter } from "../../../../../src/worker/rate-limit/queue/waiter.ts";
import { Headroom } from "../../../../../src/worker/rate-limit/sharing/headroom.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { ManualSlots } from "../../../../fakes/slots.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";
import { TokenBucket } from "../../../../quota/counters.ts";

const limited = new RateLimitedError("the service answered 429");
const unauthorized = new UnauthorizedError("the service answered 401");
const unavailable = new UnavailableError("the service answered 503");

function gateOf(own: Partial<GateDeps> = {}) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  let reloads = 0;
  const gate = openGate(clock, {
    log,
    reloadKey: async () => {
      reloads++;
      return false;
    },
    ...own,
  });
  return { gate, clock, log, reloads: () => reloads };
}

type Ending = { readonly value: unknown } | { readonly error: unknown };

/** A request with an answer that the test gives. `sentAt` is the time when it was sent. */
function requestTo(gate: Gate, clock: VirtualClock, event = "e", turn: Waiter | BatchWaiter = someTurn()) {
  const answer = Promise.withResolvers<string>();
  const state: { sentAt: number | undefined; ending: Ending | undefined } = { sentAt: undefined, ending: undefined };
  const start = clock.now();
  const sent: () => SentRequest<string> = () => {
    state.sentAt = clock.now() - start;
    return { events: [event], answer: answer.promise };
  };
  gate.run(sent, turn).then(
    (value) => {
      state.ending = { value };
    },
    (error: unknown) => {
      state.ending = { error };
    },
  );
  return { state, answer: answer.resolve, fail: answer.reject };
}

/** Makes one request that fails with this error. */
async function failing(gate: Gate, error: Error, event = "e"): Promise<void> {
  const running = gate.run(() => ({ events: [event], answer: Promise.reject(error) }), someTurn());
  await expect(running).rejects.toBe(error);
}

async function breakDown(gate: Gate): Promise<void> {
  for (let i = 0; i < 10; i++) await failing(gate, unavailable, `event ${i}`);
}

describe("a request is queued", () => {
  test("a request is queued from the time it asks for a permit until it is sent", async () => {
    const slots = new ManualSlots();
    const { gate, clock } = gateOf({ slots: { run: (job) => slots.run(() => job()), pace: () => undefined } });
    expect(gate.isQueued).toBe(false);
    const first = requestTo(gate, clock, "first");
    const second = requestTo(gate, clock, "second");
    await clock.advance(3_600_000);
    slots.give();
    await settled();
    expect([first.state.sentAt, second.state.sentAt, gate.isQueued]).toEqual([3_600_000, undefined, true]);
    slots.give();
    await settled();

    expect([second.state.sentAt, gate.isQueued]).toEqual([3_600_000, false]);
    first.answer("a");
    second.fail(unavailable);
    await settled();
    expect(gate.isQueued).toBe(false);
  });

  test("a request is queued while the circuit breaker is open, until the gate is abandoned", async () => {
    const { gate, clock } = gateOf();
    await breakDown(gate);
    const { state } = requestTo(gate, clock);
    await settled();
    expect(gate.isQueued).toBe(true);
    gate.abandon(new Error("the end"));
    await settled();

    expect(state.ending).toMatchObject({ error: { message: "the end" } });
    expect(gate.isQueued).toBe(false);
  });

  test.each([limited, unauthorized])("a request stays queued for a minute after %s", async (refusal) => {
    const { gate, clock } = gateOf();
    await failing(gate, refusal);
    await clock.advance(59_999);
    expect(gate.isQueued).toBe(true);
    await clock.advance(1);

    expect(gate.isQueued).toBe(false);
  });

  test.each([unavailable, new RejectedError("422")])("a request is not queued after %s", async (failure) => {
    const { gate } = gateOf();
    await failing(gate, failure);

    expect(gate.isQueued).toBe(false);
  });
});

test("the headroom observes 429s and all other answers", async () => {
  const told: string[] = [];
  const headroom = new Headroom(() => undefined);
  headroom.taken = () => void told.push("taken");
  headroom.refused = () => void told.push("refused");
  const { gate, clock } = gateOf({ headroom });
  await answering(gate);
  await failing(gate, new RejectedError("422"));
  await failing(gate, limited);
  await clock.advance(1_000);
  await failing(gate, unavailable);

  expect(told).toEqual(["taken", "taken", "refused"]);
});

const answering = (gate: Gate, value = "answer") =>
  gate.run(() => ({ events: ["e"], answer: Promise.resolve(value) }), someTurn());

describe("a request", () => {
  test("a request is sent when there is no pause, and its answer is returned", async () => {
    const { gate, clock } = gateOf();

    expect(await answering(gate)).toBe("answer");
    expect(gate.closed).toBeUndefined();
    expect(clock.slept).toEqual([]);
  });

  test("a request that has nothing left to send is no answer and does not count as one", async () => {
    const { gate, clock } = gateOf();
    await breakDown(gate);
    const idle = gate.run(() => undefined, someTurn());
    await clock.advance(1_000);

    expect(await idle).toBeUndefined();
    expect(gate.closed).toBe("failing");
    expect(await answering(gate)).toBe("answer");
  });

  test("the content of a request is decided when its permit comes, not before", async () => {
    const slots = new ManualSlots();
    const { gate, clock } = gateOf({ slots: { run: (job) => slots.run(job), pace: () => undefined } });
    const request = requestTo(gate, clock);
    await clock.advance(5_000);
    expect(request.state.sentAt).toBeUndefined();

    slots.give();
    await settled();

    expect(request.state.sentAt).toBe(5_000);
  });

  test("a backfill request moves to realtime once a realtime event needs the same answer", async () => {
    const slots = new ManualSlots();
    const { gate, clock } = gateOf({ slots: { run: (job) => slots.run(job), pace: () => undefined } });
    const first = requestTo(gate, clock, "first", someTurn("backfill"));
    const turn = someTurn("backfill");
    const second = requestTo(gate, clock, "second", turn);
    await settled();

    gate.join(turn, { lane: "realtime", tenant: "" });
    slots.give();
    await settled();

    expect([first.state.sentAt, second.state.sentAt]).toEqual([undefined, 0]);
  });

  test("a request with a permit that comes during a pause waits, and requests another permit", async () => {
    const slots = new ManualSlots();
    const { gate, clock } = gateOf({ slots: { run: (job) => slots.run(job), pace: () => undefined } });
    const first = requestTo(gate, clock);
    const second = requestTo(gate, clock);
    await settled();
    slots.give();
    await settled();
    first.fail(new RateLimitedError("429", 2_000));
    await settled();

    slots.give();
    await clock.advance(1_999);
    expect([second.state.sentAt, slots.requested]).toEqual([undefined, 0]);
    await clock.advance(1);
    expect([second.state.sentAt, slots.requested]).toEqual([undefined, 1]);
    slots.give();
    await settled();

    expect(second.state.sentAt).toBe(2_000);
  });

  test("a request for which no permit will come fails with the reason", async () => {
    const closed = new Error("the slots are closed");
    const { gate } = gateOf({ slots: { run: () => Promise.reject(closed), pace: () => undefined } });

    await expect(answering(gate)).rejects.toBe(closed);
    expect(gate.isQueued).toBe(false);
  });

  test("a request fails with the error of its answer, even a bug", async () => {
    const bug = new TypeError("x is undefined");
    const { gate } = gateOf();

    await failing(gate, bug);
    await failing(gate, new RejectedError("the service answered 422"));
    await expect(
      gate.run(() => {
        throw bug;
      }, someTurn()),
    ).rejects.toBe(bug);
    expect(gate.closed).toBeUndefined();
  });
});

describe("a used-up quota", () => {
  test("a 429 pauses all requests for as long as the service says", async () => {
    const { gate, clock, log } = gateOf();
    await failing(gate, new RateLimitedError("429", 7_000));
    expect(gate.closed).toBe("rate limited");
    const requests = [requestTo(gate, clock), requestTo(gate, clock)];

    await clock.advance(6_999);
    expect(requests.map(({ state }) => state.sentAt)).toEqual([undefined, undefined]);
    await clock.advance(1);

    expect(requests.map(({ state }) => state.sentAt)).toEqual([7_000, 7_000]);
    expect(gate.closed).toBeUndefined();
    expect(log.lines).toEqual([
      { level: "warn", message: "the quota is used up: everything waits", fields: { waitMs: 7_000 } },
    ]);
  });

  test.each([
    [new RateLimitedError("429"), [429]],
    [new LoadRefusedError("503", 1_000), [503]],
    [new RateLimitedError("403", 1_000, 403), [403]],
    [new RateLimitedError("too many requests", 1_000, 200), [200]],
    [new UnavailableError("503", { status: 503, retryAfterMs: 1_000 }), []],
    [new RejectedError("422"), []],
  ])("a refusal for load is reported with the status of its response: %s", async (error, statuses) => {
    const told: number[] = [];
    const { gate } = gateOf({ onLoadRefused: (status) => told.push(status) });

    await failing(gate, error);

    expect(told).toEqual(statuses);
  });

  test("429s without a wait pause for longer each time, up to a minute, until there is an answer", async () => {
    const { gate, clock, log } = gateOf();
    for (let i = 0; i < 9; i++) {
      await failing(gate, limited);
      await clock.advance(60_000);
    }
    await answering(gate);
    await failing(gate, limited);

    expect(log.lines.map(({ fields }) => fields?.["waitMs"])).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 250,
    ]);
  });

  test("429s of all requests in flight begin one pause, unless one announces a wait", async () => {
    const { gate, clock, log } = gateOf();
    const requests = Array.from({ length: 4 }, () => requestTo(gate, clock));
    await settled();

    requests[0]?.fail(limited);
    requests[1]?.fail(limited);
    await settled();
    requests[2]?.fail(new RateLimitedError("429", 9_000));
    requests[3]?.fail(new RateLimitedError("429", 3_000));
    await settled();
    const next = requestTo(gate, clock);
    await clock.advance(9_000);

    expect(log.lines.map(({ fields }) => fields?.["waitMs"])).toEqual([250, 9_000]);
    expect(next.state.sentAt).toBe(9_000);
  });

  test("429s of all requests in flight with a wait are logged once", async () => {
    const { gate, clock, log } = gateOf();
    const requests = Array.from({ length: 28 }, () => requestTo(gate, clock));
    await settled();

    for (const request of requests) {
      request.fail(new RateLimitedError("429", 9_000));
      await settled();
      await clock.advance(1);
    }

    expect(log.messages("warn")).toEqual(["the quota is used up: everything waits"]);
  });

  test("a 429 just after the end of a pause begins another pause", async () => {
    const { gate, clock, log } = gateOf();
    const late = requestTo(gate, clock);
    await settled();
    await failing(gate, new RateLimitedError("429", 1_000));
    await clock.advance(1_000);

    late.fail(limited);
    await settled();

    expect(log.lines.map(({ fields }) => fields?.["waitMs"])).toEqual([1_000, 250]);
    expect(gate.closed).toBe("rate limited");
  });

  test("a Retry-After of 0 backs off like no Retry-After", async () => {
    const { gate, log } = gateOf();

    await failing(gate, new RateLimitedError("429", 0));

    expect(log.lines.map(({ fields }) => fields?.["waitMs"])).toEqual([250]);
  });

  test("a 429 costs a question no attempt", () => {
    const { gate } = gateOf();

    expect(gate.isFree(limited)).toBe(true);
  });

  test("a 429 of a probe leaves the circuit breaker open, and the next probe is sent after the pause", async () => {
    const { gate, clock } = gateOf();
    await breakDown(gate);
    const probe = requestTo(gate, clock);
    await clock.advance(1_000);
    probe.fail(new RateLimitedError("429", 5_000));
    await settled();
    const next = requestTo(gate, clock);

    await clock.advance(4_999);
    expect(next.state.sentAt).toBeUndefined();
    await clock.advance(1);

    expect(next.state.sentAt).toBe(5_000);
    expect(gate.closed).toBe("failing");
  });
});

describe("a refused key", () => {
  test("a refused key stops all requests, is read again, and costs a question no attempt", async () => {
    const { gate, clock, log, reloads } = gateOf();
    await failing(gate, unauthorized);
    const [probe, other] = [requestTo(gate, clock), requestTo(gate, clock)];

    expect([gate.closed, reloads(), gate.isFree(unauthorized)]).toEqual(["unauthorized", 1, true]);
    await clock.advance(999);
    expect(probe.state.sentAt).toBeUndefined();
    await clock.advance(60_000);

    expect([probe.state.sentAt, other.state.sentAt]).toEqual([1_000, undefined]);
    expect(log.lines).toEqual([
      {
        level: "error",
        message: "the service refuses the API key: Weir sends only probes",
        fields: { isAnother: false },
      },
    ]);
  });

  test("a refused key is tried again with a probe, and an answer lets all requests pass", async () => {
    const { gate, clock, log, reloads } = gateOf();
    await failing(gate, unauthorized);
    const [first, second, third] = [requestTo(gate, clock), requestTo(gate, clock), requestTo(gate, clock)];
    await clock.advance(1_000);
    first.fail(unauthorized);
    await clock.advance(1_499);
    expect([second.state.sentAt, reloads()]).toEqual([undefined, 2]);
    await clock.advance(1);
    expect([second.state.sentAt, third.state.sentAt]).toEqual([2_500, undefined]);
    second.answer("answer");
    await settled();

    expect(third.state.sentAt).toBe(2_500);
    expect(gate.closed).toBeUndefined();
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["error", "the service refuses the API key: Weir sends only probes"],
      ["info", "the service answers again"],
    ]);
  });

  test("a refused key that cannot change ends the run at once", async () => {
    const { gate, clock } = gateOf({ keyIsFixed: true });
    await failing(gate, unauthorized);

    await expect(answering(gate)).rejects.toThrow(new ServiceDownError("the API key is refused"));
    expect(clock.slept).toEqual([]);
  });

  test("a refused key ends the run when it stays refused for longer than the patience", async () => {
    const { gate, clock } = gateOf({ patienceMs: 1_000 });
    await failing(gate, unauthorized);
    const request = requestTo(gate, clock);

    await clock.advance(1_000);

    expect(request.state).toEqual({
      sentAt: undefined,
      ending: { error: new ServiceDownError("the API key was refused for 1 s") },
    });
  });
});

describe("a service that is down", () => {
  test("ten failures about ten events stop all requests, and further failures cost no attempt", async () => {
    const { gate, log } = gateOf();
    for (let i = 0; i < 9; i++) await failing(gate, unavailable, `event ${i}`);
    expect([gate.closed, gate.isFree(unavailable)]).toEqual([undefined, false]);

    await failing(gate, unavailable, "event 9");

    expect([gate.closed, gate.isFree(unavailable)]).toEqual(["failing", true]);
    expect(log.lines).toEqual([
      {
        level: "error",
        message: "the service is down: Weir sends only probes",
        fields: { reason: "the service answered 503" },
      },
    ]);
  });

  test.each([
    ["an answer", answering],
    ["a refusal", (gate: Gate) => failing(gate, new RejectedError("422"))],
    ["a 429", (gate: Gate) => failing(gate, limited)],
  ])("a service counts as silent until it gives %s, and the listeners are called then", async (_name, ask) => {
    const { gate, clock } = gateOf();
    const told: number[] = [];
    gate.silence.onOver(() => told.push(clock.now()));
    await failing(gate, unavailable);
    await clock.advance(12_000);
    expect([gate.silence.lastsMs(clock.ticks()), told]).toEqual([12_000, []]);
    await ask(gate);

    expect([gate.silence.lastsMs(clock.ticks()), told]).toEqual([0, [clock.now()]]);
  });

  test("a service that fails for only a few events is not down", async () => {
    const { gate } = gateOf();

    for (let i = 0; i < 100; i++) await failing(gate, unavailable, `event ${i % 9}`);

    expect(gate.closed).toBeUndefined();
  });

  test.each([
    ["a refusal", new RejectedError("the service answered 422")],
    ["an answer that is none", new AnswerInvalidError("the answer lacks the item that was asked")],
  ])("a service that gives %s now and then is not down", async (_name, error) => {
    const { gate } = gateOf();

    for (let i = 0; i < 9; i++) await failing(gate, unavailable, `event ${i}`);
    await failing(gate, error);
    for (let i = 0; i < 9; i++) await failing(gate, unavailable, `another event ${i}`);

    expect(gate.closed).toBeUndefined();
  });

  test("an outage beyond the patience fails all waiting requests, and those that come later", async () => {
    const { gate, clock } = gateOf({ patienceMs: 3_000 });
    await breakDown(gate);
    const [probe, other] = [requestTo(gate, clock), requestTo(gate, clock)];
    await clock.advance(1_000);
    probe.fail(unavailable);
    await clock.advance(1_500);
    expect(other.state).toEqual({ sentAt: 2_500, ending: undefined });
    other.fail(unavailable);
    await clock.advance(500);

    const down = new ServiceDownError("no request to the service succeeded for 3 s; last: the service answered 503");
    await expect(answering(gate)).rejects.toThrow(down);
  });

  test("an outage is waited out where the patience has no end", async () => {
    const { gate, clock } = gateOf();
    await breakDown(gate);
    for (let i = 0; i < 100; i++) {
      const probe = requestTo(gate, clock);
      await clock.advance(15_500);
      expect(probe.state.sentAt).toBeDefined();
      probe.fail(unavailable);
      await settled();
    }

    expect(gate.closed).toBe("failing");
  });
});

test("all requests that wait for the same time share one timer", async () => {
  const { gate, clock } = gateOf();
  await failing(gate, new RateLimitedError("429", 7_000));
  const requests = Array.from({ length: 1_000 }, () => requestTo(gate, clock));
  await settled();

  expect(clock.slept).toEqual([7_000]);
  await clock.advance(7_000);

  expect(requests.every(({ state }) => state.sentAt === 7_000)).toBe(true);
  expect(clock.slept).toEqual([7_000]);
});

describe("a gate that is abandoned", () => {
  const reason = new OutputUnwritableError("disk full");

  test("abandoning rejects requests that wait for the end of a pause, and leaves no timer", async () => {
    const { gate, clock } = gateOf();
    await failing(gate, new RateLimitedError("429", 3_600_000));
    const request = requestTo(gate, clock);
    await settled();

    gate.abandon(reason);
    await settled();

    expect(request.state).toEqual({ sentAt: undefined, ending: { error: reason } });
    expect(clock.sleeping).toBe(0);
  });

  test("abandoning rejects requests that wait for a permit, which then send nothing", async () => {
    const slots = new ManualSlots();
    const { gate, clock } = gateOf({ slots: { run: (job) => slots.run(job), pace: () => undefined } });
    const request = requestTo(gate, clock);
    await settled();

    gate.abandon(reason);
    await settled();
    expect(request.state).toEqual({ sentAt: undefined, ending: { error: reason } });
    slots.give();
    await settled();

    expect(request.state.sentAt).toBeUndefined();
  });

  test("abandoning rejects requests that come later, and does not affect those that were sent", async () => {
    const { gate, clock } = gateOf();
    const request = requestTo(gate, clock);
    await settled();

    gate.abandon(reason);
    await expect(answering(gate)).rejects.toBe(reason);
    request.answer("answer");
    await settled();

    expect(request.state).toEqual({ sentAt: 0, ending: { value: "answer" } });
  });
});

describe("the cost of a failure", () => {
  const free = (error: AppError) => gateOf().gate.isFree(error);

  test.each([
    [unavailable, false],
    [new RejectedError("422"), false],
    [new AnswerInvalidError("none"), false],
    [limited, true],
    [unauthorized, true],
  ])("%s: the failure is free: %s", (error, isFree) => {
    expect(free(error)).toBe(isFree);
  });

  test("retries share one budget, a timeout costs twice as much, and answers refill it", async () => {
    const { gate } = gateOf();
    const timeout = new UnavailableError("no answer in time", { timeout: true });

    for (let i = 0; i < 49; i++) expect(gate.mayRetry(timeout)).toBe(true);
    expect(gate.mayRetry(unavailable)).toBe(true);
    expect(gate.mayRetry(timeout)).toBe(false);
    expect(gate.mayRetry(unavailable)).toBe(true);
    expect(gate.mayRetry(unavailable)).toBe(false);
    for (let i = 0; i < 5; i++) await answering(gate);

    expect(gate.mayRetry(unavailable)).toBe(true);
    expect(gate.mayRetry(unavailable)).toBe(false);
  });
});

test("a probe that ends with a bug lets the next probe be sent", async () => {
  const { gate, clock } = gateOf();
  await breakDown(gate);
  const probe = requestTo(gate, clock);
  await clock.advance(1_000);
  const next = requestTo(gate, clock);
  await settled();
  expect([probe.state.sentAt, next.state.sentAt]).toEqual([1_000, undefined]);

  probe.fail(new TypeError("x is undefined"));
  await settled();

  expect(next.state.sentAt).toBe(0);
});

test("abandoning the gate rejects requests that wait for the end of a probe", async () => {
  const { gate, clock } = gateOf();
  await breakDown(gate);
  const probe = requestTo(gate, clock);
  await clock.advance(1_000);
  const other = requestTo(gate, clock);
  await settled();
  const reason = new Error("stop");

  gate.abandon(reason);
  await settled();

  expect(probe.state).toEqual({ sentAt: 1_000, ending: undefined });
  expect(other.state).toEqual({ sentAt: undefined, ending: { error: reason } });
});

describe("jobs that only need a permit", () => {
  test("a job returns its result or its error", async () => {
    const slots = gateSlots(gateOf().gate, "job");

    expect(await Promise.all([slots.run(async () => 1, someTurn()), slots.run(async () => "two", someTurn())])).toEqual(
      [1, "two"],
    );
    await expect(slots.run(() => Promise.reject(unavailable), someTurn())).rejects.toBe(unavailable);
  });

  test("jobs are about one event, so their failures alone do not open the circuit breaker", async () => {
    const { gate } = gateOf();
    const slots = gateSlots(gate, "job");
    const fail = () => slots.run(() => Promise.reject(unavailable), someTurn()).catch(() => undefined);

    for (let i = 0; i < 30; i++) await fail();

    expect(gate.closed).toBeUndefined();
  });
});

describe("a learned quota", () => {
  const learned = { perSecond: 20, burst: 0, windowMs: 1_000 };
  const learningGate = () => {
    const paces: number[] = [];
    const slots: GateDeps["slots"] = { run: (job) => job(), pace: (minTimeMs) => paces.push(minTimeMs) };
    const learner = new RateLearner(() => 0.5, learned);
    return { ...gateOf({ slots, pacer: learner }), paces, learner };
  };

  test("a learned quota sets the pace at the start and after each answer", async () => {
    const { gate, clock, paces } = learningGate();
    expect(paces).toEqual([50]);
    for (let i = 0; i < 100; i++) {
      await answering(gate);
      await clock.advance(50);
    }
    await failing(gate, limited);
    await clock.advance(50);
    await answering(gate);

    expect([...new Set(paces)]).toEqual([50, 1_000 / (20 * 0.985)]);
  });

  test("a used-up quota is probed by one request while all others wait for its answer", async () => {
    const { gate, clock } = learningGate();
    await failing(gate, limited);
    expect(gate.closed).toBe("rate limited");
    const requests = Array.from({ length: 3 }, () => requestTo(gate, clock, "e", someTurn("backfill")));
    await clock.advance(49);
    expect(requests.map(({ state }) => state.sentAt)).toEqual([undefined, undefined, undefined]);
    await clock.advance(60);
    expect(requests.map(({ state }) => state.sentAt)).toEqual([50, undefined, undefined]);

    requests[0]?.answer("taken");
    await clock.advance(1_000);

    expect(requests.map(({ state }) => state.sentAt)).toEqual([50, 139, 139]);
    expect(gate.closed).toBeUndefined();
  });

  test("a used-up quota is probed for a realtime event beside a backfill probe, but by no third request", async () => {
    const { gate, clock } = learningGate();
    await failing(gate, limited);
    const backfill = Array.from({ length: 3 }, () => requestTo(gate, clock, "e", someTurn("backfill")));
    await clock.advance(60);
    const deposits = Array.from({ length: 2 }, () => requestTo(gate, clock));
    await clock.advance(64);

    expect(backfill.map(({ state }) => state.sentAt)).toEqual([50, undefined, undefined]);
    expect(deposits.map(({ state }) => state.sentAt)).toEqual([40, undefined]);

    backfill[0]?.answer("taken");
    await clock.advance(0);

    // A request of a realtime event skips the rest.
    expect(deposits.map(({ state }) => state.sentAt)).toEqual([40, 64]);
    expect(backfill.map(({ state }) => state.sentAt)).toEqual([50, undefined, undefined]);
  });

  test("a used-up quota is probed as soon for a batch that a realtime event joins", async () => {
    const { gate, clock } = learningGate();
    await failing(gate, limited);
    const asking = requestTo(gate, clock, "e", someTurn("backfill"));
    await clock.advance(50);
    let deposits = 0;
    const company: BatchWaiter = { waits: (lane) => (lane === "backfill" ? 1 : deposits) };
    const request = requestTo(gate, clock, "e", company);
    await clock.advance(10);
    deposits = 1;
    gate.look();
    await clock.advance(45);

    expect([asking.state.sentAt, request.state.sentAt]).toEqual([50, 50]);
  });

  test("a used-up quota is probed by several requests where answers are slow, until the service is silent", async () => {
    const { gate, clock } = learningGate();
    await failing(gate, limited);
    const requests = Array.from({ length: 100 }, () => requestTo(gate, clock, "e", someTurn("backfill")));
    await clock.advance(60_000);
    const sentAt = requests.map(({ state }) => state.sentAt).filter((at) => at !== undefined);
    expect([sentAt.length, sentAt[0], sentAt[1], sentAt.at(-1)]).toEqual([31, 50, 150, 3_050]);

    requests[0]?.answer("taken");
    await clock.advance(1_000);

    expect(gate.closed).toBeUndefined();
  });

  test("a used-up quota is probed again when a probe gets no answer, a service failure, or is given up", async () => {
    const { gate, clock, learner } = learningGate();
    await failing(gate, limited);
    await clock.advance(50);
    await failing(gate, new UnavailableError("no answer from the service: ECONNRESET"));
    expect(learner.isUsedUp).toBe(true);
    await failing(gate, new TypeError("x is undefined"));
    expect(learner.isUsedUp).toBe(true);
    await failing(gate, new UnavailableError("the service answered 503", { status: 503 }));
    expect(learner.isUsedUp).toBe(true);
    await failing(gate, new RejectedError("the service answered 422"));
    expect(learner.isUsedUp).toBe(false);
  });

  test("a refused key does not open a used-up quota", async () => {
    const { gate, clock, learner } = learningGate();
    await failing(gate, limited);
    await clock.advance(50);
    await failing(gate, unauthorized);
    expect(learner.isUsedUp).toBe(true);
  });

  test("a learned quota keeps to a wait that the service asks for", async () => {
    const { gate, clock } = learningGate();
    await failing(gate, new RateLimitedError("429", 7_000));
    const request = requestTo(gate, clock);
    await clock.advance(6_999);
    expect(request.state.sentAt).toBeUndefined();
    await clock.advance(1);
    expect(request.state.sentAt).toBe(7_000);
  });

  test("a learned quota is restarted once after an outage", async () => {
    const { gate, clock, learner } = learningGate();
    const restarts: number[] = [];
    learner.restart = (now) => restarts.push(now);
    await answering(gate);
    await breakDown(gate);
    const probe = answering(gate);
    await clock.advance(60_000);
    await probe;
    await answering(gate);

    expect(restarts).toHaveLength(1);
  });

  test("a learned quota is logged when it changes, and 429s are not logged", async () => {
    const { gate, clock, log, learner } = learningGate();
    const counter = new TokenBucket(() => 10, 1_000, 5);
    const ask = () => ({
      events: ["e"],
      answer: counter.takes(clock.now()) ? Promise.resolve() : Promise.reject(limited),
    });
    for (let i = 0; i < 100; i++) {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      gate.run(ask, someTurn()).then(end, end);
      while (!isOver) await clock.advance(learner.minTimeMs);
    }

    const told = log.lines.filter(({ message }) => message === "Weir has learned the quota");
    expect(told).toEqual([
      { level: "info", message: "Weir has learned the quota", fields: { requestsPerSecond: 9.49 } },
    ]);
    expect(log.messages("warn")).toEqual([]);
  });
});

test("on hold no request is sent, and after it all are sent", async () => {
  const { gate, clock } = gateOf();
  gate.hold(true);
  const first = requestTo(gate, clock);
  await clock.advance(60_000);
  expect([first.state.sentAt, gate.isHeld, gate.closed]).toEqual([undefined, true, undefined]);

  gate.hold(false);
  await clock.advance(0);
  expect([first.state.sentAt, gate.isHeld]).toEqual([60_000, false]);
});

test("a request with a permit that comes on hold waits, and is rejected when the gate is abandoned", async () => {
  const slot = Promise.withResolvers<void>();
  const run = <T>(job: () => Promise<T>) => slot.promise.then(job);
  const { gate, clock } = gateOf({ slots: { run, pace: () => undefined } });
  const { state } = requestTo(gate, clock);
  gate.hold(true);
  slot.resolve();
  await clock.advance(0);
  expect(state).toEqual({ sentAt: undefined, ending: undefined });
  const end = new Error("the end");

  gate.abandon(end);
  await clock.advance(0);
  expect(state).toEqual({ sentAt: undefined, ending: { error: end } });
});

test("knows when the service answered last: a refusal for the request is an answer, one of all is none", async () => {
  const { gate, clock } = gateOf();
  const answeredAfter = async (end: (answer: PromiseWithResolvers<string>) => void) => {
    const answer = Promise.withResolvers<string>();
    gate.run(() => ({ events: ["e"], answer: answer.promise }), someTurn()).catch(() => undefined);
    await clock.advance(1_000);
    end(answer);
    await settled();
    return gate.answeredAt;
  };
  const begun = clock.ticks();
  expect(gate.answeredAt).toBe(Number.NEGATIVE_INFINITY);

  expect(await answeredAfter(({ resolve }) => resolve("yes"))).toBe(begun + 1_000);
  expect(await answeredAfter(({ reject }) => reject(unavailable))).toBe(begun + 1_000);
  expect(await answeredAfter(({ reject }) => reject(new RejectedError("the service answered 400")))).toBe(
    begun + 3_000,
  );
});
