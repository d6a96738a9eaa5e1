import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));
const handwritten = files.filter((file) => !file.includes(".generated."));

/**
 * Only these files may read the time or a random number directly. All other code, including adapters, takes a Clock or
 * a Random.
 */
const ambient = /^src\/(kernel\/(system-clock|clock)\.ts|cli\/)/;

describe.each(handwritten)("%s", (file) => {
  const text = readFileSync(file, "utf8");

  test("has at most 400 lines", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(400);
  });

  test("uses no escape from the type checker", () => {
    expect(text).not.toMatch(/\bas any\b|@ts-(ignore|expect-error|nocheck)|biome-ignore/);
  });

  test("has no name without a meaning", () => {
    expect(path.basename(file)).not.toMatch(/^(utils?|helpers?|common|types|index|misc)\.ts$/);
  });

  test("exports by name, and re-exports nothing", () => {
    expect(text).not.toMatch(/^export (default\b|\*|(type )?\{[^}]*\} from)/m);
  });

  if (ambient.test(file)) return;

  test("takes the clock and the random source as parameters", () => {
    expect(text).not.toMatch(/Date\.now\(|new Date\(\)|Math\.random|performance\.now|process\.env/);
  });
});
