import type { Sale, TransferTrial, TrialOutcome } from "./trial.ts";

/** What buying, passing on and selling showed. `unknown` and undefined: nothing did. */
export interface TradeResult {
  /** Whoever has tokens cannot sell them, and neither the pool nor the amount is why. */
  readonly honeypot: boolean | "unknown";
  /** The owner's sale goes through where those of strangers do not; unknown where none of either was tried. */
  readonly onlyOwnerSells: boolean | "unknown";
  /** Small amounts could be traded and large ones not. */
  readonly sizeLimited: boolean;
  /** Percent of the tokens that do not arrive, to a tenth. */
  readonly buyTax: number | undefined;
  readonly transferTax: number | undefined;
  readonly sellTax: number | undefined;
}

/** Where less than one in this many tokens arrives, the tax leaves nothing worth a sale. Chosen. */
export const LEAST_ARRIVING = 10n;

/** Fewer units than this do not tell a tax to a tenth of a percent. */
const LEAST_UNITS = 2_000n;

/** Percent of what was sent that did not arrive, to a tenth; undefined for an amount too small to tell. */
export function taxOf({ sent, arrived }: TransferTrial): number | undefined {
  if (sent < LEAST_UNITS) return undefined;
  const lost = sent > arrived ? sent - arrived : 0n;
  return Number((lost * 2_000n + sent) / (sent * 2n)) / 10;
}

/** Whether the tokens were moved, most of them arrived, and the pool paid. */
export function sold(sale: Sale | undefined): boolean {
  if (sale?.ok !== true || sale.paid === 0n) return false;
  return sale.arrived * LEAST_ARRIVING > sale.sent;
}

const bought = ({ bought: purchase }: TrialOutcome) => purchase?.ok === true && purchase.arrived > 0n;
const passed = ({ transfer }: TrialOutcome) => transfer?.ok === true && transfer.arrived > 0n;
const bothSold = ({ sale, secondSale }: TrialOutcome) => sold(sale) && (secondSale === undefined || sold(secondSale));

/** Whether a sale by one who has not just received is worth trying: some sale of the smallest purchase failed, or none was made. */
export function needsFallback([smallest]: readonly (TrialOutcome | undefined)[]): boolean {
  return smallest === undefined || !bought(smallest) || !bothSold(smallest);
}

/** Trials without a purchase, as far as they were made. */
export interface Unbought {
  /** Of one who was given tokens. */
  readonly stranger?: TrialOutcome | undefined;
  /** Of the owner; its second sale is that of a stranger who has the tokens from him. */
  readonly owner?: TrialOutcome | undefined;
}

/**
 * Judges trials in one pool that began with purchases, the smallest first, and those without one.
 * `waits`: whether the code makes those wait who have just received.
 *
 * A sale that fails right after a purchase may fail for its haste, or because the token remembers who bought: that one who
 * has not bought can sell excuses it only where the code is known to make buyers wait. Where nobody can do anything at
 * all with the token it is not a trap but closed, and nothing is known.
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

/** Where the least can be sold and who bought a little more can sell not even a quarter of that: no honest limit is so tight. */
function isStuck(first: TrialOutcome | undefined, next: TrialOutcome | undefined): boolean {
  return first !== undefined && bothSold(first) && next !== undefined && bought(next) && !sold(next.sale);
}

/** The worst that anybody met with: a token may treat the second holder, or the larger trade, worse than the first. */
function taxesOf(
  purchased: readonly (TrialOutcome | undefined)[],
  given: TrialOutcome | undefined,
  owner: TrialOutcome | undefined,
): Pick<TradeResult, "buyTax" | "transferTax" | "sellTax"> {
  const sales = [...purchased, given].flatMap((outcome) => [outcome?.sale, outcome?.secondSale]);
  const through = sales.filter(sold);
  // A buyer's balances are known to be told, so that nothing that arrives is all that was kept.
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
 * What several pools showed together, the fullest first: a trap in one of them is one, and where something was bought and
 * it is not known whether that can be sold, what another pool shows does not clear it.
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

/** What trading in one pool showed. */
export interface PoolTrade extends TradeResult {
  /** Whether anybody could buy there: where nobody can, nobody can be trapped either. */
  readonly wasBought: boolean;
}

function honeypotAmong(fullest: PoolTrade, told: readonly PoolTrade[]): TradeResult["honeypot"] {
  if (told.some(({ honeypot }) => honeypot === true)) return true;
  if (told.some(({ honeypot, wasBought }) => honeypot === "unknown" && wasBought)) return "unknown";
  return told.some(({ honeypot }) => honeypot === false) ? false : fullest.honeypot;
}

/**
 * What becomes of one who bought, has no code, and sells as people do: by a router, a day and thirty days later. `not_asked`:
 * the node does not make blocks to come.
 */
export type LaterSale = "sells" | "stuck" | "not_asked";

/**
 * What trading showed, with what becomes of a buyer later: whoever cannot sell then, or not by a router as people do, is
 * not called free; and that he waits is no excuse until he is seen to sell.
 */
export function judgeLater(trade: TradeResult, later: LaterSale, waited: boolean): TradeResult {
  const isOpen = later === "stuck" || (later === "not_asked" && waited);
  return trade.honeypot === false && isOpen ? { ...trade, honeypot: "unknown" } : trade;
}

/** Whether one of the purchases brought something. */
export function wasBought(purchases: readonly (TrialOutcome | undefined)[]): boolean {
  return purchases.some((outcome) => outcome !== undefined && bought(outcome));
}

function honeypotIn(
  first: TrialOutcome | undefined,
  given: TrialOutcome | undefined,
  waits: boolean | "unknown",
): TradeResult["honeypot"] {
  // One who could not pass any on has shown that he sells, and not that who has them from another does.
  if (first !== undefined && bothSold(first)) return first.secondSale === undefined ? "unknown" : false;
  if (given?.sale === undefined) {
    // The tokens could not be given: what buyers cannot do counts where nothing makes them wait.
    const isStuck = first !== undefined && !sold(first.sale) && !sold(first.secondSale);
    return isStuck && waits === false ? true : "unknown";
  }
  if (sold(given.sale)) return first !== undefined && waits === true ? false : "unknown";
  return first !== undefined || passed(given) ? true : "unknown";
}

/** Strangers who bought, were given tokens, or have them from the owner: one who sells is enough. */
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
