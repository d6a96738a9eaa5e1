import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { toHex } from "../../src/service/bytecode/code.ts";
import { readCorpus } from "../corpus/corpus.ts";

const dir = mkdtempSync(path.join(tmpdir(), "weir-inspect-"));
afterAll(() => rmSync(dir, { recursive: true }));

const codeOf = (contract: string) =>
  toHex(readCorpus().find((artifact) => artifact.contract === contract)?.code ?? new Uint8Array());

function inspect(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/cli/main.ts", "inspect", ...args], {
    encoding: "utf8",
  });
  return {
    status,
    stderr,
    lines: stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
}

test("a folder of files gives a line each, in the order of their names, and junk does not stop it", () => {
  writeFileSync(path.join(dir, "a.hex"), `0x${codeOf("OwnerMint")}\n`);
  writeFileSync(path.join(dir, "b.hex"), "no hex");
  writeFileSync(path.join(dir, "c.hex"), codeOf("HandWritten"));
  const { status, lines } = inspect("--bytecode", dir);

  expect(status).toBe(2);
  expect(lines.map(({ file, capabilities }) => [path.basename(file), capabilities])).toEqual([
    ["a.hex", { mint: true, limit: false, leak: false }],
    ["b.hex", { mint: "unknown", limit: "unknown", leak: "unknown" }],
    ["c.hex", { mint: false, limit: false, leak: false }],
  ]);
});

test("a file that is not there is said", () => {
  const { status, stderr } = inspect("--bytecode", path.join(dir, "nothing"));

  expect([status, stderr]).toEqual([1, `weir: cannot read ${path.join(dir, "nothing")}\n`]);
});
