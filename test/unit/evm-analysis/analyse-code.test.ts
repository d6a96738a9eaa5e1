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

/** A constructor that copies what follows it and returns it: PUSH2 size, DUP1, PUSH1 11, PUSH0, CODECOPY, PUSH0, RETURN. */
function creation(runtime: Uint8Array): Uint8Array {
  const size = runtime.length.toString(16).padStart(4, "0");
  const head = parseHex(`61${size}80600b5f395ff3fe`) ?? new Uint8Array();
  return Uint8Array.from([...head, ...runtime, ...new Uint8Array(32)]);
}

test("a finding says where it was seen", () => {
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
])("%s: what holders fear", (contract, capabilities) => {
  expect(analyse(codeOf(contract)).capabilities).toEqual(capabilities);
});

test("answers that are only told apart by what lies in memory are both seen: two mappings of balances", () => {
  expect(analyse(codeOf("Reflection")).balanceSlots).toEqual(["0x4[]", "0x5[]"]);
});

test("creation code is recognised, and its runtime code judged", () => {
  const code = codeOf("OwnerBurn");
  const analysis = analyse(creation(code));

  expect(analysis.creation).toBe(true);
  expect(analysis.findings).toEqual(analyse(code).findings);
});

test("a proxy tells where its implementation lies", () => {
  expect(analyse(codeOf("Proxy1967")).proxy).toEqual({
    kind: "slot",
    at: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  });
  const clone = parseHex(`363d3d373d3d3d363d73${"ab".repeat(20)}5af43d82803e903d91602b57fd5bf3`) ?? new Uint8Array();
  expect(analyse(clone).proxy).toEqual({ kind: "constant", at: `0x${"ab".repeat(20)}` });
});

test("no code is empty, and what is not a token is not called a safe one", () => {
  const empty = analyse(new Uint8Array());

  expect(empty.kind).toBe("empty");
  expect(empty.capabilities).toEqual({ mint: "unknown", limit: "unknown", leak: "unknown" });
});

test("a proxy that was not looked at is no proxy that is not there", () => {
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

test("what lies behind a loop that is too long to follow is not said to be absent", () => {
  // A thousand rounds of: 1, SWAP1, SUB, DUP1, JUMPI to the JUMPDEST at 3; then CALLER, SELFDESTRUCT at 13
  const { findings, truncated } = analyse(parseHex("6103e85b600190038060035733ff") ?? new Uint8Array());

  expect([truncated, findings.delegatecall.value, findings.mintable.value]).toEqual([true, false, "unknown"]);
  expect(findings.self_destruct).toEqual({
    value: true,
    confidence: 0.5,
    evidence: [{ offset: 13, note: "not seen to be reached" }],
  });
});

/** PUSH2, SLOAD of what nobody wrote, so no bytes; PUSH4, far away. Where nothing is touched, nothing is paid. */
test.each([
  ["hashed", "61beef54637fffffff2050"],
  ["copied from the call", "61beef545f637fffffff37"],
  ["copied from the code", "61beef545f637fffffff39"],
  ["copied within memory", "61beef545f637fffffff5e"],
])("code behind nothing at all, far away, that is %s, is read", (_what, gate) => {
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
