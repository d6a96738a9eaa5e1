import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { addressOf } from "../../../../src/chains/evm/abi/abi-reader.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import type { CheckEntry } from "../../../../src/messages/verdict.ts";
import { RejectedError } from "../../../../src/worker/answers/service-errors.ts";
import { ask } from "../../../../src/worker/checks/ask.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import type { Question } from "../../../../src/worker/plan/question.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { workerFor } from "../../../fakes/worker.ts";

const tokens = ["a1", "b2", "c3"].map((byte) => addressOf(byte.repeat(20)));
const [first = "", second = "", third = ""] = tokens;
const question = { check: "token-security", chain: findChain("1"), tokens } as Question;

const dataOf = (token: string, raised: Readonly<Record<string, "1">> = {}) => ({
  ...clean.tokenSecurity,
  address: `eth:${token}`,
  security_risks: { ...clean.tokenSecurity.security_risks, ...raised },
});
const done = (data: object) => ({ code: "0", status: "ok", data }) as ResponseOf<"tokenSecurity">;
const busy = (pollAfter: number) => ({ code: "0", status: "in progress", pollAfter }) as ResponseOf<"tokenSecurity">;

/**
 * The entry of one event with three tokens, and the number of requests per token. `answer` gets the token and its
 * count.
 */
async function asked(answer: (token: string, nth: number) => ResponseOf<"tokenSecurity">) {
  const times = new Map<string, number>();
  const service = new FakeService().on("tokenSecurity", ({ address }) => {
    const nth = (times.get(address) ?? 0) + 1;
    times.set(address, nth);
    return answer(address, nth);
  });
  const clock = new FakeClock();
  const worker = workerFor(service, { clock, cacheBytes: 1e6 });
  const entry = await ask(question, { lane: "backfill", tenant: "", isCrowded: () => false }, worker);
  return { entry, times: Object.fromEntries(times), worker };
}

describe("several tokens of one event", () => {
  test("each token is sent once, and the evidence holds all tokens", async () => {
    const { entry, times } = await asked((token) => done(dataOf(token)));

    expect(entry).toMatchObject({
      check: "token-security",
      outcome: "ok",
      attempts: 3,
      data: { ...dataOf(first), others: [dataOf(second), dataOf(third)] },
    });
    expect(entry).not.toHaveProperty("data.unanswered");
    expect(times).toEqual({ [first]: 1, [second]: 1, [third]: 1 });
  });

  test("each token is polled by itself as long as its analysis is in progress", async () => {
    const { entry, times } = await asked((token, nth) => (token === second && nth < 3 ? busy(1) : done(dataOf(token))));

    expect(entry).toMatchObject({ outcome: "ok", attempts: 5 });
    expect(times).toEqual({ [first]: 1, [second]: 3, [third]: 1 });
  });

  test("one token that takes long puts the check off, and answered tokens are not sent again", async () => {
    const { entry, times, worker } = await asked((token) => (token === second ? busy(60) : done(dataOf(token))));

    expect(entry).toEqual({ laterMs: 60_000, known: undefined });
    await ask(question, { lane: "backfill", tenant: "", isCrowded: () => false }, worker);
    expect(times).toEqual({ [first]: 1, [second]: 1, [third]: 1 });
  });

  test("a flag beside a token that takes long is known until then", async () => {
    const { entry } = await asked((token) =>
      token === second ? busy(60) : done(dataOf(token, token === third ? { is_honeypot: "1" } : {})),
    );

    expect(entry).toMatchObject({
      laterMs: 60_000,
      known: {
        outcome: "ok",
        data: {
          ...dataOf(first),
          others: [dataOf(third, { is_honeypot: "1" })],
          unanswered: [{ token: second, code: "SERVICE_NOT_READY", detail: "no answer in time" }],
        },
      },
    });
  });

  test("a token without an answer fails the check if no token is flagged", async () => {
    const { entry } = await asked((token) => {
      if (token === third) throw new RejectedError("the service answered 422");
      return done(dataOf(token));
    });

    expect(entry).toMatchObject({ outcome: "failed", attempts: 3, error: { code: "SERVICE_REJECTED" } });
    expect(entry).not.toHaveProperty("data");
  });

  test("a tax that counts blocks like a flag, although another token has no answer", async () => {
    const trade_analysis = { ...clean.tokenSecurity.trade_analysis, sell_tax: "85.1" };
    const { entry } = await asked((token) => {
      if (token === first) throw new RejectedError("the service answered 422");
      return done(token === third ? { ...dataOf(token), trade_analysis } : dataOf(token));
    });
    const subject = { type: "transaction", chain_id: "1", transaction_sha256: "0".repeat(64) } as const;

    expect(entry).toMatchObject({ outcome: "ok", data: { unanswered: [{ token: first, code: "SERVICE_REJECTED" }] } });
    expect(
      decide({ subject, requiredChecks: ["token-security"], checks: [entry as CheckEntry] }, defaultPolicy.table),
    ).toMatchObject({ decision: "BLOCK" });
  });

  test("a flag of one token stands, and the evidence names the tokens without an answer", async () => {
    const { entry } = await asked((token) => {
      if (token === first) throw new RejectedError("the service answered 422");
      return done(dataOf(token, token === third ? { is_honeypot: "1" } : {}));
    });

    expect(entry).toMatchObject({
      outcome: "ok",
      data: {
        ...dataOf(second),
        others: [dataOf(third, { is_honeypot: "1" })],
        unanswered: [{ token: first, code: "SERVICE_REJECTED", detail: "the service answered 422" }],
      },
    });
  });
});
