import { lazy } from "../../../kernel/collections.ts";
import { selectorOf } from "../../evm/read-transaction.ts";
import { numberAt, SELECTOR_DIGITS, WORD_DIGITS, wordAt } from "./calls-inside.ts";
import type { ReadCalls } from "./calls-read.ts";
import { boundOf, tokenInPath } from "./payout.ts";

/** The 20 bytes of WTRX. Source: data/known-well.csv, TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR. */
const WRAPPED_COIN = "891cdb91d149f23b1a45d9c5ca78a88d0cb44c18";
const NO_TOKEN = "0".repeat(40);

/** The coins that a call uses at most, by its arguments. `all` for a call that gives the rest back. */
type CoinUse = (body: string) => bigint | "all";

const all: CoinUse = () => "all";
const none: CoinUse = () => 0n;
const wordOf = (body: string, word: number) => wordAt(body, word * WORD_DIGITS);
const addressOf = (word: string) => word.slice(-NO_TOKEN.length);

/** A trade of one pool: the token that is paid is the first word. */
const single =
  (amount: number): CoinUse =>
  (body) =>
    addressOf(wordOf(body, 0)) === WRAPPED_COIN ? boundOf(wordOf(body, amount)) : 0n;

/** A trade along a packed path, in a tuple. */
const along =
  (amount: number): CoinUse =>
  (body) => {
    const tuple = numberAt(body, 0);
    const offset = tuple === undefined ? undefined : numberAt(body, 2 * tuple);
    if (tuple === undefined || offset === undefined) return 0n;
    const paid = tokenInPath(body, 2 * (tuple + offset), "path_first");
    return paid === WRAPPED_COIN ? boundOf(wordAt(body, 2 * tuple + amount * WORD_DIGITS)) : 0n;
  };

/** A trade along a list, in which the zero address stands for coins. */
const listed =
  (amount: number): CoinUse =>
  (body) => {
    const list = numberAt(body, 0);
    const first = list === undefined ? "" : wordAt(body, 2 * list + WORD_DIGITS);
    return addressOf(first) === NO_TOKEN ? boundOf(wordOf(body, amount)) : 0n;
  };

/**
 * Payable functions of routers that keep the coins that they do not use. Any caller can take these later. Other
 * functions refuse coins, use all of them, or give the rest back, so they are not here.
 * Source: Uniswap V3, PeripheryPayments; sun-protocol/SmartExchangeRouter, SmartExchangeRouter.sol.
 */
const uses: Readonly<Record<string, CoinUse>> = {
  "refundETH()": all,
  "refundTRX()": all,
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": single(5),
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))": single(4),
  "exactInput((bytes,address,uint256,uint256,uint256))": along(3),
  "exactInput((bytes,address,uint256,uint256))": along(2),
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": none,
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))": none,
  "exactOutput((bytes,address,uint256,uint256,uint256))": none,
  "exactOutput((bytes,address,uint256,uint256))": none,
  "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))": none,
  "collect((uint256,address,uint128,uint128))": none,
  "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))": none,
  "unwrapWETH9(uint256,address)": none,
  "unwrapWTRX(uint256,address)": none,
  "sweepToken(address,uint256,address)": none,
  "swapExactInput(address[],string[],uint256[],uint24[],(uint256,uint256,address,uint256))": listed(4),
};

const useBySelector = lazy(
  (): ReadonlyMap<string, CoinUse> =>
    new Map(Object.entries(uses).map(([signature, use]) => [selectorOf(signature), use])),
);

/** Whether a part of the coins stays with the called router, where the next caller can take it. */
export function leavesCoins({ calls }: ReadCalls, sun: bigint): boolean {
  let used = 0n;
  for (const { data } of calls) {
    const use = useBySelector().get(data.slice(0, SELECTOR_DIGITS))?.(data.slice(SELECTOR_DIGITS)) ?? "all";
    if (use === "all") return false;
    used += use;
  }
  return sun > used;
}
