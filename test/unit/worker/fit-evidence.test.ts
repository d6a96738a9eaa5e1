import { expect, test } from "vitest";
import type { CheckEntry } from "../../../src/events/verdict.ts";
import { sha256 } from "../../../src/kernel/sha256.ts";
import { fitEvidence } from "../../../src/worker/fit-evidence.ts";
import { clean } from "../../fakes/evidence.ts";

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

test("what fits is kept as it is", () => {
  const entries = [small, entry("token-security", chatty)];

  expect(fitEvidence(entries, 100_000)).toBe(entries);
  expect(fitEvidence(entries, Buffer.byteLength(JSON.stringify(entries)))).toEqual(entries);
});

test("the largest evidence is reduced to what a policy reads, and the rest is left alone", () => {
  const entries = [small, entry("token-security", chatty)];
  const text = JSON.stringify(chatty);

  expect(fitEvidence(entries, Buffer.byteLength(JSON.stringify(entries)) - 1)).toEqual([
    small,
    {
      ...entry("token-security", clean.tokenSecurity),
      reduced: { bytes: Buffer.byteLength(text), sha256: sha256(text) },
    },
  ]);
});

test("evidence that is too large even so fails its check, and is not cut", () => {
  const long = {
    ...clean.tokenSecurity,
    basic_info: { ...clean.tokenSecurity.basic_info, token_name: "é".repeat(4_000) },
    story: "x".repeat(100),
  };
  const [, fitted] = fitEvidence([small, entry("token-security", long)], 3_000);
  const bytes = Buffer.byteLength(JSON.stringify(long));

  expect(fitted).toEqual({
    check: "token-security",
    outcome: "failed",
    requested_at: "2026-01-01T00:00:00.000Z",
    answered_at: "2026-01-01T00:00:01.000Z",
    cached: false,
    attempts: 1,
    error: { code: "ANSWER_INVALID", detail: `the answer is too large to keep: ${bytes} bytes` },
  });
});

test("entries without evidence are nothing to reduce", () => {
  const failed: CheckEntry = {
    check: "event",
    outcome: "failed",
    cached: false,
    attempts: 0,
    error: { code: "EVENT_MALFORMED", detail: "x".repeat(500) },
  };

  expect(fitEvidence([failed], 100)).toEqual([failed]);
});
