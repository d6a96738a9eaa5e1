import type { Outcome, Sale, Sent } from "./trial.ts";

/** What buying, passing on and selling showed. `unknown` and undefined: nothing did. */
export interface Trade {
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
const LEAST_ARRIVING = 10n;

/** Fewer units than this do not tell a tax to a tenth of a percent. */
const LEAST_UNITS = 2_000n;

/** Percent of what was sent that did not arrive, to a tenth; undefined for an amount too small to tell. */
export function taxOf({ sent, arrived }: Sent): number | undefined {
  if (sent < LEAST_UNITS) return undefined;
  const lost = sent > arrived ? sent - arrived : 0n;
  return Number((lost * 2_000n + sent) / (sent * 2n)) / 10;
}

/** Whether the tokens were moved, most of them arrived, and the pool paid. */
export function sold(sale: Sale | undefined): boolean {
  if (sale?.ok !== true || sale.paid === 0n) return false;
  return sale.arrived * LEAST_ARRIVING > sale.sent;
}

const bought = ({ bought: purchase }: Outcome) => purchase?.ok === true && purchase.arrived > 0n;
const passed = ({ transfer }: Outcome) => transfer?.ok === true && transfer.arrived > 0n;
const bothSold = ({ sale, secondSale }: Outcome) => sold(sale) && (secondSale === undefined || sold(secondSale));

/** Whether a sale by one who has not just received is worth trying: some sale of the smallest purchase failed, or none was made. */
export function needsFallback([smallest]: readonly (Outcome | undefined)[]): boolean {
  return smallest === undefined || !bought(smallest) || !bothSold(smallest);
}

/** Trials without a purchase, as far as they were made. */
export interface Unbought {
  /** Of one who was given tokens. */
  readonly stranger?: Outcome | undefined;
  /** Of the owner; its second sale is that of a stranger who has the tokens from him. */
  readonly owner?: Outcome | undefined;
}

/**
 * Judges trials that began with purchases, the smallest first, and those without one.
 * `waits`: whether the code makes those wait who have just received.
 *
 * A sale that fails right after a purchase may fail for its haste, or because the token remembers who bought: that one who
 * has not bought can sell excuses it only where the code is known to make buyers wait. Where nobody can do anything at
 * all with the token it is not a trap but closed, and nothing is known.
 */
export function judgeTrade(
  purchases: readonly (Outcome | undefined)[],
  { stranger: given, owner }: Unbought,
  waits: boolean | "unknown",
): Trade {
  const [smallest] = purchases;
  const first = smallest !== undefined && bought(smallest) ? smallest : undefined;
  const sales = [first?.sale, given?.sale, first?.secondSale];
  const shown = sales.find(sold) ?? sales.find((sale) => sale?.ok === true);
  const transfer = [first, given, owner].find((outcome) => outcome !== undefined && passed(outcome))?.transfer;
  const later = purchases.slice(1).filter((outcome) => outcome?.funded === true);
  return {
    honeypot: honeypotIn(first, given, waits),
    onlyOwnerSells: onlyOwnerSells(first, given, owner),
    sizeLimited:
      first !== undefined && sold(first.sale) && later.some((one) => one && !(bought(one) && sold(one.sale))),
    buyTax: first?.bought && taxOf(first.bought),
    transferTax: transfer && taxOf(transfer),
    sellTax: shown && taxOf(shown),
  };
}

function honeypotIn(
  first: Outcome | undefined,
  given: Outcome | undefined,
  waits: boolean | "unknown",
): Trade["honeypot"] {
  if (first !== undefined && bothSold(first)) return false;
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
  first: Outcome | undefined,
  given: Outcome | undefined,
  owner: Outcome | undefined,
): Trade["onlyOwnerSells"] {
  const strangers = [first?.sale, first?.secondSale, given?.sale, given?.secondSale, owner?.secondSale];
  if (strangers.some(sold)) return false;
  const isTried = owner?.sale !== undefined && strangers.some((sale) => sale !== undefined);
  return isTried ? sold(owner.sale) : "unknown";
}
