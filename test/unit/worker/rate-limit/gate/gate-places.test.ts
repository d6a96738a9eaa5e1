import { describe, expect, test } from "vitest";
import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { askWithRetries } from "../../../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import type { GateDeps } from "../../../../../src/worker/rate-limit/gate/gate.ts";
import type { BatchWaiter, Waiter } from "../../../../../src/worker/rate-limit/queue/waiter.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { ManualSlots, pacedSlots } from "../../../../fakes/slots.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const limited = new RateLimitedError("the service answered 429", 250);
const unavailable = new UnavailableError("the service answered 503");
const LATENCY_MS = 30;

function setup(slotsOf: (clock: VirtualClock) => GateDeps["slots"], own: Partial<GateDeps> = {}) {
  const clock = new VirtualClock(0);
  const signal = new AbortController().signal;
  const random = () => 0.5;
  const gate = openGate(clock, { slots: slotsOf(clock), ...own });
  const asked: string[] = [];
  const answered: string[] = [];
  /** Asks until there is an answer. The first requests fail with `failures`. */
  const ask = (name: string, failures: readonly Error[] = [], turn: Waiter = someTurn()) => {
    const left = [...failures];
    const send = async () => {
      asked.push(name);
      await clock.sleep(LATENCY_MS);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      answered.push(`${name} ${clock.ticks()}`);
    };
    return askWithRetries({ event: name, turn }, send, { gate, clock, random, signal });
  };
  return { gate, clock, asked, answered, ask };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const byHand = (slots: ManualSlots) => () => ({
  run: <T>(job: () => Promise<T>) => slots.run(job),
  pace: () => undefined,
});

describe("a request that a 429 refused", () => {
  test("a refused request is answered first of 300 at ten per second, as soon as the pause ends", async () => {
    const { clock, answered, ask } = setup((each) => pacedSlots(each, 100));
    for (const i of numbers(300)) void ask(`deposit ${i}`, i === 0 ? [limited] : []);
    await clock.advance(60_000);

    expect(answered).toEqual(numbers(300).map((i) => `deposit ${i} ${300 + 100 * i + LATENCY_MS}`));
  });

  test("requests that are refused together keep their order", async () => {
    const { clock, asked, ask } = setup((each) => pacedSlots(each, 12));
    for (const i of numbers(8)) void ask(String(i), i < 3 ? [limited] : []);
    await clock.advance(1_000);

    expect(asked).toEqual(["0", "1", "2", "0", "1", "2", "3", "4", "5", "6", "7"]);
  });

  test("a request that is refused repeatedly lets one other go first, then three, so that it blocks none", async () => {
    const { clock, asked, ask } = setup((each) => pacedSlots(each, 100));
    for (const i of numbers(8)) void ask(String(i), i === 0 ? [limited, limited, limited] : []);
    await clock.advance(10_000);

    expect(asked).toEqual(["0", "0", "1", "0", "2", "3", "0", "4", "5", "6", "7"]);
  });

  test("a refused request leaves tenants and lanes their shares", async () => {
    const { clock, asked, ask } = setup((each) => pacedSlots(each, 100));
    const refused = [limited, limited, limited, limited];
    void ask("a0", refused, someTurn("realtime", "a"));
    for (const i of numbers(3)) void ask(`b${i}`, [], someTurn("realtime", "b"));
    void ask("c0", [], someTurn("backfill", "c"));
    await clock.advance(10_000);

    expect(asked).toEqual(["a0", "b0", "b1", "a0", "b2", "a0", "a0", "a0", "c0"]);
  });
});

test.each([
  ["a refused key", new UnauthorizedError("401")],
  ["no answer while the service is down", unavailable],
])("after %s another request is the next probe", async (_name, failure) => {
  const { gate, clock, asked, ask } = setup((each) => pacedSlots(each, 1));
  for (const i of numbers(10)) {
    const fail = () => ({ events: [`${i}`], answer: Promise.reject(unavailable) });
    void gate.run(fail, someTurn()).catch(() => undefined);
  }
  await clock.advance(100);
  expect(gate.closed).toBe("failing");
  for (const name of ["a", "b", "c"]) void ask(name, name === "a" ? [failure] : []);
  await clock.advance(60_000);

  expect(asked).toEqual(["a", "b", "c", "a"]);
});

describe("a permit that comes during a pause", () => {
  test("is not used: requests keep their order, and one permit per waiting request is requested after the pause", async () => {
    const slots = new ManualSlots();
    const { clock, asked, ask } = setup(byHand(slots));
    for (const i of numbers(4)) void ask(String(i), i === 0 ? [limited] : []);
    await settled();
    expect(slots.requested).toBe(4);
    slots.give();
    await clock.advance(LATENCY_MS);
    for (const _ of numbers(2)) slots.give();
    await clock.advance(249);
    expect([asked, slots.requested]).toEqual([["0"], 1]);
    await clock.advance(1);

    expect(slots.requested).toBe(4);
    for (const _ of numbers(4)) {
      slots.give();
      await settled();
    }
    expect(asked).toEqual(["0", "0", "1", "2", "3"]);
  });

  test("is not used during a probe or a hold", async () => {
    const slots = new ManualSlots();
    const { gate, clock, asked, ask } = setup(byHand(slots));
    gate.hold(true);
    void ask("0");
    await settled();
    expect(slots.requested).toBe(0);
    gate.hold(false);
    await settled();
    expect(slots.requested).toBe(1);
    gate.hold(true);
    slots.give();
    await clock.advance(1_000);
    expect([asked, slots.requested]).toEqual([[], 0]);
    gate.hold(false);
    await settled();
    slots.give();
    await settled();

    expect(asked).toEqual(["0"]);
  });

  test("does not fix the content of a batch request, which is decided when the request leaves", async () => {
    const slots = new ManualSlots();
    const { gate, clock, ask } = setup(byHand(slots));
    const waiting = ["x"];
    const cut: string[][] = [];
    const company: BatchWaiter = { waits: (lane) => (lane === "backfill" ? waiting.length : 0) };
    void ask("0", [limited]);
    await settled();
    slots.give();
    await settled();
    void gate.run(() => {
      cut.push(waiting.splice(0));
      return { events: ["x"], answer: Promise.resolve() };
    }, company);
    await clock.advance(LATENCY_MS);
    slots.give();
    await settled();
    expect(cut).toEqual([]);
    waiting.push("y");
    await clock.advance(250);
    slots.give();
    slots.give();
    await settled();

    expect(cut).toEqual([["x", "y"]]);
  });
});

test("permits that fail during a pause fail the waiting requests, each after the pause", async () => {
  const slots = new ManualSlots();
  const { gate, clock, ask } = setup(byHand(slots));
  void ask("0", [limited]);
  const other = ask("1").catch((thrown: unknown) => thrown);
  await settled();
  slots.give();
  await clock.advance(LATENCY_MS);
  const closed = new Error("closed");
  slots.refuse(closed);
  await clock.advance(250);

  expect([await other, gate.isQueued]).toEqual([closed, true]);
});
