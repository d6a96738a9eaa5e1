import { globSync, readFileSync } from "node:fs";
import avro from "avsc";
import { describe, expect, test } from "vitest";
import { compileAvro } from "../../../../src/adapters/schema-registry/avro/avro-schema.ts";
import { VerdictAvro } from "../../../../src/adapters/schema-registry/verdicts/verdict-avro.ts";
import { framedEncoder } from "../../../../src/adapters/schema-registry/verdicts/verdict-subject.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { verdictAt } from "../../../fakes/verdicts.ts";

const text = readFileSync("docs/schemas/verdict.avsc", "utf8");
const reader = compileAvro({ type: "AVRO", text, references: [] });

/** Every verdict of the golden files, wherever it stands in them. */
function verdictsIn(value: unknown): readonly Verdict[] {
  if (typeof value !== "object" || value === null) return [];
  if (Reflect.get(value, "schema") === "weir.verdict/1") return [value as Verdict];
  return Object.values(value).flatMap(verdictsIn);
}
const golden = globSync("test/golden/*.json").flatMap((file) => verdictsIn(JSON.parse(readFileSync(file, "utf8"))));

type Fields = Readonly<Record<string, unknown>>;
const withoutNulls = (fields: object): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === null) return [];
      if (Array.isArray(value) || typeof value !== "object") return [[name, value]];
      return [[name, withoutNulls(value)]];
    }),
  );

/** The verdict that a reader of Avro has. */
function backFrom(bytes: Uint8Array): unknown {
  const json = JSON.parse(
    Buffer.from(reader.decode({ ref: { by: "ids", id: "1" }, body: bytes }, 10_000_000)).toString(),
  );
  const parsed = (each: Fields, name: string) => (each[name] == null ? {} : { [name]: JSON.parse(String(each[name])) });
  const { unanswered, ...rest } = withoutNulls(json);
  return {
    ...rest,
    ...(unanswered === true ? { unanswered } : {}),
    ...parsed(json, "ref"),
    reasons: json.reasons.map(withoutNulls),
    checks: json.checks.map((each: Fields) => ({ ...withoutNulls(each), ...parsed(each, "data") })),
  };
}

test("there are golden verdicts", () => {
  expect(golden.length).toBeGreaterThan(50);
});

test("every golden verdict comes back from Avro as it was", () => {
  const writer = new VerdictAvro();
  for (const verdict of golden) expect(backFrom(writer.encode(verdict))).toEqual(verdict);
});

test.each<[string, Partial<Verdict>]>([
  ["on a record that is no event", { subject: { type: "unreadable", record_sha256: "00" }, decision: "UNKNOWN" }],
  ["of a file, without an answer", { source: { file: "a.csv", line: 7 }, unanswered: true }],
  ["that was cut to fit", { reduced: ["evidence", "ref"], lists: "L1" }],
  ["with a ref of any form", { ref: { a: [null, 1.5, "x"], __proto__x: 1 } }],
  [
    "on a transaction",
    { subject: { type: "transaction", chain_id: "1", transaction_sha256: "ab", user_addresses: ["0x1"] } },
  ],
])("a verdict %s comes back from Avro as it was", (_, own) => {
  const verdict = { ...verdictAt(1), ...own } as Verdict;
  expect(backFrom(new VerdictAvro().encode(verdict))).toEqual(JSON.parse(JSON.stringify(verdict)));
});

test("a reader of another library has the same fields", () => {
  const type = avro.Type.forSchema(JSON.parse(text), { wrapUnions: "never" });
  const verdict = verdictAt(1);

  expect(type.fromBuffer(Buffer.from(new VerdictAvro().encode(verdict)))).toMatchObject({
    verdict_id: verdict.verdict_id,
    decision: verdict.decision,
    unanswered: false,
  });
});

describe("the frame of a verdict", () => {
  test("is a zero and the id of its schema", () => {
    const encoder = framedEncoder(0x01020304, (_, json) => json);

    expect([...encoder.encode(verdictAt(1), Buffer.from("{}"))]).toEqual([0, 1, 2, 3, 4, 0x7b, 0x7d]);
  });
});
