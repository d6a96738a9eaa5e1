import { isTokenProgram, isWellKnownProgram, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { type Change, NATIVE, NATIVE_DECIMALS } from "../balance-changes.ts";
import type { Call } from "../called.ts";
import { type Facts, tokenAccountAt } from "./facts.ts";
import { SMALL_CHANGE } from "./held.ts";

/** What changed of one asset of somebody. */
export interface OwnChange {
  readonly mint: string;
  readonly decimals: number | undefined;
  readonly change: Change;
}

/** Symbols of labelled tokens that are worth a dollar. */
const dollars: ReadonlySet<string | undefined> = new Set(["USDC", "USDT", "PYUSD", "USDS", "FDUSD", "USDG"]);

/** What a SOL has cost at least and at most, in dollars, with room to spare: 8 to 295 from 2022 to 2025. */
const SOL_AT_LEAST = 5n;
const SOL_AT_MOST = 1_000n;
/** Numbers of transfers, plain, checked, and with a fee. Source: Token-2022, TokenInstruction. */
const TRANSFER = 3;
const transfers: ReadonlySet<number> = new Set([TRANSFER, 12, 26, 255]);
/** Parts of a dollar that are counted. */
const UNITS = 10n ** 9n;

/** For what is of known worth, for tokens that nobody knows by way of labelled services, or for nothing that counts. */
export type Payment = "known" | "unknown" | "none";

/**
 * What comes back for so many `assets` that leave. Anybody can make a token, and a pool for it with a service that is labelled: so one
 * without a label counts only where labelled services do all of it, as they do who give shares for what was put in, and
 * then its worth is not known.
 */
export function paymentFor(own: readonly OwnChange[], solDelta: bigint, assets: number, facts: Facts): Payment {
  const tokens = own.filter(({ mint }) => mint !== NATIVE && mint !== WRAPPED_SOL);
  const back = tokens.filter((each) => deltaOf(each) > 0n);
  if (isWorthIt(tokens, back, solDelta, assets, facts)) return "known";
  return back.some(({ mint }) => !facts.isLabelled(mint)) && isServed(facts) ? "unknown" : "none";
}

/**
 * Whether what comes back may be worth what leaves: more than small change of SOL, or a labelled token, a thousandth of one
 * at least. Without prices only dollars and SOL can be compared: less than half of the dollars that leave is dust, even if
 * the SOL is counted at its worst. One with a label counts for several `assets` only where labelled services do all of it:
 * labels name many tokens of which a thousandth, or all, is worth nothing, and a drain could bring one along.
 */
function isWorthIt(
  tokens: readonly OwnChange[],
  back: readonly OwnChange[],
  solDelta: bigint,
  assets: number,
  facts: Facts,
): boolean {
  const counted = back.filter((each) => facts.isLabelled(each.mint) && isMoreThanDust(each));
  if (counted.some((each) => !isDollar(each, facts)) && (assets < 2 || isServed(facts))) return true;
  const paid = counted.filter((each) => isDollar(each, facts));
  if (paid.length === 0 && solDelta <= SMALL_CHANGE) return false;
  const ins = sum(paid.map(worthOf)) + (solDelta > 0n ? solDelta * SOL_AT_MOST : 0n);
  const gone = tokens.filter((each) => deltaOf(each) < 0n && isDollar(each, facts));
  const outs = sum(gone.map(worthOf)) - (solDelta < 0n ? solDelta * SOL_AT_LEAST : 0n);
  return 2n * ins >= outs;
}

/**
 * Whether labelled protocols or bridges do all of it beside what the network brings, and the transaction itself sends no
 * tokens to anybody beside that. One that only takes part excuses nothing: whoever robs may call any program on the way.
 */
function isServed({ calls, isService, simulation: { before, after }, signers }: Facts): boolean {
  const isSentAway = ({ program, accounts, data, isInner }: Call) => {
    if (isInner || !isTokenProgram(program) || data[0] === undefined || !transfers.has(data[0])) return false;
    const [, second, third] = accounts;
    const to = data[0] === TRANSFER ? second : third;
    const owner =
      to === undefined ? undefined : (tokenAccountAt(before, to)?.owner ?? tokenAccountAt(after, to)?.owner);
    return owner === undefined || !signers.has(owner);
  };
  const others = calls.filter(({ program }) => !isWellKnownProgram(program));
  return others.length > 0 && others.every(({ program }) => isService(program)) && !calls.some(isSentAway);
}

function deltaOf({ change: { begin, end } }: OwnChange): bigint {
  return end - begin;
}

function isMoreThanDust(each: OwnChange): boolean {
  return each.decimals !== undefined && deltaOf(each) * 1_000n >= 10n ** BigInt(each.decimals);
}

function isDollar({ mint, decimals }: OwnChange, { tokenName }: Facts): boolean {
  return decimals !== undefined && dollars.has(tokenName(mint));
}

/** Of a token that is worth a dollar, in either direction. */
function worthOf(each: OwnChange): bigint {
  const delta = deltaOf(each);
  return ((delta < 0n ? -delta : delta) * UNITS) / 10n ** BigInt(each.decimals ?? NATIVE_DECIMALS);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}
