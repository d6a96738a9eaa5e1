import fc from "fast-check";
import { expect, test } from "vitest";
import { openMachine } from "../../../src/adapters/ethereumjs/open-machine.ts";
import { readSignatures } from "../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../../../src/evm-analysis/analyse-code.ts";
import { confirmed } from "../../../src/evm-analysis/findings/confirm.ts";
import { findingNames } from "../../../src/evm-analysis/findings/finding.ts";
import { readCorpus } from "../../corpus/corpus.ts";

const artifacts = readCorpus();
const analyse = (code: Uint8Array) => analyseCode(code, readSignatures, () => true);

test("any bytes are analysed, with the same result twice", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (code) => {
      expect(analyse(code)).toEqual(analyse(code));
    }),
    { numRuns: 200, seed: 11 },
  );
});

test("contracts with changed or truncated bytes are analysed", () => {
  const change = fc.tuple(fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(fc.nat(artifacts.length - 1), fc.array(change, { maxLength: 8 }), fc.nat(), (at, changes, cut) => {
      const code = Uint8Array.from(artifacts[at]?.code ?? []);
      for (const [place, value] of changes) code[place % code.length] = value;
      const kept = cut % 3 === 0 ? code.subarray(0, cut % code.length) : code;
      expect(Object.keys(analyse(kept).findings)).toHaveLength(21);
    }),
    { numRuns: 150, seed: 11 },
  );
});

test("for any bytes, a run takes no finding back and denies no open one", { timeout: 120_000 }, async () => {
  const change = fc.tuple(fc.nat(), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.nat(artifacts.length - 1), fc.array(change, { maxLength: 4 }), async (at, changes) => {
      const code = Uint8Array.from(artifacts[at]?.code ?? []);
      for (const [place, value] of changes) code[place % code.length] = value;
      const before = analyse(code);
      const open = (runtime: Uint8Array) => openMachine(runtime, 200_000n);
      const { findings } = await confirmed(code, before, readSignatures, open, () => true);
      for (const name of findingNames) {
        const kept = findings[name].value === before.findings[name].value;
        expect([name, kept || findings[name].value]).toEqual([name, true]);
      }
    }),
    { numRuns: 25, seed: 11 },
  );
});

test.each([
  ["jumps to itself", "5b600056"],
  ["forks for ever", "5b60003560005760003556"],
  ["fills memory", "5b60005160010180600052600056"],
  ["copies without end", "63ffffffff6000600039"],
  ["deepens the stack", "5b8060005600"],
  ["returns very much", "63ffffffff6000f3"],
])("the analysis is bounded for code that %s", (_name, hex) => {
  expect(analyse(Uint8Array.from(Buffer.from(hex, "hex"))).kind).toBe("other");
});
