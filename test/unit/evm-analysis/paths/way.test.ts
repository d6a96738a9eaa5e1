import { expect, test } from "vitest";
import { readSignatures } from "../../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../../../../src/evm-analysis/analyse-code.ts";
import { findingNames } from "../../../../src/evm-analysis/findings/finding.ts";
import { instructions, parseHex } from "../../../../src/evm-analysis/machine/code.ts";
import { readCorpus } from "../../../corpus/corpus.ts";

const analyse = (code: Uint8Array) => analyseCode(code, readSignatures, () => true);

test("a selfdestruct without a function of its own is found too, and evidence names the branches to its place", () => {
  // CALLER, PUSH1 1, EQ, PUSH1 8, JUMPI at 6, STOP, JUMPDEST at 8, CALLER, SELFDESTRUCT at 10
  const code = parseHex("33600114600857005b33ff") ?? new Uint8Array();

  expect(analyse(code).findings.self_destruct.evidence).toEqual([expect.objectContaining({ offset: 10, path: [6] })]);
});

test("every place that a rule names has a path of branches that exist in the code", () => {
  const JUMPI = 0x57;
  for (const { code, contract, build } of readCorpus().filter(({ build }) => build.endsWith("0.8.37-runs200"))) {
    const branches = new Set([...instructions(code)].flatMap(([at, op]) => (op === JUMPI ? [at] : [])));
    const { findings } = analyse(code);
    for (const name of findingNames) {
      for (const { offset, path } of findings[name].evidence) {
        if (offset === undefined) continue;
        expect([contract, build, name, path?.every((at) => branches.has(at))]).toEqual([contract, build, name, true]);
      }
    }
  }
});
