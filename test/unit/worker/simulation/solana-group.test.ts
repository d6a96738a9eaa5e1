import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { RequestOf } from "../../../../src/api/routes.ts";
import type { SolanaTransaction } from "../../../../src/api/schemas/solana-emulate.ts";
import {
  ChainUnsupportedError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { Cancellation } from "../../../../src/worker/checks/cancellation.ts";
import { WithdrawnError } from "../../../../src/worker/rate-limit/gate/withdrawn-error.ts";
import { SolanaGroups } from "../../../../src/worker/simulation/solana-group.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { ManualSlots, PatientAsker, promptSlots } from "../../../fakes/slots.ts";
import { LedgerService } from "../../../fakes/solana/ledger-service.ts";
import { plain, Transactions } from "../../../fakes/solana/transactions.ts";
import { evenly } from "../../../fakes/turns.ts";

const transactions = new Transactions();
const ledger = new LedgerService(transactions, { shared: true });
const healthy = () => new FakeService().on("solanaEmulate", (request) => ledger.answer(request));

function groups(service: FakeService, own: { groupMax?: number; slots?: ManualSlots } = {}) {
  return new SolanaGroups({
    service,
    slots: own.slots ?? promptSlots,
    decoder: transactions,
    weightOf: evenly,
    ticks: () => 0,
    groupMax: own.groupMax ?? 8,
  });
}

const one = (n: number) => ({ transactions: [transactions.make(plain(n))] });
const many = (count: number, from = 1) => Array.from({ length: count }, (_, i) => one(from + i));

const requestsTo = (service: FakeService) => service.sentTo("solanaEmulate") as RequestOf<"solanaEmulate">[];
const sizes = (service: FakeService) => requestsTo(service).map((request) => request.sol_transactions.length);
const payers = (service: FakeService) =>
  requestsTo(service).map((request) => request.sol_transactions.map((item) => transactions.effectOf(item).payer));
const payerOf = ({ transactions: [item] }: { transactions: readonly SolanaTransaction[] }) => item?.feePayer;

/** Fails or answers, as the sent transactions demand. */
function failing(when: (request: RequestOf<"solanaEmulate">, nth: number) => Error | undefined) {
  return new FakeService().on("solanaEmulate", (request, nth) => {
    const error = when(request as RequestOf<"solanaEmulate">, nth);
    if (error !== undefined) throw error;
    return ledger.answer(request);
  });
}

function askAll(
  asked: SolanaGroups,
  questions: readonly { transactions: readonly SolanaTransaction[] }[],
  asker = new PatientAsker(),
) {
  return Promise.allSettled(questions.map((question) => asked.ask(question, asker)));
}

describe("the content of a request", () => {
  test("the transaction is unchanged except for its name, and everything that a verdict needs is requested", async () => {
    const service = healthy();
    const made = { ...transactions.make(plain(1, [2], [3])), name: "mine" };

    await groups(service).ask({ transactions: [made] }, new PatientAsker());

    expect(requestsTo(service)).toEqual([
      {
        sol_transactions: [{ ...made, name: "w1" }],
        requested_items: { balance_changes: true, involved_address_risks: true },
      },
    ]);
  });

  test("no name is ever sent twice", async () => {
    const service = healthy();
    const asked = groups(service);

    await askAll(asked, many(10));
    await askAll(asked, many(10));

    const names = requestsTo(service).flatMap((request) => request.sol_transactions.map(({ name }) => name));
    expect(new Set(names).size).toBe(20);
  });

  test("events that may share go together, up to the limit", async () => {
    const service = healthy();

    await askAll(groups(service), many(20));

    expect(sizes(service)).toEqual([8, 8, 4]);
  });

  test("a sequence goes alone and in order, and an equal transaction goes later", async () => {
    const service = healthy();
    const sequence = { transactions: [plain(1), plain(2), plain(1)].map((effect) => transactions.make(effect)) };
    const questions = [one(1), sequence, one(1), one(3)];

    await askAll(groups(service), questions);

    const [a, b, , c] = questions.map(payerOf);
    const second = sequence.transactions[1]?.feePayer;
    expect(payers(service)).toEqual([[a, c], [b, second, b], [a]]);
  });

  test("a transaction that cannot be decoded goes alone", async () => {
    const service = healthy();
    const undecodable = { transactions: [transactions.make({ ...plain(2), form: "undecodable" })] };

    await askAll(groups(service), [one(1), undecodable, one(3)]);

    expect(sizes(service)).toEqual([2, 1]);
  });

  test("serialized and structured transactions go together", async () => {
    const service = healthy();

    await askAll(groups(service), [one(1), { transactions: [transactions.make({ ...plain(2), form: "serialized" })] }]);

    expect(sizes(service)).toEqual([2]);
  });
});

describe("the group is formed when the permit is granted", () => {
  test("one permit is requested at a time, and none for an empty queue", async () => {
    const slots = new ManualSlots();
    const asked = groups(healthy(), { slots, groupMax: 2 });

    const answers = askAll(asked, many(3));
    expect(slots.requested).toBe(1);
    slots.give();
    await Promise.resolve();
    await Promise.resolve();
    expect(slots.requested).toBe(1);
    slots.give();
    await answers;

    expect(slots.requested).toBe(0);
  });

  test("an event that arrives while the permit is awaited joins the group", async () => {
    const slots = new ManualSlots();
    const service = healthy();
    const asked = groups(service, { slots });

    const first = askAll(asked, many(1));
    await Promise.resolve();
    const second = askAll(asked, many(2, 2));
    slots.give();
    await Promise.all([first, second]);

    expect(sizes(service)).toEqual([3]);
  });

  test("a permit that never comes fails every event, and the next question requests a new one", async () => {
    const slots = new ManualSlots();
    const asked = groups(healthy(), { slots });
    const refusal = new UnavailableError("no slots");

    const failed = askAll(asked, many(2));
    slots.refuse(refusal);
    expect(await failed).toEqual([
      { status: "rejected", reason: refusal },
      { status: "rejected", reason: refusal },
    ]);

    const later = asked.ask(one(3), new PatientAsker());
    slots.give();
    await expect(later).resolves.toHaveProperty("results.length", 1);
  });
});

describe("a group with a failed simulation", () => {
  const spoilt = () => ({ transactions: [transactions.make({ ...plain(5), fails: true })] });

  test("each event is sent again alone before any is answered, and only the failed one fails", async () => {
    const service = healthy();
    const asker = new PatientAsker();
    const answeredAt: number[] = [];
    const asked = groups(service);
    const questions = [one(1), spoilt(), one(2)];

    const evidence = await Promise.all(
      questions.map(async (question) => {
        const data = await asked.ask(question, asker);
        answeredAt.push(sizes(service).length);
        return data;
      }),
    );

    expect(sizes(service)).toEqual([3, 1, 1, 1]);
    expect(Math.min(...answeredAt)).toBeGreaterThan(1);
    expect(asker.sent).toBe(6);
    expect(evidence.map(({ results }) => results[0]?.error)).toEqual([null, "InstructionError", null]);
    expect(evidence.map(({ exec_summary }) => exec_summary.result_code)).toEqual([
      "000000000",
      "000000001",
      "000000000",
    ]);
  });

  test("a repeated question of the group goes alone at once", async () => {
    const service = healthy();
    const asked = groups(service);
    const questions = [one(1), spoilt()];

    await askAll(asked, questions);
    await askAll(asked, questions);

    expect(sizes(service)).toEqual([2, 1, 1, 1, 1]);
  });

  test("the events of the group go before events that were never sent", async () => {
    const slots = new ManualSlots();
    const service = healthy();
    const asked = groups(service, { slots, groupMax: 2 });
    const [failed, good, late] = [spoilt(), one(1), one(2)];

    const answers = askAll(asked, [failed, good, late]);
    slots.give();
    for (let i = 0; i < 10; i++) await Promise.resolve();
    for (let i = 0; i < 3; i++) {
      slots.give();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
    await answers;

    expect(payers(service).flat()).toEqual([failed, good, failed, good, late].map(payerOf));
  });

  test("a foreign answer to a single event is rejected", async () => {
    const answer = ledger.answer({ sol_transactions: one(9).transactions.map((item) => ({ ...item, name: "w1" })) });
    const service = new FakeService().on("solanaEmulate", () => answer);

    await expect(groups(service).ask(one(1), new PatientAsker())).rejects.toMatchObject({ code: "ANSWER_INVALID" });
  });
});

describe("a refused group", () => {
  const rejection = new RejectedError("the service answered 422");

  test("the group is halved, and only the event that the service refuses fails", async () => {
    const questions = many(8);
    const bad = payerOf(questions[5] ?? one(0));
    const service = failing(({ sol_transactions }) =>
      sol_transactions.some(({ feePayer }) => feePayer === bad) ? rejection : undefined,
    );

    const answers = await askAll(groups(service), questions);

    expect(answers.map(({ status }) => status === "fulfilled")).toEqual(questions.map((_, i) => i !== 5));
    expect(answers[5]).toMatchObject({ reason: rejection });
    expect(sizes(service)).toEqual([8, 4, 4, 2, 2, 1, 1]);
  });

  test("the same bytes are never sent again", async () => {
    const service = failing(() => rejection);

    await askAll(groups(service), many(8));

    const sent = payers(service).map((each) => each.join());
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(15);
  });

  test("a sequence is never split", async () => {
    const service = failing(() => rejection);
    const sequence = { transactions: [transactions.make(plain(1)), transactions.make(plain(2))] };

    await expect(groups(service).ask(sequence, new PatientAsker())).rejects.toBe(rejection);

    expect(sizes(service)).toEqual([2]);
  });
});

describe("a service that fails", () => {
  test.each([
    ["is too busy", new RateLimitedError("429")],
    ["is down", new UnavailableError("503")],
    ["refuses the key", new UnauthorizedError("401")],
    ["has no such chain", new ChainUnsupportedError("400")],
    ["meets a bug", new TypeError("undefined is not a function")],
  ])("and %s fails each event of the group once, and no other", async (_why, error) => {
    const service = failing((_request, nth) => (nth === 1 ? error : undefined));

    const answers = await askAll(groups(service, { groupMax: 2 }), many(3));

    expect(answers.map((answer) => (answer.status === "rejected" ? answer.reason : "answered"))).toEqual([
      error,
      error,
      "answered",
    ]);
    expect(sizes(service)).toEqual([2, 1]);
  });

  test("after an unreadable answer each event goes alone when it is asked again", async () => {
    const questions = many(3);
    const service = failing(({ sol_transactions }) =>
      sol_transactions.length > 1 ? new UnavailableError("504") : undefined,
    );
    const asked = groups(service);

    await askAll(asked, questions);
    const answers = await askAll(asked, questions);

    expect(answers.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(sizes(service)).toEqual([3, 1, 1, 1]);
  });

  test("a rate limit says nothing about the other events of the group", async () => {
    const questions = many(3);
    const service = failing((_request, nth) => (nth === 1 ? new RateLimitedError("429") : undefined));
    const asked = groups(service);

    await askAll(asked, questions);
    await askAll(asked, questions);

    expect(sizes(service)).toEqual([3, 3]);
  });
});

describe("an event that withdraws", () => {
  const reason = new Error("too late");

  test("an event that withdraws before its question is never sent", async () => {
    const service = healthy();

    await expect(groups(service).ask(one(1), new PatientAsker(AbortSignal.abort(reason)))).rejects.toBe(reason);

    expect(sizes(service)).toEqual([]);
  });

  test("an event that withdraws while waiting is notified at once and not sent", async () => {
    const slots = new ManualSlots();
    const service = healthy();
    const asked = groups(service, { slots });
    const leaving = new AbortController();

    const left = asked.ask(one(1), new PatientAsker(leaving.signal));
    const stays = asked.ask(one(2), new PatientAsker());
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    slots.give();
    await stays;

    expect(sizes(service)).toEqual([1]);
  });

  test("an overdue event is released at once, with its listener, and its permit goes to others", async () => {
    const slots = new ManualSlots();
    const service = healthy();
    const asked = groups(service, { slots });
    const [leaving, { signal }] = [new Cancellation(), new AbortController()];

    const left = asked.ask(one(1), Object.assign(new PatientAsker(signal), { leaving }));
    const stays = asked.ask(one(2), new PatientAsker());
    leaving.leave();
    await expect(left).rejects.toThrow(WithdrawnError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    slots.give();
    await stays;

    expect(sizes(service)).toEqual([1]);
  });

  test("the last event that withdraws leaves a permit unused", async () => {
    const slots = new ManualSlots();
    const service = healthy();
    const asked = groups(service, { slots });
    const leaving = new AbortController();

    const left = asked.ask(one(1), new PatientAsker(leaving.signal));
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    slots.give();
    await Promise.resolve();
    await Promise.resolve();

    expect(sizes(service)).toEqual([]);
    expect(slots.requested).toBe(0);
  });

  test("an event that withdraws or is answered leaves no listener on its signal", async () => {
    const [a, b] = [new AbortController().signal, new AbortController().signal];
    const asked = groups(healthy());

    await Promise.all([asked.ask(one(1), new PatientAsker(a)), asked.ask(one(2), new PatientAsker(b))]);

    expect([a, b].flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
  });

  test("an event that withdraws in flight aborts the request only if it is the last one", async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const gate = Promise.withResolvers<void>();
    const service = new FakeService().on("solanaEmulate", async (request, _nth, signal) => {
      began.resolve(signal);
      await gate.promise;
      return ledger.answer(request);
    });
    const asked = groups(service);
    const [a, b] = [new AbortController(), new AbortController()];

    const answers = Promise.allSettled([
      asked.ask(one(1), new PatientAsker(a.signal)),
      asked.ask(one(2), new PatientAsker(b.signal)),
    ]);
    const signal = await began.promise;
    a.abort(reason);
    expect(signal.aborted).toBe(false);
    b.abort(reason);
    expect(signal.aborted).toBe(true);
    gate.resolve();

    expect(await answers).toMatchObject([{ reason }, { reason }]);
  });
});
