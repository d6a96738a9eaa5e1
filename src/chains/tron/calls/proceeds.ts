import { type CanonicalAddress, parseAddress } from "../../address.ts";
import type { ReadCall, ReadCalls } from "./calls-read.ts";
import { type Payout, UNBOUNDED, USUAL_FEE_BIPS } from "./payout.ts";

/**
 * The recipients that calldata names for the proceeds of a trade, a withdrawal or a deposit, also inside a multicall.
 * Empty for functions without a row in the table.
 */
export function proceedsIn(calls: ReadCalls): readonly CanonicalAddress[] {
  const named = payoutsIn(calls).flatMap(({ to }) => (to === "caller" || to === "router" ? [] : [to]));
  return [...new Set(named)];
}

/**
 * Whether a part of the proceeds stays with the called contract, where the next caller can take it. This is so when the
 * contract is the recipient and no later call forwards or trades that token.
 */
export function leavesProceeds(calls: ReadCalls, contract: CanonicalAddress): boolean {
  const held: Held[] = [];
  for (const { to, token, takes } of payoutsIn(calls)) {
    if (takes !== undefined) release(held, takes.token);
    if (to === "router" || to === contract) held.push({ token, isAnyPrice: false });
  }
  return held.length > 0;
}

/**
 * Whether calldata trades for any return (one unit at most), or at any cost. An observer of the pending transaction can
 * then move the price against the user. An amount that stays with the router is bound by the call that forwards or
 * trades it.
 */
export function tradesAtAnyPrice(calls: ReadCalls, contract: CanonicalAddress): boolean {
  const held: Held[] = [];
  for (const { to, token, takes, least, most, isTrade } of payoutsIn(calls)) {
    if (most !== undefined && most >= UNBOUNDED) return true;
    const taken = takes === undefined ? [] : release(held, takes.token);
    const isAnyPrice = least !== undefined && least <= 1n;
    if (!isTrade && isAnyPrice && taken.some((each) => each.isAnyPrice)) return true;
    const stays = to === "router" || to === contract;
    if (isTrade && isAnyPrice && !stays) return true;
    if (stays) held.push({ token, isAnyPrice: isTrade && isAnyPrice });
  }
  return false;
}

/** The tokens that calldata names as paid, also inside a multicall, as far as each function tells. */
export function tokensPaidIn(calls: ReadCalls): readonly CanonicalAddress[] {
  const tokens = new Set(payoutsIn(calls).flatMap(({ token }) => token ?? []));
  return [...tokens].flatMap((digits) => {
    const address = parseAddress("tron", `41${digits}`);
    return address.ok ? [address.value] : [];
  });
}

/** Whether Weir knows the function, and so the recipient, of every call in the calldata. */
export function isExplained({ calls, isCut }: ReadCalls): boolean {
  const isKnown = ({ payouts, reading }: ReadCall) =>
    payouts !== undefined || (reading.is === "token" && !reading.isBroken);
  return !isCut && calls.length > 0 && calls.every(isKnown);
}

interface Held {
  readonly token: string | undefined;
  readonly isAnyPrice: boolean;
}

/** Takes everything that was left of the token. Where a token is not named, it takes everything that was left last. */
function release(held: Held[], token: string | undefined): readonly Held[] {
  const last = held.findLast((each) => token === undefined || each.token === undefined);
  const isNamed = token !== undefined && held.some((each) => each.token === token);
  const isTaken = (each: Held) =>
    isNamed ? each.token === token : each === last || (last?.token !== undefined && each.token === last.token);
  const taken = held.filter(isTaken);
  held.splice(0, held.length, ...held.filter((each) => !isTaken(each)));
  return taken;
}

/**
 * The payments without usual fees. The fees of one token count together, because repeated fees could take everything.
 */
function payoutsIn({ calls }: ReadCalls): readonly Payout[] {
  const all = calls.flatMap(({ payouts }) => payouts ?? []);
  const bips = new Map<string | undefined, bigint>();
  for (const { token, fee } of all) if (fee !== undefined) bips.set(token, (bips.get(token) ?? 0n) + fee);
  return all.filter(({ token, fee }) => fee === undefined || (bips.get(token) ?? 0n) > USUAL_FEE_BIPS);
}
