import type { CanonicalAddress } from "../../address.ts";
import type { RoleValues } from "./argument-roles.ts";
import { addresses, integers, pathTokens } from "./role-values.ts";
import { isNativeCoin, isWrappedCoin } from "./wrapped-coins.ts";

/** What a call uses of what a router has. */
export interface Taking {
  /** The token. `coins` stands for the coin and its wrapped form. Undefined where the call names no token. */
  readonly token: CanonicalAddress | "coins" | undefined;
  /** Undefined for everything. */
  readonly amount: bigint | undefined;
}

/** An amount of this size bounds nothing. No listed token has as many units. */
const UNBOUNDED = 2n ** 112n - 1n;
/** Stands for all that the contract has. Source: Uniswap, universal-router, ActionConstants. */
const WHOLE_BALANCE = 2n ** 255n;
/** A call that uses all coins that go with it. */
export const ALL_COINS = 2n ** 256n;

/** The least amount of a trade. An unbounded cost counts as 0. Undefined where the call is no trade. */
export function leastOf(roles: RoleValues, isPaidByContract: boolean): bigint | undefined {
  if (!isPaidByContract && integers(roles, "most").some((most) => most >= UNBOUNDED)) return 0n;
  // The bound of a Balancer swap with a given output is a cost. The cost is not bounded then.
  if (integers(roles, "givenOut").includes(1n)) return 0n;
  const bounds = [...integers(roles, "least"), ...integers(roles, "leastLeft")];
  return bounds.length === 0 ? undefined : bounds.toSorted(byAmount)[0];
}

/** Whether the call forwards what an earlier call left with the contract. */
export function forwardsIn(roles: RoleValues): boolean {
  return roles.byRole.has("leastLeft") || roles.byRole.has("forwarded");
}

/** What the call uses of what an earlier call left with the contract. */
export function takesOf(roles: RoleValues): Taking | undefined {
  if (forwardsIn(roles)) {
    const token = addresses(roles, "token").at(-1);
    const amount = integers(roles, "forwarded").find((each) => each > 0n && each < WHOLE_BALANCE);
    return { token: token === undefined || isNativeCoin(token) ? "coins" : token, amount };
  }
  const first = firstToken(roles);
  if (integers(roles, "amountOrBalance").includes(0n)) return { token: first, amount: undefined };
  const isPaidByContract = (roles.byRole.get("payerIsUser") ?? []).includes(false);
  // A purchase may use less than its most, so the rest stays until a later call forwards it.
  const amount = integers(roles, "amount").at(0);
  if (!isPaidByContract || amount === undefined) return undefined;
  return { token: first, amount: amount < WHOLE_BALANCE ? amount : undefined };
}

/**
 * The coins that the call uses of the coins that go with it, wei. A trade that names another token uses none. A
 * function that names no trade keeps its coins on purpose.
 */
export function coinsUsed(roles: RoleValues, isStep: boolean): bigint {
  const token = addresses(roles, "token").at(-1);
  const isCoin = token === undefined || isNativeCoin(token);
  const settled = integers(roles, "coins").at(0);
  if (settled !== undefined) return isCoin ? stated(settled) : 0n;
  if (forwardsIn(roles)) return token !== undefined && isNativeCoin(token) ? ALL_COINS : 0n;
  if (isStep) return 0n;
  const first = firstToken(roles);
  const amount = [...integers(roles, "amount"), ...integers(roles, "amountOrBalance")].at(0);
  const isOfRouter = roles.byRole.has("recipientOrSelf") || roles.byRole.has("recipientOrMarker");
  if (first === undefined || amount === undefined) return isOfRouter ? 0n : ALL_COINS;
  return isNativeCoin(first) || isWrappedCoin(first) ? stated(amount) : 0n;
}

/** 0 and the largest amounts stand for all. */
const stated = (amount: bigint) => (amount === 0n || amount >= WHOLE_BALANCE ? ALL_COINS : amount);

function firstToken(roles: RoleValues): CanonicalAddress | undefined {
  return addresses(roles, "tokenIn").at(0) ?? pathTokens(roles).at(0);
}

export function boughtToken(roles: RoleValues): CanonicalAddress | undefined {
  const token = addresses(roles, "tokenOut").at(-1) ?? pathTokens(roles).at(-1) ?? addresses(roles, "token").at(-1);
  return token === undefined || isNativeCoin(token) ? undefined : token;
}

/** The exact amount that the call pays. Undefined where the call states none. */
export function paysExactly(roles: RoleValues): bigint | undefined {
  return [...integers(roles, "coins"), ...integers(roles, "paid")].find((each) => each > 0n && each < WHOLE_BALANCE);
}

const byAmount = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
