import { numberAt } from "../../../evm-analysis/machine/code.ts";
import type { CallResult, ViewCall } from "../../evm/node.ts";
import { WORD_BYTES } from "../../evm/word.ts";
import { argumentOf } from "../argument.ts";

/** The two kinds of pools that are known: by reserves that they tell, and by a price and what lies around it. */
export type PoolKind = "v2" | "v3";

/** A pool of one token with another. Addresses are canonical. */
export interface PoolOf {
  readonly kind: PoolKind;
  readonly pair: string;
  readonly of: string;
  readonly base: string;
}

/** What it holds. */
export interface Holdings {
  readonly baseHeld: bigint;
  readonly tokenHeld: bigint;
  /** How much of the base it seems to hold at its price: shares of it are what a trade is large or small by. */
  readonly depth: bigint;
}

const selectors = {
  getReserves: "0902f1ac",
  slot0: "3850c7bd",
  liquidity: "1a686502",
  balanceOf: "70a08231",
} as const;

/** What a pool is asked, in this order. */
export function holdingsCalls({ kind, pair, of, base }: PoolOf): readonly ViewCall[] {
  if (kind === "v2") return [{ to: pair, data: `0x${selectors.getReserves}` }];
  return [
    { to: pair, data: `0x${selectors.slot0}` },
    { to: pair, data: `0x${selectors.liquidity}` },
    ...[of, base].map((to) => ({ to, data: `0x${selectors.balanceOf}${argumentOf(pair)}` })),
  ];
}

/** What the answers to them say; undefined for a pool that is empty, or is none. */
export function holdingsIn(answers: Answers, pool: PoolOf): Holdings | undefined {
  return pool.kind === "v2" ? reservesIn(answers, pool) : rangeIn(answers, pool);
}

type Pair = Pick<PoolOf, "of" | "base">;
type Answers = readonly (CallResult | undefined)[];

const wordIn = (result: CallResult | undefined, i = 0) =>
  result?.ok === true && result.data.length >= (i + 1) * WORD_BYTES
    ? numberAt(result.data, i * WORD_BYTES, WORD_BYTES)
    : 0n;

/** Reserves stand in the order of the tokens' addresses. */
function reservesIn([reserves]: Answers, { of, base }: Pair): Holdings | undefined {
  const [first, second] = [wordIn(reserves, 0), wordIn(reserves, 1)];
  const [tokenHeld, baseHeld] = of < base ? [first, second] : [second, first];
  return tokenHeld === 0n || baseHeld === 0n ? undefined : { tokenHeld, baseHeld, depth: baseHeld };
}

/** Fixed point of a V3 price, bits. */
const PRICE_BITS = 96n;
/** Root prices are shorter than this, liquidity and what pools hold, too; what says more is no pool, or is not believed. */
const MOST = 1n << 160n;

/**
 * A V3 pool at root price p (second token per first) and liquidity L seems to hold L/p of the first token and Lp of the second.
 * Source: the Uniswap v3 whitepaper, section 6.2. The depth is that, or all that the pool holds where that is less; and the worth of
 * its tokens where both are nothing.
 */
function rangeIn([slot0, liquidity, ofToken, ofBase]: Answers, { of, base }: Pair): Holdings | undefined {
  const price = wordIn(slot0);
  const around = wordIn(liquidity);
  const [tokenHeld, baseHeld] = [least(wordIn(ofToken), MOST), least(wordIn(ofBase), MOST)];
  if (price === 0n || price >= MOST || around >= MOST || (tokenHeld === 0n && baseHeld === 0n)) return undefined;
  const isFirst = base < of;
  const seeming = isFirst ? (around << PRICE_BITS) / price : (around * price) >> PRICE_BITS;
  const worth = isFirst
    ? (tokenHeld << (2n * PRICE_BITS)) / (price * price)
    : (tokenHeld * price * price) >> (2n * PRICE_BITS);
  const [depth = worth, other = depth] = [seeming, baseHeld].filter((amount) => amount > 0n);
  return { tokenHeld, baseHeld, depth: least(least(depth, other), MOST) };
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
