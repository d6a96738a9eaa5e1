/** Verdicts of any size, with any limit: a reduced verdict fits, keeps its decision, and can be written and read. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteBuffer } from "../../../../src/kernel/byte-buffer.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { type Check, checks } from "../../../../src/messages/checks.ts";
import {
  type CheckEntry,
  failureCodes,
  lacking,
  lacksEvidence,
  reducibleParts,
  type Subject,
  type Verdict,
  verdictIn,
} from "../../../../src/messages/verdict.ts";
import { VerdictWriter } from "../../../../src/messages/verdict-writer.ts";
import { buildVerdict } from "../../../../src/worker/decide/build-verdict.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { fitVerdict } from "../../../../src/worker/decide/fit-verdict.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

/** Largest verdict that cannot be reduced further, bytes. Far below the smallest RECORD_MAX_BYTES, 524,288. */
const SMALLEST_BYTES = 65_536;

const unit = fc.constantFrom("a", "é", "€", "😀", "\u0000", "\u2028", '"', "\\", "\ud800");
const textOf = (maxLength: number) => fc.tuple(unit, fc.nat(maxLength)).map(([each, length]) => each.repeat(length));
const text = fc.oneof(textOf(20), textOf(3_000));
const flag = fc.constantFrom("0", "1");

/** The usual form of evidence. */
const plain = fc.record({
  target: fc.record({
    is_poisoning: flag,
    mimics_user: flag,
    mimics_exchange: flag,
    chain_id: text,
    address: text,
  }),
});
const extras = fc.dictionary(fc.constantFrom("matched_address", "matched_name", "story"), text);
const unansweredParts = fc.array(fc.record({ code: fc.oneof(fc.constantFrom(...failureCodes), text), detail: text }), {
  maxLength: 60,
});
const known = fc.oneof(
  plain.map((data) => answered("poisoning", data)),
  fc
    .tuple(flag, extras, unansweredParts)
    .map(([mimics_user, more, unanswered]) =>
      answered("poisoning", { target: { ...clean.target, mimics_user, ...more }, unanswered }),
    ),
  text.map((story) => answered("token-security", { ...clean.tokenSecurity, story })),
  text.map((token_name) =>
    answered("token-security", {
      ...clean.tokenSecurity,
      basic_info: { ...clean.tokenSecurity.basic_info, token_name },
    }),
  ),
);
const anything = fc
  .tuple(
    fc.constantFrom(...checks),
    fc.oneof(
      fc.jsonValue({ stringUnit: "binary" }),
      fc.bigInt().map((number) => parseExact(`[${number}]`)),
    ),
  )
  .map(([check, data]) => answered(check, data));
const failure: fc.Arbitrary<CheckEntry> = fc.record({
  check: fc.constantFrom("event" as const, ...checks),
  outcome: fc.constantFrom("failed" as const, "not_applicable" as const),
  cached: fc.boolean(),
  attempts: fc.nat(5),
  error: fc.record({ code: fc.constantFrom(...failureCodes), detail: text }),
});
const entries = fc.uniqueArray(fc.oneof(known, anything, failure), { selector: ({ check }) => check, maxLength: 6 });
const subject: fc.Arbitrary<Subject> = fc.oneof(
  fc.record({
    type: fc.constant("address" as const),
    chain_id: text,
    address: text,
    user_addresses: fc.array(text, { maxLength: 30 }),
  }),
  fc.record({ type: fc.constant("unreadable" as const), record_sha256: fc.constant("00".repeat(32)) }),
);
const identity = fc.record({
  verdict_id: fc.constant("11".repeat(32)),
  event_id: textOf(256),
  tenant: textOf(256),
  ref: fc.option(text, { nil: undefined }),
});
const required = fc.uniqueArray(fc.constantFrom<Check>(...checks), { maxLength: 3 });
const source = { topic: "t".repeat(249), partition: 0, offset: "7" };
const deps = { clock: new FakeClock(), software: "weir/test" };
const facts = fc.record({ subject, requiredChecks: required, checks: entries });

function said(
  about: typeof facts extends fc.Arbitrary<infer T> ? T : never,
  own: object,
  maxVerdictBytes: number,
): Verdict {
  const names = own as Parameters<typeof buildVerdict>[1];
  return buildVerdict({ revision: 3, source }, names, about, defaultPolicy, { ...deps, maxVerdictBytes }, undefined);
}

test("a verdict fits its limit or takes at most 64 KiB, and it is complete if it fits", () => {
  fc.assert(
    fc.property(facts, identity, fc.nat(120_000), (about, own, maxBytes) => {
      const whole = said(about, own, Number.POSITIVE_INFINITY);
      const wholeBytes = Buffer.byteLength(JSON.stringify(whole));
      const verdict = said(about, own, maxBytes);
      const bytes = Buffer.byteLength(JSON.stringify(verdict));

      expect(bytes).toBeLessThanOrEqual(Math.max(maxBytes, SMALLEST_BYTES));
      expect(verdict.reduced === undefined).toBe(wholeBytes <= maxBytes);
      expect(fitVerdict(whole, wholeBytes)).toBe(whole);
    }),
    propertyRuns(300),
  );
});

test("a reduced verdict keeps its decision, ids, revision and missing checks, and its evidence supports the decision", () => {
  fc.assert(
    fc.property(facts, identity, fc.nat(60_000), (about, own, maxBytes) => {
      const whole = said(about, own, Number.POSITIVE_INFINITY);
      const verdict = said(about, own, maxBytes);
      const { decision, verdict_id, event_id, tenant, revision, unanswered, reduced = [] } = whole;

      expect(verdict).toMatchObject({ decision, verdict_id, event_id, tenant, revision });
      expect(verdict.unanswered).toBe(unanswered);
      expect(lacking(verdict)).toBe(lacking(whole));
      expect(reducibleParts.filter((part) => verdict.reduced?.includes(part))).toEqual(verdict.reduced ?? reduced);
      if (lacksEvidence(verdict)) return;
      const again = { subject: verdict.subject, requiredChecks: verdict.required_checks, checks: verdict.checks };
      expect(decide(again, defaultPolicy.table).decision).toBe(decision);
    }),
    propertyRuns(300),
  );
});

test("a reduced verdict passes its schema and is written as JSON.stringify writes it", () => {
  const writer = new VerdictWriter();
  fc.assert(
    fc.property(facts, identity, fc.nat(60_000), (about, own, maxBytes) => {
      const verdict = said(about, own, maxBytes);
      const buffer = new ByteBuffer({ initialBytes: 64, keptBytes: 1_024 });
      writer.write(verdict, buffer);

      expect(Buffer.from(buffer.bytes).toString()).toBe(JSON.stringify(verdict));
      expect(verdictIn(buffer.bytes)?.reduced).toEqual(verdict.reduced);
    }),
    propertyRuns(200),
  );
});
