import { expect, test } from "vitest";
import { readStatement, statementBytes } from "../../../src/messages/quota-statement.ts";

const statement = {
  member: "5f1c6c1e-9a4e-4f0e-b3c1-1f2e3d4c5b6a",
  key: "0123456789abcdef-0a1",
  sequence: 7,
  demand: 12.5,
  weight: 2,
  quota: { requests: 50, window_ms: 1_000 },
  leaves: false,
  refused: 3,
  sent_at: 1_767_225_600_000,
};
const text = (changes: object) =>
  Buffer.from(JSON.stringify({ schema: "weir.quota-statement/1", ...statement, ...changes }));

test("a written statement is read back", () => {
  expect(readStatement(statementBytes(statement))).toEqual({ schema: "weir.quota-statement/1", ...statement });
  expect(readStatement(statementBytes({ ...statement, demand: null }))?.demand).toBe(null);
});

test("a statement of a version that does not count its 429s is read", () => {
  const { refused: _, ...old } = statement;
  expect(readStatement(text({ refused: undefined }))).toEqual({ schema: "weir.quota-statement/1", ...old });
});

test("fields of a later version are ignored", () => {
  expect(readStatement(text({ mood: "good" }))).toEqual({ schema: "weir.quota-statement/1", ...statement });
});

test.each([
  ["a tombstone", undefined],
  ["no JSON", Buffer.from("{")],
  ["no UTF-8", Buffer.from([0xff, 0xfe])],
  ["another thing", Buffer.from("17")],
  ["another schema", text({ schema: "weir.quota-statement/2" })],
  ["a name that is none", text({ member: "a member\n" })],
  ["a long name", text({ member: "a".repeat(65) })],
  ["a demand below nothing", text({ demand: -1 })],
  ["a demand beyond all bounds", text({ demand: 1e9 })],
  ["no demand", text({ demand: undefined })],
  ["no weight", text({ weight: 0 })],
  ["a weight that starves the others", text({ weight: 1e6 })],
  ["a number that is none", text({ sequence: 1.5 })],
  ["less than no 429s", text({ refused: -1 })],
  ["a flag that is a text", text({ leaves: "false" })],
  ["what is too long", text({ more: "x".repeat(2_048) })],
])("%s is no statement", (_what, value) => {
  expect(readStatement(value)).toBe(undefined);
});
