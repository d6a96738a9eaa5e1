import { expect, test } from "vitest";
import { z } from "zod";
import { plainWords } from "../../../../src/api/requests/plain-words.ts";

const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: plainWords }).error?.issues.map(({ message }) => message);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is missing"],
  [z.string(), 1, "must be a string"],
  [z.object({}), [], "must be an object"],
  [z.array(z.string()), "a", "must be an array"],
  [z.record(z.string(), z.string()), 1, "must be an object"],
  [z.int(), 1.5, "must be a whole number"],
  [z.int(), 1e21, "must be written in full, without an exponent: as text of decimal digits"],
  [z.enum(["info", "debug"]), "verbose", "must be one of info, debug"],
  [z.literal("weir.policy/1"), "2", "must be weir.policy/1"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(3), "ab", "must have at least 3 characters"],
  [z.string().max(2), "abc", "must have at most 2 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 items"],
  [z.number().min(2), 1, "must be at least 2"],
  [z.number().max(2), 3, "must be at most 2"],
  [z.strictObject({}), { a: 1 }, "unknown field a"],
  [z.strictObject({}), { a: 1, b: 2 }, "unknown fields a, b"],
  [z.url(), "x", "must be a URL"],
  [z.string().regex(/^a$/), "b", "is not written as it must be"],
  [z.union([z.string(), z.number()]), true, "has none of the forms that it may have"],
  [z.record(z.string().min(1), z.string()), { "": "a" }, "has a name that is not allowed"],
  [z.number().multipleOf(2), 3, "is not allowed"],
])("%#: %j", (schema, value, message) => {
  expect(said(schema, value)).toEqual([message]);
});

test("a message of the schema itself takes precedence", () => {
  expect(said(z.string().regex(/^a$/, "must be a"), "b")).toEqual(["must be a"]);
});
