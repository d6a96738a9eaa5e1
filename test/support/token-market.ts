import { encodeFunctionData, type Hex, parseAbi } from "viem";
import type { Markets } from "../../src/service/token-security/market.ts";
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

/** What a pool is filled with, smallest units. */
const TOKENS = 5n * 10n ** 26n;
const COINS = 10n ** 20n;

/** Pools of contracts of our own on a chain of our own. */
export interface TokenMarket {
  readonly markets: Markets;
  /** Deploys a token and fills a pool of it and the wrapped coin, or of it and the stablecoin. @returns its address. */
  trade(form: string, base?: "wrapped" | "stable", types?: string, values?: readonly unknown[]): Promise<string>;
}

export async function openMarket(anvil: Anvil): Promise<TokenMarket> {
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
  await anvil.send(wrapped, encodeFunctionData({ abi: coin, functionName: "deposit" }), 10n * COINS);
  await fill(stable, wrapped, 10n ** 24n, COINS);
  return {
    markets: { wrapped, stables: [stable], factories: [maker] },
    async trade(form, base = "wrapped", types, values) {
      const token = await anvil.deploy(form, types, values);
      await fill(token, base === "wrapped" ? wrapped : stable, TOKENS, COINS);
      return token;
    },
  };
}
