import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));
const handwritten = files.filter((file) => !file.includes(".generated."));

/** Only these may learn the time or chance by themselves; everything else takes a Clock or a Random. */
const ambient = /^src\/(kernel\/(system-clock|clock|lifecycle)\.ts|cli\/|adapters\/)/;

describe.each(handwritten)("%s", (file) => {
  const text = readFileSync(file, "utf8");

  test("has at most 400 lines", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(400);
  });

  test("uses no escape from the type checker", () => {
    expect(text).not.toMatch(/\bas any\b|@ts-(ignore|expect-error|nocheck)|biome-ignore/);
  });

  if (ambient.test(file)) return;

  test("takes time and chance as parameters", () => {
    expect(text).not.toMatch(/Date\.now\(|new Date\(|Math\.random|performance\.now|process\.env/);
  });

  test("has no name that says nothing", () => {
    expect(path.basename(file)).not.toMatch(/^(utils?|helpers?|common|types|index|misc)\.ts$/);
  });
});

test("nothing that a decision reads has a default", () => {
  const decisive = files.filter((file) => /src\/events\/(verdict|evidence|policy)\.ts/.test(file));
  expect(decisive).toHaveLength(3);
  for (const file of decisive) expect(readFileSync(file, "utf8"), file).not.toMatch(/\.(default|catch|coerce)\b/);
});
