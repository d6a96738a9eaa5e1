/**
 * Every field that the source logs must be in the adapter's table. A field outside the table would be missing from
 * every log.
 */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loggedFields } from "../../src/adapters/logging/logged-fields.ts";
import { fieldsLoggedIn } from "../support/logged-fields.ts";

describe("the search for logged fields", () => {
  test.each([
    ['log.warn("a, b", { one, two: f({ three: 3 }), "four": [five] })', ["one", "two", "four"]],
    ['this.#deps.log.info("a", {\n  one: 1, // a note\n  ...at,\n})', ["one"]],
    ["throw new UnavailableError(what({}), { status }, { cause: thrown })", ["status"]],
    ['new Error("x", { cause: thrown })', []],
    ['halted.halt(at, "why", { key: standing.key })', ["key"]],
    ["  const fields = { ...at, from: next };\n  log.error(what, fields);", ["from"]],
    ['const shownFields = [\n  "broker",\n];', ["broker"]],
    ["const fields = { name: 1 };", []],
    ["Math.log({ one: 1 })", []],
  ])("the search reads %s", (source, names) => {
    expect(fieldsLoggedIn(source)).toEqual(names);
  });
});

test("every logged field stands in the table of allowed fields", () => {
  const files = globSync("src/**/*.ts");
  const logged = files.flatMap((file) => fieldsLoggedIn(readFileSync(file, "utf8")).map((name) => ({ file, name })));

  expect(logged.length).toBeGreaterThan(100);
  expect(logged.filter(({ name }) => !loggedFields.has(name))).toEqual([]);
});
