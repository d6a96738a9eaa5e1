import { expect, test } from "vitest";
import { readCorpus } from "../../corpus/corpus.ts";
import { expected } from "../../corpus/expected.ts";
import { f1, macroF1, scoreCorpus } from "../../corpus/score.ts";

const builds = [
  ["solc-0.4.26-plain", 6],
  ["solc-0.4.26-runs200", 6],
  ["solc-0.5.17-runs200", 6],
  ["solc-0.7.6-runs200", 29],
  ["solc-0.8.37-ir", 121],
  ["solc-0.8.37-ir-extensions", 8],
  ["solc-0.8.37-ir-powers", 60],
  ["solc-0.8.37-plain", 121],
  ["solc-0.8.37-plain-extensions", 8],
  ["solc-0.8.37-plain-powers", 60],
  ["solc-0.8.37-runs200", 150],
  ["solc-0.8.37-runs200-extensions", 8],
  ["solc-0.8.37-runs200-powers", 60],
] as const;

test("the corpus exists, and every contract has its expectation", () => {
  const counts = new Map<string, number>();
  for (const { build } of readCorpus()) counts.set(build, (counts.get(build) ?? 0) + 1);

  expect([...counts].sort()).toEqual(builds);
  expect(Object.keys(expected).sort()).toEqual([...new Set(readCorpus().map(({ contract }) => contract))].sort());
});

test("every finding on every artifact matches the source", { timeout: 120_000 }, () => {
  const { scores, capabilities, disagreements } = scoreCorpus();

  // Effects that only a run shows: `confirm.test.ts`. Also the messages of a bridge: two of three builds decode them in
  // a way that is not followed to its end, so nothing about them is known.
  const missed = (name: string) => (name === "mintable" || name === "unlimited_mint" ? 3 + 2 : 0);
  expect(disagreements.map(({ contract, name, said }) => `${contract} ${name} ${said}`)).toEqual(
    Array.from({ length: 3 }, () => ["SelfTransfer mintable false", "SelfTransfer unlimited_mint false"]).flat(),
  );
  expect(macroF1(capabilities)).toBeCloseTo((2 + (2 * 122) / (2 * 122 + 5)) / 3, 12);
  // For a proxy, the effects of its implementation are unknown: three builds, all findings except those of any code.
  // For three tokens, the effects of the contract that keeps their balances are unknown. The call to that contract, and
  // its decisive role, are known.
  const unknowns = (name: string) =>
    /^(self_destruct|delegatecall|proxy)$/.test(name) ? 0 : 2 + (name.startsWith("external_") ? 3 : 12);
  expect(scores.map((score) => [score.name, score.missed, score.unknown])).toEqual(
    scores.map(({ name }) => [name, missed(name), unknowns(name)]),
  );
});

test("F1 is the harmonic mean of precision and recall, and the macro value is the mean over capabilities", () => {
  const half = { name: "mint", right: 1, extra: 1, missed: 1 } as const;
  const none = { name: "limit", right: 0, extra: 0, missed: 2 } as const;
  const empty = { name: "leak", right: 0, extra: 0, missed: 0 } as const;

  expect([half, none, empty].map(f1)).toEqual([0.5, 0, 1]);
  expect(macroF1([half, none, empty])).toBe(0.5);
});
