import { describe, expect, test } from "vitest";
import {
  type AnalysisKey,
  type AnalysisStore,
  type KeptAnswer,
  openAnalyses,
} from "../../../../src/service/token-security/analyses.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { tokenData } from "../../../fakes/token-data.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const question = (n: number): AnalysisKey => ({ chainId: "1", address: `0x${String(n).padStart(40, "0")}` });
const keyOf = ({ address }: AnalysisKey) => address;

/** A store in the test's memory. */
function memoryStore(open: readonly AnalysisKey[] = []) {
  const kept = new Map<string, KeptAnswer>();
  const opened = new Map(open.map((one) => [keyOf(one), one]));
  const store: AnalysisStore = {
    find: (one) => kept.get(keyOf(one)),
    keep(one, answer) {
      kept.set(keyOf(one), answer);
      opened.delete(keyOf(one));
    },
    open: (one) => void opened.set(keyOf(one), one),
    drop: (one) => void opened.delete(keyOf(one)),
    opened: () => [...opened.values()],
  };
  return { store, kept, opened };
}

/** Analyses that take a second each. An address in `failing` fails. */
function analysesOn(store?: AnalysisStore, failing = new Set<string>()) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const begun: string[] = [];
  const analyses = openAnalyses({
    clock,
    log: new FakeLog(),
    ...(store === undefined ? {} : { store }),
    async analyse({ address }, signal) {
      begun.push(address);
      await clock.sleep(1_000, signal);
      if (failing.has(address)) throw new Error("no node");
      return tokenData(address);
    },
  });
  return { clock, begun, analyses };
}

test("the first request gets the time to poll, and the poll gets the answer", async () => {
  const { clock, analyses } = analysesOn();

  expect(analyses.ask(question(1))).toEqual({ pollAfterSec: 2 });
  await clock.advance(1_000);
  expect(analyses.ask(question(1))).toEqual({ data: tokenData(question(1).address) });
});

test("ten thousand requests for one token cost one analysis", async () => {
  const { clock, begun, analyses } = analysesOn();

  const all = Array.from({ length: 10_000 }, (_none, i) =>
    i % 2 === 0 ? analyses.wait(question(1)) : analyses.ask(question(1)),
  );
  const answers = await clock.runUntil(Promise.all(all));

  expect(begun).toEqual([question(1).address]);
  expect(answers.filter((answer) => "data" in answer).length).toBe(5_000);
});

test("four analyses run in parallel, and the others follow in the order of their first request", async () => {
  const { clock, begun, analyses } = analysesOn();
  for (let n = 0; n < 9; n++) analyses.ask(question(n));

  expect(begun.length).toBe(4);
  await clock.advance(1_000);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((n) => question(n).address));
});

test("the time to poll grows with the queue, and follows the duration of analyses", async () => {
  const { clock, analyses } = analysesOn();
  for (let n = 0; n < 40; n++) analyses.ask(question(n));

  expect(analyses.ask(question(39))).toEqual({ pollAfterSec: 20 });
  await clock.advance(5_000);
  expect(analyses.ask(question(39))).toEqual({ pollAfterSec: 5 });
});

test("a request that finds a thousand queued ones is not queued, and is queued later", async () => {
  const { clock, begun, analyses } = analysesOn();
  for (let n = 0; n < 1_004; n++) analyses.ask(question(n));

  expect(analyses.ask(question(5_000))).toEqual({ pollAfterSec: 502 });
  await clock.advance(1_000);
  analyses.ask(question(5_000));
  await clock.advance(300_000);
  expect(begun.filter((address) => address === question(5_000).address).length).toBe(1);
});

describe("a request that waits", () => {
  test("a waiting request is answered as soon as the answer exists", async () => {
    const { clock, analyses } = analysesOn();

    expect(await clock.runUntil(analyses.wait(question(1)))).toEqual({ data: tokenData(question(1).address) });
  });

  test("a waiting request gets the time to poll after eight seconds", async () => {
    const { clock, analyses } = analysesOn();
    for (let n = 0; n < 40; n++) analyses.ask(question(n));

    const answer = analyses.wait(question(39));
    await clock.advance(8_000);
    expect(await answer).toEqual({ pollAfterSec: 3 });
  });
});

test("an answer is fresh for ten minutes", async () => {
  const { clock, begun, analyses } = analysesOn();
  analyses.ask(question(1));

  await clock.advance(600_999);
  expect("data" in analyses.ask(question(1))).toBe(true);
  await clock.advance(1);
  expect("data" in analyses.ask(question(1))).toBe(false);
  expect(begun.length).toBe(2);
});

test("an answer without a trial sale is fresh for one minute", () => {
  const untried = { ...tokenData(), unknown: ["security_risks.is_honeypot"] };
  const askedAfter = (ms: number) => {
    const { store } = memoryStore();
    store.keep(question(1), { data: untried, madeAtMs: Date.UTC(2026, 0, 1) - ms });
    return analysesOn(store).analyses.ask(question(1));
  };

  expect(askedAfter(59_999)).toEqual({ data: untried });
  expect(askedAfter(60_000)).toEqual({ pollAfterSec: 2 });
});

test("a failure is returned for five seconds, and then a new attempt starts", async () => {
  const { clock, begun, analyses } = analysesOn(undefined, new Set([question(1).address]));
  analyses.ask(question(1));

  await clock.advance(5_999);
  expect(() => analyses.ask(question(1))).toThrow("no node");
  await clock.advance(1);
  expect(analyses.ask(question(1))).toEqual({ pollAfterSec: 2 });
  expect(begun.length).toBe(2);
});

describe("with a store", () => {
  test("a question that an earlier process left open is started again, and its answer closes it", async () => {
    const { store, kept, opened } = memoryStore([question(1)]);
    const { clock, begun } = analysesOn(store);

    expect(begun).toEqual([question(1).address]);
    await clock.advance(1_000);
    expect([kept.size, opened.size]).toEqual([1, 0]);
  });

  test("a stored answer of an earlier process is returned without an analysis", async () => {
    const { store } = memoryStore();
    store.keep(question(1), { data: tokenData(), madeAtMs: Date.UTC(2026, 0, 1) });
    const { begun, analyses } = analysesOn(store);

    expect(analyses.ask(question(1))).toEqual({ data: tokenData() });
    expect(begun).toEqual([]);
  });

  test("a question stays open until there is an answer, and is dropped when the analysis fails", async () => {
    const { store, opened } = memoryStore();
    const { clock, analyses } = analysesOn(store, new Set([question(2).address]));
    analyses.ask(question(1));
    analyses.ask(question(2));

    expect(opened.size).toBe(2);
    await clock.advance(1_000);
    expect(opened.size).toBe(0);
  });
});
