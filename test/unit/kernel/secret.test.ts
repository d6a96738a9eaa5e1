import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";

const secret = new Secret("hunter2-hunter2");

test.each([
  ["JSON", JSON.stringify({ key: secret, list: [secret] })],
  ["inspect", inspect({ key: secret }, { depth: null, showHidden: true })],
  ["inspect of itself", inspect(secret, { showHidden: true })],
  ["a template", `key ${secret}`],
  ["concatenation", `key ${String(secret)}`],
  ["its entries", JSON.stringify(Object.entries(secret))],
  ["an error's message", new Error(`bad key ${secret}`).stack ?? ""],
])("%s never shows the value", (_where, text) => {
  expect(text).not.toContain("hunter2");
});

test("it prints as [secret]", () => {
  expect(`${secret}`).toBe("[secret]");
  expect(JSON.stringify(secret)).toBe('"[secret]"');
  expect(inspect(secret)).toBe("[secret]");
});

test("only reveal returns the value", () => {
  expect(secret.reveal()).toBe("hunter2-hunter2");
});

test.each([
  ["hunter2-hunter2", true],
  ["hunter2-hunter3", false],
  ["hunter2-hunter", false],
  ["hunter2-hunter2 ", false],
  ["", false],
])("%j is equal: %s", (candidate, equal) => {
  expect(secret.equals(candidate)).toBe(equal);
});
