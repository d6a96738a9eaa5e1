import avro from "avsc";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileAvro } from "../../../../../src/adapters/schema-registry/avro/avro-schema.ts";
import { UndecodableError } from "../../../../../src/adapters/schema-registry/json-text.ts";
import { toError } from "../../../../../src/kernel/errors.ts";

/** A type, and a value of it with its JSON. */
interface Sample {
  readonly schema: unknown;
  readonly value: unknown;
  readonly json: unknown;
}

const names = fc.stringMatching(/^[a-z]{1,6}$/);
const plain = (schema: string, values: fc.Arbitrary<unknown>) =>
  values.map((value): Sample => ({ schema, value, json: value }));
const leaf = fc.oneof(
  plain("null", fc.constant(null)),
  plain("boolean", fc.boolean()),
  plain("int", fc.integer()),
  // The library writes other numbers beyond 2^52: the unit test has records of Avro's Java library for those.
  plain("long", fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 })),
  plain(
    "double",
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  plain("string", fc.string({ unit: "grapheme" })),
  fc.uint8Array({ maxLength: 40 }).map(
    (bytes): Sample => ({
      schema: "bytes",
      value: Buffer.from(bytes),
      json: `0x${Buffer.from(bytes).toString("hex")}`,
    }),
  ),
);
let made = 0;
const sample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.tuple(tie("any"), fc.nat({ max: 4 })).map(
      ([{ schema, value, json }, count]): Sample => ({
        schema: { type: "array", items: schema },
        value: Array(count).fill(value),
        json: Array(count).fill(json),
      }),
    ),
    fc.tuple(tie("any"), fc.uniqueArray(names, { maxLength: 3 })).map(
      ([{ schema, value, json }, keys]): Sample => ({
        schema: { type: "map", values: schema },
        value: Object.fromEntries(keys.map((key) => [key, value])),
        json: Object.fromEntries(keys.map((key) => [key, json])),
      }),
    ),
    fc.array(fc.tuple(names, tie("any")), { maxLength: 4 }).map((fields): Sample => {
      const own = [...new Map(fields)];
      return {
        schema: {
          type: "record",
          name: `R${made++}`,
          fields: own.map(([name, { schema }]) => ({ name, type: schema })),
        },
        value: Object.fromEntries(own.map(([name, { value }]) => [name, value])),
        json: Object.fromEntries(own.map(([name, { json }]) => [name, json])),
      };
    }),
  ),
})).any;

/** A record type stands in a schema once, and is named afterwards. */
function namedOnce(schema: unknown, seen = new Set<string>()): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, items, values, name, fields } = schema as Record<string, unknown>;
  if (type === "array") return { type, items: namedOnce(items, seen) };
  if (type === "map") return { type, values: namedOnce(values, seen) };
  if (seen.has(String(name))) return name;
  seen.add(String(name));
  const inner = (fields as { name: string; type: unknown }[]).map((each) => ({
    ...each,
    type: namedOnce(each.type, seen),
  }));
  return { type, name, fields: inner };
}

const ref = { by: "ids", id: "1" } as const;
const reader = (schema: unknown) => compileAvro({ type: "AVRO", text: JSON.stringify(schema), references: [] });

test("what the library writes is read as its value", () => {
  fc.assert(
    fc.property(sample, ({ schema: given, value, json }) => {
      const schema = namedOnce(given);
      const body = avro.Type.forSchema(schema as avro.Schema).toBuffer(value);
      const text = Buffer.from(reader(schema).decode({ ref, body }, 1_000_000)).toString();
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(json)));
    }),
    { numRuns: 500 },
  );
});

test("any bytes are read within the limit, or refused as bytes that do not fit", () => {
  fc.assert(
    fc.property(sample, fc.uint8Array({ maxLength: 200 }), ({ schema }, body) => {
      try {
        const text = Buffer.from(reader(namedOnce(schema)).decode({ ref, body }, 2_000)).toString();
        expect(text.length).toBeLessThanOrEqual(2_000);
        JSON.parse(text);
      } catch (thrown) {
        expect(toError(thrown)).toBeInstanceOf(UndecodableError);
      }
    }),
    { numRuns: 2_000 },
  );
});
