import type { Random } from "../../kernel/random.ts";
import type { CodeAnalysis } from "../bytecode/analyse-code.ts";
import { type EvmNode, NodeUnavailableError } from "../evm/node.ts";
import type { Pool } from "./market.ts";
import { judgeTrade, needsFallback, type Trade } from "./trade.ts";
import { experimentOf, type Given, newCast, type Outcome, outcomeOf, type Trial } from "./trial.ts";

/** Shares of a pool's depth that are spent, millionths: small enough for any limit, then what an ordinary trade and a large one take. Chosen. */
const SIZES = [100n, 10_000n, 50_000n] as const;
/** With fewer units of the base the smallest trade is a matter of rounding, and a sale that brings nothing tells nothing. Chosen. */
const LEAST_UNITS = 1_000_000n;
/** Share of the pool's tokens that a holder is given who has not bought: as much as the smallest purchase brings. */
const GIVEN_DIVISOR = 10_000n;
/** A quarter of it is passed on, and a quarter sold. */
const LEAST_GIVEN = 8n;

export interface TriedToken {
  readonly node: EvmNode;
  readonly address: string;
  readonly block: bigint;
  readonly supply: bigint | undefined;
  readonly wrapped: string;
  readonly pool: Pool | undefined;
  readonly analysis: CodeAnalysis | undefined;
  /** Who owns the token; undefined when nobody does, or nobody knows. */
  readonly owner: string | undefined;
}

/**
 * Buys, passes on and sells in sizes within one round; and where that leaves a question in one more round without a purchase:
 * as a stranger who was given tokens, and as the owner.
 *
 * Nothing is known where the nodes do not run calls on changed state. @throws only `signal.reason`.
 */
export async function tryOut(tried: TriedToken, random: Random, signal: AbortSignal): Promise<Trade> {
  const { pool } = tried;
  const trial = { token: tried.address, wrapped: tried.wrapped };
  const purchases = sizesOf(pool).map((spend) => ({ ...trial, pool, spend, given: undefined }));
  const outcomes = await runAll(tried, purchases, random, signal);
  const waits = tried.analysis?.findings.cooldown.value ?? "unknown";
  if (!needsFallback(outcomes)) return judgeTrade(outcomes, {}, waits);
  const amount = amountTo(tried);
  const slot = balancesAt(tried);
  const stranger = slot === undefined ? undefined : { amount, slot, holder: undefined };
  const owner = ownerIn(tried, { amount, slot });
  const holders = amount < LEAST_GIVEN ? [] : [stranger, owner].filter((given) => given !== undefined);
  // Nobody has paid in before these: only a pool that holds some of its base can pay for a sale.
  const paying = pool !== undefined && pool.baseHeld >= LEAST_UNITS ? pool : undefined;
  const trials = holders.map((given) => ({ ...trial, pool: paying, spend: 0n, given }));
  const found = await runAll(tried, trials, random, signal);
  const of = (given: Given | undefined) => given && found[holders.indexOf(given)];
  return judgeTrade(outcomes, { stranger: of(stranger), owner: of(owner) }, waits);
}

/** What the purchases spend. */
function sizesOf(pool: Pool | undefined): readonly bigint[] {
  if (pool === undefined || pool.depth < LEAST_UNITS) return [];
  return SIZES.map((millionths) => (pool.depth * millionths) / 1_000_000n);
}

async function runAll(
  { node, block }: TriedToken,
  trials: readonly Trial[],
  random: Random,
  signal: AbortSignal,
): Promise<readonly (Outcome | undefined)[]> {
  if (trials.length === 0) return [];
  try {
    const experiments = trials.map((trial) => experimentOf(trial, newCast(random)));
    const results = await node.experiment(experiments, block, signal);
    return trials.map((trial, i) => outcomeOf(results[i], trial));
  } catch (thrown) {
    signal.throwIfAborted();
    // Not every node runs calls on changed state. What else was found stands.
    if (thrown instanceof NodeUnavailableError) return [];
    throw thrown;
  }
}

/** The owner as a holder; not where his code is one that the trial needs. */
function ownerIn({ owner, address, wrapped, pool }: TriedToken, had: Omit<Given, "holder">): Given | undefined {
  const needed = [address, wrapped, pool?.pair, pool?.base, pool?.route?.pair];
  return owner === undefined || needed.includes(owner) ? undefined : { ...had, holder: owner };
}

/** How many tokens one has who has not bought. */
function amountTo({ pool, supply }: TriedToken): bigint {
  const held = pool?.tokenHeld ?? 0n;
  return (held > 0n ? held : (supply ?? 0n)) / GIVEN_DIVISOR;
}

/** Where the code keeps balances, when it is one mapping that can be written to. */
function balancesAt({ analysis }: TriedToken): bigint | undefined {
  const [name = "", ...others] = analysis?.balanceSlots ?? [];
  const slot = /^(0x[0-9a-f]+)\[\]$/.exec(name)?.[1];
  return slot === undefined || others.length > 0 ? undefined : BigInt(slot);
}
