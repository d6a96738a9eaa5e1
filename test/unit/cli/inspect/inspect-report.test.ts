import { expect, test } from "vitest";
import { readSignatures } from "../../../../src/adapters/evmole/read-signatures.ts";
import { inspectLine, inspectReport } from "../../../../src/cli/inspect/inspect-report.ts";
import { analyseCode } from "../../../../src/evm-analysis/analyse-code.ts";
import { readCorpus } from "../../../corpus/corpus.ts";

const code = readCorpus().find(({ contract }) => contract === "OwnerBurn")?.code ?? new Uint8Array();
const analysis = analyseCode(code, readSignatures, () => true);

test("a line names the file, the dangers for holders and every finding", () => {
  const line = JSON.parse(inspectLine({ place: { file: "a.hex" }, analysis }));

  expect(line.capabilities).toEqual({ mint: false, limit: false, leak: true });
  expect(line.findings.self_destruct).toEqual({ value: false, confidence: 0.8, evidence: [] });
  expect(line.execution).toEqual({ calls: 0, reason: "not asked for" });
  expect([line.file, line.kind, line.creation, line.owner_slot]).toEqual(["a.hex", "token", false, "0x5"]);
});

test("a file that was not analysed is unknown, never clean", () => {
  expect(JSON.parse(inspectLine({ place: { file: "b.hex" }, failure: "no answer within 2000 ms" }))).toEqual({
    file: "b.hex",
    error: "no answer within 2000 ms",
    kind: "unknown",
    capabilities: { mint: "unknown", limit: "unknown", leak: "unknown" },
  });
  expect(inspectReport({ place: { file: "b.hex" }, failure: "too large to analyse" })).toBe(
    "b.hex\n  not analysed: too large to analyse\n",
  );
});

test("a report shows yes, no or unknown, and the position", () => {
  const lines = inspectReport({ place: { file: "a.hex" }, analysis }).split("\n");

  expect(lines.slice(2, 7)).toEqual([
    "  run: 0 calls, not asked for",
    "  no      some function makes any number of tokens",
    "  no      something can keep holders from selling",
    "  yes     tokens of others can be moved or destroyed",
    "  owner_changes_balance (0.9)",
  ]);
  expect(lines[7]).toMatch(
    /^ {4}function 9dc29fac, slot 0x3\[\], at 0x[0-9a-f]+, taken from an address given by the caller, by one who must be privileged$/,
  );
});

test("code on a chain is named by address, chain and block, and by the address with the code", () => {
  const [address, implementation] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
  const own = { chain_id: "1", address, block: "7", proxy_type: "", implementation: "", code_of: address };
  const behind = { ...own, proxy_type: "EIP-1967", implementation, code_of: implementation };

  expect(inspectReport({ place: own, analysis }).split("\n")[0]).toBe(`${address} on chain 1, after block 7`);
  expect(inspectReport({ place: behind, analysis }).split("\n")[1]).toBe(
    `  a proxy (EIP-1967); what follows is the code of ${implementation}`,
  );
  expect(JSON.parse(inspectLine({ place: behind, analysis }))).toMatchObject({ ...behind, kind: "token" });
});
