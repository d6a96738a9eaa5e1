import { readMint } from "../../../chains/solana/accounts/mint.ts";
import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { NATIVE, NATIVE_DECIMALS, type OwnChange, SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import type { SolanaFacts, SolanaFinding } from "./facts.ts";
import { isServed } from "./via-labelled-program.ts";

/** The assets that leave a signer, and the assets that come back. */
export interface CounterTrade {
  readonly who: string;
  readonly own: readonly OwnChange[];
  readonly solDelta: bigint;
  /** Number of assets that leave. SOL counts as one asset when most of it leaves. */
  readonly assets: number;
}

/** Symbols of labelled tokens that are worth one dollar. */
const dollars: ReadonlySet<string | undefined> = new Set(["USDC", "USDT", "PYUSD", "USDS", "FDUSD", "USDG"]);

/**
 * Lowest and highest assumed price of one SOL, in dollars, with room to spare. From 2022 to 2025 the price was 8 to
 * 295.
 */
const SOL_AT_LEAST = 5n;
const SOL_AT_MOST = 1_000n;
/** Units per dollar in calculations. */
const UNITS = 10n ** 9n;
/**
 * More than the whole supply of any token on Solana has been worth, in dollars. The largest was TRUMP: 75,000 million
 * in January 2025.
 */
const SUPPLY_AT_MOST = 100_000_000_000n;

/**
 * How a signer is paid for the assets that leave.
 *
 * - `known`: the payment may be worth the assets.
 * - `unknown`: the payment is in tokens without a label, so its worth is unknown.
 * - `unclear`: the payment does not come through a labelled service, so its worth is unknown.
 * - `none`: no payment that counts comes back.
 */
export type CounterPayment = "known" | "unknown" | "unclear" | "none";

/** The finding that `what` leaves `account` for a payment of unknown worth. */
export function unpriced(payment: "unknown" | "unclear", account: string, what: string): SolanaFinding {
  return payment === "unknown"
    ? {
        name: "paid_in_unknown_tokens",
        account,
        description: `${what} for tokens without a label, whose worth nobody knows`,
      }
    : {
        name: "payment_unclear",
        account,
        description: `${what} for something that no labelled service has priced: whether it is enough nobody knows`,
      };
}

/**
 * Classifies the payment for the assets that leave. Without prices, only dollars and SOL can be compared with each
 * other. Less than half of the value that leaves counts as no payment. The comparison uses the SOL prices that are best
 * for the payment.
 *
 * Other tokens count where labelled services do the whole trade, because pools of the services have made the rate. A
 * labelled token counts unless its whole supply would then be worth more than any token's has been. A token without a
 * label is a share in a pool, or junk with a pool of its own.
 *
 * A direct payment may be dust of a labelled token, or a few SOL for a whole collection. It may also be SOL at the
 * lowest price ever. The counterparty alone has made that rate. Only dollars for dollars need no rate.
 */
export function paymentFor(trade: CounterTrade, facts: SolanaFacts): CounterPayment {
  const tokens = trade.own.filter(({ mint }) => mint !== NATIVE && mint !== WRAPPED_SOL);
  const back = tokens.filter((each) => deltaOf(each) > 0n);
  const served = isServed(trade.who, -trade.solDelta, facts);
  const isSolMoved = trade.solDelta > SMALL_CHANGE || -trade.solDelta > SMALL_CHANGE;
  const isExact = !isSolMoved && tokens.every((each) => deltaOf(each) >= 0n || isDollar(each, facts));
  const counted = back.filter((each) => facts.isLabelled(each.mint) && isMoreThanDust(each));
  if (isCovered(trade, tokens, counted, facts)) return served || isExact ? "known" : "unclear";
  const least = leastWorthOf(trade, tokens, facts);
  const others = counted.filter((each) => !isDollar(each, facts) && isPlausible(each, least, facts));
  if (others.length > 0 && served) return "known";
  if (others.length > 0 && trade.assets < 2) return "unclear";
  return back.some(({ mint }) => !facts.isLabelled(mint)) && served ? "unknown" : "none";
}

/**
 * True when incoming dollars and SOL are worth at least half of the outgoing ones. Incoming SOL counts at the highest
 * price, and outgoing SOL at the lowest.
 */
function isCovered(
  { solDelta }: CounterTrade,
  tokens: readonly OwnChange[],
  counted: readonly OwnChange[],
  facts: SolanaFacts,
) {
  const paid = counted.filter((each) => isDollar(each, facts));
  if (paid.length === 0 && solDelta <= SMALL_CHANGE) return false;
  const ins = sum(paid.map(worthOf)) + (solDelta > 0n ? solDelta * SOL_AT_MOST : 0n);
  const gone = tokens.filter((each) => deltaOf(each) < 0n && isDollar(each, facts));
  const outs = sum(gone.map(worthOf)) - (solDelta < 0n ? solDelta * SOL_AT_LEAST : 0n);
  return 2n * ins >= outs;
}

/** The least net worth of the dollars and the SOL that leave. */
function leastWorthOf({ solDelta }: CounterTrade, tokens: readonly OwnChange[], facts: SolanaFacts): bigint {
  const inDollars = tokens.filter((each) => isDollar(each, facts));
  const net = sum(inDollars.map((each) => (deltaOf(each) < 0n ? worthOf(each) : -worthOf(each))));
  return net - solDelta * (solDelta < 0n ? SOL_AT_LEAST : SOL_AT_MOST);
}

/** True when the token amount may be worth `dollarsInUnits`, judged by its share of the supply. */
function isPlausible(each: OwnChange, dollarsInUnits: bigint, { simulation: { mints } }: SolanaFacts): boolean {
  const account = mints.get(each.mint);
  const supply = account === undefined ? undefined : readMint(account)?.supply;
  return supply !== undefined && deltaOf(each) * SUPPLY_AT_MOST * UNITS >= dollarsInUnits * supply;
}

function deltaOf({ change: { begin, end } }: OwnChange): bigint {
  return end - begin;
}

function isMoreThanDust(each: OwnChange): boolean {
  return each.decimals !== undefined && deltaOf(each) * 1_000n >= 10n ** BigInt(each.decimals);
}

function isDollar({ mint, decimals }: OwnChange, { tokenName }: SolanaFacts): boolean {
  return decimals !== undefined && dollars.has(tokenName(mint));
}

/** Worth of a changed amount of a one-dollar token. The direction of the change does not matter. */
function worthOf(each: OwnChange): bigint {
  const delta = deltaOf(each);
  return ((delta < 0n ? -delta : delta) * UNITS) / 10n ** BigInt(each.decimals ?? NATIVE_DECIMALS);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}
