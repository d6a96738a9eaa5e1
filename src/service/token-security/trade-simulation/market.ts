import type { EvmNode, ViewCall } from "../../evm/node.ts";
import { addressOf } from "../../evm/word.ts";
import { argumentOf, numberArgument } from "../argument.ts";
import { type Holdings, holdingsCalls, holdingsIn, type PoolKind, type PoolOf } from "./pool-holdings.ts";

/** The markets for tokens of a chain. Addresses are canonical. */
export interface Markets {
  /** The token that wraps the chain's coin. */
  readonly wrapped: string;
  /** Other base tokens of pools: stablecoins. */
  readonly stables: readonly string[];
  /** Factories of V2 pools. */
  readonly factories: readonly string[];
  /** Routers that users trade through. */
  readonly routers: readonly string[];
  /** Factories of V3 pools, with the fees of their pools, in millionths. */
  readonly v3: readonly { readonly factory: string; readonly fees: readonly number[] }[];
}

/** A pool that swaps the wrapped coin for a base token. */
export interface MarketRoute {
  readonly pair: string;
  readonly kind: PoolKind;
}

/** A pool of a token, with its holdings. */
export interface LiquidityPool extends MarketRoute, Holdings {
  readonly base: string;
  /** Worth of the pool's base holdings in the wrapped coin, at the ratio of the route's pool. */
  readonly worth: bigint;
  /** Undefined when the base is the wrapped coin. */
  readonly route: MarketRoute | undefined;
}

const selectors = {
  getPair: "e6a43905",
  getPool: "1698ee82",
} as const;

interface Candidate {
  readonly kind: PoolKind;
  readonly call: ViewCall;
  /** The token that the pool trades against `base`: the analysed token, or the wrapped coin. */
  readonly of: string;
  readonly base: string;
}

type Held = PoolOf & Holdings;

/**
 * Finds the pools of a token with holdings. The pools are sorted by the worth of the base that they hold, the largest
 * first. The kind of the base does not matter. A trap may keep a small pool of the wrapped coin beside the real market.
 * Takes two rounds to a node.
 *
 * @throws {NodeUnavailableError}
 */
export async function findPools(
  node: EvmNode,
  token: string,
  markets: Markets,
  at: bigint,
  signal: AbortSignal,
): Promise<readonly LiquidityPool[]> {
  const { wrapped, stables } = markets;
  const candidates = [
    ...[wrapped, ...stables].filter((base) => base !== token).flatMap((base) => poolsWith(markets, token, base)),
    ...stables.filter((base) => base !== token).flatMap((base) => poolsWith(markets, wrapped, base)),
  ];
  const told = await node.call(
    candidates.map(({ call }) => call),
    at,
    signal,
  );
  const found = candidates.flatMap((candidate, i) => {
    const result = told[i];
    const pair = result?.ok === true ? addressOf(result.data) : undefined;
    return pair === undefined ? [] : [{ ...candidate, pair }];
  });
  const asked = found.map((pool) => ({ pool, calls: holdingsCalls(pool) }));
  const calls = asked.flatMap((one) => one.calls);
  const answers = await node.call(calls, at, signal);
  const answerTo = new Map(calls.map((call, i) => [call, answers[i]]));
  const held = asked.flatMap(({ pool, calls }): readonly Held[] => {
    const holds = holdingsIn(
      calls.map((call) => answerTo.get(call)),
      pool,
    );
    return holds === undefined ? [] : [{ ...pool, ...holds }];
  });
  const fullestFirst = [...held].sort((a, b) => Number(b.baseHeld > a.baseHeld) - Number(b.baseHeld < a.baseHeld));
  const routeTo = (base: string) => fullestFirst.find((pool) => pool.of === wrapped && pool.base === base);
  return fullestFirst
    .flatMap(({ of, pair, kind, base, baseHeld, tokenHeld, depth }): readonly LiquidityPool[] => {
      const route = base === wrapped ? undefined : routeTo(base);
      if (of !== token || (base !== wrapped && route === undefined)) return [];
      const by = route && { pair: route.pair, kind: route.kind };
      return [{ pair, kind, base, baseHeld, tokenHeld, depth, worth: worthOf(baseHeld, route), route: by }];
    })
    .sort((a, b) => Number(b.worth > a.worth) - Number(b.worth < a.worth));
}

function worthOf(baseHeld: bigint, route: Holdings | undefined): bigint {
  if (route === undefined) return baseHeld;
  return route.baseHeld === 0n ? 0n : (baseHeld * route.tokenHeld) / route.baseHeld;
}

function poolsWith({ factories, v3 }: Markets, of: string, base: string): readonly Candidate[] {
  const pair = `${argumentOf(of)}${argumentOf(base)}`;
  return [
    ...factories.map((to) => ({ kind: "v2" as const, call: { to, data: `0x${selectors.getPair}${pair}` }, of, base })),
    ...v3.flatMap(({ factory: to, fees }) =>
      fees.map((fee) => ({
        kind: "v3" as const,
        call: { to, data: `0x${selectors.getPool}${pair}${numberArgument(BigInt(fee))}` },
        of,
        base,
      })),
    ),
  ];
}
