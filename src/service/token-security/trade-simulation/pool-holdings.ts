import { numberAt } from "../../../evm-analysis/machine/code.ts";
import type { CallResult, ViewCall } from "../../evm/node.ts";
import { WORD_BYTES } from "../../evm/word.ts";
import { argumentOf } from "../argument.ts";

/** The known kinds of pools: V2 with reserves, and V3 with a price and the liquidity around it. */
export type PoolKind = "v2" | "v3";

/** A pool of one token with another. Addresses are canonical. */
export interface PoolOf {
  readonly kind: PoolKind;
  readonly pair: string;
  readonly of: string;
  readonly base: string;
}

/** The holdings of a pool. */
export interface Holdings {
  readonly baseHeld: bigint;
  readonly tokenHeld: bigint;
  /** Virtual amount of the base at the pool's price. Trades are sized as shares of the depth. */
  readonly depth: bigint;
}

const selectors = {
  getReserves: "0902f1ac",
  slot0: "3850c7bd",
  liquidity: "1a686502",
  balanceOf: "70a08231",
} as const;

/** The calls that read a pool's holdings. `holdingsIn` takes the answers in this order. */
export function holdingsCalls({ kind, pair, of, base }: PoolOf): readonly ViewCall[] {
  if (kind === "v2") return [{ to: pair, data: `0x${selectors.getReserves}` }];
  return [
    { to: pair, data: `0x${selectors.slot0}` },
    { to: pair, data: `0x${selectors.liquidity}` },
    ...[of, base].map((to) => ({ to, data: `0x${selectors.balanceOf}${argumentOf(pair)}` })),
  ];
}

/**
 * Reads holdings from the answers to `holdingsCalls`. Undefined for an empty pool, and for a contract that is no pool.
 */
export function holdingsIn(answers: Answers, pool: PoolOf): Holdings | undefined {
  return pool.kind === "v2" ? reservesIn(answers, pool) : rangeIn(answers, pool);
}

type Pair = Pick<PoolOf, "of" | "base">;
type Answers = readonly (CallResult | undefined)[];

const wordIn = (result: CallResult | undefined, i = 0) =>
  result?.ok === true && result.data.length >= (i + 1) * WORD_BYTES
    ? numberAt(result.data, i * WORD_BYTES, WORD_BYTES)
    : 0n;

/** Reserves follow the order of the tokens' addresses. */
function reservesIn([reserves]: Answers, { of, base }: Pair): Holdings | undefined {
  const [first, second] = [wordIn(reserves, 0), wordIn(reserves, 1)];
  const [tokenHeld, baseHeld] = of < base ? [first, second] : [second, first];
  return tokenHeld === 0n || baseHeld === 0n ? undefined : { tokenHeld, baseHeld, depth: baseHeld };
}

/** Fixed point of a V3 price, bits. */
const PRICE_BITS = 96n;
/**
 * Upper bound of root prices, liquidity and holdings. A larger price or liquidity is not from a pool, and larger
 * holdings are not believed.
 */
const MOST = 1n << 160n;

/**
 * The depth of a V3 pool with root price p (second token per first) and liquidity L. The virtual reserves are L/p of
 * the first token and Lp of the second. Source: the Uniswap v3 whitepaper, section 6.2. The depth is the virtual
 * reserve or the real holdings of the base, whichever is less. An amount of 0 does not count. When both are 0, the
 * depth is the worth of the pool's tokens.
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
