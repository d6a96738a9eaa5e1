import { describe, expect, test } from "vitest";
import type { PoisoningEvidence } from "../../../../../src/messages/evidence.ts";
import type { Outcome, RequestTrace } from "../../../../../src/worker/answers/outcome.ts";
import { AnswerInvalidError } from "../../../../../src/worker/answers/service-errors.ts";
import { mergeOutcomes, mergeParties } from "../../../../../src/worker/batching/replies/merge-results.ts";
import { clean } from "../../../../fakes/evidence.ts";

const harmless: PoisoningEvidence = { target: clean.target };
const flagged: PoisoningEvidence = { target: { ...clean.target, is_poisoning: "1", mimics_user: "1" } };
const trace = (requests = 1): RequestTrace => ({ requests, askedAt: 100, answeredAt: 200, cached: false });
const answer = (value: PoisoningEvidence, own: RequestTrace = trace()): Outcome<PoisoningEvidence> => ({
  ok: true,
  value,
  trace: own,
});
const failure: Outcome<PoisoningEvidence> = { ok: false, error: new AnswerInvalidError("none"), trace: trace(3) };

const none = { code: "ANSWER_INVALID", detail: "none" };

test("a single outcome is unchanged", () => {
  for (const outcome of [answer(flagged), failure]) expect(mergeOutcomes([outcome])).toBe(outcome);
  expect(() => mergeOutcomes([])).toThrow("a question has at least one part");
});

test("tokens of different counterparties are merged, although not all counterparties have a token", () => {
  const matched = { ...clean.token, is_poisoning: "1", mimics_top_token: "1" } as const;
  const [tokenless, harmful] = [answer(harmless), answer({ target: clean.target, token: matched })];
  const clear = answer({ target: clean.target, token: clean.token });

  for (const outcomes of [
    [tokenless, harmful],
    [harmful, tokenless],
    [clear, harmful],
    [harmful, clear],
  ])
    expect(mergeParties(outcomes)).toEqual({
      ok: true,
      value: { target: clean.target, token: matched },
      trace: trace(2),
    });
  expect(mergeParties([answer(flagged), tokenless])).toEqual({ ok: true, value: flagged, trace: trace(2) });
});

describe("several outcomes", () => {
  test("a field without evidence in one outcome has no evidence in the result", () => {
    const silentOn = (...unknown: string[]) => answer({ target: { ...clean.target, unknown } });
    const names = (...outcomes: Outcome<PoisoningEvidence>[]) => {
      const united = mergeOutcomes(outcomes);
      return united.ok ? united.value.target["unknown"] : undefined;
    };

    expect(names(silentOn(), silentOn("mimics_user"))).toEqual(["mimics_user"]);
    expect(names(silentOn("mimics_user"), silentOn())).toEqual(["mimics_user"]);
    expect(names(answer(harmless), silentOn("a"), silentOn("b", "a"))).toEqual(["a", "b"]);
  });

  test("a token's flags are dropped if one outcome lacks the token", () => {
    const [withToken, without] = [answer({ target: clean.target, token: clean.token }), answer(harmless)];
    for (const outcomes of [
      [withToken, without],
      [without, withToken],
    ])
      expect(mergeOutcomes(outcomes)).toEqual({ ok: true, value: harmless, trace: trace(2) });
  });

  test.each([0, 1, 2])("a '1' of outcome %i stands", (raising) => {
    const outcomes = [0, 1, 2].map((i) => answer(i === raising ? flagged : harmless));
    expect(mergeOutcomes(outcomes)).toMatchObject({ ok: true, value: flagged });
  });

  test("a believed flag is marked as believed in the result", () => {
    const believed: PoisoningEvidence = { ...flagged, believed: "learned" };

    for (const outcomes of [
      [answer(believed), answer(harmless)],
      [answer(harmless), answer(believed)],
    ])
      expect(mergeOutcomes(outcomes)).toEqual({ ok: true, value: believed, trace: trace(2) });
  });

  test("flags of different outcomes are merged, and so are the matched names", () => {
    const united = mergeOutcomes([
      answer({ target: { ...clean.target, mimics_user: "1" }, token: clean.token }),
      answer({
        target: { ...clean.target, mimics_exchange: "1", matched_address: "0xabc" },
        token: { ...clean.token, mimics_top_token: "1", matched_token: "USDT", matched_address: "0xdef" },
      }),
      answer({ target: { ...clean.target, matched_address: "0x999" }, token: { ...clean.token, is_poisoning: "1" } }),
    ]);

    expect(united).toEqual({
      ok: true,
      value: {
        target: { is_poisoning: "0", mimics_user: "1", mimics_exchange: "1", matched_address: "0xabc" },
        token: { is_poisoning: "1", mimics_top_token: "1", matched_token: "USDT", matched_address: "0xdef" },
      },
      trace: trace(3),
    });
  });

  test("without a '1' every outcome must be an answer, and with a '1' it stands anyway", () => {
    expect(mergeOutcomes([answer(harmless), failure])).toEqual({ ...failure, trace: trace(4) });
    expect(mergeOutcomes([failure, answer(harmless), answer(flagged), failure])).toEqual({
      ok: true,
      value: { ...flagged, unanswered: [none] },
      trace: trace(8),
    });
  });

  test("a missing answer is still reported after a further merge", () => {
    const inPart = { ...flagged, unanswered: [{ code: "ITEM_FAILED", detail: "refused" }] };

    expect(mergeOutcomes([answer(inPart), answer(harmless)])).toMatchObject({
      value: { unanswered: [{ code: "ITEM_FAILED", detail: "refused" }] },
    });
    expect(mergeParties([answer(harmless), failure, answer(inPart)])).toMatchObject({
      value: { unanswered: [none, { code: "ITEM_FAILED", detail: "refused" }] },
    });
  });

  test("the trace adds all requests, and spans the time from the first question to the last answer", () => {
    const united = mergeOutcomes([
      answer(harmless, { requests: 1, askedAt: 300, answeredAt: 350, cached: false }),
      answer(harmless, { requests: 0, askedAt: 100, answeredAt: 200, cached: true }),
      answer(harmless, { requests: 0, cached: true }),
    ]);
    expect(united.trace).toEqual({ requests: 1, askedAt: 100, answeredAt: 350, cached: false });

    const cached = answer(harmless, { requests: 0, cached: true });
    expect(mergeOutcomes([cached, cached]).trace).toEqual({ requests: 0, cached: true });
  });
});
