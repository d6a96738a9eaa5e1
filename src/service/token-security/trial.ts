import { entriesAt } from "../../chains/evm-storage.ts";
import type { Random } from "../../kernel/random.ts";
import { numberAt } from "../bytecode/code.ts";
import type { CallResult, Experiment } from "../evm/node.ts";
import { WORD_BYTES } from "../evm/word.ts";
import { addressOfBytes, argumentOf, numberArgument, type Pool } from "./market.ts";
import { probeCode, runSelector } from "./probe.generated.ts";

/** Addresses that nobody has, new for each analysis: a token that knew them could treat them better than others. */
export interface Cast {
  /** Whose call it is. */
  readonly caller: string;
  /** Runs the trial, and spends for the holders as a router does. */
  readonly probe: string;
  /** Buys, passes some on, and sells. */
  readonly first: string;
  /** Has its tokens from the first, and sells, too. */
  readonly second: string;
  /** Only receives, and has no code. */
  readonly fresh: string;
}

export function newCast(random: Random): Cast {
  const address = () => addressOfBytes(Uint8Array.from({ length: 20 }, () => Math.floor(random() * 256)));
  return { caller: address(), probe: address(), first: address(), second: address(), fresh: address() };
}

/** What is tried. */
export interface Trial {
  readonly token: string;
  readonly wrapped: string;
  /** Without a pool tokens are only passed on. */
  readonly pool: Pool | undefined;
  /** Share of the pool's base that is spent, millionths; 0 when the first holder has tokens by `given`. */
  readonly millionths: number;
  /** Tokens that the first holder is given by writing to the mapping at `slot`. */
  readonly given: { readonly slot: bigint; readonly amount: bigint } | undefined;
}

/** Tokens that were sent, and how many arrived. */
export interface Sent {
  readonly ok: boolean;
  readonly sent: bigint;
  readonly arrived: bigint;
}

/** A sale: the tokens moved to the pool, and what it paid. */
export interface Sale extends Sent {
  readonly paid: bigint;
}

/** What a trial showed; undefined where it did not get so far. */
export interface Outcome {
  /** The base for a purchase could be had. */
  readonly funded: boolean;
  readonly bought: Sent | undefined;
  readonly transfer: Sent | undefined;
  readonly sale: Sale | undefined;
  readonly secondSale: Sale | undefined;
}

const ZERO = `0x${"0".repeat(40)}`;
/** Coins of the probe: more than any pool holds. */
const COINS = 1n << 110n;

/** The trial as one call: nobody's code and coins are changed but those of the cast. */
export function experimentOf(trial: Trial, cast: Cast): Experiment {
  const { token, wrapped, pool, given } = trial;
  const addresses = [token, pool?.base ?? ZERO, wrapped, pool?.pair ?? ZERO, pool?.route ?? ZERO];
  const args = [
    ...addresses.map(argumentOf),
    numberArgument(BigInt(trial.millionths)),
    ...[cast.first, cast.second, cast.fresh].map(argumentOf),
  ];
  return {
    from: cast.caller,
    to: cast.probe,
    data: `0x${runSelector}${args.join("")}`,
    overrides: [
      { address: cast.probe, code: probeCode, balance: COINS },
      { address: cast.first, code: probeCode },
      { address: cast.second, code: probeCode },
      ...(given === undefined ? [] : [{ address: token, words: wordsOf(given, cast.first) }]),
    ],
  };
}

/** Either compiler's place of the entry: one of them is nobody's. */
function wordsOf({ slot, amount }: NonNullable<Trial["given"]>, holder: string): Readonly<Record<string, string>> {
  const keys = entriesAt(slot, BigInt(holder));
  return Object.fromEntries(keys.map((key) => [`0x${numberArgument(key)}`, `0x${numberArgument(amount)}`]));
}

/** Numbers that the probe returns. */
const WORDS = 16;

/** Reads what the probe returned; undefined when its call failed. The numbers are named in contracts/probe.sol. */
export function outcomeOf(result: CallResult | undefined, { millionths, pool }: Trial): Outcome | undefined {
  if (result?.ok !== true || result.data.length < WORDS * WORD_BYTES) return undefined;
  const word = (i: number) => numberAt(result.data, i * WORD_BYTES, WORD_BYTES);
  const stage = word(0);
  const buys = millionths > 0;
  const sale = (i: number, sent: bigint): Sale => ({
    ok: word(i) === 1n,
    sent,
    arrived: word(i + 1),
    paid: word(i + 2),
  });
  const goesOn = stage === 3n;
  const sells = goesOn && pool !== undefined;
  const passedOn = word(8);
  return {
    funded: !buys || stage >= 2n,
    bought: buys && stage >= 2n ? { ok: word(1) === 1n, sent: word(2), arrived: word(3) } : undefined,
    transfer: goesOn ? { ok: word(5) === 1n, sent: word(7), arrived: word(6) } : undefined,
    sale: sells ? sale(9, word(12)) : undefined,
    secondSale: sells && passedOn > 0n ? sale(13, passedOn) : undefined,
  };
}
