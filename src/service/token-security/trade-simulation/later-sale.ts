import { numberAt } from "../../../evm-analysis/machine/code.ts";
import type { Random } from "../../../kernel/random.ts";
import { type CallResult, type EvmNode, type LaterBlock, NodeUnavailableError } from "../../evm/node.ts";
import { WORD_BYTES } from "../../evm/word.ts";
import { argumentOf, numberArgument } from "../argument.ts";
import type { LiquidityPool } from "./market.ts";
import { probeCode } from "./probe.generated.ts";
import { type LaterSale, LEAST_ARRIVING } from "./trade.ts";
import { COINS, experimentOf, newCast } from "./trial.ts";

/** A purchase that was seen to go through, which is made once more. */
export interface Bought {
  readonly token: string;
  readonly wrapped: string;
  readonly pool: LiquidityPool;
  readonly spend: bigint;
  /** Tokens that it brings. */
  readonly amount: bigint;
}

const DAY_SEC = 86_400n;
/** After which a wait between purchase and sale is over, and after which what begins late has begun. Chosen. */
const LATER_SEC = [DAY_SEC, 30n * DAY_SEC] as const;
/** Blocks that pass between: waits of honest tokens are of a few. */
const BLOCKS = 64n;
/** Routers that are tried, beside an address that nobody knows. */
const MAX_ROUTERS = 2;
/**
 * Gas of the purchase, of a transfer, and of whatever else is called: 8 million together at most, since each log costs 375
 * and an answer beyond 10 MiB is not read.
 */
const [PURCHASE_GAS, TRANSFER_GAS, SMALL_GAS] = [2_500_000n, 900_000n, 100_000n];

const selectors = { approve: "095ea7b3", transferFrom: "23b872dd", balanceOf: "70a08231" } as const;
const ALL = (1n << 256n) - 1n;

/** @throws only `signal.reason`; a node that fails in the middle has shown nothing, which is no sale. */
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

/** Each three are a balance of the pool, a sale, and the balance again. */
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
