import { expect, test } from "vitest";
import type { PoisoningEvidence } from "../../../../../src/messages/evidence.ts";
import { defaultAges } from "../../../../../src/worker/answers/answer-cache.ts";
import type { Outcome } from "../../../../../src/worker/answers/outcome.ts";
import { RejectedError } from "../../../../../src/worker/answers/service-errors.ts";
import { OpenEntries } from "../../../../../src/worker/batching/queue/open-entries.ts";
import { clean } from "../../../../fakes/evidence.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { evm, partAbout } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

const claim = { lane: "backfill", tenant: "" } as const;
const part = partAbout({ target: evm(1), users: [evm(2)] });
const trace = { requests: 1, askedAt: 5, answeredAt: 7, cached: false };
const answer: Outcome<PoisoningEvidence> = { ok: true, value: { target: clean.target }, trace };
const failure: Outcome<PoisoningEvidence> = { ok: false, error: new RejectedError("400"), trace };

/** Two listeners with the same question, and their calls in one list. */
function asking() {
  const heard: string[] = [];
  const as = (name: string) => ({
    answered: ({ ok }: Outcome<PoisoningEvidence>) => heard.push(`${name}: ${ok ? "answered" : "failed"}`),
    failed: (reason: unknown) => heard.push(`${name}: ${String(reason)}`),
  });
  const open = new OpenEntries(1e6, defaultAges, new FakeClock(7));
  const waiting = open.open(part, undefined, claim, as("first"));
  const known = open.find(part);
  if (known === undefined) throw new Error("nothing is open");
  expect(open.join(known, claim, as("second"))).toBe(waiting);
  return { open, waiting, heard, as };
}

test("each listener is called once, in order, by the first outcome, and is then released", () => {
  for (const [first, told] of [
    ["settle", ["first: answered", "second: answered"]],
    ["fail", ["first: failed", "second: failed"]],
    ["abandon", ["first: the end", "second: the end"]],
    ["forget", []],
  ] as const) {
    const { open, waiting, heard } = asking();
    const ways = {
      settle: () => open.settle(waiting, answer),
      fail: () => open.settle(waiting, failure),
      abandon: () => open.abandon(waiting, "the end"),
      forget: () => open.forget(waiting),
    };

    ways[first]();
    for (const way of Object.values(ways)) way();

    expect(heard).toEqual(told);
    expect(waiting).toMatchObject({ known: undefined, first: undefined });
  }
});

test("an ended entry is no longer open, and only an answer is cached", () => {
  for (const [end, isRemembered] of [
    [({ open, waiting }: ReturnType<typeof asking>) => open.settle(waiting, answer), true],
    [({ open, waiting }: ReturnType<typeof asking>) => open.settle(waiting, failure), false],
    [({ open, waiting }: ReturnType<typeof asking>) => open.abandon(waiting, "the end"), false],
    [({ open, waiting }: ReturnType<typeof asking>) => open.forget(waiting), false],
  ] as const) {
    const asked = asking();
    end(asked);

    const known = asked.open.find(part);
    expect(known !== undefined).toBe(isRemembered);
    if (known === undefined) continue;
    expect(asked.open.join(known, claim, asked.as("third"))).toBeUndefined();
    expect(asked.open.answered(known, claim)).toMatchObject({ ok: true, trace: { requests: 0, cached: true } });
  }
});

test("dropped answers are gone, and a new question waits as usual", () => {
  const { open, waiting, heard, as } = asking();
  open.settle(waiting, answer);
  open.forgetAnswers();
  expect(open.find(part)).toBeUndefined();

  const anew = open.open(part, open.find(part), claim, as("third"));
  open.settle(anew, answer);
  expect(heard.at(-1)).toBe("third: answered");
});

test("an entry that was refused in a batch is remembered until it has an answer, and a failure is no answer", () => {
  const { open, waiting, as } = asking();
  expect(open.wasRefused(waiting)).toBe(false);
  open.refuse(waiting);
  open.settle(waiting, failure);
  expect(open.wasRefused(waiting)).toBe(true);

  open.settle(open.open(part, undefined, claim, as("third")), answer);
  expect(open.wasRefused(waiting)).toBe(false);
});

test("the last ten thousand refused entries are remembered", () => {
  const open = new OpenEntries(1e6, defaultAges, new FakeClock(7));
  const about = (i: number) => waitingFor({ target: evm(1 + (i % 100)), users: [evm(200 + Math.floor(i / 100))] });
  for (let i = 0; i < 10_000; i++) open.refuse(about(i));
  expect(open.wasRefused(about(0))).toBe(true);

  open.refuse(about(10_000));
  expect([0, 1, 10_000].map((i) => open.wasRefused(about(i)))).toEqual([false, true, true]);
});

test("each entry lists the tenants of all events that ask its question", () => {
  const open = new OpenEntries(1e6, defaultAges, new FakeClock(7));
  const nobody = { answered: () => {}, failed: () => {} };
  const ask = (i: number, tenant: string) => {
    const asked = partAbout({ target: evm(i), users: [evm(2)] });
    const [known, by] = [open.find(asked), { lane: "backfill", tenant } as const];
    return (known && open.join(known, by, nobody)) ?? open.open(asked, known, by, nobody);
  };
  const all = [ask(3, "a"), ask(4, "a"), ask(5, "b"), ask(6, "a"), ask(7, "")];
  ask(4, "b");
  ask(5, "a");

  expect(all.map(({ tenants }) => tenants)).toEqual([["a"], ["a", "b"], ["b", "a"], ["a"], [""]]);
});
