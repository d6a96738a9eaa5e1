import { expect, test } from "vitest";
import { askNodes } from "../../../../src/adapters/tron/ask-nodes.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";

/** Servers by name. Each returns or throws the values of its list, and repeats the last one forever. */
function setUp(answers: Readonly<Record<string, readonly unknown[]>>, refreshKey?: () => Promise<boolean>) {
  const [clock, log] = [new FakeClock(), new FakeLog()];
  const asked: string[] = [];
  const endpoints = Object.entries(answers).map(([host, list]) => {
    let next = 0;
    return {
      name: host,
      async post() {
        asked.push(host);
        const answer = list[Math.min(next++, list.length - 1)];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
  });
  const askOf = askNodes(endpoints, { clock, log, refreshKey });
  const ask = () => askOf("/wallet/x", {}, (json) => (json === "junk" ? fail("junk") : ok(json)));
  return { ask, asked, clock, log };
}

const down = new UnavailableError("no answer: ECONNREFUSED");

test("the first server is called while it works", async () => {
  const { ask, asked } = setUp({ a: [1], b: [2] });

  expect([await ask(), await ask()]).toEqual([ok(1), ok(1)]);
  expect(asked).toEqual(["a", "a"]);
});

test("a failed server rests, and the next one is called", async () => {
  const { ask, asked, clock, log } = setUp({ a: [down, 1], b: [2] });

  expect([await ask(), await ask()]).toEqual([ok(2), ok(2)]);
  await clock.sleep(9_999);
  expect(await ask()).toEqual(ok(2));
  await clock.sleep(1);
  expect(await ask()).toEqual(ok(1));
  expect(asked).toEqual(["a", "b", "b", "b", "a"]);
  expect(log.lines).toEqual([
    {
      level: "warn",
      message: "an endpoint of TRON_RPC_URL gives no usable answer",
      fields: { path: "/wallet/x", endpoint: "a", reason: "no answer: ECONNREFUSED" },
    },
  ]);
});

test("an unreadable answer is a failure, too", async () => {
  const { ask, asked } = setUp({ a: ["junk"], b: [2] });

  expect(await ask()).toEqual(ok(2));
  expect(asked).toEqual(["a", "b"]);
});

test("when all servers fail, the last failure is returned, and at most three are called each time", async () => {
  const { ask, asked } = setUp({ a: [down], b: ["junk"], c: [down, 3], d: [4] });

  expect(await ask()).toEqual(fail("c/wallet/x: no answer: ECONNREFUSED"));
  expect(await ask()).toEqual(ok(4));
  expect(asked).toEqual(["a", "b", "c", "d"]);
});

test("a single failed server is called again at once", async () => {
  const { ask, asked } = setUp({ a: [down, 1] });

  expect([(await ask()).ok, await ask()]).toEqual([false, ok(1)]);
  expect(asked).toEqual(["a", "a"]);
});

test("a server that requests a pause rests for the requested time", async () => {
  const { ask, asked, clock } = setUp({ a: [new RateLimitedError("answered 429", 60_000), 1], b: [2] });

  await ask();
  await clock.sleep(59_999);
  await ask();
  await clock.sleep(1);
  await ask();
  expect(asked).toEqual(["a", "b", "b", "a"]);
});

test("a refused key is read again, once, and a changed key is used at once", async () => {
  const refused = new UnauthorizedError("answered 401");
  const renewed = setUp({ a: [refused, 1] }, async () => true);
  const same = setUp({ a: [refused, 1] }, async () => false);

  expect(await renewed.ask()).toEqual(ok(1));
  expect(await same.ask()).toEqual(fail("a/wallet/x: answered 401"));
});

test("a bug is not a server's failure", async () => {
  const { ask } = setUp({ a: [new TypeError("oops")] });

  await expect(ask()).rejects.toThrow("oops");
});
