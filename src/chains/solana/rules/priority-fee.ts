import type { Instruction } from "../acts/act.ts";
import { amountText } from "../amount-text.ts";
import { FieldReader } from "../message/field-reader.ts";
import { programs } from "../programs.ts";
import { NATIVE_DECIMALS } from "./token-changes.ts";

/** Lamports (0.1 SOL). No user intends to pay a higher priority fee. */
const MOST = 100_000_000n;

/**
 * Numbers of the compute budget's instructions, and the defaults without them. Source: Solana,
 * ComputeBudgetInstruction.
 */
const SET_LIMIT = 2;
const SET_PRICE = 3;
const UNITS_EACH = 200_000;
const UNITS_AT_MOST = 1_400_000;
/** A price is in millionths of a lamport per unit. */
const PARTS = 1_000_000n;

/**
 * The finding on a priority fee that is too high. No balance shows the block producer, and a failed transaction pays
 * the fee too.
 */
export function highFee(own: readonly Instruction[]): string | undefined {
  const lamports = priorityFee(own);
  return lamports <= MOST ? undefined : `pays ${amountText(lamports, NATIVE_DECIMALS)} SOL for being served first`;
}

/**
 * The priority fee of a transaction in lamports, by its own instructions. Without a limit among the instructions, it is
 * the most that the network may take.
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
