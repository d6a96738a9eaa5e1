import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResponseOf, SentTo } from "../../../../src/api/routes.ts";
import type { SolanaTransaction } from "../../../../src/api/schemas/solana-emulate.ts";
import { type SimulationQuestion, SolanaGroups } from "../../../../src/worker/simulation/solana-group.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { PatientAsker, promptSlots } from "../../../fakes/slots.ts";
import { LedgerService, summarized } from "../../../fakes/solana/ledger-service.ts";
import { account, type Effect, Transactions } from "../../../fakes/solana/transactions.ts";
import { evenly } from "../../../fakes/turns.ts";

type Request = SentTo<"solanaEmulate">;
type Answer = ResponseOf<"solanaEmulate">;

/** Few enough accounts that many events collide, and enough that some do not. */
const someone = fc.integer({ min: 0, max: 24 }).map(account);
const some = fc.array(someone, { maxLength: 2 });
const program = fc.integer({ min: 100, max: 103 }).map(account);
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 15, nil: undefined });
const effect: fc.Arbitrary<Effect> = fc
  .record({
    payer: someone,
    writes: some,
    reads: some,
    program,
    upgrades: rarely(program),
    hidden: rarely(some),
    fails: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
    form: fc.constantFrom("structured", "structured", "serialized", "serialized", "undecodable"),
  })
  .map(({ upgrades, hidden, form, ...rest }) => ({
    ...rest,
    ...(upgrades === undefined ? {} : { upgrades }),
    // Only a serialized transaction can name accounts by a lookup table.
    ...(hidden === undefined ? { form } : { hidden, form: form === "structured" ? "serialized" : form }),
  }));
const event = fc.oneof(
  { weight: 10, arbitrary: effect.map((each) => [each]) },
  { weight: 1, arbitrary: fc.array(effect, { minLength: 2, maxLength: 3 }) },
);
const events = fc.array(event, { minLength: 1, maxLength: 24 });

interface Run {
  readonly questions: readonly SimulationQuestion[];
  readonly outcomes: readonly PromiseSettledResult<Answer["data"]>[];
  /** The effects of the transactions of each request. */
  readonly requests: readonly (readonly Effect[])[];
}

/** Asks all questions at once. */
async function run(
  all: readonly (readonly Effect[])[],
  groupMax: number,
  serve: (request: Request, transactions: Transactions) => Answer,
): Promise<Run> {
  const transactions = new Transactions();
  const questions = all.map((effects) => ({ transactions: effects.map((each) => transactions.make(each)) }));
  const service = new FakeService().on("solanaEmulate", (request) => serve(request, transactions));
  const groups = new SolanaGroups({
    service,
    slots: promptSlots,
    decoder: transactions,
    weightOf: evenly,
    ticks: () => 0,
    groupMax,
  });
  const outcomes = await Promise.allSettled(questions.map((each) => groups.ask(each, new PatientAsker())));
  const sent = service.sentTo("solanaEmulate") as Request[];
  const requests = sent.map((each) =>
    each.sol_transactions.map((item) => transactions.effectOf(item as SolanaTransaction)),
  );
  return { questions, outcomes, requests };
}

const ledger = (shared: boolean) => (request: Request, transactions: Transactions) =>
  new LedgerService(transactions, { shared }).answer(request);

const answerOf = (outcome: PromiseSettledResult<Answer["data"]> | undefined) =>
  outcome?.status === "fulfilled" ? outcome.value : undefined;

/** Every address that the transactions of one event involve. */
function accountsOf(effects: readonly Effect[]): ReadonlySet<string> {
  return new Set(
    effects.flatMap(({ payer, writes, reads, program: runs, hidden }) => [
      payer,
      ...writes,
      ...reads,
      runs,
      ...(hidden ?? []),
    ]),
  );
}

function addressesIn(value: unknown): readonly string[] {
  return JSON.stringify(value).match(/[1-9A-HJ-NP-Za-km-z]{40,44}/g) ?? [];
}

describe.each([
  ["each transaction by itself", false],
  ["the transactions of a request one after the other", true],
])("a service that simulates %s", (_how, shared) => {
  test("every event gets the same answer as alone", async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 2, max: 8 }), async (all, groupMax) => {
        const grouped = await run(all, groupMax, ledger(shared));
        const alone = await run(all, 1, ledger(shared));

        expect(grouped.outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
        expect(grouped.outcomes).toEqual(alone.outcomes);
      }),
    );
  });
});

test("requests follow the order of the questions, and no transaction is sent more than twice", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const { requests } = await run(all, 8, ledger(true));

      const unsent = new Set(all.flat());
      const times = new Map<Effect, number>();
      for (const request of requests) {
        const [oldest] = unsent;
        const isFirst = request.every((each) => !times.has(each));
        if (isFirst) expect(request[0]).toBe(oldest);
        for (const each of request) {
          times.set(each, (times.get(each) ?? 0) + 1);
          unsent.delete(each);
        }
      }
      expect(unsent.size).toBe(0);
      expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
    }),
  );
});

describe("the evidence of an event names no address that only another event involves", () => {
  const honest = ledger(false);
  const leaky: [string, (request: Request, transactions: Transactions) => Answer][] = [
    ["keeps them apart", honest],
    [
      "gives every result the risks of all",
      (request, transactions) => {
        const answer = honest(request, transactions);
        const all = answer.data.results.flatMap((result) => result.involved_addresses_risks ?? []);
        return {
          ...answer,
          data: {
            ...answer.data,
            results: answer.data.results.map((result) => ({ ...result, involved_addresses_risks: all })),
          },
        };
      },
    ],
    [
      "sums up all in fields of its own",
      (request, transactions) => {
        const { data, ...envelope } = honest(request, transactions);
        const everyone = data.results.flatMap((result) => result.involved_addresses ?? []);
        return { ...envelope, data: { ...data, everyone, exec_summary: { ...data.exec_summary, everyone } } };
      },
    ],
  ];

  test.each(leaky)("when the service %s", async (_how, serve) => {
    await fc.assert(
      fc.asyncProperty(events, async (all) => {
        const { outcomes } = await run(all, 8, serve);

        for (const [i, outcome] of outcomes.entries()) {
          const own = accountsOf(all[i] ?? []);
          expect(outcome.status).toBe("fulfilled");
          expect(addressesIn(answerOf(outcome)).filter((address) => !own.has(address))).toEqual([]);
        }
      }),
    );
  });
});

test("every event gets its own answer or none, whatever happens to the results", async () => {
  const harm = fc.record({
    order: fc.infiniteStream(fc.nat()),
    keepsPayer: fc.boolean(),
    loses: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(events, harm, async (all, { order, keepsPayer, loses }) => {
      const harmed = await run(all, 8, (request, transactions) => {
        const { results } = ledger(false)(request, transactions).data;
        const shuffled = results
          .map((result) => ({ at: order.next().value % 7, result }))
          .sort((a, b) => a.at - b.at)
          .map(({ result }) => (keepsPayer ? result : { ...result, from: null }));
        return summarized(shuffled.slice(0, shuffled.length - (loses === 3 ? 1 : 0)));
      });
      const alone = await run(all, 1, ledger(false));

      for (const [i, outcome] of harmed.outcomes.entries()) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "ANSWER_INVALID" });
        else expect(withoutPayer(outcome.value)).toEqual(withoutPayer(answerOf(alone.outcomes[i])));
      }
    }),
  );
});

function withoutPayer(data: Answer["data"] | undefined): unknown {
  return data?.results.map(({ from: _from, ...result }) => result);
}
