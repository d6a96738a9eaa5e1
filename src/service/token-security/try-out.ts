import type { Random } from "../../kernel/random.ts";
import type { CodeAnalysis } from "../bytecode/analyse-code.ts";
import { type EvmNode, NodeUnavailableError } from "../evm/node.ts";
import type { Pool } from "./market.ts";
import { judgeTrade, needsFallback, type Trade } from "./trade.ts";
import { experimentOf, newCast, type Outcome, outcomeOf, type Trial } from "./trial.ts";

/** Shares of a pool that are bought, millionths: small enough for any limit, then what an ordinary trade and a large one take. Chosen. */
const SIZES = [100, 10_000, 50_000] as const;
/** Share of the pool's tokens that a holder is given who has not bought: as much as the smallest purchase brings. */
const GIVEN_DIVISOR = 10_000n;

export interface TriedToken {
  readonly node: EvmNode;
  readonly address: string;
  readonly block: bigint;
  readonly supply: bigint | undefined;
  readonly wrapped: string;
  readonly pool: Pool | undefined;
  readonly analysis: CodeAnalysis | undefined;
}

/**
 * Buys, passes on and sells in sizes within one round, and once more without a purchase where that leaves a question.
 * Nothing is known where the nodes do not run calls on changed state. @throws only `signal.reason`.
 */
export async function tryOut(tried: TriedToken, random: Random, signal: AbortSignal): Promise<Trade> {
  const { pool } = tried;
  const trial = { token: tried.address, wrapped: tried.wrapped, pool };
  const purchases = pool === undefined ? [] : SIZES.map((millionths) => ({ ...trial, millionths, given: undefined }));
  const outcomes = await runAll(tried, purchases, random, signal);
  const given = givenTo(tried);
  const waits = tried.analysis?.findings.cooldown.value ?? "unknown";
  if (given === undefined || !needsFallback(outcomes)) return judgeTrade(outcomes, undefined, waits);
  const [fallback] = await runAll(tried, [{ ...trial, millionths: 0, given }], random, signal);
  return judgeTrade(outcomes, fallback, waits);
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

/** Where the code keeps balances, when it is one mapping that can be written to. */
function givenTo({ analysis, pool, supply }: TriedToken): Trial["given"] {
  const [name = "", ...others] = analysis?.balanceSlots ?? [];
  const slot = /^(0x[0-9a-f]+)\[\]$/.exec(name)?.[1];
  const amount = (pool?.tokenHeld ?? supply ?? 0n) / GIVEN_DIVISOR;
  return slot === undefined || others.length > 0 || amount < 8n ? undefined : { slot: BigInt(slot), amount };
}
