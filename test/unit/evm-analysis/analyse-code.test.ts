import { expect, test } from "vitest";
import { readSignatures } from "../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../../../src/evm-analysis/analyse-code.ts";
import { parseHex } from "../../../src/evm-analysis/machine/code.ts";
import { readCorpus } from "../../corpus/corpus.ts";
import { landings, withInserted } from "../../support/relocate-code.ts";

const analyse = (code: Uint8Array) => analyseCode(code, readSignatures, () => true);

function codeOf(contract: string): Uint8Array {
  const found = readCorpus().find((artifact) => artifact.contract === contract && artifact.build.endsWith("runs200"));
  if (!found) throw new Error(`no artifact of ${contract}`);
  return found.code;
}

/**
 * A constructor that copies the following bytes and returns them: PUSH2 size, DUP1, PUSH1 11, PUSH0, CODECOPY, PUSH0,
 * RETURN.
 */
function creation(runtime: Uint8Array): Uint8Array {
  const size = runtime.length.toString(16).padStart(4, "0");
  const head = parseHex(`61${size}80600b5f395ff3fe`) ?? new Uint8Array();
  return Uint8Array.from([...head, ...runtime, ...new Uint8Array(32)]);
}

test("a finding tells its place", () => {
  const { findings, balanceSlots, ownerSlot, kind } = analyse(codeOf("OwnerMint"));

  expect([kind, balanceSlots, ownerSlot]).toEqual(["token", ["0x3[]"], "0x5"]);
  expect(findings.unlimited_mint.value).toBe(true);
  expect(findings.unlimited_mint.evidence).toEqual([
    {
      selector: "40c10f19",
      slot: "0x3[]",
      offset: expect.any(Number),
      path: expect.any(Array),
      note: "amount chosen by the caller",
    },
  ]);
});

test.each([
  ["HandWritten", { mint: false, limit: false, leak: false }],
  ["Launch", { mint: false, limit: true, leak: false }],
  ["NamelessMint", { mint: true, limit: false, leak: false }],
  ["WipeBalance", { mint: false, limit: false, leak: true }],
  ["MaxWallet", { mint: false, limit: false, leak: false }],
  ["Proxy1967", { mint: "unknown", limit: "unknown", leak: "unknown" }],
])("%s: the capabilities are right", (contract, capabilities) => {
  expect(analyse(codeOf(contract)).capabilities).toEqual(capabilities);
});

test("both answers are found when only memory distinguishes them: two mappings of balances", () => {
  expect(analyse(codeOf("Reflection")).balanceSlots).toEqual(["0x4[]", "0x5[]"]);
});

test("creation code is recognized, and its runtime code is analysed", () => {
  const code = codeOf("OwnerBurn");
  const analysis = analyse(creation(code));

  expect(analysis.creation).toBe(true);
  expect(analysis.findings).toEqual(analyse(code).findings);
});

test("a proxy reports the slot of its implementation", () => {
  expect(analyse(codeOf("Proxy1967")).proxy).toEqual({
    kind: "slot",
    at: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  });
  const clone = parseHex(`363d3d373d3d3d363d73${"ab".repeat(20)}5af43d82803e903d91602b57fd5bf3`) ?? new Uint8Array();
  expect(analyse(clone).proxy).toEqual({ kind: "constant", at: `0x${"ab".repeat(20)}` });
});

test("empty code is no code, and a contract that is no token is not called a safe token", () => {
  const empty = analyse(new Uint8Array());

  expect(empty.kind).toBe("empty");
  expect(empty.capabilities).toEqual({ mint: "unknown", limit: "unknown", leak: "unknown" });
});

test("an unexplored proxy is reported as unknown, not as absent", () => {
  const { truncated, findings } = analyseCode(codeOf("Proxy1967"), readSignatures, () => false);

  expect(truncated).toBe(true);
  expect(findings.proxy.value).toBe("unknown");
  expect(findings.delegatecall).toMatchObject({ value: true, confidence: 0.5 });
});

test("an analysis that is told to stop says unknown, not false", () => {
  const { truncated, capabilities } = analyseCode(codeOf("HandWritten"), readSignatures, () => false);

  expect(truncated).toBe(true);
  expect(Object.values(capabilities)).not.toContain(false);
});

test("code behind a loop that is too long to follow is not reported as absent", () => {
  // A thousand rounds of: 1, SWAP1, SUB, DUP1, JUMPI to the JUMPDEST at 3. Then CALLER, SELFDESTRUCT at 13.
  const { findings, truncated } = analyse(parseHex("6103e85b600190038060035733ff") ?? new Uint8Array());

  expect([truncated, findings.delegatecall.value, findings.mintable.value]).toEqual([true, false, "unknown"]);
  expect(findings.self_destruct).toEqual({
    value: true,
    confidence: 0.5,
    evidence: [{ offset: 13, note: "not seen to be reached" }],
  });
});

/** PUSH2, SLOAD of an unwritten slot, so zero bytes; PUSH4, far away. An access of zero bytes costs nothing. */
test.each([
  ["hashed", "61beef54637fffffff2050"],
  ["copied from the call", "61beef545f637fffffff37"],
  ["copied from the code", "61beef545f637fffffff39"],
  ["copied within memory", "61beef545f637fffffff5e"],
])("code after an access of zero bytes far away, that is %s, is read", (_what, gate) => {
  const code = codeOf("OwnerMint");
  const bytes = [...(parseHex(gate) ?? [])];

  const { findings } = analyse(
    withInserted(
      code,
      landings(code).map((place) => ({ before: place + 1, bytes })),
    ),
  );

  expect(findings.unlimited_mint.value).toBe(true);
});
