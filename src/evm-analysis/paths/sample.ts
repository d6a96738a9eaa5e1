import type { Effect, Layout } from "../findings/effect.ts";
import { slotOf } from "../findings/slot.ts";
import { type Expr, fieldWidth, isConst } from "../machine/expr.ts";
import { fold } from "../machine/fold.ts";

/**
 * Sample numbers for everything that a path does not know. They show whether a path adds more to balances than it
 * takes. Amounts are split and multiplied in too many ways to tell from their form.
 * Each sample has other numbers in storage: all zero, fees (so that shares of an amount stay shares), and amounts.
 * Balances lie above and below the arguments.
 */
const samples = [
  { stored: 0n, balance: 10n ** 26n },
  { stored: 1n, balance: 10n ** 26n },
  { stored: 7n, balance: 10n ** 15n },
  { stored: 10n ** 24n, balance: 10n ** 26n },
] as const;
/** The largest fee rate, in any unit. */
const MOST_RATE = 10_000n;
type Sample = (typeof samples)[number];

/**
 * The values of arguments and of answers from other contracts. Each value is slightly larger than the one before, so
 * that no two are equal.
 */
const ARGUMENT = 10n ** 22n;
const OTHER = 10n ** 18n;
const APART = 10n ** 12n;

const NEGATIVE = 1n << 255n;
const signed = (value: bigint) => BigInt.asIntN(256, value);

/** A number for each sample in which the arithmetic of the path does not fail. */
export type Samples = readonly bigint[];

export interface Sampler {
  /**
   * The amount that a path adds to entries, relative to the old value. With `fresh`, an entry in `set` is relative to
   * zero. `stored` selects the samples with rates or with amounts in storage; without it both are used.
   */
  changes(effects: readonly Effect[], fresh: boolean, stored?: "rates" | "amounts"): Samples;
}

/** Samples over balances. Values are cached, because paths share most of their expressions. */
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
    // Checked arithmetic would fail with these numbers. A difference from a constant may wrap on purpose.
    if (expr.op === "SUB" && folded < 0n && !isConst(x)) return undefined;
    if (expr.op === "MUL" && folded >> 256n !== 0n) return undefined;
    return BigInt.asUintN(256, folded);
  }

  /** A constant above half of all numbers stands for a negative number. `removed` holds it separately already. */
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
