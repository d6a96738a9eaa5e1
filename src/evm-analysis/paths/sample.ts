import type { Effect, Layout } from "../findings/effect.ts";
import { slotOf } from "../findings/slot.ts";
import { type Expr, fieldWidth, isConst } from "../machine/expr.ts";
import { fold } from "../machine/fold.ts";

/**
 * Numbers put in for everything that a path does not know, to see whether what it adds to balances is more than what it
 * takes: amounts are split and multiplied in too many ways to tell from their form. Each sample has other numbers in
 * storage, among them all zero: fees, so that shares of an amount stay shares of it, and amounts; and balances above and
 * below what is given as an argument.
 */
const samples = [
  { stored: 0n, balance: 10n ** 26n },
  { stored: 1n, balance: 10n ** 26n },
  { stored: 7n, balance: 10n ** 15n },
  { stored: 10n ** 24n, balance: 10n ** 26n },
] as const;
/** What a fee is at most, whatever it is a part of. */
const MOST_RATE = 10_000n;
type Sample = (typeof samples)[number];

/** What is given for an argument, and for answers of others: each has a little more than another, so that no two are equal. */
const ARGUMENT = 10n ** 22n;
const OTHER = 10n ** 18n;
const APART = 10n ** 12n;

const NEGATIVE = 1n << 255n;
const signed = (value: bigint) => BigInt.asIntN(256, value);

/** A number for each sample in which the path's own arithmetic does not fail. */
export type Samples = readonly bigint[];

export interface Sampler {
  /**
   * What a path adds to entries; to the old value, or where `set` forgets it to nothing when `fresh`. With rates in storage,
   * with amounts there, or both.
   */
  changes(effects: readonly Effect[], fresh: boolean, stored?: "rates" | "amounts"): Samples;
}

/** Samples over balances. Values are kept: paths share most of their expressions. */
export function samplerOf({ names, entries }: Layout): Sampler {
  const known = new Map(samples.map((sample) => [sample, new Map<Expr, bigint | undefined>()]));
  const balanceIn = (key: Expr, { balance }: Sample) => balance + BigInt(key.id) * APART;
  const isBalance = (key: Expr | undefined) =>
    key !== undefined && (names.has(slotOf(key).name) || (isConst(key) && entries.has(key.value)));

  function leaf(expr: Expr, sample: Sample): bigint {
    const [key] = expr.args;
    if (expr.op === "SLOAD" && key && isBalance(key)) return balanceIn(key, sample);
    if (expr.op === "SLOAD") return sample.stored;
    return (given.has(expr.op) ? ARGUMENT : OTHER) + BigInt(expr.id) * APART;
  }

  function numberIn(expr: Expr, sample: Sample): bigint | undefined {
    if (isConst(expr)) return expr.value;
    const values = known.get(sample);
    if (values?.has(expr)) return values.get(expr);
    const value = compute(expr, sample);
    values?.set(expr, value);
    return value;
  }

  function compute(expr: Expr, sample: Sample): bigint | undefined {
    const [x, y] = expr.args;
    if (expr.op === "FIELD" && x) {
      const word = isBalance(x.args[0]) ? leaf(x, sample) : sample.stored;
      return word & ((1n << BigInt(fieldWidth(expr))) - 1n);
    }
    if (!x || !(expr.args.length === 1 ? expr.op === "ISZERO" || expr.op === "NOT" : y && expr.args.length === 2)) {
      return leaf(expr, sample);
    }
    const a = numberIn(x, sample);
    if (a === undefined) return undefined;
    if (expr.op === "ISZERO") return a === 0n ? 1n : 0n;
    if (expr.op === "NOT") return BigInt.asUintN(256, ~a);
    const b = y && numberIn(y, sample);
    if (b === undefined) return undefined;
    const folded = fold(expr.op, a, b);
    if (folded === undefined) return leaf(expr, sample);
    // Arithmetic that is checked would fail with such numbers; a difference from a constant may wrap on purpose.
    if (expr.op === "SUB" && folded < 0n && !isConst(x)) return undefined;
    if (expr.op === "MUL" && folded >> 256n !== 0n) return undefined;
    return BigInt.asUintN(256, folded);
  }

  /** A constant above half of all numbers stands for one below zero, and is told apart already. */
  function amount(value: Expr, sample: Sample): bigint | undefined {
    const number = numberIn(value, sample);
    if (number === undefined) return undefined;
    return isConst(value) && value.value >= NEGATIVE ? -signed(number) : signed(number);
  }

  function change({ key, kind, old, added, removed }: Effect, sample: Sample, fresh: boolean): bigint | undefined {
    let sum = kind === "set" && fresh ? 0n : BigInt(old - 1) * balanceIn(key, sample);
    for (const [values, sign] of [
      [added, 1n],
      [removed, -1n],
    ] as const) {
      for (const value of values) {
        const number = amount(value, sample);
        if (number === undefined) return undefined;
        sum += sign * number;
      }
    }
    return signed(BigInt.asUintN(256, sum));
  }

  return {
    changes(effects, fresh, stored) {
      return samples.flatMap((sample) => {
        if (stored !== undefined && (stored === "rates") !== sample.stored < MOST_RATE) return [];
        let sum = 0n;
        for (const effect of effects) {
          const one = change(effect, sample, fresh);
          if (one === undefined) return [];
          sum += one;
        }
        return [sum];
      });
    },
  };
}

const given: ReadonlySet<string> = new Set(["ARG", "CALLDATA", "MLOAD"]);
