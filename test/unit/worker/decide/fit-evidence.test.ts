import { expect, test } from "vitest";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { CheckEntry } from "../../../../src/messages/verdict.ts";
import { fitEvidence } from "../../../../src/worker/decide/fit-evidence.ts";
import { clean } from "../../../fakes/evidence.ts";

const entry = (check: CheckEntry["check"], data: unknown): CheckEntry => ({
  check,
  outcome: "ok",
  requested_at: "2026-01-01T00:00:00.000Z",
  answered_at: "2026-01-01T00:00:01.000Z",
  cached: false,
  attempts: 1,
  data,
});
const small = entry("poisoning", { target: clean.target });
const chatty = { ...clean.tokenSecurity, story: "x".repeat(5_000) };

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const sizeOf = (data: unknown) => ({ bytes: bytesOf(data), sha256: sha256(JSON.stringify(data)) });

test("the largest evidence is reduced to the fields that a policy reads, and the rest is unchanged", () => {
  const entries = [small, entry("token-security", chatty)];

  expect(fitEvidence(entries, 0, "ALLOW")).toEqual(entries);
  expect(fitEvidence(entries, 1, "ALLOW")).toEqual([
    small,
    { ...entry("token-security", clean.tokenSecurity), reduced: sizeOf(chatty) },
  ]);
});

test("evidence that is still too large is removed, and the entry keeps its outcome, size and hash", () => {
  const long = {
    ...clean.tokenSecurity,
    basic_info: { ...clean.tokenSecurity.basic_info, token_name: "é".repeat(4_000) },
    story: "x".repeat(200),
  };
  const { data: _data, ...rest } = entry("token-security", long);

  expect(fitEvidence([small, entry("token-security", long)], 1_000, "ALLOW")).toEqual([
    small,
    { ...rest, reduced: sizeOf(long) },
  ]);
});

test("an entry that its mark would enlarge is unchanged", () => {
  expect(fitEvidence([small], 1_000_000, "ALLOW")).toEqual([small]);
});

test.each([
  ["SERVICE_UNAVAILABLE", "SERVICE_NOT_READY"],
  ["ITEM_FAILED", "ITEM_FAILED"],
] as const)("a partial check lacks the same kind of answer after its evidence is removed: %s", (code, left) => {
  const target = { ...clean.target, matched_name: "x".repeat(1_000) };
  const partly = entry("poisoning", { target, unanswered: [{ code, detail: "503" }] });
  const failed = { outcome: "failed", error: { code: left, detail: "a part of the check has no answer" } };

  const [unknown] = fitEvidence([partly], 1_000, "UNKNOWN");
  expect(unknown).toMatchObject(failed);
  expect(unknown).not.toHaveProperty("data");
  // No missing part can take a BLOCK back, so no answer is missing.
  expect(fitEvidence([partly], 1_000, "BLOCK")).toMatchObject([{ outcome: "ok" }]);
});

test("entries without evidence cannot be reduced", () => {
  const failed: CheckEntry = {
    check: "event",
    outcome: "failed",
    cached: false,
    attempts: 0,
    error: { code: "EVENT_MALFORMED", detail: "x".repeat(500) },
  };

  expect(fitEvidence([failed], 100, "UNKNOWN")).toEqual([failed]);
});
