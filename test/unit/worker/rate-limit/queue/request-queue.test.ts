import { describe, expect, test } from "vitest";
import type { Lane } from "../../../../../src/messages/lane.ts";
import { type QueuedRequest, RequestQueue } from "../../../../../src/worker/rate-limit/queue/request-queue.ts";
import {
  type BatchWaiter,
  type RequestLane,
  requestLanes,
  type Waiter,
  waiterOf,
} from "../../../../../src/worker/rate-limit/queue/waiter.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** A queue of named requests. */
function lineOf(weights: Record<string, number> = {}) {
  const line = new RequestQueue((tenant) => weights[tenant] ?? 1);
  const names = new Map<QueuedRequest, string>();
  const add = (name: string, asker: QueuedRequest["asker"]) => {
    const seat = { asker, begin: async () => undefined, fail: () => undefined };
    names.set(seat, name);
    line.add(seat);
    return asker;
  };
  const named = (found: ReturnType<RequestQueue["next"]>) => found && `${names.get(found.seat)} ${found.lane}`;
  return {
    line,
    addCompany: (name: string, company: BatchWaiter) => add(name, company),
    add: (name: string, lane: RequestLane, tenant = "", own: Partial<Waiter> = {}) => {
      const turn = { ...waiterOf({ lane: "realtime", requestLane: lane, tenant }), ...own };
      add(name, turn);
      return turn;
    },
    next: (answeredAt = 0) => named(line.next(true, answeredAt)),
    nextOfRealtime: () => named(line.next(false)),
    probe: () => named(line.probe()),
    any: () => named(line.any()),
  };
}

/** A batch waiter with these weights in each lane, which the test may change. */
function company(realtime: number, backfill: number): BatchWaiter & { weights: Record<Lane, number> } {
  return {
    weights: { realtime, backfill },
    waits(lane) {
      return lane === "late" || lane === "overdue" ? 0 : this.weights[lane];
    },
  };
}

test("realtime goes first, and every tenth permit is for backfill while both wait", () => {
  const { add, next } = lineOf();
  for (const i of numbers(30)) add(`b${i}`, "backfill");
  for (const i of numbers(30)) add(`r${i}`, "realtime");

  const lanes = numbers(20).map(() => next()?.split(" ")[1]);

  expect(lanes).toEqual(numbers(20).map((i) => (i % 10 === 0 ? "backfill" : "realtime")));
});

test("a permit that backfill may not use is for realtime or unused, and counts for no share", () => {
  const { line, add, addCompany, next, nextOfRealtime } = lineOf();
  addCompany("both", company(1, 1));
  add("b1", "backfill");
  for (const i of numbers(11)) add(`r${i}`, "realtime");
  expect([line.waits("realtime"), line.waits("backfill")]).toEqual([12, 2]);

  const first = numbers(12).map(nextOfRealtime);

  expect(first).toEqual(["r1 realtime", "both realtime", ...numbers(10).map((i) => `r${i + 1} realtime`)]);
  expect(nextOfRealtime()).toBeUndefined();
  expect([line.waits("realtime"), line.waits("backfill")]).toEqual([0, 1]);
  expect(next()).toBe("b1 backfill");
});

test("a permit for which only one lane waits counts for no share", () => {
  const { add, next } = lineOf();
  for (const i of numbers(9)) {
    add(`r${i}`, "realtime");
    next();
  }
  add("b1", "backfill");
  for (const i of numbers(10)) add(`s${i}`, "realtime");

  expect(numbers(10).map(next)).toEqual([...numbers(9).map((i) => `s${i} realtime`), "b1 backfill"]);
});

test("tenants of a lane get shares by weight", () => {
  const { add, next } = lineOf({ a: 2 });
  for (const i of numbers(4)) add(`a${i}`, "backfill", "a");
  for (const i of numbers(2)) add(`b${i}`, "backfill", "b");

  expect(numbers(7).map(next)).toEqual([
    ...["a1", "b1", "a2", "a3", "b2", "a4"].map((each) => `${each} backfill`),
    undefined,
  ]);
});

test("a realtime requester moves a question to realtime, before it is queued or while it is", () => {
  const { line, add, next } = lineOf();
  add("b1", "backfill");
  const shared = add("b2", "backfill");
  add("b3", "backfill", "c");
  const away = waiterOf({ lane: "backfill", tenant: "" });

  line.join(shared, { lane: "realtime", tenant: "b" });
  line.join(away, { lane: "realtime", tenant: "b" });

  expect([shared.lane, away.lane]).toEqual(["realtime", "realtime"]);
  expect(numbers(4).map(next)).toEqual(["b2 realtime", "b1 backfill", "b3 backfill", undefined]);
});

test("a question that moved to realtime no longer counts for backfill, so no permit goes to backfill for it", () => {
  const { line, add, next } = lineOf();
  for (const i of numbers(9)) add(`r${i}`, "realtime");
  const late = add("b1", "backfill");
  line.join(late, { lane: "realtime", tenant: "" });

  expect(numbers(10).map(next)).toEqual([...numbers(9).map((i) => `r${i} realtime`), "b1 realtime"]);
});

test("a batch waiter counts with the tenants that wait in the lane of the permit", () => {
  const { add, addCompany, next } = lineOf();
  const pool = company(3, 0);
  for (const i of numbers(3)) add(`a${i}`, "realtime", "a");

  const served = numbers(8).map(() => {
    addCompany("pool", pool);
    return next()?.split(" ")[0];
  });

  expect(served.filter((name) => name === "pool")).toHaveLength(6);
});

test("a batch waiter without questions in a lane leaves that lane", () => {
  const { add, addCompany, next, any } = lineOf();
  const pool = company(1, 1);
  addCompany("pool", pool);
  add("r1", "realtime", "a");
  expect(next()).toBe("r1 realtime");
  add("r2", "realtime", "a");
  pool.weights = { realtime: 0, backfill: 1 };

  expect([next(), next(), any()]).toEqual(["r2 realtime", "pool backfill", undefined]);
});

test("a question with a second tenant in its lane is served when the first of both tenants is", () => {
  const { line, add, next } = lineOf();
  add("a1", "backfill", "a");
  add("a2", "backfill", "a");
  const shared = add("a3", "backfill", "a");

  line.join(shared, { lane: "backfill", tenant: "b" });

  expect(numbers(3).map(next)).toEqual(["a1 backfill", "a3 backfill", "a2 backfill"]);
});

test("a batch waiter waits in each lane in which it has questions when the permit comes", () => {
  const { add, addCompany, next } = lineOf();
  const pool = company(0, 1);
  add("b1", "backfill");
  add("r1", "realtime");
  addCompany("pool", pool);

  pool.weights = { realtime: 1, backfill: 1 };
  expect([next(), next()]).toEqual(["r1 realtime", "pool realtime"]);
  addCompany("pool", pool);
  pool.weights = { realtime: 0, backfill: 1 };
  expect([next(), next(), next()]).toEqual(["b1 backfill", "pool backfill", undefined]);
});

test("a batch waiter counts for all its tenants", () => {
  const { add, addCompany, next } = lineOf();
  const pool = company(0, 3);
  for (const i of numbers(3)) add(`a${i}`, "backfill", "a");

  const served = numbers(8).map(() => {
    addCompany("pool", pool);
    return next()?.split(" ")[0];
  });

  expect(served.filter((name) => name === "pool")).toHaveLength(6);
});

test("a batch waiter without questions goes after all others, and is served all the same", () => {
  const { add, addCompany, next } = lineOf();
  addCompany("pool", company(0, 0));
  add("b1", "backfill");

  expect([next(), next(), next()]).toEqual(["b1 backfill", "pool backfill", undefined]);
});

test("any request may be taken out, of a batch or not, without a charge for a permit", () => {
  const { add, addCompany, next, any } = lineOf();
  addCompany("pool", company(1, 0));
  add("r1", "realtime", "a");

  expect([any(), any(), any()]).toEqual(["r1 realtime", "pool backfill", undefined]);
  add("b1", "realtime", "b");
  add("r2", "realtime", "a");
  expect([next(), next()]).toEqual(["b1 realtime", "r2 realtime"]);
});

test("probes rotate over tenants, batch waiters and lanes, whatever their weights", () => {
  const { add, addCompany, probe } = lineOf({ a: 100 });
  const pool = company(500, 2);
  const addAll = (round: number) => {
    for (const i of numbers(2)) add(`a${round}.${i}`, "realtime", "a");
    add(`b${round}`, "realtime", "b");
    add(`c${round}`, "backfill", "a");
  };
  addAll(1);
  addCompany("pool", pool);
  const first = [];
  for (let i = 0; i < 5; i++) {
    const found = probe();
    first.push(found);
    if (found?.startsWith("pool")) addCompany("pool", pool);
  }
  addAll(2);

  expect(first).toEqual(["a1.1 realtime", "b1 realtime", "pool realtime", "c1 backfill", "pool backfill"]);
  expect(numbers(5).map(probe)).toEqual([
    "a1.2 realtime",
    "b2 realtime",
    "pool realtime",
    "c2 backfill",
    "a2.1 realtime",
  ]);
});

test("a probe is charged to no tenant, and permits go by weight again after it", () => {
  const { add, next, probe } = lineOf({ a: 2 });
  for (const i of numbers(5)) add(`a${i}`, "realtime", "a");
  for (const i of numbers(3)) add(`b${i}`, "realtime", "b");

  expect([probe(), probe(), probe()]).toEqual(["a1 realtime", "b1 realtime", "a2 realtime"]);
  expect(numbers(5).map(next)).toEqual(["a3", "b2", "a4", "a5", "b3"].map((each) => `${each} realtime`));
});

test("after a permit that is no probe, the rotation of probes starts again", () => {
  const { add, next, probe } = lineOf();
  for (const i of numbers(4)) add(`a${i}`, "realtime", "a");
  for (const i of numbers(2)) add(`b${i}`, "realtime", "b");

  expect([probe(), next(), probe()]).toEqual(["a1 realtime", "a2 realtime", "a3 realtime"]);
});

test("a batch waiter without questions gets the probe when no other request waits", () => {
  const { addCompany, probe } = lineOf();
  addCompany("pool", company(0, 0));

  expect([probe(), probe()]).toEqual(["pool backfill", undefined]);
});

describe("a batch waiter with questions that fit into one request", () => {
  const pool = (since: number, tenants: readonly string[]): BatchWaiter => ({
    waits: () => 1,
    oldest: () => ({ since, tenants }),
  });

  test("yields to an older request of its tenants", () => {
    const { line, add, addCompany, next } = lineOf();
    addCompany("pool", pool(20, ["a"]));
    line.waits("realtime");
    for (const since of [10, 15, 20]) add(`since ${since}`, "realtime", "a", { since });

    expect([next(), next(), next(), next()]).toEqual([
      "since 10 realtime",
      "since 15 realtime",
      "pool realtime",
      "since 20 realtime",
    ]);
  });

  test("yields to an older batch waiter of its tenants, and both yield to an older request", () => {
    const { line, add, addCompany, next } = lineOf();
    addCompany("young pool", pool(20, ["a"]));
    addCompany("old pool", pool(15, ["a"]));
    line.waits("realtime");
    for (const since of [10, 16]) add(`since ${since}`, "realtime", "a", { since });

    expect([next(), next(), next(), next()]).toEqual([
      "since 10 realtime",
      "old pool realtime",
      "since 16 realtime",
      "young pool realtime",
    ]);
  });

  test("goes before a younger request of its tenants where it serves its oldest question first", () => {
    const { add, addCompany, next } = lineOf();
    const group = { ...pool(15, ["a"]), servesOldestFirst: true };
    for (const since of [10, 16, 17]) add(`since ${since}`, "realtime", "a", { since });

    expect(next()).toBe("since 10 realtime");
    // Its oldest question does not fit into its first request.
    for (let i = 0; i < 2; i++) {
      addCompany("group", group);
      expect(next()).toBe("group realtime");
    }
    expect(next()).toBe("since 16 realtime");
  });

  test.each([
    ["does not serve the oldest first", pool(15, ["a"])],
    ["waits for another tenant, too", { ...pool(15, ["a", "b"]), servesOldestFirst: true }],
  ])("shares permits with requests when it %s", (_what, asker) => {
    const { add, addCompany, next } = lineOf();
    for (const since of [16, 16, 16]) add("request", "realtime", "a", { since });
    addCompany("company", asker);

    expect([next(), next(), next()]).toEqual(["request realtime", "company realtime", "request realtime"]);
  });

  test.each([
    ["an older request of another tenant", pool(20, ["b"])],
    ["an older request that is not of all its tenants", pool(20, ["a", "b"])],
    ["a younger request", pool(5, ["a"])],
    ["any request, where its age cannot be told", company(1, 0)],
  ])("does not yield to %s", (_what, asker) => {
    const { line, add, addCompany, next } = lineOf();
    addCompany("pool", asker);
    // Of two flows with equal service, the first to arrive goes first.
    line.waits("realtime");
    add("request", "realtime", "a", { since: 10 });

    expect(next()).toBe("pool realtime");
  });
});

describe("a request that cannot be answered in time any more", () => {
  test("goes behind the requests that can, and becomes late", () => {
    const { line, add, next } = lineOf();
    add("late", "realtime", "", { deadlineAt: 99 });
    add("in time", "realtime", "", { deadlineAt: 100 });
    add("without an end", "realtime");

    expect([next(100), next(100), next(100)]).toEqual(["in time realtime", "without an end realtime", "late late"]);
    expect(line.size).toBe(0);
  });

  test("is sent where no other request waits", () => {
    const { add, next } = lineOf();
    add("late", "realtime", "", { deadlineAt: 99 });

    expect(next(100)).toBe("late late");
  });

  test("is in time again once an event with a later deadline asks the question", () => {
    const { line, add, next } = lineOf();
    const turn = add("late", "realtime", "", { deadlineAt: 99 });
    add("other", "backfill");
    line.demote(turn, "late");
    line.join(turn, { lane: "realtime", tenant: "b", deadlineAt: 500 });

    expect(next(100)).toBe("late realtime");
  });
});

test("a backfill question keeps its position when realtime events join it and leave", () => {
  const { line, add, next } = lineOf();
  const joined = add("joined", "backfill");
  add("other", "backfill");
  for (let i = 0; i < 2; i++) {
    line.join(joined, { lane: "realtime", tenant: "", deadlineAt: 10 });
    line.demote(joined, "backfill");
  }

  expect([next(), next()]).toEqual(["joined backfill", "other backfill"]);
});

test("a realtime question that a backfill event has joined goes to the end of backfill", () => {
  const { line, add, next } = lineOf();
  const joined = add("joined", "realtime");
  add("other", "backfill");
  line.join(joined, { lane: "backfill", tenant: "" });
  line.demote(joined, "backfill");

  expect([next(), next()]).toEqual(["other backfill", "joined backfill"]);
});

const lanesOf = (line: ReturnType<typeof lineOf>, slots: number) =>
  numbers(slots).map(() => line.next()?.split(" ")[1]);
const fill = (line: ReturnType<typeof lineOf>, own: Partial<Record<RequestLane, number>>) => {
  for (const lane of requestLanes) for (const i of numbers(own[lane] ?? 0)) line.add(`${lane}${i}`, lane);
};
/** Which of so many slots are of another lane than `first`. */
const othersIn = (line: ReturnType<typeof lineOf>, slots: number, first: RequestLane) =>
  lanesOf(line, slots).flatMap((lane, i) => (lane === first ? [] : [`${i} ${lane}`]));

describe("questions of overdue events", () => {
  test("have each slot that no realtime event waits for, and every fiftieth other one", () => {
    const line = lineOf();
    fill(line, { realtime: 98, overdue: 10 });

    expect(othersIn(line, 100, "realtime")).toEqual(["49 overdue", "99 overdue"]);
    expect(lanesOf(line, 3)).toEqual(["overdue", "overdue", "overdue"]);
  });

  test("go before the backfill as realtime does", () => {
    const line = lineOf();
    fill(line, { overdue: 200, backfill: 10 });

    expect(othersIn(line, 40, "overdue")).toEqual(["9 backfill", "19 backfill", "29 backfill", "39 backfill"]);
  });

  test("go before late ones: an event without a verdict needs its answer more", () => {
    const line = lineOf();
    fill(line, { overdue: 200, late: 10 });

    expect(othersIn(line, 100, "overdue")).toEqual(["49 late", "99 late"]);
  });

  test("share the tenth of the backfill with it, ahead of late ones", () => {
    const line = lineOf();
    fill(line, { realtime: 200, overdue: 10, late: 10, backfill: 10 });

    expect(othersIn(line, 40, "realtime")).toEqual(["9 overdue", "19 backfill", "29 overdue", "39 backfill"]);
  });
});

describe("late questions", () => {
  test("have every fiftieth slot while only realtime waits beside them", () => {
    const line = lineOf();
    fill(line, { realtime: 200, late: 10 });

    const lanes = lanesOf(line, 100);

    expect(lanes.flatMap((lane, i) => (lane === "late" ? [i] : []))).toEqual([49, 99]);
  });

  test("share the tenth permit with backfill", () => {
    const line = lineOf();
    fill(line, { realtime: 200, late: 10, backfill: 10 });

    const lanes = lanesOf(line, 40);

    expect(lanes.flatMap((lane, i) => (lane === "realtime" ? [] : [`${i} ${lane}`]))).toEqual([
      "9 late",
      "19 backfill",
      "29 late",
      "39 backfill",
    ]);
  });

  test("get every second permit where no realtime event waits", () => {
    const line = lineOf();
    fill(line, { late: 4, backfill: 4 });

    expect(lanesOf(line, 5)).toEqual(["late", "backfill", "late", "backfill", "late"]);
  });
});

test("a request that no event needs leaves the queue", () => {
  const { line, add, next } = lineOf();
  const turn = add("gone", "realtime");
  add("left", "realtime");

  expect(line.withdraw(turn)?.asker).toBe(turn);
  expect(line.withdraw(turn)).toBeUndefined();
  expect([next(), next()]).toEqual(["left realtime", undefined]);
});
