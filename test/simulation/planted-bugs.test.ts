import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { expect, test } from "vitest";

const patches = globSync("test/simulation/planted-bugs/*.patch").toSorted();

test("there are bugs to plant", () => expect(patches.length).toBeGreaterThanOrEqual(11));

/** That each is found is shown by scripts/planted-bugs.ts, which takes minutes. */
test.each(patches)("%s still applies", (patch) => {
  const { status, stderr } = spawnSync("git", ["apply", "--check", patch], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
