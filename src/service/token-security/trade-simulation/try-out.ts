import type { CodeAnalysis } from "../../../evm-analysis/analyse-code.ts";
import type { Random } from "../../../kernel/retry.ts";
import { type EvmNode, NodeUnavailableError } from "../../evm/node.ts";
import { sellLater } from "./later-sale.ts";
import type { LiquidityPool } from "./market.ts";
import {
  judgeLater,
  judgeTrade,
  judgeTrials,
  needsFallback,
  type PoolTrade,
  type TradeResult,
  wasBought,
} from "./trade.ts";
import { experimentOf, newCast, outcomeOf, type Trial, type TrialInput, type TrialOutcome } from "./trial.ts";

/**
 * Trade sizes as shares of a pool's depth, millionths. The first is below any limit, and the second fits a small purse.
 * The others are an ordinary and a large trade. Limits of honest tokens begin at about a thousandth of the supply.
 * Chosen.
 */
const SIZES = [100n, 1_000n, 10_000n, 50_000n] as const;
/** Number of sizes that are tried in pools other than the fullest. */
const SIZES_BESIDE = 2;
/**
 * Maximum number of pools that are tried, the fullest first. Chosen: to hide a trap in a further pool, the attacker has
 * to fill the decoy pools with as much money.
 */
const MAX_POOLS = 3;
/**
 * With fewer units of the base, the smallest trade is lost in rounding, and a sale without proceeds shows nothing.
 * Chosen.
 */
const LEAST_UNITS = 1_000_000n;
/** Share of the pool's tokens that a holder without a purchase is given. The smallest purchase brings as much. */
const GIVEN_DIVISOR = 10_000n;
/** A quarter of the amount is passed on, and a quarter is sold. */
const LEAST_GIVEN = 8n;

export interface TriedToken {
  readonly node: EvmNode;
  readonly address: string;
  readonly block: bigint;
  readonly supply: bigint | undefined;
  readonly wrapped: string;
  /** Routers that users sell through. The author of a token knows these addresses as well. */
  readonly routers: readonly string[];
  /** Unix time. */
  readonly nowSec: bigint;
  /** The fullest first. */
  readonly pools: readonly LiquidityPool[];
  readonly analysis: CodeAnalysis | undefined;
  /** Undefined when the token has no owner, or when its owner is unknown. */
  readonly owner: string | undefined;
}

/**
 * Buys, passes on and sells, in several sizes and pools, within one round. Open questions take one more round without a
 * purchase: as a stranger with given tokens, and as the owner. A token that is not a honeypot so far is sold again at a
 * later time.
 *
 * Nothing is known where the nodes do not run calls on changed state. @throws only `signal.reason`.
 */
export async function tryOut(tried: TriedToken, random: Random, signal: AbortSignal): Promise<TradeResult> {
  const waits = tried.analysis?.findings.cooldown.value ?? "unknown";
  const places = tried.pools.length === 0 ? [undefined] : tried.pools.slice(0, MAX_POOLS);
  const bought = await runAll(
    tried,
    places.map((pool, i) => purchasesIn(tried, pool, i === 0)),
    random,
    signal,
  );
  const asks = (i: number) => needsFallback(bought[i] ?? []) && (i === 0 || wasBought(bought[i] ?? []));
  const unbought = await runAll(
    tried,
    places.map((pool, i) => (asks(i) ? withoutPurchase(tried, pool, i === 0) : [])),
    random,
    signal,
  );
  const trade = judgeTrials(
    places.map((_pool, i): PoolTrade => {
      const [purchases = [], [stranger, owner] = []] = [bought[i], unbought[i]];
      return { ...judgeTrade(purchases, { stranger, owner }, waits), wasBought: wasBought(purchases) };
    }),
  );
  if (trade.honeypot !== false) return trade;
  const at = bought.findIndex(wasBought);
  const pool = places[at];
  const [smallest] = purchasesIn(tried, pool, true);
  const amount = bought[at]?.[0]?.bought?.arrived ?? 0n;
  if (pool === undefined || smallest === undefined || amount === 0n) return trade;
  const again = { ...smallest, pool, amount };
  const time = { block: tried.block, nowSec: tried.nowSec };
  const later = await sellLater(tried.node, again, tried.routers, time, random, signal);
  return judgeLater(trade, later, needsFallback(bought[at] ?? []));
}

/** Purchases in one pool, the smallest first. */
function purchasesIn(
  { address, wrapped }: TriedToken,
  pool: LiquidityPool | undefined,
  isFullest: boolean,
): readonly Trial[] {
  if (pool === undefined || pool.depth < LEAST_UNITS) return [];
  const sizes = isFullest ? SIZES : SIZES.slice(0, SIZES_BESIDE);
  return sizes.map((millionths) => {
    const spend = (pool.depth * millionths) / 1_000_000n;
    return { token: address, wrapped, pool, spend, given: undefined };
  });
}

/** Trials of a stranger that is given tokens and, in the fullest pool only, of the owner. */
function withoutPurchase(
  tried: TriedToken,
  pool: LiquidityPool | undefined,
  isFullest: boolean,
): readonly (Trial | undefined)[] {
  const amount = amountTo(tried, pool);
  if (amount < LEAST_GIVEN) return [];
  const slot = balancesAt(tried);
  const stranger = slot === undefined ? undefined : { amount, slot, holder: undefined };
  // Without a purchase, only a pool that holds enough of its base can pay for a sale.
  const paying = pool !== undefined && pool.baseHeld >= LEAST_UNITS ? pool : undefined;
  const owner = isFullest ? ownerIn(tried, paying, { amount, slot }) : undefined;
  return [stranger, owner].map(
    (given) => given && { token: tried.address, wrapped: tried.wrapped, pool: paying, spend: 0n, given },
  );
}

/** Runs the trials of all pools in one round. */
async function runAll(
  { node, block }: TriedToken,
  places: readonly (readonly (Trial | undefined)[])[],
  random: Random,
  signal: AbortSignal,
): Promise<readonly (readonly (TrialOutcome | undefined)[])[]> {
  const trials = places.flat().filter((trial) => trial !== undefined);
  if (trials.length === 0) return [];
  try {
    const experiments = trials.map((trial) => experimentOf(trial, newCast(random)));
    const results = await node.experiment(experiments, block, signal);
    const outcomes = new Map(trials.map((trial, i) => [trial, outcomeOf(results[i], trial)]));
    return places.map((place) => place.map((trial) => trial && outcomes.get(trial)));
  } catch (thrown) {
    signal.throwIfAborted();
    // Some nodes do not run calls on changed state. All other facts remain valid.
    if (thrown instanceof NodeUnavailableError) return [];
    throw thrown;
  }
}

/** The owner as a holder. Undefined when the owner is a contract with code that the trial needs. */
function ownerIn(
  { owner, address, wrapped }: TriedToken,
  pool: LiquidityPool | undefined,
  had: Omit<TrialInput, "holder">,
): TrialInput | undefined {
  const needed = [address, wrapped, pool?.pair, pool?.base, pool?.route?.pair];
  return owner === undefined || needed.includes(owner) ? undefined : { ...had, holder: owner };
}

/** Number of units that a holder without a purchase is given. */
function amountTo({ supply }: TriedToken, pool: LiquidityPool | undefined): bigint {
  const held = pool?.tokenHeld ?? 0n;
  return (held > 0n ? held : (supply ?? 0n)) / GIVEN_DIVISOR;
}

/** The slot of the balance mapping. Undefined unless the code has exactly one such mapping that can be written to. */
function balancesAt({ analysis }: TriedToken): bigint | undefined {
  const [name = "", ...others] = analysis?.balanceSlots ?? [];
  const slot = /^(0x[0-9a-f]+)\[\]$/.exec(name)?.[1];
  return slot === undefined || others.length > 0 ? undefined : BigInt(slot);
}
