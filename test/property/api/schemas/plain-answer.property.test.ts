import fc from "fast-check";
import { expect, test } from "vitest";
import { PoisoningBatchResponse, TargetFlags } from "../../../../src/api/schemas/address-poisoning.ts";
import { isPlainAnswer, isPlainTarget, plainFlags } from "../../../../src/api/schemas/plain-answer.ts";
import { PoisoningEvidence } from "../../../../src/messages/evidence.ts";

const often = (good: fc.Arbitrary<unknown>, others: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: good }, others);
const flag = often(fc.constantFrom("0", "1"), fc.constantFrom<unknown>("2", 1, "", null));
const text = often(fc.constantFrom("1", "0xab", "", "é"), fc.constantFrom<unknown>(7, null));
/** Mostly a valid target; from time to time with a further member, or without one. */
const target = fc
  .record({ chain_id: text, address: text, is_poisoning: flag, mimics_user: flag, mimics_exchange: flag })
  .chain((item) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<object>(item) },
      fc.record({ matched_address: text, ...constants(item) }),
      fc.record({ note: fc.jsonValue({ maxDepth: 1 }), ...constants(item) }),
      fc.record({ error: fc.constant({ code: "x", detail: "y" }), ...constants(item) }),
      fc.record({ ["__proto__"]: fc.constant({}), ...constants(item) }),
      fc.record(constants(item), { requiredKeys: [] }),
    ),
  );
const answer = fc
  .record({
    code: fc.constantFrom<unknown>("0", "0", "0", "-1", 0),
    status: fc.constantFrom<unknown>("ok", "ok", "ok", "notok", null),
    data: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          target_addresses: fc.array(target, { maxLength: 3 }),
          token_addresses: fc.constantFrom<unknown>([], [], [], [{}], null),
        }),
      },
      fc.jsonValue({ maxDepth: 2 }),
    ),
  })
  .chain((whole) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(whole) }, fc.record(constants(whole), { requiredKeys: [] })),
  );

function constants<T extends object>(value: T) {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fc.constant(member as unknown)]));
}

/** The value as it comes from the wire. */
const wired = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");

test("the schema returns every plain answer unchanged", () => {
  let plain = 0;
  fc.assert(
    fc.property(answer.map(wired), (value) => {
      if (!isPlainAnswer(value)) return;
      plain++;
      expect(PoisoningBatchResponse.parse(value)).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test("the flags of a plain target equal the flags from the schema exactly, in any order", () => {
  let plain = 0;
  fc.assert(
    fc.property(target.map(wired), fc.boolean(), (value, isReversed) => {
      const item = isReversed ? Object.fromEntries(Object.entries(value as object).toReversed()) : value;
      if (!isPlainTarget(item)) return;
      plain++;
      const answered = { code: "0", status: "ok", data: { target_addresses: [item], token_addresses: [] } };
      const [read] = PoisoningBatchResponse.parse(answered).data.target_addresses;
      expect(JSON.stringify(plainFlags(item, item))).toBe(JSON.stringify(TargetFlags.parse(read)));
      expect(PoisoningEvidence.parse({ target: plainFlags(item, item) })).toEqual({ target: plainFlags(item, item) });
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test.each<[string, object]>([
  ["says more", { note: "" }],
  ["names a label", { matched_address: "0xab" }],
  ["failed", { error: { code: "x", detail: "y" } }],
  ["has a flag of another kind", { mimics_user: 1 }],
  ["has another's flag in place of its own", { mimics_user: undefined, mimics_top_token: "0" }],
])("a target that %s is left to the schema", (_what, more) => {
  const item = { chain_id: "1", address: "0xab", is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };

  expect(isPlainTarget(item)).toBe(true);
  expect(isPlainTarget({ ...item, ...more })).toBe(false);
});
