import { expect, test } from "vitest";
import { readCorpus } from "../../../corpus/corpus.ts";
import { expected } from "../../../corpus/expected.ts";
import { scoreCorpus } from "../../../corpus/score.ts";

const builds = [
  ["solc-0.4.26-plain", 6],
  ["solc-0.4.26-runs200", 6],
  ["solc-0.5.17-runs200", 6],
  ["solc-0.7.6-runs200", 29],
  ["solc-0.8.37-ir", 75],
  ["solc-0.8.37-ir-powers", 13],
  ["solc-0.8.37-plain", 75],
  ["solc-0.8.37-plain-powers", 13],
  ["solc-0.8.37-runs200", 104],
  ["solc-0.8.37-runs200-powers", 13],
] as const;

test("the corpus is there, and every contract has its expectation", () => {
  const counts = new Map<string, number>();
  for (const { build } of readCorpus()) counts.set(build, (counts.get(build) ?? 0) + 1);

  expect([...counts].sort()).toEqual(builds);
  expect(Object.keys(expected).sort()).toEqual([...new Set(readCorpus().map(({ contract }) => contract))].sort());
});

test("every finding on every artifact is what the source says", { timeout: 120_000 }, () => {
  const { scores, disagreements } = scoreCorpus();

  expect(disagreements).toEqual([]);
  // Of the proxy, what its implementation does is not known: three builds, all findings but those of any code. Nor is of two
  // tokens what the contract does that keeps their balances; but that they call it, and that it decides, is.
  const unknowns = (name: string) =>
    /^(self_destruct|delegatecall|proxy)$/.test(name) ? 0 : name.startsWith("external_") ? 3 : 9;
  expect(scores.map(({ name, missed, unknown }) => [name, missed, unknown])).toEqual(
    scores.map(({ name }) => [name, 0, unknowns(name)]),
  );
});
