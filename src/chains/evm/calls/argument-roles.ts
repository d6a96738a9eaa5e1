import type { CanonicalAddress } from "../../address.ts";
import type { AbiValue } from "../abi/abi-reader.ts";
import type { AbiType, TupleType } from "../abi/abi-type.ts";

/**
 * What an argument of a service's function means. A declaration names each argument by its role.
 *
 * - `recipient`: the account that receives the proceeds of the call, or the position that the call opens.
 * - `recipientOrCaller`: the same; 0 is the caller.
 * - `recipientOrSelf`: the same; 0 is the called contract. Source: Uniswap V3, SwapRouter.
 * - `recipientOrMarker`: the same; 1 is the caller and 2 the called contract. Source: Uniswap, universal router.
 * - `recipientWord`: the same in 32 bytes, as bridges between different chains write it.
 * - `recipientNumber`: the same in the lowest 160 bits of a number; 0 is the caller.
 * - `foreignRecipient`: the same in a form that only another chain has.
 * - `foreignWord`: an account of another chain in 32 bytes; 0 is none.
 * - `remoteToken`: a token of another chain; 0 lets the bridge choose.
 * - `executor`: code that the call chooses, and that handles the assets of the trade. 0 is none.
 * - `feeRecipient`: receives `bips` of 10,000 of what the contract has.
 * - `credentials`: the account that a beacon-chain stake returns to. Source: Ethereum consensus specifications.
 * - `spender`, `operator`, `admin`: receives a right to tokens, to all items, or over the contract.
 * - `threshold`: the number of owners of a Safe that must sign.
 * - `module`: code that may act for the contract, or that all calls of it pass.
 * - `owner`: the account that loses assets by the call.
 * - `received`: a token that the caller gets for what it pays, or that stays in a pool beside what it pays.
 * - `path`: tokens in order; the last one is bought. `packedPath` and `packedPathBack` are Uniswap V3's packed paths.
 * - `least`, `most`: the bounds of a trade. `leastLeft` and `forwarded` mark a call that forwards what an earlier call
 *   left, at least or exactly. `givenOut` is 1 where the bound of the trade is its cost.
 * - `coins`, `paid`: the exact amount that a command wraps, settles or moves.
 * - `mustBeZero`: a number that gives a share to another account.
 * - `payerIsUser`: false where the contract trades what an earlier call left with it.
 * - `amountOrBalance`: the amount that is traded; 0 is what an earlier call left.
 * - `route`: bytes that choose the way of a trade. The contract holds the trade to its least amount.
 * - `basicOrderType`: the form of an order. Below 8 the caller pays with coins alone. Source: Seaport, BasicOrderType.
 * - `signed`: signatures, permits and proofs. `note`: bytes that move nothing.
 */
export const argumentRoles = [
  "recipient",
  "recipientOrCaller",
  "recipientOrSelf",
  "recipientOrMarker",
  "recipientWord",
  "recipientNumber",
  "foreignRecipient",
  "foreignWord",
  "remoteToken",
  "executor",
  "feeRecipient",
  "bips",
  "credentials",
  "spender",
  "operator",
  "admin",
  "module",
  "threshold",
  "owner",
  "token",
  "tokenIn",
  "tokenOut",
  "received",
  "path",
  "packedPath",
  "packedPathBack",
  "amount",
  "amountOrBalance",
  "granted",
  "least",
  "leastLeft",
  "forwarded",
  "givenOut",
  "coins",
  "paid",
  "mustBeZero",
  "most",
  "payerIsUser",
  "basicOrderType",
  "route",
  "signed",
  "note",
] as const;
export type ArgumentRole = (typeof argumentRoles)[number];

/** The arguments of one call by their roles. */
export interface RoleValues {
  readonly byRole: ReadonlyMap<string, readonly AbiValue[]>;
  /** The addresses without a role, such as pools, oracles and referrers. */
  readonly others: readonly CanonicalAddress[];
  /** Whether bytes without a role hold anything. Such bytes may order any further effect. */
  readonly isOpaque: boolean;
}

/** Sorts the values of a call by the roles that its declaration names. */
export function collectRoles(inputs: TupleType, values: readonly AbiValue[]): RoleValues {
  const byRole = new Map<string, AbiValue[]>();
  const others: CanonicalAddress[] = [];
  let isOpaque = false;
  const visit = (type: AbiType, value: AbiValue | undefined, role: string): void => {
    if (value === undefined) return;
    if (type.is === "tuple" || type.is === "list") {
      const items = typeof value === "object" && "items" in value ? value.items : [];
      for (const [i, item] of items.entries()) {
        if (type.is === "list") visit(type.of, item, role);
        else visit(type.members[i] ?? type, item, type.names[i] || role);
      }
      return;
    }
    if (role !== "") {
      const same = byRole.get(role);
      if (same === undefined) byRole.set(role, [value]);
      else same.push(value);
    } else if (type.is === "address") others.push(value as CanonicalAddress);
    else if (type.is === "bytes") isOpaque ||= typeof value === "object" && "hex" in value && value.hex !== "";
  };
  visit(inputs, { items: values }, "");
  return { byRole, others, isOpaque };
}
