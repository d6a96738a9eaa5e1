import fc from "fast-check";
import { expect, test } from "vitest";
import { type Check, checks } from "../../../../src/messages/checks.ts";
import { readEvidence } from "../../../../src/messages/evidence.ts";
import { type CheckEntry, failureCodes } from "../../../../src/messages/verdict.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const cleanOf = {
  poisoning: { target: clean.target, token: clean.token },
  "token-security": clean.tokenSecurity,
  classification: clean.classification,
  "solana-simulation": clean.solana,
  "tron-security": clean.tron,
  "evm-security": clean.tron,
  "tron-integrity": clean.tronIntegrity,
  listed: { matches: [] },
  payment: { mistakes: [] },
} as const satisfies Record<Check, unknown>;

const check = fc.constantFrom(...checks);

/** Every path to a leaf or an inner node of some evidence. */
function pathsOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((each, i) => (String(i) === step ? replaced(each, rest, by) : each));
  return { ...Object(value), [step]: replaced(Reflect.get(Object(value), step), rest, by) };
}

test("an unreadable answer is never ALLOW", () => {
  fc.assert(
    fc.property(check, fc.anything(), (name, data) => {
      const { decision } = decide({ subject, requiredChecks: [name], checks: [answered(name, data)] }, table);

      if (readEvidence(name, data) === undefined) expect(decision).toBe("UNKNOWN");
    }),
  );
});

test("an answer with one replaced part is ALLOW only if it still has the form of the interface", () => {
  const spoilt = check.chain((name) =>
    fc.record({
      name: fc.constant(name),
      path: fc.constantFrom(...pathsOf(cleanOf[name])),
      by: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(undefined, Number.NaN, "", "1", "0", "2", true)),
    }),
  );
  fc.assert(
    fc.property(spoilt, ({ name, path, by }) => {
      const data = replaced(cleanOf[name], path, by);

      const { decision } = decide({ subject, requiredChecks: [name], checks: [answered(name, data)] }, table);

      if (decision === "ALLOW") expect(readEvidence(name, data)).toBeDefined();
      if (by === "1" && /^(target|token)$/.test(path[0] ?? "") && /^(is|mimics)/.test(path[1] ?? "")) {
        expect(decision).toBe("BLOCK");
      }
    }),
    { numRuns: 1_000 },
  );
});

const entry: fc.Arbitrary<CheckEntry> = fc.oneof(
  check.map((name) => answered(name, cleanOf[name])),
  check.map((name) => answered(name, { nothing: "known" })),
  fc.constant(answered("poisoning", { target: { ...clean.target, mimics_user: "1" } })),
  fc.constant(answered("classification", { ...clean.classification, classification: "" })),
  fc.record({
    check: fc.constantFrom("event" as const, ...checks),
    outcome: fc.constantFrom("failed" as const, "not_applicable" as const),
    cached: fc.boolean(),
    attempts: fc.nat(5),
    error: fc.record({ code: fc.constantFrom(...failureCodes), detail: fc.string() }),
  }),
);
const cases = fc.record({ required: fc.uniqueArray(check), entries: fc.array(entry, { maxLength: 5 }) });

test("ALLOW needs every required check to be made, no failure, at least one answer, and only readable answers", () => {
  fc.assert(
    fc.property(cases, ({ required, entries }) => {
      const { decision } = decide({ subject, requiredChecks: required, checks: entries }, table);

      if (decision !== "ALLOW") return;
      expect(required.filter((name) => !entries.some((each) => each.check === name))).toEqual([]);
      expect(entries.map(({ outcome }) => outcome)).toContain("ok");
      for (const { check: name, outcome, data } of entries) {
        expect(name).not.toBe("event");
        expect(outcome).not.toBe("failed");
        if (outcome === "ok" && name !== "event") expect(readEvidence(name, data)).toBeDefined();
      }
    }),
  );
});

/** Checks that no service answers. */
const madeHere: ReadonlySet<string> = new Set(["tron-integrity", "listed", "payment"]);

test("one more failure, missing check or finding never makes a decision milder, and never hides a BLOCK", () => {
  const weight = { ALLOW: 0, WARN: 1, UNKNOWN: 2, BLOCK: 3 } as const;
  const bad = entry.filter(({ outcome, data }) => outcome === "failed" || data !== undefined);
  fc.assert(
    fc.property(cases, bad, check, ({ required, entries }, more, missing) => {
      // An answer of a service ends the state "nothing checked". A check that the worker makes itself does not.
      fc.pre(entries.some(({ check: name, outcome }) => outcome === "ok" && !madeHere.has(name)));
      const before = decide({ subject, requiredChecks: required, checks: entries }, table).decision;
      const needed = decide({ subject, requiredChecks: [...required, missing], checks: entries }, table).decision;
      const later = decide(
        { subject, requiredChecks: required.filter((name) => name !== more.check), checks: [...entries, more] },
        table,
      ).decision;

      expect(weight[needed]).toBeGreaterThanOrEqual(weight[before]);
      const wasMissing = required.some((name) => !entries.some((each) => each.check === name));
      if (!wasMissing) expect(weight[later]).toBeGreaterThanOrEqual(weight[before]);
      if (before === "BLOCK") expect(later).toBe("BLOCK");
    }),
  );
});

test("a decision does not depend on the order of the entries, and always has a reason", () => {
  fc.assert(
    fc.property(cases, ({ required, entries }) => {
      const forward = decide({ subject, requiredChecks: required, checks: entries }, table);
      const backward = decide({ subject, requiredChecks: required, checks: entries.toReversed() }, table);

      expect(backward.decision).toBe(forward.decision);
      expect(forward.reasons.length).toBeGreaterThan(0);
    }),
  );
});

test("an unknown field in a plain poisoning answer does not change the decision", () => {
  const flag = fc.constantFrom("0", "0", "0", "1");
  const target = fc.record({ is_poisoning: flag, mimics_user: flag, mimics_exchange: flag });
  const address = fc.constantFrom(
    subject.address,
    "0x000000000000000000000000000000000000dead",
    "0x000000000000000000000000000000000000dEaD",
    "no address",
  );
  const about = fc.record(
    { user_addresses: fc.array(fc.constant(subject.address), { maxLength: 1 }), token_address: fc.constant("0x00") },
    { requiredKeys: [] },
  );
  const required = fc.subarray(["poisoning", "classification"] as Check[]);
  fc.assert(
    fc.property(target, address, about, required, (flags, paid, more, requiredChecks) => {
      const { type, chain_id } = subject;
      const plain = { ...flags, chain_id, address: paid };
      const decided = (of: object) => {
        const checks = [answered("poisoning", { target: of })];
        return decide({ subject: { type, chain_id, address: paid, ...more }, requiredChecks, checks }, table);
      };

      expect(decided(plain)).toEqual(decided({ ...plain, more: "x" }));
    }),
  );
});

test("an unknown field in poisoning evidence does not change the decision of the fast path", () => {
  const flag = fc.constantFrom("0", "0", "0", "1");
  const target = fc.record({
    is_poisoning: flag,
    mimics_user: flag,
    mimics_exchange: flag,
    chain_id: fc.constant("1"),
    address: fc.constant("0xdac17f958d2ee523a2206206994597c13d831ec7"),
  });
  const error = { code: "USER_ADDRESS_INVALID", detail: "why" } as const;
  const plain = fc
    .record({
      target,
      outcome: fc.constantFrom<CheckEntry["outcome"]>("ok", "ok", "failed", "not_applicable"),
      isInPart: fc.boolean(),
    })
    .map(({ target: found, outcome, isInPart }): CheckEntry => {
      const entry: CheckEntry = { ...answered("poisoning", { target: found }), outcome };
      return isInPart ? { ...entry, error } : entry;
    });
  const entries = fc.oneof(
    fc.tuple(plain),
    fc.tuple(plain, plain),
    fc.tuple(
      plain,
      check.map((name) => answered(name, cleanOf[name])),
    ),
  );
  const longer = (entry: CheckEntry): CheckEntry => {
    const { data } = entry;
    return entry.check === "poisoning" && data !== undefined ? { ...entry, data: { ...Object(data), more: 1 } } : entry;
  };
  fc.assert(
    fc.property(entries, fc.subarray([...checks], { maxLength: 2 }), (made, requiredChecks) => {
      const plainly = decide({ subject, requiredChecks, checks: made }, table);

      expect(plainly).toEqual(decide({ subject, requiredChecks, checks: made.map(longer) }, table));
    }),
    { numRuns: 2_000 },
  );
});
