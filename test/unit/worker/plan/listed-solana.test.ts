import { expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { keyBytes } from "../../../../src/chains/solana/key.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import type { CheckEntry } from "../../../../src/messages/verdict.ts";
import { answeredHere } from "../../../../src/worker/answers/check-entry.ts";
import { listedEntries } from "../../../../src/worker/checks/listed-entry.ts";
import { readSolana } from "../../../../src/worker/plan/reading/solana-reading.ts";
import { friend, friendTokens, mint, user, userTokens } from "../../../fixtures/solana/world.ts";
import { listed, solana, verdictOn } from "../../../support/listed-case.ts";

const onSolana = findChain("solana");
if (onSolana === undefined) throw new Error("no chain");

const { bad } = solana;
const unknownProgram = friendTokens;
const key = (pubkey: string, isSigner = false, isWritable = true) => ({ pubkey, isSigner, isWritable });
const signer = key(user, true);
const bytesOf = (address: string) => [...keyBytes(address)];
const u64 = [5, 0, 0, 0, 0, 0, 0, 0];

const event = (programId: string, keys: readonly object[], data: readonly number[]) => ({
  type: "transaction",
  chain_id: "solana",
  transaction: { feePayer: user, instructions: [{ programId, keys, data: Buffer.from(data).toString("base64") }] },
});
const token = (keys: readonly object[], data: readonly number[]) => event(programs.token, keys, data);

test.each([
  ["SOL", event(programs.system, [signer, key(bad)], [2, 0, 0, 0, ...u64])],
  ["tokens for its account", token([key(userTokens), key(bad), signer], [3, ...u64])],
  ["tokens moved by its signature", token([key(userTokens), key(friendTokens), key(bad, true, false)], [3, ...u64])],
  ["checked tokens of its mint", token([key(userTokens), key(bad), key(friendTokens), signer], [12, ...u64, 6])],
  ["an approval of it", token([key(userTokens), key(bad, false, false), signer], [4, ...u64])],
  ["a checked approval of it", token([key(userTokens), key(mint), key(bad, false, false), signer], [13, ...u64, 6])],
  ["a token account that becomes its own", token([key(userTokens), signer], [6, 2, 1, ...bytesOf(bad)])],
  ["a right to close for it", token([key(userTokens), signer], [6, 3, 1, ...bytesOf(bad)])],
  ["a right to mint for it", token([key(mint), signer], [6, 0, 1, ...bytesOf(bad)])],
  ["what a closed account leaves", token([key(userTokens), key(bad), signer], [9])],
  [
    "a new token account of its own",
    event(programs.associatedToken, [signer, key(friendTokens), key(bad, false, false), key(mint)], [1]),
  ],
  ["an account that is made its own by number 18", token([key(friendTokens), key(mint)], [18, ...bytesOf(bad)])],
  ["an account that is assigned to it", event(programs.system, [signer], [1, 0, 0, 0, ...bytesOf(bad)])],
  ["a nonce that it may use", event(programs.system, [key(friendTokens), signer], [7, 0, 0, 0, ...bytesOf(bad)])],
  [
    "a stake that it may use",
    event(programs.stake, [key(friendTokens), signer], [1, 0, 0, 0, ...bytesOf(bad), 0, 0, 0, 0]),
  ],
  ["a call of it", event(bad, [signer], [1, 2, 3])],
  ["an instruction of an unknown program", event(unknownProgram, [signer], [7, 7, 7, ...bytesOf(bad), 7])],
])("a listed party of a Solana transaction is blocked: %s", async (_name, each) => {
  const { decision, reasons } = await verdictOn(each, listed);

  expect(reasons).toContainEqual(
    expect.objectContaining({ check: "listed", finding: "listed_sanctioned", severity: "BLOCK" }),
  );
  expect(decision).toBe("BLOCK");
});

const change = { amount_change: "1", begin_value: "0", delta_value: "1", end_value: "1", value_usd: "" };
const changes = (token_address: string, address: string) => ({
  ...{ token_address, tokenName: "", symbol: "", divisor: "9", tokenPriceUSD: "" },
  change_list: [{ ...change, address }],
});

function simulated(result: object): CheckEntry {
  const exec_summary = { result_code: "000000000", result_description: "", error_data: null };
  return answeredHere("solana-simulation", { exec_summary, results: [result] });
}

test.each([
  ["sends", { from: bad }],
  ["receives", { to: bad }],
  ["is involved, as an account of a lookup table is", { involved_addresses: [bad] }],
  ["has a risk", { involved_addresses_risks: [{ address: bad, risk_level: 1 }] }],
  ["is called", { called_addresses: [bad] }],
  ["owns the token account that is paid", { balance_changes: [changes("native", bad)] }],
  ["is the mint of what moves", { balance_changes: [changes(bad, friend)] }],
  ["gains a right", { findings: [{ name: "owner_change", description: "", gains: bad }] }],
  ["is what a finding is about", { findings: [{ name: "closed", description: "", account: bad }] }],
])("an address that only the simulation names is found: it %s", (_name, result) => {
  const parties = { chain: onSolana, addresses: [] };

  expect(listedEntries([], parties, [simulated(result)], listed)).toMatchObject([
    { check: "listed", data: { matches: [{ address: bad, standing: "sanctioned" }] } },
  ]);
  expect(listedEntries([], parties, [simulated({ from: friend, to: friend })], listed)).toEqual([]);
});

test("a key that appears only in the data of an instruction is found", () => {
  const reading = readSolana(event(unknownProgram, [signer], bytesOf(bad)).transaction);
  if (!reading.ok) throw new Error(reading.detail);
  const { named, packed } = reading.value;

  expect(named).not.toContain(bad);
  expect(listedEntries([], { chain: onSolana, addresses: named, packed }, [], listed)).toMatchObject([
    { data: { matches: [{ address: bad }] } },
  ]);
});
