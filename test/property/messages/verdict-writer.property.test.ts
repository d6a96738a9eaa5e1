import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ByteBuffer } from "../../../src/kernel/byte-buffer.ts";
import { parseExact } from "../../../src/kernel/json.ts";
import { type Check, checks } from "../../../src/messages/checks.ts";
import { decisions, severities } from "../../../src/messages/decision.ts";
import type { CheckEntry, Reason, Source, Subject, Verdict } from "../../../src/messages/verdict.ts";
import { VerdictWriter } from "../../../src/messages/verdict-writer.ts";

const sizes = { initialBytes: 64, keptBytes: 1 << 20 };
/** Mostly plain texts, so that the writer itself writes most verdicts and not `JSON.stringify`. */
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("", "1", "event-1", "0xe75427edf00f8ef2720070b3363b05a14f7500d0") },
  fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\u0000", "\u007f", '"', "\\", "\n", "\ud800") }),
);
const flag = fc.constantFrom("0", "1");
const count = fc.oneof(fc.nat(3), fc.maxSafeNat());

/** Nearly always the first, the usual form of a verdict. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other });

const clean: Reason = { check: "poisoning", finding: "no_signal", severity: "INFO", detail: "é" };
const reason = fc.oneof(
  fc.constant(clean),
  fc.record(
    {
      check: fc.constantFrom("event" as const, ...checks),
      finding: text,
      severity: fc.constantFrom(...severities),
      detail: text,
      resembles: text,
    },
    { requiredKeys: ["check", "finding", "severity", "detail"] },
  ),
);
const subject: fc.Arbitrary<Subject> = mostly(
  fc.record({
    type: fc.constant("address" as const),
    address: text,
    chain_id: text,
    user_addresses: fc.array(text, { maxLength: 3 }),
  }),
  fc.oneof(
    fc.record({ type: fc.constant("unreadable" as const), record_sha256: text }),
    fc.record({ type: fc.constant("address" as const), address: text, chain_id: text, token_address: text }),
    fc.record({ type: fc.constant("address" as const), chain_id: text, address: text }),
    fc.record({ type: fc.constant("transaction" as const), chain_id: text, transaction_sha256: text }),
  ),
);
const target = mostly(
  fc.record({ is_poisoning: flag, mimics_user: flag, mimics_exchange: flag, chain_id: text, address: text }),
  fc.oneof(
    fc.record({ chain_id: text, address: text, is_poisoning: flag, mimics_user: flag, mimics_exchange: flag }),
    fc.record({ is_poisoning: flag, mimics_user: flag, mimics_exchange: flag, matched_name: text, unknown: text }),
    fc.jsonValue(),
  ),
);
const error = { code: "ITEM_FAILED" as const, detail: "no" };
const data = mostly(
  fc.record({ target }),
  fc.oneof(fc.record({ target, token: target }), fc.jsonValue(), fc.constant(undefined)),
);
const answered = {
  check: fc.constant("poisoning" as const),
  outcome: mostly(fc.constant("ok" as const), fc.constant("failed" as const)),
  requested_at: text,
  answered_at: text,
  cached: fc.boolean(),
  attempts: count,
  data,
};
const entry: fc.Arbitrary<CheckEntry> = mostly(
  fc.record(answered),
  fc.oneof(
    fc.record({ ...answered, error: fc.constant(error) }),
    fc.record({ ...answered, check: fc.constantFrom(...checks) }),
    fc.record({ check: answered.check, outcome: answered.outcome, cached: answered.cached, attempts: count, data }),
  ),
);
const source: fc.Arbitrary<Source> = mostly(
  fc.oneof(fc.record({ file: text, line: count }), fc.record({ topic: text, partition: count, offset: text })),
  fc.oneof(
    fc.record({ line: count, file: text }),
    fc.record({ partition: count, topic: text, offset: text }),
    fc.record({ file: text, line: count, offset: text }),
  ),
);
const usual = {
  schema: fc.constant("weir.verdict/1" as const),
  verdict_id: text,
  event_id: text,
  tenant: text,
  revision: count,
  decision: fc.constantFrom(...decisions),
  reasons: mostly(fc.tuple(reason), fc.array(reason, { maxLength: 3 })),
  subject,
  required_checks: mostly(fc.constant<Check[]>(["poisoning"]), fc.subarray<Check>([...checks])),
  checks: mostly(fc.tuple(entry), fc.array(entry, { maxLength: 2 })),
  policy: mostly(fc.record({ id: text, sha256: text }), fc.record({ sha256: text, id: text })),
  source,
};
const last = { decided_at: text, software: text };
const ref = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, parseExact("[12345678901234567890]")));
const verdict: fc.Arbitrary<Verdict> = mostly(
  fc.record({ ...usual, ...last }),
  fc.oneof(fc.record({ ...usual, ref, ...last }), fc.record({ ...last, ...usual })),
);

test("a verdict is written as the bytes of JSON.stringify, whatever was written before", () => {
  const writer = new VerdictWriter();
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1, maxLength: 4 }), (verdicts) => {
      const to = new ByteBuffer(sizes);
      for (const each of verdicts) writer.write(each, to);

      expect(to.bytes.toString()).toBe(Buffer.from(verdicts.map((each) => JSON.stringify(each)).join("")).toString());
    }),
    { numRuns: 1_000 },
  );
});

test.each<[string, Source, Source]>([
  ["a file", { file: "events.ndjson", line: 1 }, { file: "events.ndjson", line: 23 }],
  ["a topic", { topic: "events", partition: 3, offset: "9" }, { topic: "events", partition: 11, offset: "1234" }],
])("nearly every verdict on a record of %s is written without JSON.stringify", (_, first, second) => {
  const id = "5".repeat(64);
  const address = "0xe75427edf00f8ef2720070b3363b05a14f7500d0";
  const at = "2026-01-02T03:04:05.006Z";
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0", chain_id: "1", address };
  const of = (nth: number, source: Source): Verdict => ({
    schema: "weir.verdict/1",
    verdict_id: id,
    event_id: `event-${nth}`,
    tenant: "",
    revision: 0,
    decision: "ALLOW",
    reasons: [clean],
    subject: { type: "address", address, chain_id: "1", user_addresses: [address] },
    required_checks: ["poisoning"],
    checks: [
      {
        check: "poisoning",
        outcome: "ok",
        requested_at: at,
        answered_at: at,
        cached: false,
        attempts: 1,
        data: { target: flags },
      },
    ],
    policy: { id: "default", sha256: id },
    source,
    decided_at: at,
    software: "weir/test",
  });
  const [writer, to] = [new VerdictWriter(), new ByteBuffer(sizes)];
  writer.write(of(1, first), to);
  const expected = JSON.stringify(of(1, first)) + JSON.stringify(of(23, second));
  const stringify = vi.spyOn(JSON, "stringify");

  writer.write(of(23, second), to);

  expect(stringify).not.toHaveBeenCalled();
  stringify.mockRestore();
  expect(to.bytes.toString()).toBe(expected);
});
