import { outside, readOf, readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, type ExprPool, isConst, mark, parts } from "../machine/expr.ts";
import { lowMask } from "../machine/simplify.ts";
import { type View, waysToSell } from "../paths/view.ts";
import { isPersonal, type Roles } from "./roles.ts";
import { type Settings, writesTo } from "./setting.ts";

/** What a branch on the way to a sale tests. */
export interface Test {
  readonly selector: string;
  readonly tested: Expr;
  /** The value of the test on the way that fails. */
  readonly truth: boolean;
  readonly offset: number;
}

/** What tests are judged by. */
export interface Scene {
  readonly view: View;
  readonly settings: Settings;
  readonly uses: Uses;
}

/** What transfers do with values beside testing them. */
export interface Uses {
  /** Values that something is divided by. */
  readonly divisors: ReadonlySet<Expr>;
  /** Addresses whose balances or allowances are written. */
  readonly holders: ReadonlySet<Expr>;
}

/** The machine's own numbers, which a rule may bound: a limit on the price of gas keeps out whoever pays more. */
const circumstances: ReadonlySet<string> = new Set(["GASPRICE", "BASEFEE", "GAS", "GASLIMIT"]);

const times: ReadonlySet<string> = new Set(["TIMESTAMP", "NUMBER"]);

/** Whether a value was made by arithmetic on the amount, or is it. */
export const isAbout = (side: Expr, { isAmount }: Roles): boolean => [...parts(side, stored)].some(isAmount);
const stored: ReadonlySet<string> = new Set(["SLOAD"]);

/**
 * Whether a test is one of policy: on who, when, how much, or a switch. Not: whether there are tokens enough, whether an
 * addition overflows, a divisor is zero, an index lies in its array, a call worked, an argument is zero.
 */
export function isPolicy(scene: Scene, test: Test, roles: Roles): boolean {
  const { tested } = test;
  if (isArithmetic(tested, roles) || isExactness(scene, test)) return false;
  const all = [...parts(tested, outside)];
  const reads = policyReads(scene.view, tested, roles);
  const owners = reads.some((field) => writesTo(scene.settings.rules, field).length > 0);
  if (all.some((part) => outside.has(part.op))) return tested.op === "LT" && owners && isAbout(tested, roles);
  // Dates are computed in many steps, of which each is checked.
  if (all.some((part) => part.marks & mark.time))
    return reads.length > 0 || tested.args.some(({ op }) => times.has(op));
  if (reads.some((field) => isPersonal(field, roles))) return true;
  const [a, b] = tested.args;
  if (owners) return tested.op !== "LT" || (a !== undefined && b !== undefined && isBound(a, b, roles));
  if (!a || !b) return false;
  const person = (side: Expr) => roles.isFrom(side) || roles.isTo(side) || side.op === "CALLER";
  if (tested.op === "EQ") return (person(a) && isSomeoneFixed(b)) || (person(b) && isSomeoneFixed(a));
  // At most a constant amount; least amounts keep dust away.
  const [least, most] = test.truth ? [a, b] : [b, a];
  return tested.op === "LT" && isConst(least) && least.value > 1n && least.value < 1n << 200n && isAbout(most, roles);
}

/** Numbers below this, and the address of only "dead" digits, are where tokens are burned. */
const LAST_BURNER = 1n << 64n;

/** An address that storage or the code names. */
const isSomeoneFixed = (side: Expr) => (isConst(side) ? side.value >= LAST_BURNER : readsIn(side).length > 0);

/** A comparison of an owner's variable with something of this transfer; of two variables it is one of rates with their sum. */
function isBound(a: Expr, b: Expr, roles: Roles): boolean {
  const particular = (side: Expr) =>
    isConst(side) ||
    isAbout(side, roles) ||
    [...parts(side)].some(({ op }) => circumstances.has(op)) ||
    readsIn(side).some((field) => isPersonal(field, roles));
  return particular(a) || particular(b);
}

/**
 * Variables in a test that may hold a rule. Arrays are walked for other reasons, too: their lengths and elements count
 * only where an element is compared with somebody.
 */
export function policyReads(view: View, tested: Expr, roles: Roles): readonly StorageField[] {
  const compares =
    tested.op === "EQ" && tested.args.some((side) => roles.isFrom(side) || roles.isTo(side) || side.op === "CALLER");
  const sides = tested.op === "LT" ? tested.args.flatMap((side) => [...terms(side, roles)]) : [tested];
  return sides.flatMap(readsIn).filter(({ name, keys }) => {
    if (view.token.ordinary.has(name)) return false;
    // Whose entry is read is not what is compared, but where it hangs on who takes part.
    if (keys.length === 0 && !sides.some((side) => compared(side).has(name))) return false;
    return compares || !(name.includes("{}") || view.arrays.has(name));
  });
}

/**
 * Checks that arithmetic is exact: a product divided again, a sum that wrapped round, an amount computed from the amount
 * against another. A bound that does not depend on the amount is none, whatever was computed on the other side.
 */
export function isArithmetic(tested: Expr, roles: Roles): boolean {
  const [a, b] = tested.args;
  if (tested.op === "LT" && a && b) {
    // x + y < x, and ~x < y, ask whether an addition overflows; max / x < y a product.
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

/** A product divided by what it was multiplied with. */
const isUndone = ({ op, args: [product, by] }: Expr): boolean =>
  op === "DIV" && product?.op === "MUL" && by !== undefined && product.args.includes(by);

/** Names of what a value is made of, the keys of what is read left out. */
const compared = (side: Expr): ReadonlySet<string> =>
  new Set([...parts(side, reading)].flatMap((part) => readOf(part)?.name ?? []));
const reading: ReadonlySet<string> = new Set(["SLOAD", "FIELD", ...outside]);

/** A side of a comparison as a sum, without what the amount was multiplied with: rates are not what it is held against. */
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

/** Checks that come with an operation: a difference that may not be negative, a divisor or an address that may not be zero. */
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

/** What is kept for one address and used up is a rule, although it is subtracted from. */
const isAllotment = (expr: Expr) => (readOf(expr)?.keys.length ?? 0) > 0;

/** Looks through all that transfers compute. */
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

/** Whether a bound that an owner sets is what transfers count up or down. */
export const isCounter = ({ own }: Settings, field: StorageField): boolean =>
  own.some((write) => sameBits(write.field, field) && readsIn(write.value).some((read) => sameBits(read, field)));
