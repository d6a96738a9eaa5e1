import { EndOfBytesError } from "../message/byte-reader.ts";
import { FieldReader } from "../message/field-reader.ts";
import { isTokenProgram } from "../programs.ts";
import type { Instruction } from "./act.ts";
import { readBatch } from "./token-acts.ts";

/**
 * A use of tokens by a right over them: of the owner, of a delegate, or of the issuer. `by` lists the account with the
 * right first. The signers of a multisig follow. Accounts in unreadable lookup tables are left out, and so are uses
 * that need them.
 */
export type TokenUse =
  /** New tokens for an account: minted, or paid out of withheld transfer fees. */
  | { readonly kind: "make"; readonly mint: string; readonly account: string; readonly by: readonly string[] }
  /** `to` is a token account. For unwrapped SOL it is any account. */
  | { readonly kind: "move"; readonly account: string; readonly to: string; readonly by: readonly string[] }
  | {
      readonly kind: "burn";
      readonly account: string;
      readonly mint: string;
      readonly amount: bigint;
      readonly by: readonly string[];
    }
  /** `account` is undefined when the whole mint is paused. */
  | {
      readonly kind: "freeze";
      readonly account: string | undefined;
      readonly mint: string;
      readonly by: readonly string[];
    };

/**
 * Indexes of accounts, and the offset of the amount in the data. `by` is the index of the first account with the right.
 */
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

/** Layouts by the number of the instruction. Source: @solana-program/token; Token-2022, TokenInstruction. */
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
/**
 * Layouts of instructions with a second number, by that number. Source: Token-2022,
 * extension/{transfer_fee,pausable,permissioned_burn}.
 */
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

/**
 * The uses of tokens by an instruction of a token program, or by the instructions of its batch. Empty for any other
 * instruction and for truncated data.
 */
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

/** Undefined for truncated data, which no program executes. */
function amountAt(data: Uint8Array, at: number): bigint | undefined {
  try {
    return new FieldReader(data.subarray(at)).u64();
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}
