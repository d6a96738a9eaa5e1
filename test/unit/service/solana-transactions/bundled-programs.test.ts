/** The Solana check of swaps with the labels of the bundled programs. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { findAll } from "../../../../src/service/solana-transactions/findings/find-all.ts";
import { factsOf } from "../../../../src/service/solana-transactions/judge.ts";
import * as w from "../../../fixtures/solana/world.ts";

const rows = bundled.labels
  .flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"))
  .filter((line) => line.startsWith("solana,"))
  .map((line) => {
    const [chain = "", address = "", name = "", kind = ""] = line.split(",");
    return { chain, address, name, kind };
  });
const labels = LabelBook.of([
  readLabelList(
    "bundled",
    rows.map((row, i) => ({ line: i + 2, row })),
  ),
]);
const idOf = (called: string) => rows.find(({ name, kind }) => name === called && kind !== "token")?.address ?? "";

const pool = w.named(90);
const drainer = w.named(91);
const tokens = (mint: typeof w.mint, amount: bigint) => w.tokenAccount(mint, w.user, amount);

/**
 * A user's tokens of two kinds leave, and tokens of a third kind without a label come. Each of `programs` runs once.
 */
function findingsOf(programs: readonly string[]) {
  const third = w.named(23);
  const thirdTokens = w.named(36);
  const before = new Map([
    [w.user, w.wallet(w.LAMPORTS)],
    [w.userTokens, tokens(w.mint, 500n)],
    [w.userOtherTokens, tokens(w.otherMint, 500n)],
    [thirdTokens, tokens(third, 0n)],
  ]);
  const after = new Map([
    ...before,
    [w.userTokens, tokens(w.mint, 100n)],
    [w.userOtherTokens, tokens(w.otherMint, 100n)],
    [thirdTokens, tokens(third, 7n)],
  ]);
  const mints = new Map([w.mint, w.otherMint, third].map((mint) => [mint, w.mintAccount(0)]));
  const accounts = [w.user, ...before.keys(), pool];
  const simulation = { slot: w.SLOT, error: undefined, computeUnits: 1, accounts, inner: [], before, after, mints };
  const calls = programs.map((program, i) => ({ program, accounts: [], data: Uint8Array.of(9), isInner: i > 0 }));
  const facts = factsOf({ feePayer: w.user, signers: new Set([w.user]), calls, simulation }, labels);
  return findAll(facts).map(({ name, account }) => [name, account]);
}

describe("two tokens are swapped for one without a label", () => {
  test.each([
    ["Jupiter v6", ["Jupiter v6", "Raydium CLMM", "Whirlpool", "Meteora DLMM"]],
    ["Raydium", ["Raydium", "Openbook"]],
    ["Raydium CP", ["Raydium CP"]],
    ["Orca", ["Whirlpool"]],
    ["Meteora", ["Meteora DAMM v2"]],
    ["Pump.fun", ["Pump.fun", "Pump.fun fees"]],
    ["Kamino", ["Kamino lend", "Kamino farms"]],
    ["Marinade", ["Marinade"]],
    ["a stake pool", ["SPL stake pool"]],
  ])("a swap by %s is paid in unknown tokens, which may be a share in a pool or junk", (_what, names) => {
    const programs = names.map(idOf);

    expect(programs).not.toContain("");
    expect(findingsOf(programs)).toEqual([["paid_in_unknown_tokens", w.user]]);
  });

  test("a swap by a program without a label counts as a loss without payment", () => {
    expect(findingsOf([drainer])).toEqual(
      expect.arrayContaining([
        ["program_unknown", drainer],
        ["several_assets_leave", w.user],
      ]),
    );
  });

  test.each([
    ["before", [idOf("Jupiter v6"), drainer]],
    ["after", [drainer, idOf("Jupiter v6")]],
  ])("a labelled program that runs %s an unlabelled one does not excuse the loss", (_when, programs) => {
    expect(findingsOf(programs)).toEqual(
      expect.arrayContaining([
        ["program_unknown", drainer],
        ["several_assets_leave", w.user],
      ]),
    );
  });
});

test("the programs behind most swaps, loans, stakes, bridges, collectibles and shared wallets are labelled", () => {
  const services = rows.filter(({ kind }) => kind === "protocol" || kind === "bridge");

  expect(services.length).toBe(98);
  for (const { address } of services) {
    const unknown = findingsOf([address]).filter(([name]) => name === "program_unknown");
    expect(unknown, address).toEqual([]);
  }
});
