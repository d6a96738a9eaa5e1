import { expect, test } from "vitest";
import { ChainUnsupportedError } from "../../../../../src/worker/answers/service-errors.ts";
import { type BatchEntry, partOf } from "../../../../../src/worker/batching/batch-entry.ts";
import { UnsupportedChains } from "../../../../../src/worker/batching/failures/unsupported-chains.ts";
import { chainOf, evm } from "../../../../support/poisoning-parts.ts";

const bsc = chainOf("56");
const error = new ChainUnsupportedError("the service answered 400: unsupported chainId: 56");
const part = (target: number, users = [evm(100)], chain = bsc): BatchEntry =>
  partOf(chain, evm(target), undefined, users);

function setup(refused: readonly BatchEntry[] = [part(1), part(2)]) {
  const clock = { wall: 1_000_000, monotonic: 5_000, now: () => clock.wall, ticks: () => clock.monotonic };
  const chains = new UnsupportedChains(clock);
  const refuse = (each: BatchEntry) =>
    chains.refused(each, error, { requests: 1, askedAt: clock.wall - 50, answeredAt: clock.wall, cached: false });
  for (const each of refused) refuse(each);
  const pass = (ms: number) => {
    clock.wall += ms;
    clock.monotonic += ms;
  };
  return { clock, chains, refuse, pass };
}

test("a chain that was refused for two targets answers with the time of the refusal and the requests of the entry", () => {
  const { chains } = setup();
  const answer = (requests: number) => ({
    ok: false,
    error,
    trace: { requests, askedAt: 999_950, answeredAt: 1_000_000, cached: true },
  });

  expect(chains.answerTo(part(3))).toEqual(answer(0));
  expect(chains.find(part(3), 2)).toEqual(answer(2));
  expect(chains.spoils(part(3))).toBe(true);
});

test.each([
  ["one target, with whatever users", [part(1), part(1, [evm(101)])]],
  ["one target in each form", [part(1), part(2, [])]],
  ["targets on another chain than is named", [part(1, [evm(100)], chainOf("1")), part(2, [evm(100)], chainOf("1"))]],
])("%s is not enough", (_name, refused) => {
  const { chains } = setup(refused);

  for (const each of [part(3), part(3, []), part(3, [evm(100)], chainOf("1"))])
    expect([chains.answerTo(each), chains.spoils(each)]).toEqual([undefined, false]);
});

test("an answer between two refusals restarts the count, a later answer ends it, and the other form does not matter", () => {
  const { chains, refuse } = setup([part(1)]);
  chains.answered(part(5));
  refuse(part(2));
  expect(chains.spoils(part(3))).toBe(false);
  refuse(part(4));
  expect(chains.spoils(part(3))).toBe(true);

  chains.answered(part(5, []));
  chains.answered(part(5, [evm(100)], chainOf("1")));
  expect(chains.spoils(part(3))).toBe(true);
  chains.answered(part(5));
  expect(chains.spoils(part(3))).toBe(false);
});

test("after a minute one entry is sent, and the other entries reuse the refusal for another minute", () => {
  const { chains, pass } = setup();
  pass(59_999);
  expect(chains.answerTo(part(3))).toBeDefined();
  pass(1);

  expect([chains.answerTo(part(3)), chains.spoils(part(3))]).toEqual([undefined, true]);
  expect(chains.answerTo(part(4))).toBeDefined();
  pass(59_999);
  expect(chains.answerTo(part(4))).toBeDefined();
  pass(1);
  expect([chains.answerTo(part(4)), chains.spoils(part(4))]).toEqual([undefined, false]);
});

test("another refusal of any target extends the reuse by a minute", () => {
  const { chains, pass, refuse } = setup();
  pass(60_000);
  chains.answerTo(part(3));
  refuse(part(2));
  pass(59_999);
  expect(chains.answerTo(part(4))).toBeDefined();
  pass(1);

  expect([3, 4].map((target) => chains.answerTo(part(target)) === undefined)).toEqual([true, false]);
});

test("the clock with the larger age counts, and a refusal from the future is ignored", () => {
  const { chains, clock } = setup();
  clock.wall += 120_000;
  expect(chains.spoils(part(3))).toBe(false);
  clock.wall -= 120_000;
  clock.monotonic += 120_000;
  expect(chains.spoils(part(3))).toBe(false);
  clock.monotonic -= 120_000;
  expect(chains.spoils(part(3))).toBe(true);
  clock.wall -= 1;
  expect(chains.spoils(part(3))).toBe(false);
});

test("a chain that is refused only in the single form may be batched", () => {
  const { chains, pass } = setup([part(1, []), part(2, [])]);
  pass(60_000);

  expect(chains.answerTo(part(3, []))).toBeUndefined();
  expect(chains.spoils(part(3, []))).toBe(false);
  expect(setup().chains.spoils(part(3, []))).toBe(true);
});
