import { describe, expect, test } from "vitest";
import { LoadRefusedError, UnavailableError } from "../../../../../../src/worker/answers/service-errors.ts";
import { LoadSigns } from "../../../../../../src/worker/rate-limit/gate/refusals/load-signs.ts";

const refusal = new UnavailableError("503", { status: 503 });
const told = new UnavailableError("503", { status: 503, retryAfterMs: 2_000 });

/** Signs of a service that answered at these times. */
function signsOf(...answeredAt: readonly number[]): LoadSigns {
  const signs = new LoadSigns();
  for (const at of answeredAt) signs.answered("poisoningBatch", at);
  return signs;
}

/** Whether a 503 at `now`, this long after its request was sent, is for load. */
const isForLoad = (signs: LoadSigns, now: number, { tookMs = 20, error = refusal } = {}) =>
  signs.judge(error, "poisoningBatch", now - tookMs, now) instanceof LoadRefusedError;

describe("a 503 is for load", () => {
  test("a 503 that comes at once while others are answered is for load", () => {
    expect(isForLoad(signsOf(0), 5_000)).toBe(true);
    expect(isForLoad(signsOf(0), 5_001)).toBe(false);
    expect(isForLoad(signsOf(), 0)).toBe(false);
    expect(isForLoad(signsOf(0), 1_000, { tookMs: 1_000 })).toBe(true);
    expect(isForLoad(signsOf(0), 1_001, { tookMs: 1_001 })).toBe(false);
  });

  test("a 503 that announces a wait is for load, however late it comes", () => {
    const signs = signsOf(0);

    expect(signs.judge(told, "poisoningBatch", 0, 4_000)).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 2_000 });
  });

  test("others count as answered for three gaps between answers, and for a minute at most", () => {
    expect(isForLoad(signsOf(0, 10_000), 40_000)).toBe(true);
    expect(isForLoad(signsOf(0, 10_000), 40_001)).toBe(false);
    expect(isForLoad(signsOf(0, 600_000), 660_000)).toBe(true);
    expect(isForLoad(signsOf(0, 600_000), 660_001)).toBe(false);
  });

  test("an envelope that may refuse for load is judged like a 503", () => {
    const said = new UnavailableError("200", { status: 200, mayBeLoad: true });

    expect(signsOf(0).judge(said, "poisoningBatch", 0, 20)).toMatchObject({ code: "RATE_LIMITED", status: 200 });
    expect(signsOf().judge(said, "poisoningBatch", 0, 20)).toBe(said);
  });

  test("no other failure is for load", () => {
    expect(isForLoad(signsOf(0), 10, { error: new UnavailableError("500", { status: 500 }) })).toBe(false);
    expect(isForLoad(signsOf(0), 10, { error: new UnavailableError("no answer") })).toBe(false);
  });
});

describe("one operation that is refused in a row while others are answered is down", () => {
  const refusals = (error: UnavailableError, between: (signs: LoadSigns, at: number) => void) => {
    const signs = signsOf(0);
    return Array.from({ length: 12 }, (_, i) => {
      const judged = signs.judge(error, "tokenSecurity", i, i);
      between(signs, i);
      return judged.code === "RATE_LIMITED";
    }).filter(Boolean).length;
  };

  test("an operation is down after ten refusals, or after three that announced a wait", () => {
    const others = (signs: LoadSigns, at: number) => signs.answered("poisoningBatch", at);

    expect([refusals(refusal, others), refusals(told, others)]).toEqual([10, 3]);
  });

  test("an operation that is down fails by itself, and no other request waits for it", () => {
    const signs = signsOf(0);
    for (let i = 1; i <= 3; i++) {
      signs.judge(told, "tokenSecurity", i, i);
      signs.answered("poisoningBatch", i);
    }

    expect(signs.judge(told, "tokenSecurity", 4, 4)).toMatchObject({ code: "UNAVAILABLE", context: { status: 503 } });
    expect(signs.judge(told, "tokenSecurity", 4, 4)).toHaveProperty("retryAfterMs", undefined);
  });

  test("an operation is not down without answers in between, or if it is answered itself", () => {
    expect(refusals(refusal, () => undefined)).toBe(12);
    expect(refusals(told, (signs, at) => signs.answered("tokenSecurity", at))).toBe(12);
  });
});
