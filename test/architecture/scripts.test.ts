import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
/**
 * The scripts that people call. `setup` itself is excluded, and so are the steps that npm runs before a script or
 * before packing.
 */
const commands = Object.keys(scripts).filter((name) => name !== "setup" && !name.startsWith("pre"));

test("the scan sees the scripts", () => {
  expect(commands).toEqual(expect.arrayContaining(["demo", "test", "lint", "build", "docs", "bench", "weir"]));
});

test.each(commands)("npm run %s works as the first command in a fresh clone", (name) => {
  expect(scripts[`pre${name}`]).toBe(scripts["setup"]);
});
