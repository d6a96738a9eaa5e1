import { describe, expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { answered, NOT_SENT } from "../../../../src/worker/answers/outcome.ts";
import { RecentReplies } from "../../../../src/worker/answers/recent-replies.ts";
import {
  ChainUnsupportedError,
  RejectedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

const chainOf = (id: string) => findChain(id) ?? expect.fail(`no chain ${id}`);
const about = (key: string, chain = "137", check = "token-security") => ({ check, chain: chainOf(chain), key });
const failedWith = (error: RejectedError | ChainUnsupportedError | UnavailableError) =>
  ({ ok: false, error, trace: { ...answered(NOT_SENT, 5), requests: 1 } }) as const;

function repliesAt() {
  const clock = new FakeClock();
  return { clock, replies: new RecentReplies(clock) };
}

describe("a running analysis", () => {
  test("no event polls a running analysis before the time that the service stated", async () => {
    const { clock, replies } = repliesAt();
    replies.keep(about("token|1"), { ok: "later", afterMs: 30_000 });

    await clock.sleep(10_000);

    expect(replies.find(about("token|1"))).toEqual({ ok: "later", afterMs: 20_000 });
    expect(replies.find(about("token|2"))).toBeUndefined();
  });

  test("a ticket that returns in time or slightly early polls the analysis", async () => {
    const { clock, replies } = repliesAt();
    replies.keep(about("token|1"), { ok: "later", afterMs: 30_000 });

    await clock.sleep(29_500);

    expect(replies.find(about("token|1"))).toBeUndefined();
  });
});

describe("a refusal", () => {
  test("a refusal of a question is reused for that question for a minute, without a request", async () => {
    const { clock, replies } = repliesAt();
    const refused = failedWith(new RejectedError("no such token"));
    replies.keep(about("token|1"), refused);

    expect(replies.find(about("token|1"))).toEqual({ ...refused, trace: { requests: 0, cached: true, answeredAt: 5 } });
    expect(replies.find(about("token|2"))).toBeUndefined();
    await clock.sleep(60_000);
    expect(replies.find(about("token|1"))).toBeUndefined();
  });

  test("a refusal of a chain is reused for every question of the check on that chain", () => {
    const { replies } = repliesAt();
    replies.keep(about("token|1"), failedWith(new ChainUnsupportedError("400: unsupported chainId: 137")));

    expect(replies.find(about("token|2"))).toMatchObject({ ok: false });
    expect(replies.find(about("token|2", "1"))).toBeUndefined();
    expect(replies.find(about("class|2", "137", "classification"))).toBeUndefined();
  });

  test("a refusal that names another chain is reused only for its own question", () => {
    const { replies } = repliesAt();
    replies.keep(about("token|1"), failedWith(new ChainUnsupportedError("400: unsupported chainId: 1")));

    expect([replies.find(about("token|1"))?.ok, replies.find(about("token|2"))]).toEqual([false, undefined]);
  });

  test("a refusal is dropped once the question is answered", () => {
    const { replies } = repliesAt();
    replies.keep(about("token|1"), failedWith(new RejectedError("no such token")));
    replies.keep(about("token|1"), { ok: true, value: {}, trace: NOT_SENT });

    expect(replies.find(about("token|1"))).toBeUndefined();
  });
});

test("an outage is never reused", () => {
  const { replies } = repliesAt();
  replies.keep(about("token|1"), failedWith(new UnavailableError("502")));

  expect(replies.find(about("token|1"))).toBeUndefined();
});

test("beyond ten thousand questions the oldest is dropped", () => {
  const { replies } = repliesAt();
  for (let i = 0; i <= 10_000; i++) replies.keep(about(`token|${i}`), { ok: "later", afterMs: 30_000 });

  expect(replies.find(about("token|0"))).toBeUndefined();
  expect(replies.find(about("token|1"))).toBeDefined();
});
