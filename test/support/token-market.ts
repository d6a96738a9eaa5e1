import { encodeFunctionData, type Hex, parseAbi } from "viem";
import type { Markets } from "../../src/service/token-security/trade-simulation/market.ts";
import type { Anvil } from "../servers/anvil.ts";

const coin = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function setPair(address pair)",
  "function deposit()",
]);
const factory = parseAbi([
  "function createPair(address a, address b)",
  "function getPair(address a, address b) view returns (address)",
]);
const pool = parseAbi(["function sync()"]);
const rangeFactory = parseAbi([
  "function createPool(address a, address b, uint24 fee)",
  "function getPool(address a, address b, uint24 fee) view returns (address)",
]);
const rangePool = parseAbi(["function begin(address a, uint256 offsetOfA, uint256 offsetOfB)"]);

/** Amount of tokens in a pool, smallest units. */
const TOKENS = 5n * 10n ** 26n;
const COINS = 10n ** 20n;
/** The router of trades; test/fixtures/evm/hostile.sol knows it. */
const ROUTER = `0x${"40".repeat(20)}`;

/** Pools of test contracts on a local chain. */
export interface TokenMarket {
  readonly markets: Markets;
  /**
   * Deploys a token and fills a pool of the token and the wrapped coin, or of the token and the stablecoin. @returns
   * its address.
   */
  trade(
    form: string,
    base?: "wrapped" | "stable",
    types?: string,
    values?: readonly unknown[],
    coins?: bigint,
  ): Promise<string>;
  /** Fills a further pool of a token, which then is its pair. */
  tradeBeside(token: string, base: "wrapped" | "stable", amounts: { tokens: bigint; coins: bigint }): Promise<void>;
  /** Deploys a token and fills a pool of the V3 kind, with a fee in millionths. */
  tradeInRange(form: string, how?: RangeTrade): Promise<string>;
}

export interface RangeTrade {
  readonly base?: "wrapped" | "stable";
  /** A fee of the market: 500, or 2,500, with which the pool uses PancakeSwap's callback. */
  readonly fee?: number;
  /** Content of the pool; by default as much as in other pools. */
  readonly tokens?: bigint;
  readonly coins?: bigint;
  /** Factor by which the pool seems to hold more than it does. By default 9: prices end where the pool is empty. */
  readonly seeming?: bigint;
  readonly types?: string;
  readonly values?: readonly unknown[];
}

/** A market with pools of both kinds, or with a stablecoin that is traded in a pool of the V3 kind. */
export async function openMarket(anvil: Anvil, stableBy: "v2" | "v3" = "v2"): Promise<TokenMarket> {
  const [from] = Object(await anvil.rpc("eth_accounts"));
  const wrapped = await anvil.deploy("WrappedCoin");
  const stable = await anvil.deploy("StableCoin");
  const maker = await anvil.deploy("MarketFactory");
  const fill = async (token: string, base: string, tokens: bigint, coins: bigint) => {
    const args = [token as Hex, base as Hex] as const;
    await anvil.send(maker, encodeFunctionData({ abi: factory, functionName: "createPair", args }));
    const data = encodeFunctionData({ abi: factory, functionName: "getPair", args });
    const pair = `0x${String(await anvil.rpc("eth_call", { from, to: maker, data }, "latest")).slice(-40)}` as Hex;
    const pay = (amount: bigint) => encodeFunctionData({ abi: coin, functionName: "transfer", args: [pair, amount] });
    await anvil.send(token, pay(tokens));
    await anvil.send(base, pay(coins));
    await anvil.send(pair, encodeFunctionData({ abi: pool, functionName: "sync" }));
    await anvil.send(token, encodeFunctionData({ abi: coin, functionName: "setPair", args: [pair] }));
  };
  const ranges = await anvil.deploy("RangeFactory");
  const fillRange = async (token: string, base: string, { fee = 500, seeming = 9n, ...amounts }: RangeTrade) => {
    const { tokens = TOKENS, coins = COINS } = amounts;
    const args = [token as Hex, base as Hex, fee] as const;
    await anvil.send(ranges, encodeFunctionData({ abi: rangeFactory, functionName: "createPool", args }));
    const data = encodeFunctionData({ abi: rangeFactory, functionName: "getPool", args });
    const at = `0x${String(await anvil.rpc("eth_call", { from, to: ranges, data }, "latest")).slice(-40)}` as Hex;
    const pay = (amount: bigint) => encodeFunctionData({ abi: coin, functionName: "transfer", args: [at, amount] });
    await anvil.send(token, pay(tokens));
    await anvil.send(base, pay(coins));
    const offsets = [token as Hex, TOKENS * seeming, COINS * seeming] as const;
    await anvil.send(at, encodeFunctionData({ abi: rangePool, functionName: "begin", args: offsets }));
    await anvil.send(token, encodeFunctionData({ abi: coin, functionName: "setPair", args: [at] }));
  };
  await anvil.rpc("anvil_setBalance", from, `0x${(10_000n * COINS).toString(16)}`);
  await anvil.send(wrapped, encodeFunctionData({ abi: coin, functionName: "deposit" }), 1_000n * COINS);
  if (stableBy === "v2") await fill(stable, wrapped, 10n ** 24n, COINS);
  else await fillRange(stable, wrapped, { tokens: 10n ** 24n });
  return {
    markets: {
      wrapped,
      stables: [stable],
      factories: [maker],
      routers: [ROUTER],
      v3: [{ factory: ranges, fees: [500, 2_500] }],
    },
    async tradeInRange(form, how = {}) {
      const token = await anvil.deploy(form, how.types, how.values);
      await fillRange(token, how.base === "stable" ? stable : wrapped, how);
      return token;
    },
    async tradeBeside(token, base, { tokens, coins }) {
      await fill(token, base === "wrapped" ? wrapped : stable, tokens, coins);
    },
    async trade(form, base = "wrapped", types, values, coins = COINS) {
      const token = await anvil.deploy(form, types, values);
      await fill(token, base === "wrapped" ? wrapped : stable, TOKENS, coins);
      return token;
    },
  };
}
