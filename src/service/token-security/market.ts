import { numberAt, toHex } from "../bytecode/code.ts";
import type { EvmNode } from "../evm/node.ts";
import { addressOf, WORD_BYTES } from "../evm/word.ts";

/** Where tokens of a chain are traded. Addresses are canonical. */
export interface Markets {
  /** The token that wraps the chain's coin. */
  readonly wrapped: string;
  /** Further tokens that pools are made with: stablecoins. */
  readonly stables: readonly string[];
  /** Factories of V2 pools. */
  readonly factories: readonly string[];
}

/** A pool of a token, with what it holds. */
export interface Pool {
  readonly pair: string;
  readonly base: string;
  readonly baseHeld: bigint;
  readonly tokenHeld: bigint;
  /** The same factory's pool by which the wrapped coin becomes the base; undefined when that is the wrapped coin. */
  readonly route: string | undefined;
}

const selectors = { getPair: "e6a43905", getReserves: "0902f1ac" } as const;

/** An address as an argument. */
export const argumentOf = (address: string) => address.slice(2).padStart(WORD_BYTES * 2, "0");

/**
 * The pools of a token that hold something, those with the wrapped coin first, each kind the fullest first. Two rounds
 * to a node. @throws {NodeUnavailableError}
 */
export async function findPools(
  node: EvmNode,
  token: string,
  { wrapped, stables, factories }: Markets,
  at: bigint,
  signal: AbortSignal,
): Promise<readonly Pool[]> {
  const wanted = factories.flatMap((factory) =>
    [wrapped, ...stables]
      .filter((base) => base !== token)
      .map((base) => ({ factory, base, needsRoute: base !== wrapped })),
  );
  const pairCall = (factory: string, a: string, b: string) => ({
    to: factory,
    data: `0x${selectors.getPair}${argumentOf(a)}${argumentOf(b)}`,
  });
  const told = await node.call(
    [
      ...wanted.map(({ factory, base }) => pairCall(factory, token, base)),
      ...wanted.map(({ factory, base }) => pairCall(factory, wrapped, base)),
    ],
    at,
    signal,
  );
  const addressAt = (i: number) => {
    const result = told[i];
    return result?.ok === true ? addressOf(result.data) : undefined;
  };
  const found = wanted.flatMap(({ base, needsRoute }, i) => {
    const pair = addressAt(i);
    const route = needsRoute ? addressAt(wanted.length + i) : undefined;
    return pair === undefined || (needsRoute && route === undefined) ? [] : [{ pair, base, route }];
  });
  const reserves = await node.call(
    found.map(({ pair }) => ({ to: pair, data: `0x${selectors.getReserves}` })),
    at,
    signal,
  );
  const pools = found.flatMap((pool, i) => {
    const result = reserves[i];
    const held = result?.ok === true ? heldIn(result.data, token, pool.base) : undefined;
    return held === undefined ? [] : [{ ...pool, ...held }];
  });
  return pools.sort((a, b) => Number(a.base !== wrapped) - Number(b.base !== wrapped) || fullness(b) - fullness(a));
}

/** Reserves stand in the order of the tokens' addresses. Undefined for a pool that is empty, or is none. */
function heldIn(words: Uint8Array, token: string, base: string) {
  if (words.length < 2 * WORD_BYTES) return undefined;
  const [first, second] = [numberAt(words, 0, WORD_BYTES), numberAt(words, WORD_BYTES, WORD_BYTES)];
  const [tokenHeld, baseHeld] = token < base ? [first, second] : [second, first];
  return tokenHeld === 0n || baseHeld === 0n ? undefined : { tokenHeld, baseHeld };
}

const fullness = ({ baseHeld }: Pool) => Number(baseHeld);

/** Hex of a number as an argument. */
export const numberArgument = (value: bigint) => value.toString(16).padStart(WORD_BYTES * 2, "0");

/** An address of 20 bytes. */
export const addressOfBytes = (bytes: Uint8Array) => `0x${toHex(bytes)}`;
