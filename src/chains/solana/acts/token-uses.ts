import { EndOfBytesError } from "../message/byte-reader.ts";
import { FieldReader } from "../message/field-reader.ts";
import { isTokenProgram } from "../programs.ts";
import type { Instruction } from "./act.ts";
import { readBatch } from "./token-acts.ts";

/**
 * What is done to tokens by somebody's right over them: as their owner, as one whom the owner lets, or as who issues them.
 * `by` is who has the right, and behind him whoever signs where he is several. Accounts in tables that nobody could read
 * are left out, and so is what names them.
 */
export type TokenUse =
  /** Tokens that nobody had: minted, or kept back from transfers as a fee. */
  | { readonly kind: "make"; readonly mint: string; readonly account: string; readonly by: readonly string[] }
  /** `to` is a token account; of SOL that is unwrapped, any account. */
  | { readonly kind: "move"; readonly account: string; readonly to: string; readonly by: readonly string[] }
  | {
      readonly kind: "burn";
      readonly account: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly by: readonly string[];
    }
  /** Every account of the mint, where it is paused as a whole. */
  | {
      readonly kind: "freeze";
      readonly account: string | undefined;
      readonly mint: string;
      readonly by: readonly string[];
    };

/** Places of accounts, `by` the first of those who have the right, and where the amount stands in the data. */
type Layout =
  | { readonly kind: "make"; readonly mint: number; readonly account: number; readonly by: number }
  | { readonly kind: "move"; readonly account: number; readonly to: number; readonly by: number }
  | {
      readonly kind: "burn";
      readonly account: number;
      readonly mint: number;
      readonly by: number;
      readonly amountAt: number;
    }
  | { readonly kind: "freeze"; readonly account: number | undefined; readonly mint: number; readonly by: number };

const TRANSFER: Layout = { kind: "move", account: 0, to: 1, by: 2 };
const TRANSFER_CHECKED: Layout = { kind: "move", account: 0, to: 2, by: 3 };
const MINT: Layout = { kind: "make", mint: 0, account: 1, by: 2 };
const BURN: Layout = { kind: "burn", account: 0, mint: 1, by: 2, amountAt: 1 };
const PERMISSIONED_BURN: Layout = { kind: "burn", account: 0, mint: 1, by: 3, amountAt: 2 };

/** By the instruction's number. Source: @solana-program/token; Token-2022, TokenInstruction. */
const layouts: ReadonlyMap<number | undefined, Layout> = new Map<number | undefined, Layout>([
  [3, TRANSFER],
  [7, MINT],
  [8, BURN],
  [10, { kind: "freeze", account: 0, mint: 1, by: 2 }],
  [12, TRANSFER_CHECKED],
  [14, MINT],
  [15, BURN],
  [45, TRANSFER],
]);
/** By the second number, of those that have one. Source: Token-2022, extension/{transfer_fee,pausable,permissioned_burn}. */
const seconds: ReadonlyMap<number | undefined, ReadonlyMap<number | undefined, Layout>> = new Map([
  [
    26,
    new Map<number | undefined, Layout>([
      [1, TRANSFER_CHECKED],
      [2, MINT],
      [3, MINT],
    ]),
  ],
  [44, new Map<number | undefined, Layout>([[1, { kind: "freeze", account: undefined, mint: 0, by: 1 }]])],
  [
    46,
    new Map<number | undefined, Layout>([
      [1, PERMISSIONED_BURN],
      [2, PERMISSIONED_BURN],
    ]),
  ],
]);

/** What an instruction of a token program, or each of its batch, does; nothing for any other, nor for data cut short. */
export function tokenUsesOf(instruction: Instruction): readonly TokenUse[] {
  if (!isTokenProgram(instruction.program)) return [];
  return (readBatch(instruction) ?? []).flatMap((each) => useOf(each) ?? []);
}

function useOf({ accounts, data }: Instruction): TokenUse | undefined {
  const layout = layouts.get(data[0]) ?? seconds.get(data[0])?.get(data[1]);
  if (layout === undefined) return undefined;
  const by = accounts.slice(layout.by).filter((account) => account !== undefined);
  const account = layout.account === undefined ? undefined : accounts[layout.account];
  if (layout.kind === "freeze") {
    const mint = accounts[layout.mint];
    return mint === undefined ? undefined : { kind: layout.kind, account, mint, by };
  }
  if (account === undefined) return undefined;
  if (layout.kind === "move") {
    const to = accounts[layout.to];
    return to === undefined ? undefined : { kind: layout.kind, account, to, by };
  }
  const mint = accounts[layout.mint];
  if (mint === undefined) return undefined;
  if (layout.kind === "make") return { kind: layout.kind, mint, account, by };
  const amount = amountAt(data, layout.amountAt);
  return amount === undefined ? undefined : { kind: layout.kind, account, mint, amount, by };
}

/** Undefined for data that are cut short, which no program executes. */
function amountAt(data: Uint8Array, at: number): bigint | undefined {
  try {
    return new FieldReader(data.subarray(at)).u64();
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}
