import { expect, test } from "vitest";
import { createFailover, type FailoverOptions } from "../../../../../src/adapters/http/client/failover.ts";
import { RateLimitedError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const never = new AbortController().signal;
const down = new UnavailableError("no answer: ECONNREFUSED");

interface Node {
  readonly name: string;
}

/** Nodes by name. Each returns or throws the values of its list, and repeats the last one forever. */
function setUp(answers: Readonly<Record<string, readonly unknown[]>>, more: Partial<FailoverOptions<Node>> = {}) {
  const [clock, log] = [new FakeClock(), new FakeLog()];
  const asked: string[] = [];
  const nodes = Object.keys(answers).map((name) => ({ name }));
  const rests = { firstMs: 10_000, longestMs: 10_000 };
  const failover = createFailover({ nodes, setting: "TRON_RPC_URL", rests, clock, log, ...more });
  const ask = (signal = never) =>
    failover(
      async ({ name }) => {
        const list = answers[name] ?? [];
        const before = asked.filter((each) => each === name).length;
        asked.push(name);
        const answer = list[Math.min(before, list.length - 1)];
        if (answer instanceof Error) throw answer;
        return answer;
      },
      signal,
      { path: "/x" },
    );
  return { ask, asked, clock, log };
}

test("the first node is called while it works", async () => {
  const { ask, asked } = setUp({ a: [1], b: [2] });

  expect([await ask(), await ask()]).toEqual([{ value: 1 }, { value: 1 }]);
  expect(asked).toEqual(["a", "a"]);
});

test("a failed node rests, is logged with the request, and the next node is called", async () => {
  const { ask, asked, clock, log } = setUp({ a: [down, 1], b: [2] });

  expect([await ask(), await ask()]).toEqual([{ value: 2 }, { value: 2 }]);
  await clock.sleep(9_999);
  expect(await ask()).toEqual({ value: 2 });
  await clock.sleep(1);
  expect(await ask()).toEqual({ value: 1 });
  expect(asked).toEqual(["a", "b", "b", "b", "a"]);
  expect(log.lines).toEqual([
    {
      level: "warn",
      message: "an endpoint of TRON_RPC_URL gives no usable answer",
      fields: { path: "/x", endpoint: "a", reason: "no answer: ECONNREFUSED" },
    },
  ]);
});

test("when all nodes fail, all failures are returned in order, and the nodes are still called again", async () => {
  const { ask, asked } = setUp({ a: [down], b: [new UnavailableError("junk"), 2] });

  expect(await ask()).toEqual({
    failures: [
      { node: { name: "a" }, error: down },
      { node: { name: "b" }, error: new UnavailableError("junk") },
    ],
  });
  expect(await ask()).toEqual({ value: 2 });
  expect(asked).toEqual(["a", "b", "a", "b"]);
});

test("no more nodes are called than allowed, and the others come next", async () => {
  const { ask, asked } = setUp({ a: [down], b: [down], c: [3] }, { maxTries: 2 });

  expect(await ask()).toMatchObject({ failures: [{ node: { name: "a" } }, { node: { name: "b" } }] });
  expect(await ask()).toEqual({ value: 3 });
  expect(asked).toEqual(["a", "b", "c"]);
});

test("a node that requests a pause rests for the requested time", async () => {
  const { ask, asked, clock } = setUp({ a: [new RateLimitedError("answered 429", 60_000), 1], b: [2] });

  await ask();
  await clock.sleep(59_999);
  await ask();
  await clock.sleep(1);
  await ask();
  expect(asked).toEqual(["a", "b", "b", "a"]);
});

test("a node that is not at fault does not rest, and nothing is logged", async () => {
  const { ask, asked, log } = setUp({ a: [down, 1], b: [2] }, { judge: () => "none" });

  expect([await ask(), await ask()]).toEqual([{ value: 2 }, { value: 1 }]);
  expect([asked, log.lines]).toEqual([["a", "b", "a"], []]);
});

test("a mistake in the configuration is logged as an error, and the node rests for its time", async () => {
  const judge = () => ({ restMs: 60_000, says: "is of another chain" });
  const { ask, asked, clock, log } = setUp({ a: [down, 1], b: [2] }, { judge });

  await ask();
  await clock.sleep(59_999);
  await ask();
  await clock.sleep(1);
  await ask();
  expect(asked).toEqual(["a", "b", "b", "a"]);
  expect(log.lines).toEqual([
    {
      level: "error",
      message: "an endpoint of TRON_RPC_URL is of another chain",
      fields: { path: "/x", endpoint: "a", reason: "no answer: ECONNREFUSED" },
    },
  ]);
});

test("an aborted caller gets the reason, and no node counts as failed or is called", async () => {
  const reason = new Error("enough");
  const { ask, asked, log } = setUp({ a: [down], b: [2] });

  await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect([asked, log.lines]).toEqual([["a"], []]);
});

test("a bug is not a node's failure", async () => {
  const { ask, asked } = setUp({ a: [new TypeError("oops")], b: [2] });

  await expect(ask()).rejects.toThrow("oops");
  expect(asked).toEqual(["a"]);
});
