import { expect, test } from "vitest";
import { openMachine } from "../../../../src/adapters/ethereumjs/open-machine.ts";
import { readSignatures } from "../../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode, type CodeAnalysis } from "../../../../src/evm-analysis/analyse-code.ts";
import { confirmed } from "../../../../src/evm-analysis/findings/confirm.ts";
import { toHex } from "../../../../src/evm-analysis/machine/code.ts";
import { callData } from "../../../../src/evm-analysis/paths/call-data.ts";
import { readCorpus } from "../../../corpus/corpus.ts";
import { expected } from "../../../corpus/expected.ts";

const build = "solc-0.8.37-runs200";
const corpus = new Map(readCorpus().flatMap((one) => (one.build === build ? [[one.contract, one.code]] : [])));
const powers = new Map(
  readCorpus().flatMap((one) => (one.build === `${build}-powers` ? [[one.contract, one.code]] : [])),
);
const codeOf = (contract: string) => corpus.get(contract) ?? powers.get(contract) ?? new Uint8Array();

const open = (code: Uint8Array) => openMachine(code, 500_000n);
const read = (code: Uint8Array) => analyseCode(code, readSignatures, () => true);
const confirm = (code: Uint8Array, analysis: CodeAnalysis, alive = () => true) =>
  confirmed(code, analysis, readSignatures, open, alive);

test.each([
  ["OwnerMint", "unlimited_mint", "40c10f19", "executed: the owner made 10^30 units of nothing"],
  ["OpenMint", "unlimited_mint", "aad3ec96", "executed: the stranger made 10^30 units of nothing"],
  ["OwnerBurn", "moves_others_tokens", "9dc29fac", "executed: the owner took from a holder who had not agreed"],
  ["OpenBurn", "moves_others_tokens", "9dc29fac", "executed: the stranger took from a holder who had not agreed"],
] as const)("%s: an execution shows %s", async (contract, name, selector, note) => {
  const code = codeOf(contract);
  const { findings, execution } = await confirm(code, read(code));

  expect(findings[name].confidence).toBe(0.97);
  expect(findings[name].evidence[0]).toEqual({ selector, note });
  expect(execution.reason).toBe(undefined);
});

test.each([
  ["PauseAll", "pausable", "from ++++ to ----"],
  ["Blacklist", "blacklist", "from ++++ to ----"],
  // The largest amount is zero until it is set.
  ["MaxTransaction", "max_transaction", "from ---- to +---"],
] as const)("%s: one call by the owner changes what a holder can send", async (contract, name, how) => {
  const code = codeOf(contract);
  const { findings } = await confirm(code, read(code));

  expect(findings[name].evidence[0]?.note).toBe(
    `executed: one call by the owner changed which of four amounts a holder can send ${how}`,
  );
});

test("an effect of a run is added where reading the code denied it or did not know", async () => {
  const code = codeOf("OwnerMint");
  const analysis = read(code);
  const missed = { value: false, confidence: 0.8, evidence: [] };
  const blind = { ...analysis, findings: { ...analysis.findings, unlimited_mint: missed, mintable: missed } };

  expect((await confirm(code, blind)).capabilities.mint).toBe(true);
});

const NO = { value: false, confidence: 0.8, evidence: [] } as const;
const blinded = (analysis: CodeAnalysis): CodeAnalysis => ({
  ...analysis,
  findings: { ...analysis.findings, mintable: NO, unlimited_mint: NO, moves_others_tokens: NO },
});

test.each([
  ["SelfTransfer", "unlimited_mint", "a9059cbb", "executed: a transfer to oneself made tokens"],
  ["AllowanceCut", "moves_others_tokens", "23b872dd", "executed: the stranger took from a holder who had not agreed"],
  ["MintSwitch", "unlimited_mint", "40c10f19", "executed: a stranger whom the owner named made 10^30 units of nothing"],
  [
    "NamedThenTaken",
    "moves_others_tokens",
    "35faa416",
    "executed: the owner, who had named the holder before, took from a holder who had not agreed",
  ],
] as const)("%s: a run shows %s where reading the code saw nothing", async (contract, name, selector, note) => {
  const code = codeOf(contract);
  const { findings } = await confirm(code, blinded(read(code)));

  expect(findings[name].evidence[0]).toEqual({ selector, note });
});

test("an effect that works once in empty storage is no power", async () => {
  const code = codeOf("Initialized");

  expect((await confirm(code, read(code))).capabilities).toEqual({ mint: false, limit: false, leak: false });
});

test("a power that no run showed, though its function could be called, has less confidence", async () => {
  // The cap that the owner raises is zero in empty storage.
  const code = codeOf("RaisableCap");
  const analysis = read(code);

  expect(analysis.findings.unlimited_mint.confidence).toBe(0.9);
  expect((await confirm(code, analysis)).findings.unlimited_mint.confidence).toBe(0.7);
});

test("a limit that no run showed, though every function of its evidence was tried, stays with less confidence", async () => {
  // Only an address in the code may pause.
  const code = codeOf("ConstantOwner");
  const analysis = read(code);
  const { findings, capabilities } = await confirm(code, analysis);

  expect(analysis.findings.pausable.confidence).toBe(0.9);
  expect(findings.pausable).toEqual({
    value: true,
    confidence: 0.7,
    evidence: [...analysis.findings.pausable.evidence, { note: "executed: tried, and not seen to happen" }],
  });
  expect(capabilities.limit).toBe(true);
});

test("a limit in transferFrom alone shows when an approved spender transfers", async () => {
  const code = codeOf("CheckInTransferFrom");

  expect((await confirm(code, read(code))).findings.pausable.evidence[0]?.note).toBe(
    "executed: one call by the owner changed which of four amounts another can fetch whom a holder approves from ++++ to ----",
  );
});

test("nothing is found in contracts without any power", { timeout: 120_000 }, async () => {
  const honest = [...corpus, ...powers].filter(([contract]) => expected[contract]?.length === 0);
  expect(honest.length).toBeGreaterThan(45);
  for (const [contract, code] of honest) {
    if (contract === "SelfTransfer") continue;
    const analysis = read(code);
    expect([contract, (await confirm(code, analysis)).findings]).toEqual([contract, analysis.findings]);
  }
});

test("a contract that cannot be executed gives the reason and keeps its findings", async () => {
  const reflection = codeOf("ReflHonest");
  const analysis = read(reflection);

  expect(await confirm(reflection, analysis)).toEqual({
    ...analysis,
    execution: { calls: 0, reason: "balances could not be set" },
  });
  expect((await confirm(codeOf("Proxy1967"), read(codeOf("Proxy1967")))).execution.reason).toBe(
    "not a token that keeps its own balances",
  );
  expect((await confirm(reflection, analysis, () => false)).execution.reason).toBe("no time left");
});

test("arguments are laid out as the ABI says", () => {
  const data = callData("12345678", "address,uint256[],bool,address", { addresses: [1n, 2n], number: 5n, flag: true });
  const words = [1n, 128n, 1n, 2n, 1n, 5n].map((word) => word.toString(16).padStart(64, "0"));

  expect(toHex(data ?? new Uint8Array())).toBe(`12345678${words.join("")}`);
  expect(callData("12345678", "(uint256,bytes)", { addresses: [], number: 0n, flag: false })).toBe(undefined);
});
