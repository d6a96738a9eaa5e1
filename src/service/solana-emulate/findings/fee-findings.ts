import { FieldReader } from "../../../chains/solana/field-reader.ts";
import { programs } from "../../../chains/solana/programs.ts";
import { amountText } from "../amount-text.ts";
import { NATIVE_DECIMALS } from "../balance-changes.ts";
import type { Finds } from "./facts.ts";

/** Lamports (0.1 SOL) beyond which nobody means to pay for being served first. */
const MOST = 100_000_000n;

/** Numbers of the compute budget's instructions, and what holds without them. Source: Solana, ComputeBudgetInstruction. */
const SET_LIMIT = 2;
const SET_PRICE = 3;
const UNITS_EACH = 200_000;
const UNITS_AT_MOST = 1_400_000;
/** A price is in millionths of a lamport for a unit. */
const PARTS = 1_000_000n;

/** What whoever produces the block gets for serving it first: nobody's balance shows who that is, and what fails costs it, too. */
export const feeFindings: Finds = ({ calls, feePayer }) => {
  const own = calls.filter(({ isInner }) => !isInner);
  const budget = own.filter(({ program, data }) => program === programs.computeBudget && data.length >= 5);
  const limit = budget.find(({ data }) => data[0] === SET_LIMIT);
  const price = budget.find(({ data }) => data[0] === SET_PRICE && data.length >= 9);
  if (price === undefined) return [];
  const asked = limit === undefined ? UNITS_EACH * own.length : new FieldReader(limit.data.subarray(1)).u32();
  const units = BigInt(Math.min(asked, UNITS_AT_MOST));
  const lamports = (new FieldReader(price.data.subarray(1)).u64() * units) / PARTS;
  if (lamports <= MOST) return [];
  const description = `pays ${amountText(lamports, NATIVE_DECIMALS)} SOL for being served first`;
  return [{ name: "fee_high", account: feePayer, description }];
};
