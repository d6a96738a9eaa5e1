import type { CanonicalAddress } from "../../chains/address.ts";
import { selectorOf } from "../../chains/evm/read-transaction.ts";
import { numberAt } from "../../evm-analysis/machine/code.ts";
import type { CallResult, ViewCall } from "../evm/node.ts";
import { WORD_BYTES } from "../evm/word.ts";

const balanceOf = selectorOf("balanceOf(address)");
const allowance = selectorOf("allowance(address,address)");

const argument = (address: CanonicalAddress) => address.slice(2).padStart(2 * WORD_BYTES, "0");

/** The call that reads an account's balance of a token. */
export function balanceLook(token: CanonicalAddress, account: CanonicalAddress): ViewCall {
  return { to: token, data: `0x${balanceOf}${argument(account)}` };
}

/** The call that reads a spender's remaining allowance. */
export function allowanceLook(token: CanonicalAddress, owner: CanonicalAddress, spender: CanonicalAddress): ViewCall {
  return { to: token, data: `0x${allowance}${argument(owner)}${argument(spender)}` };
}

/** Numbers that were read before and after a transaction. */
export interface StateBeforeAfter {
  /** Undefined for a call that was not made, or that did not return a number both times. */
  readonly of: (look: ViewCall) => { readonly before: bigint; readonly after: bigint } | undefined;
}

export function readBeforeAfter(
  looks: readonly ViewCall[],
  before: readonly CallResult[],
  after: readonly CallResult[],
): StateBeforeAfter {
  const numbers = new Map(
    looks.flatMap((look, i) => {
      const [first, second] = [numberOf(before[i]), numberOf(after[i])];
      return first === undefined || second === undefined ? [] : [[keyOf(look), { before: first, after: second }]];
    }),
  );
  return { of: (look) => numbers.get(keyOf(look)) };
}

/** A text that identifies a call. */
export function keyOf({ to, data }: ViewCall): string {
  return `${to} ${data}`;
}

function numberOf(result: CallResult | undefined): bigint | undefined {
  return result?.ok && result.data.length === WORD_BYTES ? numberAt(result.data, 0, WORD_BYTES) : undefined;
}
