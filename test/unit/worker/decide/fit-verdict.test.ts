import { expect, test } from "vitest";
import type { Reason, Verdict } from "../../../../src/messages/verdict.ts";
import { fitVerdict } from "../../../../src/worker/decide/fit-verdict.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";
import { verdictAt } from "../../../fakes/verdicts.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const reason = (i: number, severity: Reason["severity"] = "WARN"): Reason => ({
  check: "poisoning",
  finding: `finding_${i}`,
  severity,
  detail: "d".repeat(300),
});
/** A verdict of which every part can be reduced. */
const large: Verdict = {
  ...verdictAt(1),
  decision: "BLOCK",
  reasons: [...Array.from({ length: 20 }, (_, i) => reason(i)), { ...reason(20, "BLOCK"), resembles: "0xabc" }],
  subject: { ...subject, token_address: "t".repeat(5_000), user_addresses: Array.from({ length: 100 }, String) },
  checks: [
    answered("token-security", { ...clean.tokenSecurity, story: "x".repeat(5_000) }),
    {
      check: "classification",
      outcome: "failed",
      cached: false,
      attempts: 1,
      error: { code: "ITEM_FAILED", detail: "e".repeat(900) },
    },
  ],
  ref: "r".repeat(5_000),
};

test("a verdict that fits is unchanged, to the byte", () => {
  expect(fitVerdict(large, 1_000_000)).toBe(large);
  expect(fitVerdict(large, bytesOf(large))).toBe(large);
  expect(fitVerdict(large, bytesOf(large) - 1).reduced).toEqual(["evidence"]);
});

test("evidence is reduced first, then reasons, ref and subject, each only if the previous parts do not suffice", () => {
  const seen: string[] = [];
  for (let room = bytesOf(large); room > 0; room -= 50) {
    const { reduced = [], ...fitted } = fitVerdict(large, room);
    if (seen.at(-1) !== reduced.join()) seen.push(reduced.join());
    expect(fitted.reasons === large.reasons).toBe(!reduced.includes("reasons"));
    expect("ref" in fitted).toBe(!reduced.includes("ref"));
    expect(fitted.subject === large.subject).toBe(!reduced.includes("subject"));
    expect(fitted).toMatchObject({ decision: "BLOCK", verdict_id: large.verdict_id, revision: 0 });
  }
  expect(seen).toEqual(["", "evidence", "evidence,reasons", "evidence,reasons,ref", "evidence,reasons,ref,subject"]);
});

test("the smallest form keeps the worst reasons, the beginning of each text, and the sizes of removed evidence", () => {
  const { reasons, subject: about, checks, ...rest } = fitVerdict(large, 1);

  expect(reasons.map(({ finding }) => finding)).toEqual([
    "finding_20",
    ...Array.from({ length: 6 }, (_, i) => `finding_${i}`),
    "more_reasons",
  ]);
  expect(reasons[0]).toEqual({ ...reason(20, "BLOCK"), resembles: "0xabc", detail: `${"d".repeat(200)}...` });
  expect(about).toEqual({
    type: "address",
    chain_id: "1",
    address: subject.address,
    token_address: `${"t".repeat(128)}...`,
  });
  expect(checks).toEqual([
    expect.objectContaining({ check: "token-security", outcome: "ok", reduced: expect.anything() }),
    expect.objectContaining({ error: { code: "ITEM_FAILED", detail: `${"e".repeat(200)}...` } }),
  ]);
  expect(checks[0]).not.toHaveProperty("data");
  expect(rest).not.toHaveProperty("ref");
});

test("a part that is already small is not marked", () => {
  const { ref: _ref, ...small } = large;

  expect(fitVerdict({ ...small, checks: [] }, 1).reduced).toEqual(["reasons", "subject"]);
  const unreadable = { ...small, checks: [], subject: verdictAt(1).subject };
  expect(fitVerdict(unreadable, 1).reduced).toEqual(["reasons"]);
});

test("an imitated address that is too long for an address is removed from a reason", () => {
  const forged = { ...verdictAt(1), reasons: [{ ...reason(1), resembles: "a".repeat(129) }] };

  expect(fitVerdict(forged, 600).reasons[0]).not.toHaveProperty("resembles");
});

test("reasons that are reduced in two steps are counted once each", () => {
  const many: Verdict = { ...verdictAt(1), reasons: Array.from({ length: 90 }, (_, i) => reason(i)) };

  const { reasons } = fitVerdict(many, 1);

  expect([reasons.length, reasons.at(-1)?.detail]).toEqual([8, "83 more reasons are not repeated here"]);
});
