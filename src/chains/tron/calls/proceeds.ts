import { type CanonicalAddress, parseAddress } from "../../address.ts";
import type { ReadCall, ReadCalls } from "./calls-read.ts";
import { type Payout, UNBOUNDED, USUAL_FEE_BIPS } from "./payout.ts";

/**
 * Whom calldata names as the one who gets what a trade, a withdrawal or a deposit yields, in the calls of a multicall too.
 * Nobody for functions that are not in the table.
 */
export function proceedsIn(calls: ReadCalls): readonly CanonicalAddress[] {
  const named = payoutsIn(calls).flatMap(({ to }) => (to === "caller" || to === "router" ? [] : [to]));
  return [...new Set(named)];
}

/**
 * Whether something of the proceeds stays with the contract that is called, where the next caller can take it: it is the one
 * who is paid, and no later call passes that token on or trades it.
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
 * Whether calldata trades for whatever comes back, one unit at most, or for whatever it costs: whoever sees it first makes
 * that little, or that much. What stays
 * with the router is bound by what passes it on, or by the trade that it is used for.
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

/** The tokens that calldata names as what is paid, in the calls of a multicall too: as far as a function tells. */
export function tokensPaidIn(calls: ReadCalls): readonly CanonicalAddress[] {
  const tokens = new Set(payoutsIn(calls).flatMap(({ token }) => token ?? []));
  return [...tokens].flatMap((digits) => {
    const address = parseAddress("tron", `41${digits}`);
    return address.ok ? [address.value] : [];
  });
}

/** Whether every call that calldata holds is of a function that is known here, so that it is known whom it pays. */
export function isExplained({ calls, isCut }: ReadCalls): boolean {
  const isKnown = ({ payouts, reading }: ReadCall) =>
    payouts !== undefined || (reading.is === "token" && !reading.isBroken);
  return !isCut && calls.length > 0 && calls.every(isKnown);
}

interface Held {
  readonly token: string | undefined;
  readonly isAnyPrice: boolean;
}

/** By the token, all of it; where one of them does not say which, all of what was left last. */
function release(held: Held[], token: string | undefined): readonly Held[] {
  const last = held.findLast((each) => token === undefined || each.token === undefined);
  const isNamed = token !== undefined && held.some((each) => each.token === token);
  const isTaken = (each: Held) =>
    isNamed ? each.token === token : each === last || (last?.token !== undefined && each.token === last.token);
  const taken = held.filter(isTaken);
  held.splice(0, held.length, ...held.filter((each) => !isTaken(each)));
  return taken;
}

/** Without the fees that are usual: all those of one token together, since one that is paid again and again takes everything. */
function payoutsIn({ calls }: ReadCalls): readonly Payout[] {
  const all = calls.flatMap(({ payouts }) => payouts ?? []);
  const bips = new Map<string | undefined, bigint>();
  for (const { token, fee } of all) if (fee !== undefined) bips.set(token, (bips.get(token) ?? 0n) + fee);
  return all.filter(({ token, fee }) => fee === undefined || (bips.get(token) ?? 0n) > USUAL_FEE_BIPS);
}
