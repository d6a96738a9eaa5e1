import { expect, test, vi } from "vitest";
import { Cancellation } from "../../../../src/worker/checks/cancellation.ts";
import { Coalescer } from "../../../../src/worker/checks/coalescer.ts";
import { WithdrawnError } from "../../../../src/worker/rate-limit/gate/withdrawn-error.ts";
import {
  demoteWaiter,
  joinWaiter,
  type LaterLane,
  type RequestLane,
  type Waiter,
} from "../../../../src/worker/rate-limit/queue/waiter.ts";

/**
 * Questions that end when the test says so.
 *
 * @param isSent Whether their requests are in flight.
 */
function asking(isSent = false) {
  const withdrawn: Waiter[] = [];
  const withdraw = (turn: Waiter) => {
    if (!isSent) withdrawn.push(turn);
    return !isSent;
  };
  const demoted: string[] = [];
  const demote = (turn: Waiter, to: LaterLane) => {
    demoted.push(to);
    demoteWaiter(turn, to);
  };
  const coalescer = new Coalescer<string>({ join: joinWaiter, demote, withdraw });
  const answers: PromiseWithResolvers<string>[] = [];
  const turns: Waiter[] = [];
  const ask = (key = "a", requestLane: RequestLane = "backfill", tenant = "x", leaving?: Cancellation) => {
    const lane = requestLane === "backfill" ? requestLane : "realtime";
    const asked = coalescer.ask(key, { lane, requestLane, tenant, leaving }, (turn) => {
      turns.push(turn);
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    });
    asked.catch(() => undefined);
    return asked;
  };
  return { ask, answers, turns, withdrawn, demoted };
}

test("equal questions at one time are sent once, and every event gets the answer", async () => {
  const { ask, answers } = asking();

  const asked = [ask(), ask(), ask()];
  answers[0]?.resolve("yes");

  expect(await Promise.all(asked)).toEqual(["yes", "yes", "yes"]);
  expect(answers).toHaveLength(1);
});

test("a different question at the same time is sent separately", async () => {
  const { ask, answers } = asking();

  const asked = [ask("a"), ask("b")];
  answers[1]?.resolve("b's");
  answers[0]?.resolve("a's");

  expect(await Promise.all(asked)).toEqual(["a's", "b's"]);
});

test("an answered question is sent again", async () => {
  const { ask, answers } = asking();
  const first = ask();
  answers[0]?.resolve("first");
  await first;

  const second = ask();
  answers[1]?.resolve("second");

  expect(await second).toBe("second");
});

test("a failure reaches every event, and is not cached", async () => {
  const { ask, answers } = asking();
  const error = new Error("stop");
  const asked = [ask(), ask()];
  answers[0]?.reject(error);
  for (const each of asked) await expect(each).rejects.toBe(error);

  const again = ask();
  answers[1]?.resolve("yes");

  expect(await again).toBe("yes");
});

test("an event with an equal question joins the waiter of the first", async () => {
  const { ask, answers, turns } = asking();

  const asked = [ask("a"), ask("a", "realtime", "y"), ask("a", "backfill", "z")];
  answers[0]?.resolve("yes");
  await Promise.all(asked);

  expect(turns).toMatchObject([{ lane: "realtime", tenants: ["x", "y", "z"] }]);
});

test("a question leaves the queue when its only event is overdue, and is sent again later", async () => {
  const { ask, answers, turns, withdrawn } = asking();
  const leaving = new Cancellation();
  void ask("a", "realtime", "x", leaving);

  leaving.leave();
  const again = ask("a");
  answers[1]?.resolve("yes");

  expect(await again).toBe("yes");
  expect(withdrawn).toEqual([turns[0]]);
});

test("an event that leaves is released, although others wait for the answer", async () => {
  const { ask, answers } = asking(true);
  const leaving = new Cancellation();
  const [left, stays] = [ask("a", "realtime", "x", leaving), ask("a", "realtime")];

  leaving.leave();
  await expect(left).rejects.toThrow(WithdrawnError);
  answers[0]?.resolve("yes");

  expect(await stays).toBe("yes");
});

test("a request in flight goes on, and its answer serves the event's ticket", async () => {
  const { ask, answers, turns } = asking(true);
  const leaving = new Cancellation();
  void ask("a", "realtime", "x", leaving);

  leaving.leave();
  const again = ask("a");
  answers[0]?.resolve("yes");

  expect(await again).toBe("yes");
  expect(turns).toHaveLength(1);
});

test("a question that only backfill events still wait for goes behind the backfill", () => {
  const { ask, turns, withdrawn } = asking();
  const [first, second] = [new Cancellation(), new Cancellation()];
  void ask("a", "realtime", "x", first);
  void ask("a", "backfill", "y");
  void ask("a", "realtime", "z", second);

  first.leave();
  expect(turns[0]?.lane).toBe("realtime");
  second.leave();

  expect([turns[0]?.lane, withdrawn]).toEqual(["backfill", []]);
});

test("a question goes to the lane of those that still ask, and keeps its place while that is its own", () => {
  const { ask, demoted } = asking();
  const each = ["realtime", "overdue", "overdue", "late", "backfill"] as const;
  const leaving = each.map((lane) => {
    const event = new Cancellation();
    void ask("a", lane, "x", event);
    return event;
  });
  void ask("a", "backfill");

  const after = leaving.map((event) => {
    event.leave();
    return demoted.length;
  });

  expect([demoted, after]).toEqual([
    ["overdue", "late", "backfill"],
    [1, 1, 2, 3, 3],
  ]);
});

test("an event that leaves after its answer withdraws nothing", async () => {
  const { ask, answers, withdrawn } = asking();
  const leaving = new Cancellation();
  const asked = ask("a", "realtime", "x", leaving);
  answers[0]?.resolve("yes");
  await asked;
  void ask("a");

  leaving.leave();

  expect(withdrawn).toEqual([]);
});

test("an event that joins a question that is being withdrawn sends it again", async () => {
  const { ask, answers, turns } = asking(true);
  const leaving = new Cancellation();
  void ask("a", "realtime", "x", leaving).catch(() => undefined);
  leaving.leave();
  expect(turns[0]?.isAbandoned).toBe(true);

  const joined = ask("a");
  expect(turns[0]?.isAbandoned).toBe(false);
  answers[0]?.reject(new WithdrawnError());
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.resolve("yes");

  expect(await joined).toBe("yes");
});
