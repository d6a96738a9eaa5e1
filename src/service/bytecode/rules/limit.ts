import { selectors } from "../contract.ts";
import { type Expr, isConst, mark, parts } from "../expr.ts";
import type { FindingName, Sign } from "../finding.ts";
import { type Fork, type Node, stepsOf } from "../path.ts";
import { type Field, fieldsWritten, readsIn, sameBits } from "../slot.ts";
import { movers, type OwnerWrite, type View } from "../view.ts";

/** Arguments of the two ways to move tokens. */
interface Roles {
  readonly isFrom: (expr: Expr) => boolean;
  readonly isTo: (expr: Expr) => boolean;
  readonly isAmount: (expr: Expr) => boolean;
}

const arg = (at: bigint) => (expr: Expr) => expr.op === "ARG" && expr.value === at;

const rolesOf: Readonly<Record<string, Roles>> = {
  [selectors.transfer]: { isFrom: ({ op }) => op === "CALLER", isTo: arg(0n), isAmount: arg(1n) },
  [selectors.transferFrom]: { isFrom: arg(0n), isTo: arg(1n), isAmount: arg(2n) },
};

/** What a branch that can stop a transfer tests. */
interface Test {
  readonly selector: string;
  readonly tested: Expr;
  /** The value of the test on the way that fails. */
  readonly truth: boolean;
  readonly offset: number;
}

/** Answers of other contracts: their storage is not this one's. */
const outside = new Set(["CALL", "CALLCODE", "STATICCALL", "DELEGATECALL", "RET", "EXTCODESIZE", "EXTCODEHASH"]);

/** A branch of which one way always fails. */
function failsWhen({ whenTrue, whenFalse }: Fork): boolean | undefined {
  if (whenTrue.live === whenFalse.live) return undefined;
  return !whenTrue.live;
}

/** A test that stops a transfer, and those that decide whether it is made at all. */
interface Stop {
  readonly last: Test;
  readonly before: readonly Test[];
}

function stopsOf(view: View): readonly Stop[] {
  const stops: Stop[] = [];
  for (const { selector, fork } of view.forks) {
    const truth = failsWhen(fork);
    const roles = rolesOf[selector];
    if (truth === undefined || !roles || !isPolicy(view, fork.tested, roles)) continue;
    if (isLesser(fork, truth)) continue;
    const before: Test[] = [];
    for (const step of stepsOf(fork.trace)) {
      if (step.kind !== "branch" || isArithmetic(step.tested, roles) || !avoids(step.other, fork.pc)) continue;
      before.push({ selector, tested: step.tested, truth: step.truth, offset: step.pc });
    }
    stops.push({ last: { selector, tested: fork.tested, truth, offset: fork.pc }, before });
  }
  return stops;
}

/** Whether a sum that is at least `b` is taken from something known to exceed `b`: the lesser of a fee and its bound. */
function isLesser({ tested, trace }: Fork, truth: boolean): boolean {
  const [a, b] = tested.args;
  if (tested.op !== "LT" || !truth || !a || !b || isConst(b)) return false;
  return stepsOf(trace).some((step) => {
    if (step.kind !== "branch" || step.tested.op !== "LT" || !step.truth) return false;
    const [small, large] = step.tested.args;
    return small === b && large !== undefined && [...parts(large)].includes(a);
  });
}

/** Whether some way from `node` ends well without passing the instruction at `pc`: what was decided there matters to it. */
function avoids(node: Node, pc: number): boolean {
  if (!node.live) return false;
  const seen = new Set<Node>();
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.pc === pc || seen.has(at) || !at.live) continue;
    seen.add(at);
    if (at.children.length === 0) return true;
    waiting.push(...at.children);
  }
  return false;
}

/**
 * Whether a test is one of policy: on who, when, how much, or a switch. Not: whether there are tokens enough, whether an
 * addition overflows, a divisor is zero, an index lies in its array, a call worked, an argument is zero.
 */
function isPolicy(view: View, tested: Expr, roles: Roles): boolean {
  if (isArithmetic(tested, roles)) return false;
  const all = [...parts(tested, outside)];
  if (all.some((part) => outside.has(part.op))) return false;
  if (all.some((part) => part.marks & mark.time)) return true;
  if (policyReads(view, tested).some((field) => isPersonal(field, roles) || isOwners(view, field))) return true;
  const [a, b] = tested.args;
  if (!a || !b) return false;
  const person = (side: Expr) => roles.isFrom(side) || roles.isTo(side) || side.op === "CALLER";
  if (tested.op === "EQ") return (person(a) && readsIn(b).length > 0) || (person(b) && readsIn(a).length > 0);
  // An amount, or a balance after it, against a constant.
  const amount = (side: Expr) => [...parts(side)].some(roles.isAmount);
  const fixed = (side: Expr) => isConst(side) && side.value > 1n && side.value < 1n << 200n;
  return tested.op === "LT" && ((amount(a) && fixed(b)) || (amount(b) && fixed(a)));
}

const isOwners = (view: View, field: Field) => view.ownerWrites.some((write) => sameBits(write.field, field));
const isPersonal = ({ keys }: Field, roles: Roles) =>
  keys.some((key) => roles.isFrom(key) || roles.isTo(key) || key.op === "CALLER");

/**
 * Variables in a test that may hold a rule. Arrays are walked for other reasons, too: their lengths and elements count
 * only where an element is compared with somebody.
 */
function policyReads(view: View, tested: Expr): readonly Field[] {
  const compares = tested.op === "EQ" && (tested.marks & (mark.caller | mark.calldata)) !== 0;
  return readsIn(tested).filter(({ name }) => {
    if (view.token.ordinary.has(name)) return false;
    return compares || !(name.includes("{}") || view.arrays.has(name));
  });
}

/** Checks that arithmetic is exact: a product divided again, or an amount computed from the amount against another. */
function isArithmetic(tested: Expr, roles: Roles): boolean {
  const [a, b] = tested.args;
  // x + y < x, and ~x < y, ask whether an addition overflows.
  if (tested.op === "LT" && a && b && (a.op === "NOT" || (a.op === "ADD" && a.args.includes(b)))) return true;
  for (const part of parts(tested, outside)) {
    if (part.op !== "MUL" && part.op !== "DIV" && part.op !== "MOD" && part.op !== "MULMOD" && part.op !== "SHL")
      continue;
    if (part.op === "DIV" && part.args[1]?.op !== "CONST") return true;
    if ([...parts(part, new Set(["SLOAD"]))].some(roles.isAmount)) return true;
  }
  return false;
}

/**
 * Finds what can keep a holder from sending: every test on the way whose outcome an owner can change. Of the tests
 * before the last one, switches and times count by themselves; lists and single addresses say only for whom the last
 * test is made, unless that one is nothing but an exception for an address.
 */
export function limitSigns(view: View): readonly Sign[] {
  const own = selfWritten(view);
  const signs: Sign[] = [];
  for (const { last, before } of stopsOf(view)) {
    const main = signsOf(view, last, own);
    const earlier = before.flatMap((test) => signsOf(view, test, own));
    const rules = main.filter(({ name }) => name !== "identity");
    const others = earlier.filter(({ name }) => name !== "identity");
    if (rules.length > 0) signs.push(...named(rules), ...named(others.filter(({ name }) => !lists.has(name))));
    else if (others.length > 0) signs.push(...named(others));
    else signs.push(...main.map((sign): Sign => ({ ...sign, name: "whitelist" })));
  }
  return signs;
}

const lists: ReadonlySet<string> = new Set(["blacklist", "whitelist"]);

/** A sign, or one that a single address is treated apart. */
type Hint = Omit<Sign, "name"> & { readonly name: FindingName | "identity" };

const named = (hints: readonly Hint[]): readonly Sign[] =>
  hints.flatMap(({ name, ...rest }) => (name === "identity" ? [] : [{ name, ...rest }]));

/** What a test says of each variable in it that an owner writes. */
function signsOf(view: View, test: Test, own: readonly OwnWrite[]): readonly Hint[] {
  const roles = rolesOf[test.selector];
  const found: Hint[] = [];
  if (!roles) return found;
  for (const field of policyReads(view, test.tested)) {
    const kept = own.filter((write) => sameBits(write.field, field));
    // Checkpoints, as voting keeps them in lists for each address, hold times that order them.
    const personal = field.keys.length === 1 && !field.name.includes("{}");
    if (personal && kept.some(({ value }) => value.marks & mark.time)) {
      found.push({ name: "cooldown", confidence: 0.4, selector: test.selector, slot: field.name, offset: test.offset });
    }
    const writer = view.ownerWrites.find((write) => sameBits(write.field, field));
    // An entry of another than sender and receiver, the contract itself as a rule, is bookkeeping.
    if (field.keys.length > 0 && !isPersonal(field, roles)) continue;
    if (writer && kept.length === 0) found.push(hintOf(test, field, writer, roles, view));
  }
  return found;
}

type OwnWrite = Pick<OwnerWrite, "field" | "value">;

/** Variables that a transfer itself sets: locks against re-entry, times of the last trade. */
function selfWritten(view: View): readonly OwnWrite[] {
  const found: OwnWrite[] = [];
  for (const path of view.paths) {
    if (!movers.has(path.selector)) continue;
    for (const step of path.steps) {
      if (step.kind !== "write") continue;
      for (const field of fieldsWritten(step.key, step.value)) found.push({ field, value: step.value });
    }
  }
  return found;
}

function hintOf(
  { tested, truth, selector, offset }: Test,
  field: Field,
  writer: OwnerWrite,
  roles: Roles,
  view: View,
): Hint {
  const all = [...parts(tested, outside)];
  const base = { selector: writer.selector, slot: field.name, offset };
  const where = selector === selectors.transfer ? "transfer" : "transferFrom";
  const note = (text: string) => `${text}; stops ${where}, written by ${writer.selector}`;
  const named = (name: Hint["name"], confidence: number, text: string): Hint => ({
    name,
    confidence,
    ...base,
    note: note(text),
  });
  const byPerson = isPersonal(field, roles);
  if (all.some((part) => part.op === "TIMESTAMP" || part.op === "NUMBER")) return named("cooldown", 0.85, "a time");
  if (tested.op === "LT" || tested.op === "SLT") {
    if (byPerson) return named("personal_limit", 0.85, "a number kept for each address");
    const kept = readsIn(tested).some(({ name, keys }) => view.token.balances.has(name) && keys.some(roles.isTo));
    return kept
      ? named("max_wallet", 0.8, "most that a receiver may hold")
      : named("max_transaction", 0.85, "an amount");
  }
  if (byPerson)
    return truth ? named("blacklist", 0.9, "a list of addresses") : named("whitelist", 0.85, "a list of addresses");
  if (tested.op === "EQ" && tested.marks & (mark.caller | mark.calldata)) {
    if (truth && field.name.includes("{}")) return named("blacklist", 0.8, "a list of addresses");
    return named("identity", 0.6, "one address is treated apart");
  }
  return named("pausable", 0.9, "a switch");
}
