import type { Instruction } from "@solana/kit";
import type { AccountState } from "../../src/chains/solana/accounts/account-state.ts";
import { readTransaction } from "../../src/chains/solana/message/message.ts";
import { readLabelList } from "../../src/labels/label-list.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { judge } from "../../src/service/solana-transactions/judge.ts";
import { withService } from "../fakes/solana/service-double.ts";
import * as w from "../fixtures/solana/world.ts";

export const protocol = w.named(88);
export const known = w.named(27);
export const labels = LabelBook.of([
  readLabelList("test", [
    { line: 2, row: { chain: "solana", address: protocol, kind: "protocol", name: "Swap" } },
    { line: 3, row: { chain: "solana", address: known, kind: "token", name: "GOLD" } },
    { line: 4, row: { chain: "solana", address: w.named(28), kind: "token", name: "FINE" } },
    { line: 6, row: { chain: "solana", address: w.named(61), kind: "malicious", name: "drainer" } },
    { line: 5, row: { chain: "solana", address: w.named(29), kind: "token", name: "USDC" } },
  ]),
]);

/**
 * The findings on `instructions`: the names with account and gainer, and whether the simulation failed. The first call
 * of the protocol has `inside` as its inner instructions.
 */
export async function said(
  instructions: readonly Instruction[],
  accounts: readonly (readonly [string, AccountState])[] = [],
  form: w.Form = {},
  inside?: readonly Instruction[],
) {
  const message = readTransaction(w.wireOf(w.messageBytes(instructions, form)));
  if (!message.ok) throw new Error(message.detail);
  const machine = w.simulatorOver(w.world(accounts));
  const simulator = inside === undefined ? machine : withService(machine, protocol, inside);
  const simulated = await simulator.simulate([message.value], false);
  const [simulation] = simulated.ok ? simulated.simulations : [];
  if (simulation === undefined) throw new Error("no simulation");
  const { findings } = judge(message.value, simulation, labels);
  return {
    error: simulation.error,
    found: findings.map(({ name, account, gains }) => [name, account, gains]),
    simulation,
  };
}
