import { readMint } from "../../../chains/solana/accounts/mint.ts";
import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { NATIVE, NATIVE_DECIMALS, type OwnChange, SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import type { SolanaFacts, SolanaFinding } from "./facts.ts";
import { isServed } from "./via-labelled-program.ts";

/** What leaves somebody, and what comes back to him. */
export interface CounterTrade {
  readonly who: string;
  readonly own: readonly OwnChange[];
  readonly solDelta: bigint;
  /** How many assets leave, most of the SOL one of them. */
  readonly assets: number;
}

/** Symbols of labelled tokens that are worth a dollar. */
const dollars: ReadonlySet<string | undefined> = new Set(["USDC", "USDT", "PYUSD", "USDS", "FDUSD", "USDG"]);

/** What a SOL has cost at least and at most, in dollars, with room to spare: 8 to 295 from 2022 to 2025. */
const SOL_AT_LEAST = 5n;
const SOL_AT_MOST = 1_000n;
/** Parts of a dollar that are counted. */
const UNITS = 10n ** 9n;
/** More than all there is of any one token on this network has been worth, in dollars: TRUMP, 75,000 million, January 2025. */
const SUPPLY_AT_MOST = 100_000_000_000n;

/**
 * For what may be worth it; for what nobody can tell to be, by its kind (tokens without a label) or by the way it comes
 * (not through a service); or for nothing that counts.
 */
export type CounterPayment = "known" | "unknown" | "unclear" | "none";

/** `what` went from `account`, for something of which nobody can tell whether it is enough. */
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
 * What comes back. Without prices dollars and SOL can be compared with each other alone: less than half of what leaves, even
 * if the SOL is counted at its worst, is nothing. Any other token counts where labelled services do all of it, for their
 * pools have made the rate: one with a label, unless all there is of it would be worth more than any token has been; one
 * without is a share in a pool, or junk that somebody made a pool for. What comes straight from somebody may be dust, of a
 * name that labels know, a few SOL for a whole collection, or SOL at the least it has ever cost: nobody has made that rate but
 * whoever asks for it. Only dollars for dollars need no rate.
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

/** Whether the dollars and the SOL that come are worth half of those that leave, the SOL at its best. */
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

/** What the dollars and the SOL that leave are worth at least, less those that come. */
function leastWorthOf({ solDelta }: CounterTrade, tokens: readonly OwnChange[], facts: SolanaFacts): bigint {
  const inDollars = tokens.filter((each) => isDollar(each, facts));
  const net = sum(inDollars.map((each) => (deltaOf(each) < 0n ? worthOf(each) : -worthOf(each))));
  return net - solDelta * (solDelta < 0n ? SOL_AT_LEAST : SOL_AT_MOST);
}

/** Whether so much of a token may be worth so many dollars. */
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

/** Of a token that is worth a dollar, in either direction. */
function worthOf(each: OwnChange): bigint {
  const delta = deltaOf(each);
  return ((delta < 0n ? -delta : delta) * UNITS) / 10n ** BigInt(each.decimals ?? NATIVE_DECIMALS);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}
