import type { Instruction } from "../acts/act.ts";
import { amountText } from "../amount-text.ts";
import { FieldReader } from "../message/field-reader.ts";
import { programs } from "../programs.ts";
import { NATIVE_DECIMALS } from "./token-changes.ts";

/** Lamports (0.1 SOL): no user means to pay more for being served first. */
const MOST = 100_000_000n;

/** Numbers of the compute budget's instructions, and what holds without them. Source: Solana, ComputeBudgetInstruction. */
const SET_LIMIT = 2;
const SET_PRICE = 3;
const UNITS_EACH = 200_000;
const UNITS_AT_MOST = 1_400_000;
/** A price is in millionths of a lamport for a unit. */
const PARTS = 1_000_000n;

/**
 * What a transaction's own instructions pay a block's producer for being served first, where that is too much. No balance
 * shows the producer, and a transaction that fails costs it, too.
 */
export function highFee(own: readonly Instruction[]): string | undefined {
  const lamports = priorityFee(own);
  return lamports <= MOST ? undefined : `pays ${amountText(lamports, NATIVE_DECIMALS)} SOL for being served first`;
}

/**
 * Lamports that a transaction pays for being served first by its own instructions. Without a limit among them it is the most
 * that the network may take.
 */
export function priorityFee(own: readonly Instruction[]): bigint {
  const budget = own.filter(({ program, data }) => program === programs.computeBudget && data.length >= 5);
  const limit = budget.find(({ data }) => data[0] === SET_LIMIT);
  const price = budget.find(({ data }) => data[0] === SET_PRICE && data.length >= 9);
  if (price === undefined) return 0n;
  const asked = limit === undefined ? UNITS_EACH * own.length : new FieldReader(limit.data.subarray(1)).u32();
  const units = BigInt(Math.min(asked, UNITS_AT_MOST));
  return (new FieldReader(price.data.subarray(1)).u64() * units + PARTS - 1n) / PARTS;
}
