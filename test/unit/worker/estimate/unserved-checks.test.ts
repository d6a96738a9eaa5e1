import { expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { unservedLines } from "../../../../src/cli/terminal/unserved-lines.ts";
import { UnservedChecks } from "../../../../src/worker/estimate/unserved-checks.ts";
import type { Question } from "../../../../src/worker/plan/question.ts";

function asking(check: Question["check"], name: string): Pick<Question, "check" | "chain"> {
  const chain = findChain(name);
  if (chain === undefined) throw new Error(name);
  return { check, chain };
}

test("an event counts once for each check and chain without a node", () => {
  const unserved = new UnservedChecks({ evm: new Set(["56"]), hasSolana: false });
  unserved.add([asking("token-security", "eth"), asking("token-security", "eth"), asking("poisoning", "eth")]);
  unserved.add([asking("token-security", "eth"), asking("token-security", "bsc"), asking("evm-security", "eth")]);
  unserved.add([asking("solana-simulation", "solana")]);

  expect(unserved.rows().map(({ check, chain, events }) => [check, chain.id, events])).toEqual([
    ["token-security", "1", 2],
    ["solana-simulation", "solana", 1],
  ]);
  expect(unservedLines(unserved.rows())).toEqual([
    `2 events take the check token-security on Ethereum, which the service of the run cannot answer: set EVM_RPC_URLS='{"1":"https://..."}'; without it the verdicts are UNKNOWN, or stricter`,
    "1 event takes the check solana-simulation on Solana, which the service of the run cannot answer: set SOLANA_RPC_URL or SOLANA_SNAPSHOT; without it the verdicts are UNKNOWN, or stricter",
  ]);
});

test("with its nodes, the service answers every check", () => {
  const unserved = new UnservedChecks({ evm: new Set(["1"]), hasSolana: true });
  unserved.add([
    asking("classification", "eth"),
    asking("solana-simulation", "solana"),
    asking("tron-security", "tron"),
  ]);

  expect(unserved.rows()).toEqual([]);
});
