import type { Sale, TransferTrial, TrialOutcome } from "./trial.ts";

/** The result of buying, passing on and selling. `unknown` and undefined mean that no trial showed anything. */
export interface TradeResult {
  /** True when holders cannot sell, and neither the pool nor the amount is the reason. */
  readonly honeypot: boolean | "unknown";
  /** True when the owner's sale succeeds and the strangers' sales fail. Unknown unless sales of both were tried. */
  readonly onlyOwnerSells: boolean | "unknown";
  /** True when small amounts could be traded and large amounts could not. */
  readonly sizeLimited: boolean;
  /** Percent of the tokens that do not arrive, to a tenth. */
  readonly buyTax: number | undefined;
  readonly transferTax: number | undefined;
  readonly sellTax: number | undefined;
}

/** When less than one in this many tokens arrives, the tax leaves nothing worth a sale. Chosen. */
export const LEAST_ARRIVING = 10n;

/** With fewer units, the tax cannot be computed to a tenth of a percent. */
const LEAST_UNITS = 2_000n;

/** Percent of the sent units that did not arrive, to a tenth. Undefined when the amount is too small. */
export function taxOf({ sent, arrived }: TransferTrial): number | undefined {
  if (sent < LEAST_UNITS) return undefined;
  const lost = sent > arrived ? sent - arrived : 0n;
  return Number((lost * 2_000n + sent) / (sent * 2n)) / 10;
}

/** True when the tokens moved, more than a tenth of the tokens arrived, and the pool paid. */
export function sold(sale: Sale | undefined): boolean {
  if (sale?.ok !== true || sale.paid === 0n) return false;
  return sale.arrived * LEAST_ARRIVING > sale.sent;
}

const bought = ({ bought: purchase }: TrialOutcome) => purchase?.ok === true && purchase.arrived > 0n;
const passed = ({ transfer }: TrialOutcome) => transfer?.ok === true && transfer.arrived > 0n;
const bothSold = ({ sale, secondSale }: TrialOutcome) => sold(sale) && (secondSale === undefined || sold(secondSale));

/**
 * True when a trial without a purchase is needed: the smallest purchase or one of its sales failed, or no purchase was
 * made.
 */
export function needsFallback([smallest]: readonly (TrialOutcome | undefined)[]): boolean {
  return smallest === undefined || !bought(smallest) || !bothSold(smallest);
}

/** Trials without a purchase, as far as they were made. */
export interface Unbought {
  /** The trial of a stranger that was given tokens. */
  readonly stranger?: TrialOutcome | undefined;
  /** The trial of the owner. Its second sale is by a stranger that has the tokens from the owner. */
  readonly owner?: TrialOutcome | undefined;
}

/**
 * Judges the trials in one pool: those with purchases, the smallest first, and those without. `waits` tells whether the
 * code makes receivers wait before they sell.
 *
 * A sale right after a purchase may fail because of a waiting period, or because the token remembers buyers. A stranger
 * that did not buy may still sell. Such a sale clears the token only if the code is known to make buyers wait. A token
 * that no trial could use at all is closed, not a trap. Its result is unknown.
 */
export function judgeTrade(
  purchases: readonly (TrialOutcome | undefined)[],
  { stranger: given, owner }: Unbought,
  waits: boolean | "unknown",
): TradeResult {
  const [smallest, next] = purchases;
  const first = smallest !== undefined && bought(smallest) ? smallest : undefined;
  const purchased = purchases.filter((outcome) => outcome !== undefined && bought(outcome));
  const later = purchases.slice(1).filter((outcome) => outcome?.funded === true);
  return {
    honeypot: isStuck(first, next) ? "unknown" : honeypotIn(first, given, waits),
    onlyOwnerSells: onlyOwnerSells(first, given, owner),
    sizeLimited:
      first !== undefined && sold(first.sale) && later.some((one) => one && !(bought(one) && sold(one.sale))),
    ...taxesOf(purchased, given, owner),
  };
}

/**
 * True when the smallest purchase can be sold, but a quarter of the next larger purchase cannot. No honest limit is so
 * tight.
 */
function isStuck(first: TrialOutcome | undefined, next: TrialOutcome | undefined): boolean {
  return first !== undefined && bothSold(first) && next !== undefined && bought(next) && !sold(next.sale);
}

/** The highest tax of all trials. A token may tax the second holder or the larger trade more than the first. */
function taxesOf(
  purchased: readonly (TrialOutcome | undefined)[],
  given: TrialOutcome | undefined,
  owner: TrialOutcome | undefined,
): Pick<TradeResult, "buyTax" | "transferTax" | "sellTax"> {
  const sales = [...purchased, given].flatMap((outcome) => [outcome?.sale, outcome?.secondSale]);
  const through = sales.filter(sold);
  // The balances of a buyer are known to be readable. Therefore a transfer of which nothing arrives was taxed
  // completely.
  const sent = purchased.map((outcome) => outcome?.transfer).filter((transfer) => transfer?.ok === true);
  const others = [given, owner].filter((outcome) => outcome !== undefined && passed(outcome));
  return {
    buyTax: worstOf(purchased.map((outcome) => outcome?.bought)),
    transferTax: worstOf(sent.length > 0 ? sent : others.slice(0, 1).map((outcome) => outcome?.transfer)),
    sellTax: worstOf(through.length > 0 ? through : sales.filter((sale) => sale?.ok === true)),
  };
}

function worstOf(moves: readonly (TransferTrial | undefined)[]): number | undefined {
  const taxes = moves.flatMap((move) => (move === undefined ? undefined : taxOf(move)) ?? []);
  return taxes.length === 0 ? undefined : Math.max(...taxes);
}

/**
 * Combines the results of several pools, the fullest first. A trap in one pool makes the token a trap. A purchase that
 * may be unsellable is not cleared by the result of another pool.
 */
export function judgeTrials(trades: readonly PoolTrade[]): TradeResult {
  const [fullest, ...others] = trades;
  if (fullest === undefined) return judgeTrade([], {}, "unknown");
  const told = [fullest, ...others.filter((trade) => trade.wasBought)];
  const worst = (of: (trade: TradeResult) => number | undefined) => {
    const taxes = told.flatMap((trade) => of(trade) ?? []);
    return taxes.length === 0 ? undefined : Math.max(...taxes);
  };
  return {
    honeypot: honeypotAmong(fullest, told),
    onlyOwnerSells: told.map(({ onlyOwnerSells }) => onlyOwnerSells).find((only) => only !== "unknown") ?? "unknown",
    sizeLimited: told.some(({ sizeLimited }) => sizeLimited),
    buyTax: worst(({ buyTax }) => buyTax),
    transferTax: worst(({ transferTax }) => transferTax),
    sellTax: worst(({ sellTax }) => sellTax),
  };
}

/** The result of the trials in one pool. */
export interface PoolTrade extends TradeResult {
  /** True when a purchase succeeded. A pool in which purchases fail cannot trap a buyer. */
  readonly wasBought: boolean;
}

function honeypotAmong(fullest: PoolTrade, told: readonly PoolTrade[]): TradeResult["honeypot"] {
  if (told.some(({ honeypot }) => honeypot === true)) return true;
  if (told.some(({ honeypot, wasBought }) => honeypot === "unknown" && wasBought)) return "unknown";
  return told.some(({ honeypot }) => honeypot === false) ? false : fullest.honeypot;
}

/**
 * Result of a buyer without code that sells through a router, a day and thirty days later. `not_asked`: the node does
 * not simulate future blocks.
 */
export type LaterSale = "sells" | "stuck" | "not_asked";

/**
 * Combines the trade result with the later sale. A token is not cleared when the later sale fails, or when a router
 * cannot sell. A waiting period is no excuse until a later sale succeeds.
 */
export function judgeLater(trade: TradeResult, later: LaterSale, waited: boolean): TradeResult {
  const isOpen = later === "stuck" || (later === "not_asked" && waited);
  return trade.honeypot === false && isOpen ? { ...trade, honeypot: "unknown" } : trade;
}

/** True when at least one purchase brought tokens. */
export function wasBought(purchases: readonly (TrialOutcome | undefined)[]): boolean {
  return purchases.some((outcome) => outcome !== undefined && bought(outcome));
}

function honeypotIn(
  first: TrialOutcome | undefined,
  given: TrialOutcome | undefined,
  waits: boolean | "unknown",
): TradeResult["honeypot"] {
  // A buyer that could not pass tokens on shows only its own sale. The sale of a second holder stays unknown.
  if (first !== undefined && bothSold(first)) return first.secondSale === undefined ? "unknown" : false;
  if (given?.sale === undefined) {
    // Tokens could not be given to a stranger. The failed sales of buyers count when no waiting period explains them.
    const isStuck = first !== undefined && !sold(first.sale) && !sold(first.secondSale);
    return isStuck && waits === false ? true : "unknown";
  }
  if (sold(given.sale)) return first !== undefined && waits === true ? false : "unknown";
  return first !== undefined || passed(given) ? true : "unknown";
}

/**
 * Strangers have bought, were given tokens, or have tokens from the owner. One sale of a stranger is enough to exclude
 * an owner-only token.
 */
function onlyOwnerSells(
  first: TrialOutcome | undefined,
  given: TrialOutcome | undefined,
  owner: TrialOutcome | undefined,
): TradeResult["onlyOwnerSells"] {
  const strangers = [first?.sale, first?.secondSale, given?.sale, given?.secondSale, owner?.secondSale];
  if (strangers.some(sold)) return false;
  const isTried = owner?.sale !== undefined && strangers.some((sale) => sale !== undefined);
  return isTried ? sold(owner.sale) : "unknown";
}
