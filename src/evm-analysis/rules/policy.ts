import { outside, readOf, readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, type ExprPool, isConst, mark, parts } from "../machine/expr.ts";
import { lowMask } from "../machine/simplify.ts";
import { type View, waysToSell } from "../paths/view.ts";
import { isPersonal, type Roles } from "./roles.ts";
import { type Settings, writesTo } from "./setting.ts";

/** The test of a branch on the way to a sale. */
export interface Test {
  readonly selector: string;
  readonly tested: Expr;
  /** The result of the test on the failing branch. */
  readonly truth: boolean;
  readonly offset: number;
}

/** The facts by which tests are judged. */
export interface Scene {
  readonly view: View;
  readonly settings: Settings;
  readonly uses: Uses;
}

/** Other uses of values in transfers beside tests. */
export interface Uses {
  /** Divisors in computations. */
  readonly divisors: ReadonlySet<Expr>;
  /** Addresses with written balances or allowances. */
  readonly holders: ReadonlySet<Expr>;
}

/** Numbers of the machine that a rule may bound. A limit on the gas price excludes callers that pay more. */
const circumstances: ReadonlySet<string> = new Set(["GASPRICE", "BASEFEE", "GAS", "GASLIMIT"]);

const times: ReadonlySet<string> = new Set(["TIMESTAMP", "NUMBER"]);

/** Whether a value is the amount or is computed from it. */
export const isAbout = (side: Expr, { isAmount }: Roles): boolean => [...parts(side, stored)].some(isAmount);
const stored: ReadonlySet<string> = new Set(["SLOAD"]);

/**
 * Whether a test is a rule: about addresses, times, amounts, or a switch. Technical checks are no rules: a sufficient
 * balance, an overflow, a zero divisor, an array index, the success of a call, or a zero argument.
 */
export function isPolicy(scene: Scene, test: Test, roles: Roles): boolean {
  const { tested } = test;
  if (isArithmetic(tested, roles) || isExactness(scene, test)) return false;
  const all = [...parts(tested, outside)];
  const reads = policyReads(scene.view, tested, roles);
  const owners = reads.some((field) => writesTo(scene.settings.rules, field).length > 0);
  if (all.some((part) => outside.has(part.op))) return tested.op === "LT" && owners && isAbout(tested, roles);
  // Dates are computed in many steps, and each step is checked.
  if (all.some((part) => part.marks & mark.time))
    return reads.length > 0 || tested.args.some(({ op }) => times.has(op));
  if (reads.some((field) => isPersonal(field, roles))) return true;
  const [a, b] = tested.args;
  if (owners) return tested.op !== "LT" || (a !== undefined && b !== undefined && isBound(a, b, roles));
  if (!a || !b) return false;
  const person = (side: Expr) => roles.isFrom(side) || roles.isTo(side) || side.op === "CALLER";
  if (tested.op === "EQ") return (person(a) && isSomeoneFixed(b)) || (person(b) && isSomeoneFixed(a));
  // A constant maximum amount. A constant minimum only keeps dust away.
  const [least, most] = test.truth ? [a, b] : [b, a];
  return tested.op === "LT" && isConst(least) && least.value > 1n && least.value < 1n << 200n && isAbout(most, roles);
}

/** Smaller numbers, and the address of only "dead" digits, are burn addresses. */
const LAST_BURNER = 1n << 64n;

/** An address that storage or the code names. */
const isSomeoneFixed = (side: Expr) => (isConst(side) ? side.value >= LAST_BURNER : readsIn(side).length > 0);

/**
 * A comparison of an owner's variable with a value of this transfer. A comparison of two variables concerns fee rates
 * and their sum.
 */
function isBound(a: Expr, b: Expr, roles: Roles): boolean {
  const particular = (side: Expr) =>
    isConst(side) ||
    isAbout(side, roles) ||
    [...parts(side)].some(({ op }) => circumstances.has(op)) ||
    readsIn(side).some((field) => isPersonal(field, roles));
  return particular(a) || particular(b);
}

/**
 * Variables in a test that may hold a rule. Arrays are also read for other reasons. Their lengths and elements count
 * only where an element is compared with a party.
 */
export function policyReads(view: View, tested: Expr, roles: Roles): readonly StorageField[] {
  const compares =
    tested.op === "EQ" && tested.args.some((side) => roles.isFrom(side) || roles.isTo(side) || side.op === "CALLER");
  const sides = tested.op === "LT" ? tested.args.flatMap((side) => [...terms(side, roles)]) : [tested];
  return sides.flatMap(readsIn).filter(({ name, keys }) => {
    if (view.token.ordinary.has(name)) return false;
    // A key of a read is not compared, except where the entry depends on a party.
    if (keys.length === 0 && !sides.some((side) => compared(side).has(name))) return false;
    return compares || !(name.includes("{}") || view.arrays.has(name));
  });
}

/**
 * Checks that arithmetic is exact: a product divided again, a sum that wrapped around, or two values that are both
 * computed from the amount. A bound has to be independent of the amount to be a rule.
 */
export function isArithmetic(tested: Expr, roles: Roles): boolean {
  const [a, b] = tested.args;
  if (tested.op === "LT" && a && b) {
    // x + y < x, and ~x < y, test whether an addition overflows. max / x < y tests a product.
    if (a.op === "NOT" || (a.op === "ADD" && a.args.includes(b))) return true;
    if ([a, b].some(isQuotientOfMaximum)) return true;
    return isAbout(a, roles) && isAbout(b, roles);
  }
  for (const part of parts(tested, outside)) {
    if (!products.has(part.op)) continue;
    if (part.op === "DIV" && part.args[1]?.op !== "CONST") return true;
    if (isAbout(part, roles) || isUndone(part)) return true;
  }
  return false;
}

/** A product divided by one of its factors. */
const isUndone = ({ op, args: [product, by] }: Expr): boolean =>
  op === "DIV" && product?.op === "MUL" && by !== undefined && product.args.includes(by);

/** Names of the variables in a value, without the keys of reads. */
const compared = (side: Expr): ReadonlySet<string> =>
  new Set([...parts(side, reading)].flatMap((part) => readOf(part)?.name ?? []));
const reading: ReadonlySet<string> = new Set(["SLOAD", "FIELD", ...outside]);

/**
 * The terms of one side of a comparison, without factors of the amount. Rates are not the value that an amount is
 * compared with.
 */
function* terms(side: Expr, roles: Roles): Generator<Expr> {
  if (side.op === "ADD" || side.op === "SUB") for (const arg of side.args) yield* terms(arg, roles);
  else if (!isAbout(side, roles) || !products.has(side.op)) yield side;
}

const products: ReadonlySet<string> = new Set(["MUL", "DIV", "MOD", "MULMOD", "SHL"]);

/** The largest number of a type, divided. */
function isQuotientOfMaximum({ op, args }: Expr): boolean {
  const [whole] = args;
  return op === "DIV" && whole !== undefined && isConst(whole) && (lowMask(whole.value) ?? 0) >= 8;
}

/**
 * Checks that belong to an operation: a difference must not be negative, and a divisor or an address must not be zero.
 */
function isExactness({ view, uses }: Scene, { tested, truth }: Test): boolean {
  const [a, b] = tested.args;
  if (tested.op === "LT" && truth && a && b) return isSubtracted(view.contract.pool, a, b) && !isAllotment(a);
  if (tested.op === "EQ" && truth)
    return [...uses.divisors].some((by) => by.op === "SUB" && isPair(by.args, tested.args));
  return !truth && (uses.divisors.has(tested) || uses.holders.has(tested));
}

const isPair = (a: readonly Expr[], b: readonly Expr[]) => a.every((each) => b.includes(each));

const isSubtracted = (pool: ExprPool, a: Expr, b: Expr) =>
  pool.has("SUB", [a, b]) || (isConst(b) && pool.has("ADD", [a, pool.constant(-b.value)]));

/** A number that is kept for one address and used up is a rule, although amounts are subtracted from it. */
const isAllotment = (expr: Expr) => (readOf(expr)?.keys.length ?? 0) > 0;

/** Collects the uses of values in all transfers. */
export function usesOf(view: View): Uses {
  const divisors = new Set<Expr>();
  const holders = new Set<Expr>();
  const seen = new Set<Expr>();
  const look = (expr: Expr) => {
    for (const part of parts(expr, none, seen)) {
      const [, by] = part.args;
      if (by && (part.op === "DIV" || part.op === "MOD")) divisors.add(by);
    }
  };
  for (const { fork } of view.forks) look(fork.tested);
  for (const { steps } of salesOf(view)) {
    for (const step of steps) {
      if (step.kind === "branch") continue;
      if (step.kind === "call") step.input.forEach(look);
      else {
        look(step.value);
        for (const part of parts(step.key, none))
          if (part.op === "KECCAK") for (const key of part.args) holders.add(key);
      }
      if (step.kind === "call" && step.value) look(step.value);
    }
  }
  return { divisors, holders };
}

const none: ReadonlySet<string> = new Set();
const salesOf = ({ paths }: View) => paths.filter(({ selector }) => waysToSell.has(selector));

/** Whether transfers count the owner's bound up or down. */
export const isCounter = ({ own }: Settings, field: StorageField): boolean =>
  own.some((write) => sameBits(write.field, field) && readsIn(write.value).some((read) => sameBits(read, field)));
