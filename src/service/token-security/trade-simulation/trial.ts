import { entriesAt } from "../../../chains/evm/evm-storage.ts";
import { numberAt } from "../../../evm-analysis/machine/code.ts";
import type { Random } from "../../../kernel/retry.ts";
import type { CallResult, Experiment } from "../../evm/node.ts";
import { WORD_BYTES } from "../../evm/word.ts";
import { addressOfBytes, argumentOf, numberArgument } from "../argument.ts";
import type { LiquidityPool, MarketRoute } from "./market.ts";
import { probeCode, runSelector } from "./probe.generated.ts";

/** Unused addresses, new for each analysis. A token that recognizes an address could treat it better than others. */
export interface Cast {
  /** Runs the trial, and spends for the holders as a router does. */
  readonly probe: string;
  /** Buys, passes some tokens on, and sells. It is the sender of the call, as a trader is with a router. */
  readonly first: string;
  /** Gets its tokens from the first holder, and also sells. */
  readonly second: string;
  /** Only receives, and has no code. */
  readonly fresh: string;
}

export function newCast(random: Random): Cast {
  const address = () => addressOfBytes(Uint8Array.from({ length: 20 }, () => Math.floor(random() * 256)));
  return { probe: address(), first: address(), second: address(), fresh: address() };
}

/** The tokens of a holder that has not bought. */
export interface TrialInput {
  readonly amount: bigint;
  /**
   * The storage slot of the balance mapping that the amount is written to. Undefined when the holder has its own
   * tokens.
   */
  readonly slot: bigint | undefined;
  /** An existing holder that replaces the first holder of the cast. */
  readonly holder: string | undefined;
}

/** The parameters of one trial. */
export interface Trial {
  readonly token: string;
  readonly wrapped: string;
  /** Without a pool, tokens are only passed on. */
  readonly pool: LiquidityPool | undefined;
  /** Amount of the pool's base to spend. 0 when the first holder already has tokens. */
  readonly spend: bigint;
  /** The holder and the amount, for a trial without a purchase. */
  readonly given: TrialInput | undefined;
  /** Maximum number of bought units that are passed on and sold. Undefined for all. */
  readonly most?: bigint;
}

/** Units that were sent, and units that arrived. */
export interface TransferTrial {
  readonly ok: boolean;
  readonly sent: bigint;
  readonly arrived: bigint;
}

/** A sale: a transfer to the pool, and the pool's payment. */
export interface Sale extends TransferTrial {
  readonly paid: bigint;
}

/** The result of a trial. Undefined for steps that were not reached. */
export interface TrialOutcome {
  /** True when the base for a purchase could be obtained. */
  readonly funded: boolean;
  readonly bought: TransferTrial | undefined;
  readonly transfer: TransferTrial | undefined;
  readonly sale: Sale | undefined;
  readonly secondSale: Sale | undefined;
}

const ZERO = `0x${"0".repeat(40)}`;
/** Coins of the probe: more than any pool holds. */
export const COINS = 1n << 110n;
const ALL = (1n << 256n) - 1n;

/** The trial as one call. It overrides the code and coins of the cast and of a participating holder only. */
export function experimentOf(trial: Trial, cast: Cast): Experiment {
  const { token, wrapped, pool, given } = trial;
  const first = given?.holder ?? cast.first;
  const isV3 = (by: MarketRoute | undefined) => numberArgument(by?.kind === "v3" ? 1n : 0n);
  const args = [
    ...[token, pool?.base ?? ZERO, wrapped, pool?.pair ?? ZERO].map(argumentOf),
    isV3(pool),
    argumentOf(pool?.route?.pair ?? ZERO),
    isV3(pool?.route),
    numberArgument(trial.spend),
    numberArgument(given?.amount ?? trial.most ?? ALL),
    ...[first, cast.second, cast.fresh].map(argumentOf),
  ];
  return {
    from: first,
    pays: true,
    to: cast.probe,
    data: `0x${runSelector}${args.join("")}`,
    overrides: [
      { address: cast.probe, code: probeCode, balance: COINS },
      { address: first, code: probeCode, balance: COINS },
      { address: cast.second, code: probeCode },
      ...(given?.slot === undefined ? [] : [{ address: token, words: wordsOf(given.slot, given.amount, first) }]),
    ],
  };
}

/** Entry of the balance mapping in both compilers' layouts. The wrong one of the two is unused. */
function wordsOf(slot: bigint, amount: bigint, holder: string): Readonly<Record<string, string>> {
  const keys = entriesAt(slot, BigInt(holder));
  return Object.fromEntries(keys.map((key) => [`0x${numberArgument(key)}`, `0x${numberArgument(amount)}`]));
}

/** Number of words that the probe returns. */
const WORDS = 16;

/**
 * Reads the words that the probe returned. Undefined when the probe's call failed. contracts/probe.sol names the words.
 */
export function outcomeOf(result: CallResult | undefined, { spend, pool }: Trial): TrialOutcome | undefined {
  if (result?.ok !== true || result.data.length < WORDS * WORD_BYTES) return undefined;
  const word = (i: number) => numberAt(result.data, i * WORD_BYTES, WORD_BYTES);
  const stage = word(0);
  const buys = spend > 0n;
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
