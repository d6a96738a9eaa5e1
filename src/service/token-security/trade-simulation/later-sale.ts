import { numberAt } from "../../../evm-analysis/machine/code.ts";
import type { Random } from "../../../kernel/retry.ts";
import { type CallResult, type EvmNode, type LaterBlock, NodeUnavailableError } from "../../evm/node.ts";
import { WORD_BYTES } from "../../evm/word.ts";
import { argumentOf, numberArgument } from "../argument.ts";
import type { LiquidityPool } from "./market.ts";
import { probeCode } from "./probe.generated.ts";
import { type LaterSale, LEAST_ARRIVING } from "./trade.ts";
import { COINS, experimentOf, newCast } from "./trial.ts";

/** A purchase that succeeded in an earlier trial and is now repeated. */
export interface Bought {
  readonly token: string;
  readonly wrapped: string;
  readonly pool: LiquidityPool;
  readonly spend: bigint;
  /** Number of raw units that the purchase brings. */
  readonly amount: bigint;
}

const DAY_SEC = 86_400n;
/**
 * Delays between purchase and sale, seconds. Honest waiting periods are over after the first. Restrictions that begin
 * late have begun by the second. Chosen.
 */
const LATER_SEC = [DAY_SEC, 30n * DAY_SEC] as const;
/** Blocks between purchase and sale. Honest tokens make buyers wait for a few blocks. */
const BLOCKS = 64n;
/** Number of routers that sell, in addition to one unknown address. */
const MAX_ROUTERS = 2;
/**
 * Gas of the purchase, of a transfer, and of each other call. They add up to at most 8 million, because each log costs
 * 375 gas and an answer beyond 10 MiB is not read.
 */
const [PURCHASE_GAS, TRANSFER_GAS, SMALL_GAS] = [2_500_000n, 900_000n, 100_000n];

const selectors = { approve: "095ea7b3", transferFrom: "23b872dd", balanceOf: "70a08231" } as const;
const ALL = (1n << 256n) - 1n;

/**
 * Repeats a purchase and tries to sell a day and thirty days later. A node that fails midway has shown no sale. @throws
 * only `signal.reason`.
 */
export async function sellLater(
  node: EvmNode,
  bought: Bought,
  routers: readonly string[],
  at: { readonly block: bigint; readonly nowSec: bigint },
  random: Random,
  signal: AbortSignal,
): Promise<LaterSale> {
  const { token, pool, amount } = bought;
  const cast = newCast(random);
  const purchase = experimentOf({ ...bought, given: undefined, most: 0n }, cast);
  const holder = cast.first;
  const spenders = [cast.fresh, ...routers.slice(0, MAX_ROUTERS)];
  const part = amount / BigInt(spenders.length + 2);
  const balance = { from: holder, to: token, data: `0x${selectors.balanceOf}${argumentOf(pool.pair)}`, gas: SMALL_GAS };
  const sale = (spender: string) => [
    balance,
    {
      from: spender,
      to: token,
      data: `0x${selectors.transferFrom}${argumentOf(holder)}${argumentOf(pool.pair)}${numberArgument(part)}`,
      gas: TRANSFER_GAS,
    },
    balance,
  ];
  const blocks: readonly LaterBlock[] = [
    {
      timeSec: undefined,
      blocks: 1n,
      calls: [
        { from: cast.second, to: purchase.to, data: purchase.data, gas: PURCHASE_GAS },
        ...spenders.map((spender) => ({
          from: holder,
          to: token,
          data: `0x${selectors.approve}${argumentOf(spender)}${numberArgument(ALL)}`,
          gas: SMALL_GAS,
        })),
      ],
    },
    ...LATER_SEC.map((later, i) => ({
      timeSec: at.nowSec + later,
      blocks: BLOCKS,
      calls: (i === 0 ? spenders : spenders.slice(0, 1)).flatMap(sale),
    })),
  ];
  const payers = [holder, cast.second, ...spenders].map((address) => ({ address, balance: COINS }));
  const overrides = [{ address: purchase.to, code: probeCode, balance: COINS }, ...payers];
  try {
    const results = await node.follow(blocks, overrides, at.block, signal);
    if (results === undefined) return "not_asked";
    return results.slice(1).every((calls) => allSold(calls, part)) ? "sells" : "stuck";
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof NodeUnavailableError) return "stuck";
    throw thrown;
  }
}

/** Every three results are the pool's balance, a sale, and the balance again. */
function allSold(calls: readonly CallResult[], part: bigint): boolean {
  for (let i = 0; i < calls.length; i += 3) {
    const [before, sale, after] = calls.slice(i, i + 3).map(wordIn);
    const moved = calls[i + 1];
    if (moved?.ok !== true || (moved.data.length > 0 && sale !== 1n)) return false;
    if (before === undefined || after === undefined || (after - before) * LEAST_ARRIVING <= part) return false;
  }
  return true;
}

function wordIn(result: CallResult): bigint | undefined {
  return result.ok && result.data.length >= WORD_BYTES ? numberAt(result.data, 0, WORD_BYTES) : undefined;
}
