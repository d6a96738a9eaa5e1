import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundled } from "../../src/cli/program/package-root.ts";

const notice = readFileSync("NOTICE", "utf8");

/**
 * A package with its version. A newer version may have another licence or copyright line, so NOTICE has to be checked
 * again.
 */
function sources(): readonly string[] {
  const isOfPackages = (file: string) =>
    !/(exchanges|services|tron-services|solana-services|delegates|clear-signing|clear-signing-others|token-names)\.csv$/.test(
      file,
    );
  const labels = new Set(bundled.labels.filter(isOfPackages).flatMap(sourcesOf));
  const chains =
    /definitions of (\S+),/.exec(readFileSync("src/chains/evm/evm-networks.generated.ts", "utf8"))?.[1] ?? "";
  return [...labels, chains];
}

function sourcesOf(file: string): readonly string[] {
  const [header = "", ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  const column = header.split(",").indexOf("source");
  return rows.map((row) => row.split(",")[column] ?? "");
}

test("NOTICE names every source of bundled data, and a copyright line for each source that has one", () => {
  expect(sources().length).toBeGreaterThan(20);
  const lines = notice.split("\n");
  for (const source of sources()) {
    const at = lines.findIndex((line) => line.startsWith(`  ${source}, `));
    expect(at, source).toBeGreaterThan(0);
    expect(lines[at + 1], source).toMatch(/^ {4}(Copyright|The package carries no copyright line)/);
  }
});

test("NOTICE holds the terms that must be passed on", () => {
  const tables = readFileSync("src/service/labels/confusables.generated.ts", "utf8");
  const unicode = /^\/\/ (Copyright © .+)$/m.exec(tables)?.[1] ?? "none";

  expect(notice).toContain("The above copyright notice and this permission notice shall be included in all");
  expect(notice).toContain("UNICODE LICENSE V3");
  expect(notice).toContain(unicode);
});
