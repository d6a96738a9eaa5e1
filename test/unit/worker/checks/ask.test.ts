import { describe, expect, test } from "vitest";
import type { ResponseOf, SentTo } from "../../../../src/api/routes.ts";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import type { Family } from "../../../../src/chains/chain.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { ConfigInvalidError, InputUnreadableError, OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import type { CheckEntry, FailureCode } from "../../../../src/messages/verdict.ts";
import {
  AnswerInvalidError,
  ChainUnsupportedError,
  ItemFailedError,
  NotReadyError,
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { ask, type CheckRequester, type CheckResult } from "../../../../src/worker/checks/ask.ts";
import type { Question } from "../../../../src/worker/plan/question.ts";
import { HEALTH_PROBE } from "../../../../src/worker/rate-limit/gate/health-probe.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { singleAnswer } from "../../../fakes/single-answer.ts";
import { workerFor } from "../../../fakes/worker.ts";

const chain = findChain("1");
const address = canonical("0xdac17f958d2ee523a2206206994597c13d831ec7");

function canonical(text: string, family: Family = "evm"): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const questions = {
  poisoning: { check: "poisoning", chain, target: address, users: [], token: undefined },
  token: { check: "token-security", chain, token: address },
  classification: { check: "classification", chain, address },
} as Record<string, Question>;

function deps(service: FakeService, own: Parameters<typeof workerFor>[1] = {}, clock = new FakeClock()) {
  const worker = workerFor(service, { clock, ...own });
  worker.pool.expectMore(false);
  return { ...worker, clock };
}

function questionOf(name: string): Question {
  const question = questions[name];
  if (question === undefined) throw new Error(`no question ${name}`);
  return question;
}

const asker = (lane: Lane = "backfill"): CheckRequester => ({ lane, tenant: "", isCrowded: () => false });

function askAbout(name: string, collaborators: ReturnType<typeof deps>, lane?: Lane): Promise<CheckResult> {
  return ask(questionOf(name), asker(lane), collaborators);
}

async function entryOf(asked: Promise<CheckResult>): Promise<CheckEntry> {
  const entry = await asked;
  if (!("check" in entry)) throw new Error(`the answer comes in ${entry.laterMs} ms`);
  return entry;
}

const okData = (data: unknown) => ({ code: "0", status: "ok", data });
const poisoningAnswer = singleAnswer(address);
const onChainAsked = ({ chainId }: SentTo<"tokenSecurity">) =>
  okData({ ...clean.tokenSecurity, address: `${chainId}:${address}` }) as ResponseOf<"tokenSecurity">;

const failingWith = (error: Error) =>
  new FakeService().on("poisoningSingle", () => {
    throw error;
  });

describe("a cached answer", () => {
  const answered = (name: string, service: FakeService) =>
    name === "token"
      ? service.on("tokenSecurity", () => okData(clean.tokenSecurity) as ResponseOf<"tokenSecurity">)
      : service.on("classifyQuery", () => okData(clean.classification) as ResponseOf<"classifyQuery">);

  test.each(["token", "classification"])("an answer to the %s question is reused for a minute", async (name) => {
    const service = answered(name, new FakeService());
    const worker = deps(service, { cacheBytes: 1e6 });
    const first = await entryOf(askAbout(name, worker, "realtime"));
    await worker.clock.sleep(59_999);

    const second = await askAbout(name, worker, "realtime");

    expect(second).toEqual({ ...first, cached: true, attempts: 0 });
    expect(service.requests).toHaveLength(1);
    await worker.clock.sleep(1);
    expect(await askAbout(name, worker, "realtime")).toMatchObject({ cached: false, attempts: 1 });
    expect(service.requests).toHaveLength(2);
  });

  test.each(["token", "classification"])("an answer to the %s question is reused a day in backfill", async (name) => {
    const service = answered(name, new FakeService());
    const worker = deps(service, { cacheBytes: 1e6 });
    await askAbout(name, worker);
    await worker.clock.sleep(86_399_999);

    expect(await askAbout(name, worker)).toMatchObject({ cached: true, attempts: 0 });
  });

  test("an answer is not reused for another chain, and a failure is not cached", async () => {
    const service = new FakeService().on("tokenSecurity", onChainAsked);
    const worker = deps(service, { cacheBytes: 1e6 });
    await askAbout("token", worker);
    const elsewhere = { ...questionOf("token"), chain: findChain("56") } as Question;

    expect(await ask(elsewhere, asker(), worker)).toMatchObject({ cached: false, attempts: 1 });

    const failing = new FakeService().on("tokenSecurity", () => {
      throw new ItemFailedError("never seen");
    });
    const other = deps(failing, { cacheBytes: 1e6 });
    await askAbout("token", other);
    await askAbout("token", other);
    expect(failing.requests).toHaveLength(2);
  });

  test("a refused question is not sent again shortly after", async () => {
    const refusing = new FakeService().on("tokenSecurity", () => {
      throw new RejectedError("422");
    });
    const worker = deps(refusing, { cacheBytes: 1e6 });
    const [first, second] = [await askAbout("token", worker), await askAbout("token", worker)];

    expect(refusing.requests).toHaveLength(1);
    expect([first, second]).toEqual([
      expect.objectContaining({ cached: false, attempts: 1 }),
      expect.objectContaining({ cached: true, attempts: 0, outcome: "failed" }),
    ]);
  });
});

describe("an answer of the service", () => {
  test("the answer to the poisoning question has its times and its one attempt", async () => {
    const service = new FakeService().on("poisoningSingle", () => poisoningAnswer);

    const entry = await askAbout("poisoning", deps(service));

    expect(entry).toEqual({
      check: "poisoning",
      outcome: "ok",
      requested_at: "2026-01-01T00:00:00.000Z",
      answered_at: "2026-01-01T00:00:00.000Z",
      cached: false,
      attempts: 1,
      data: { target: clean.target },
    });
  });

  test("the answer to a question with an omission is kept, and its check fails all the same", async () => {
    const omits = { code: "USER_ADDRESS_INVALID", detail: "user_addresses[0]: has 1" } as const;
    const service = new FakeService().on("poisoningSingle", () => poisoningAnswer);
    const question = { ...questionOf("poisoning"), omits } as Question;

    const entry = await ask(question, asker(), deps(service));

    expect(entry).toMatchObject({
      check: "poisoning",
      outcome: "failed",
      attempts: 1,
      data: { target: clean.target },
      error: omits,
    });
  });

  test("the answer to the token question is its data", async () => {
    const service = new FakeService().on(
      "tokenSecurity",
      () => okData(clean.tokenSecurity) as ResponseOf<"tokenSecurity">,
    );

    const entry = await askAbout("token", deps(service));

    expect(entry).toMatchObject({ check: "token-security", outcome: "ok", data: clean.tokenSecurity });
    expect(service.requests).toEqual([{ route: "tokenSecurity", request: { chainId: "1", address } }]);
  });

  const upper = `0x${address.slice(2).toUpperCase()}`;
  const tronToken = canonical("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "tron");
  const mint = canonical("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "solana");
  const taproot = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

  test.each([
    ["1", address, `1:${address}`],
    ["1", address, `eth:${address}`],
    ["1", address, `ethereum:${address}`],
    ["1", address, `evm:${address}`],
    ["1", address, `eip155:1:${address}`],
    ["1", address, "ETH:0xdAC17F958D2ee523a2206206994597C13D831ec7"],
    ["1", address, `eth:${upper}`],
    ["1", address, `eth:${address.toUpperCase()}`],
    // A checksum of no known kind.
    ["1", address, "eth:0xDAC17F958D2Ee523a2206206994597C13D831eC7"],
    ["1", address, `some-word:${address}`],
    ["56", address, `evm:${address}`],
    ["56", address, `eip155:56:${upper}`],
    ["56", address, `some-word:${address}`],
    ["tron", tronToken, "tron:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["tron", tronToken, "trx:41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
    ["tron", tronToken, "tron:mainnet:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["solana", mint, `sol:${mint}`],
    ["solana", mint, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${mint}`],
    ["bitcoin", canonical(taproot, "bitcoin"), `btc:${taproot.toUpperCase()}`],
  ])("an answer about %s and %s may use the words %s", async (id, asked, told) => {
    const service = new FakeService()
      .on("tokenSecurity", () => okData({ ...clean.tokenSecurity, address: told }) as ResponseOf<"tokenSecurity">)
      .on("classifyQuery", () => okData({ ...clean.classification, address: told }) as ResponseOf<"classifyQuery">);
    const about = { chain: findChain(id) };
    const worker = deps(service);

    for (const question of [
      { ...about, check: "token-security", token: asked },
      { ...about, check: "classification", address: asked },
    ] as Question[])
      expect(await ask(question, asker(), worker)).toMatchObject({ outcome: "ok" });
  });

  test.each(["evm", "mainnet"])("a word for several chains, %s, is accepted with the right address", async (word) => {
    const other = "0x000000000000000000000000000000000000dead";
    const told = ({ address: asked, chainId }: SentTo<"tokenSecurity">) =>
      okData({ ...clean.tokenSecurity, address: `${word}:${chainId === "10" ? other : asked}` });
    const service = new FakeService().on("tokenSecurity", (sent) => told(sent) as ResponseOf<"tokenSecurity">);
    const worker = deps(service);
    const on = (id: string) => ask({ ...questionOf("token"), chain: findChain(id) } as Question, asker(), worker);

    for (const id of ["1", "56", "137", "1"]) expect(await on(id)).toMatchObject({ outcome: "ok" });
    expect(await on("10")).toMatchObject({ outcome: "failed", error: { code: "ANSWER_INVALID" } });
  });

  test.each([
    ["about another address", { address: "eth:0x000000000000000000000000000000000000dead" }, {}],
    ["about no address", { address: "" }, {}],
    ["about another chain", { address: `bsc:${address}` }, {}],
    ["about no chain", { address }, {}],
    ["about an empty chain", { address: `:${address}` }, {}],
    ["about two addresses", { address: `1:${address}:${address}` }, {}],
    ["about two chains", { address: `eip155:56:${address}` }, {}],
    ["about three chains", { address: `eip155:1:1:${address}` }, {}],
    ["about another family", { address: `tron:${address}` }, {}],
    ["about an address with a word behind it", { address: `eth:${address}:1` }, {}],
    ["with an error in its data", { error: "partial" }, {}],
    ["with an error beside its data", {}, { error: {} }],
  ])("an answer %s is rejected", async (_name, data, beside) => {
    const service = new FakeService()
      .on(
        "tokenSecurity",
        () => ({ ...okData({ ...clean.tokenSecurity, ...data }), ...beside }) as ResponseOf<"tokenSecurity">,
      )
      .on(
        "classifyQuery",
        () => ({ ...okData({ ...clean.classification, ...data }), ...beside }) as ResponseOf<"classifyQuery">,
      );

    for (const name of ["token", "classification"]) {
      expect(await askAbout(name, deps(service))).toMatchObject({
        outcome: "failed",
        error: { code: "ANSWER_INVALID" },
      });
    }
  });

  test("the answer to the classification question is its data", async () => {
    const service = new FakeService().on(
      "classifyQuery",
      () => okData(clean.classification) as ResponseOf<"classifyQuery">,
    );

    const entry = await askAbout("classification", deps(service));

    expect(entry).toMatchObject({ check: "classification", outcome: "ok", data: clean.classification });
    expect(service.requests).toEqual([{ route: "classifyQuery", request: { chain_id: "1", address } }]);
  });
});

const failures: readonly (readonly [Error, FailureCode, number])[] = [
  [new UnavailableError("the service answered 503"), "SERVICE_UNAVAILABLE", 5],
  [new NotReadyError("still running"), "SERVICE_NOT_READY", 5],
  [new AnswerInvalidError("another item"), "ANSWER_INVALID", 3],
  [new RejectedError("the service answered 422"), "SERVICE_REJECTED", 1],
  [new ChainUnsupportedError("unsupported chainId: 1"), "CHECK_UNSUPPORTED", 1],
  [new ItemFailedError("invalid_address: x"), "ITEM_FAILED", 1],
  [new ConfigInvalidError("x"), "SERVICE_UNAVAILABLE", 1],
  [new InputUnreadableError("x"), "SERVICE_UNAVAILABLE", 1],
  [new OutputUnwritableError("x"), "SERVICE_UNAVAILABLE", 1],
];

test.each([
  ["token", "tokenSecurity", "; a service of Weir's needs chain 1 in EVM_RPC_URLS for it"],
  ["classification", "classifyQuery", "; a service of Weir's needs chain 1 in EVM_RPC_URLS for it"],
  ["poisoning", "poisoningSingle", ""],
] as const)(
  "a failed %s question on a chain without a backend names the setting of Weir's own service",
  async (name, route, hint) => {
    const service = new FakeService().on(route, () => {
      throw new ChainUnsupportedError("unsupported chainId: 1");
    });

    const entry = await entryOf(askAbout(name, deps(service)));

    expect(entry.error).toEqual({ code: "CHECK_UNSUPPORTED", detail: `unsupported chainId: 1${hint}` });
  },
);

test.each(failures)("%s becomes %s after %i attempts", async (error, code, attempts) => {
  const service = failingWith(error);

  const entry = await entryOf(askAbout("poisoning", deps(service)));

  expect(entry).toMatchObject({
    check: "poisoning",
    outcome: "failed",
    cached: false,
    attempts,
    error: { code, detail: error.message },
  });
  expect(entry.data).toBeUndefined();
  expect(service.requests).toHaveLength(attempts);
});

test.each([
  ["a used up quota", new RateLimitedError("the service answered 429", 1_000), 0],
  ["a refused key", new UnauthorizedError("the service answered 401"), 19],
])("%s is no answer, and the question is repeated until it is answered", async (_name, error, knocks) => {
  let refusals = 0;
  const isKnock = ({ address }: { readonly address: string }) => address === HEALTH_PROBE.address;
  // Health probes are sent as well, and do not count as attempts of the event.
  const service = new FakeService().on("poisoningSingle", (request) => {
    if (isKnock(request) || ++refusals <= 20) throw error;
    return poisoningAnswer;
  });

  expect(await askAbout("poisoning", deps(service))).toMatchObject({ outcome: "ok", attempts: 21 });
  const sent = service.sentTo("poisoningSingle") as readonly { readonly address: string }[];
  expect(sent.filter(isKnock)).toEqual(Array(knocks).fill(HEALTH_PROBE));
});

test("a refused key that stays the same ends the run", async () => {
  const service = failingWith(new UnauthorizedError("the service answered 401"));

  const asked = askAbout("poisoning", deps(service, { keyIsFixed: true }));

  await expect(asked).rejects.toThrow(new ServiceDownError("the API key is refused"));
  expect(service.requests).toHaveLength(1);
});

describe("retries", () => {
  test("the waits between retries are exact, and the verdict has the first request time and the last answer time", async () => {
    const service = new FakeService().on("poisoningSingle", (_request, nth) => {
      if (nth < 4) throw new UnavailableError("the service answered 503");
      return poisoningAnswer;
    });
    const collaborators = deps(service);

    const entry = await askAbout("poisoning", collaborators);

    expect(collaborators.clock.slept).toEqual([125, 250, 500]);
    expect(entry).toMatchObject({
      outcome: "ok",
      attempts: 4,
      requested_at: "2026-01-01T00:00:00.000Z",
      answered_at: "2026-01-01T00:00:00.875Z",
    });
  });

  test("retries end after the last attempt, with the last failure and its time", async () => {
    const collaborators = deps(failingWith(new UnavailableError("the service answered 503")));

    const entry = await askAbout("poisoning", collaborators);

    expect(collaborators.clock.slept).toEqual([125, 250, 500, 1_000]);
    expect(entry).toMatchObject({ outcome: "failed", answered_at: "2026-01-01T00:00:01.875Z" });
  });

  test("a rejection is not retried", async () => {
    const collaborators = deps(failingWith(new RejectedError("the service answered 422")));

    await askAbout("poisoning", collaborators);

    expect(collaborators.clock.slept).toEqual([]);
  });

  test("every request of a question that takes several counts", async () => {
    const users = Array.from({ length: 1000 }, (_, i) => canonical(`0x${(i + 1).toString(16).padStart(40, "0")}`));
    const service = new FakeService().on("poisoningBatch", (_request, nth) => {
      if (nth === 2) throw new UnavailableError("the service answered 503");
      const item = { chain_id: "1", address, ...clean.target };
      return okData({ target_addresses: [item], token_addresses: [] }) as ResponseOf<"poisoningBatch">;
    });
    const question = { ...questions["poisoning"], users } as Question;

    const entry = await ask(question, asker(), deps(service));

    expect(entry).toMatchObject({ outcome: "ok", attempts: 3 });
  });
});

describe("an analysis in progress", () => {
  const inProgress = (pollAfter: number) =>
    ({ code: "0", status: "in progress", pollAfter }) as ResponseOf<"tokenSecurity">;

  test("the analysis is polled when the service says, and put off if it is never ready", async () => {
    const service = new FakeService().on("tokenSecurity", () => inProgress(1));
    const collaborators = deps(service);

    expect(await askAbout("token", collaborators)).toEqual({ laterMs: 1_000 });
    expect(collaborators.clock.slept).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(service.requests).toHaveLength(6);
  });

  test("an analysis that takes long is put off at once", async () => {
    const service = new FakeService().on("tokenSecurity", () => inProgress(11));
    const collaborators = deps(service);

    expect(await askAbout("token", collaborators)).toEqual({ laterMs: 11_000 });
    expect(collaborators.clock.slept).toEqual([]);
  });

  test("a crowded partition does not wait for the analysis, the poll goes on, and its answer serves the ticket", async () => {
    const service = new FakeService().on(
      "tokenSecurity",
      (_request, nth) => (nth === 1 ? inProgress(2) : okData(clean.tokenSecurity)) as ResponseOf<"tokenSecurity">,
    );
    const collaborators = deps(service, { cacheBytes: 1e6 });
    const crowded = { lane: "realtime", tenant: "", isCrowded: () => true } as const;
    const [waits, leaves] = await Promise.all([
      askAbout("token", collaborators, "realtime"),
      ask(questionOf("token"), crowded, collaborators),
    ]);

    expect(leaves).toEqual({ laterMs: 2_000 });
    expect(waits).toMatchObject({ outcome: "ok", attempts: 2 });
    expect(await ask(questionOf("token"), crowded, collaborators)).toMatchObject({ outcome: "ok", cached: true });
    expect(service.requests).toHaveLength(2);
  });

  test("the answer is used once the analysis is ready", async () => {
    const service = new FakeService().on(
      "tokenSecurity",
      (_request, nth) => (nth === 1 ? inProgress(1) : okData(clean.tokenSecurity)) as ResponseOf<"tokenSecurity">,
    );

    expect(await askAbout("token", deps(service))).toMatchObject({ outcome: "ok", attempts: 2 });
  });

  test("a classification may be put off too", async () => {
    const service = new FakeService().on(
      "classifyQuery",
      () => ({ code: "0", status: "notok" }) as ResponseOf<"classifyQuery">,
    );

    expect(await askAbout("classification", deps(service))).toMatchObject({
      outcome: "failed",
      error: { code: "SERVICE_NOT_READY", detail: "the classification was not ready in time" },
    });
  });
});

describe("a classification of a realtime event", () => {
  const notOk = { code: "0", status: "notok" } as ResponseOf<"classifyQuery">;
  const answer = okData(clean.classification) as ResponseOf<"classifyQuery">;
  const strict = { chain_id: "1", address, strict: "true" };
  const loose = { chain_id: "1", address };

  test("the classification is asked with the strict budget", async () => {
    const service = new FakeService().on("classifyQuery", () => answer);

    expect(await askAbout("classification", deps(service), "realtime")).toMatchObject({ outcome: "ok", attempts: 1 });
    expect(service.sentTo("classifyQuery")).toEqual([strict]);
  });

  test("the question is repeated without the strict budget, and the times cover both requests", async () => {
    const clock = new FakeClock();
    const service = new FakeService().on("classifyQuery", async (_request, nth) => {
      await clock.sleep(100);
      return nth === 1 ? notOk : answer;
    });

    expect(await askAbout("classification", deps(service, {}, clock), "realtime")).toEqual({
      check: "classification",
      outcome: "ok",
      requested_at: "2026-01-01T00:00:00.000Z",
      answered_at: "2026-01-01T00:00:00.200Z",
      cached: false,
      attempts: 2,
      data: clean.classification,
    });
    expect(service.sentTo("classifyQuery")).toEqual([strict, loose]);
  });

  test("a refused question is not repeated", async () => {
    const service = new FakeService().on("classifyQuery", () => {
      throw new RejectedError("the service answered 422");
    });

    expect(await askAbout("classification", deps(service), "realtime")).toMatchObject({
      outcome: "failed",
      attempts: 1,
      error: { code: "SERVICE_REJECTED" },
    });
  });

  test("the check fails when neither budget suffices", async () => {
    const service = new FakeService().on("classifyQuery", () => notOk);

    expect(await askAbout("classification", deps(service), "realtime")).toMatchObject({
      outcome: "failed",
      attempts: 6,
      error: { code: "SERVICE_NOT_READY" },
    });
    expect(service.sentTo("classifyQuery")).toEqual([strict, loose, loose, loose, loose, loose]);
  });
});

describe("equal questions at one time", () => {
  test.each(["token", "classification"])("equal questions about the %s take one request", async (name) => {
    const gate = Promise.withResolvers<void>();
    const service = new FakeService()
      .on("tokenSecurity", async () => {
        await gate.promise;
        return okData(clean.tokenSecurity) as ResponseOf<"tokenSecurity">;
      })
      .on("classifyQuery", async () => {
        await gate.promise;
        return okData(clean.classification) as ResponseOf<"classifyQuery">;
      });
    const collaborators = deps(service);

    const asked = [1, 2, 3].map(() => askAbout(name, collaborators));
    gate.resolve();
    const entries = await Promise.all(asked);

    expect(service.requests).toHaveLength(1);
    expect(entries.map((entry) => entry)).toEqual([entries[0], entries[0], entries[0]]);
    await askAbout(name, collaborators);
    expect(service.requests).toHaveLength(2);
  });

  test("equal questions on two chains take two requests", async () => {
    const service = new FakeService().on("tokenSecurity", onChainAsked);
    const collaborators = deps(service);
    const elsewhere = { ...questionOf("token"), chain: findChain("56") } as Question;

    await Promise.all([askAbout("token", collaborators), ask(elsewhere, asker(), collaborators)]);

    expect(service.sentTo("tokenSecurity")).toEqual([
      { chainId: "1", address },
      { chainId: "56", address },
    ]);
  });
});

describe("errors that end the question without a verdict", () => {
  test("a bug is thrown on", async () => {
    const bug = new TypeError("x is undefined");

    await expect(askAbout("poisoning", deps(failingWith(bug)))).rejects.toBe(bug);
  });

  test("an abort during the request is thrown on, whatever the request returns", async () => {
    const stop = new AbortController();
    const error = new UnavailableError("the service answered 503");
    const service = new FakeService().on("poisoningSingle", () => {
      stop.abort(new Error("stop"));
      throw error;
    });

    await expect(askAbout("poisoning", deps(service, { signal: stop.signal }))).rejects.toThrow();
    expect(service.requests).toHaveLength(1);
  });

  test("an abort during a request that is not retried is thrown on too", async () => {
    const stop = new AbortController();
    const error = new RejectedError("the service answered 422");
    const service = new FakeService().on("poisoningSingle", () => {
      stop.abort(new Error("stop"));
      throw error;
    });

    await expect(askAbout("poisoning", deps(service, { signal: stop.signal }))).rejects.toBe(error);
  });

  test("the signal of the request is aborted", async () => {
    const stop = new AbortController();
    let told: AbortSignal | undefined;
    const service = new FakeService().on("poisoningSingle", (_request, _nth, abort) => {
      told = abort;
      return poisoningAnswer;
    });

    await askAbout("poisoning", deps(service, { signal: stop.signal }));
    stop.abort();

    expect(told?.aborted).toBe(true);
  });
});
