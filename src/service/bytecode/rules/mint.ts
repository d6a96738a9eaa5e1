import { comesFrom, type Effect, effectsOf } from "../effect.ts";
import { type Expr, isConst, mark, parts } from "../expr.ts";
import type { Sign } from "../finding.ts";
import type { Branch, Step } from "../path.ts";
import { readOf, readsIn, sameBits, slotOf } from "../slot.ts";
import type { Token } from "../token.ts";
import { movers, type PathView, type View } from "../view.ts";

/** Constants from here on are no cap: with 18 decimals it is 3.4e20 tokens. Typical are 2^96 to 2^256 as overflow checks. */
const NO_CAP = 1n << 128n;

const TRANSFER_FROM = 0x23b872dd;

/** Paths that make tokens: some balance grows or is set, and none shrinks. */
export function mintSigns(view: View): readonly Sign[] {
  const signs: Sign[] = [];
  for (const path of view.paths) {
    const effects = effectsOf(path.steps, view.token.balances);
    const made = effects.filter((effect) => makes(effect, view.token));
    if (made.length === 0 || effects.some(shrinks)) continue;
    const privileged = path.guards.some(({ kind }) => kind !== "asked" || !movers.has(path.selector));
    if (movers.has(path.selector) && !path.guards.some(({ kind }) => kind === "slot" || kind === "constant")) continue;
    if (!privileged && isPaidFor(path, made)) continue;
    signs.push(...made.flatMap((effect) => signsOf(view, path, effect, privileged)));
  }
  return signs;
}

const shrinks = (effect: Effect) => effect.kind === "less" || effect.kind === "cleared" || effect.kind === "mixed";

/** Growth by something of its own: an entry that is only moved between two mappings of one holder makes nothing. */
function makes(effect: Effect, token: Token): boolean {
  if (effect.kind === "more") return true;
  if (effect.kind !== "set") return false;
  return !effect.added.some((value) => comesFrom(value, token.balances));
}

/** What a caller gives; what stands in storage is not looked into. */
const given: ReadonlySet<string> = new Set(["ARG", "CALLDATA", "MLOAD", "SLOAD"]);

/** Whether who calls says how much: an amount among the arguments that is not the address itself. */
function chosen(effect: Effect): boolean {
  return effect.added.some((value) =>
    [...parts(value, given)].some((part) => !effect.keys.includes(part) && given.has(part.op) && part.op !== "SLOAD"),
  );
}

function signsOf(view: View, path: PathView, effect: Effect, privileged: boolean): readonly Sign[] {
  const { selector } = path;
  const base = { selector, slot: effect.name, offset: effect.pc };
  const free = chosen(effect);
  // Rewards and interest are computed for everybody; a fixed amount can still be made again and again by the owner.
  if (!free && !privileged) return [];
  if (!free && effect.added.every((value) => value.marks & (mark.time | mark.value))) return [];
  const cap = capOf(view, path.steps, effect);
  const note = cap ? `capped by ${cap}` : free ? "amount chosen by the caller" : "amount set in the contract";
  const signs: Sign[] = [{ name: "mintable", confidence: privileged ? 0.95 : 0.8, ...base, note }];
  if (cap === undefined) signs.push({ name: "unlimited_mint", confidence: free ? 0.9 : 0.6, ...base, note });
  return signs;
}

/** Tokens given for something: ether, another token taken from the caller, a stake, or a place in a published tree. */
function isPaidFor({ steps }: PathView, made: readonly Effect[]): boolean {
  if (made.some(({ added }) => added.some(({ marks }) => marks & mark.value))) return true;
  return steps.some((step) => takes(step, made) || provesMembership(step));
}

function takes(step: Step, made: readonly Effect[]): boolean {
  if (step.kind === "call") {
    const fromCaller = step.input.some((word) => [...parts(word)].some(({ op }) => op === "CALLER"));
    return step.op !== "STATICCALL" && (step.selector === TRANSFER_FROM || (fromCaller && step.op === "CALL"));
  }
  if (step.kind === "branch") return step.truth && step.tested.op === "CALLVALUE";
  const { keys } = slotOf(step.key);
  const own = keys.some((key) => key.op === "CALLER" || made.some(({ holder }) => holder === key));
  if (!own) return false;
  const [a, b] = step.value.args;
  const spent = step.value.op === "SUB" && a && b && readOf(a) !== undefined;
  return spent || (isConst(step.value) && !made.some(({ name }) => name === slotOf(step.key).name));
}

function provesMembership(step: Step): boolean {
  if (step.kind !== "branch" || !step.truth || step.tested.op !== "EQ") return false;
  const [a, b] = step.tested.args;
  const isRoot = (expr: Expr | undefined) => expr !== undefined && (expr.op === "SLOAD" || isConst(expr));
  return (isRoot(a) && b?.op === "KECCAK") || (isRoot(b) && a?.op === "KECCAK");
}

/** What keeps the amount, or the supply after it, below something that no owner can raise. */
function capOf(view: View, steps: readonly Step[], effect: Effect): string | undefined {
  const amounts = new Set(effect.added.flatMap((value) => [...parts(value, given)]).filter(({ op }) => given.has(op)));
  for (const step of steps) {
    if (step.kind !== "branch" || step.tested.op !== "LT") continue;
    const cap = capIn(view, step, amounts, effect);
    if (cap) return cap;
  }
  return undefined;
}

/** A total that stays, or the amount, on one side of a comparison; a limit on the other. */
function capIn(view: View, { tested, truth }: Branch, amounts: ReadonlySet<Expr>, effect: Effect): string | undefined {
  const [a, b] = tested.args;
  if (!a || !b) return undefined;
  // a < b holds: a is below b. It does not: b is at most a.
  const [small, large] = truth ? [a, b] : [b, a];
  const about = (side: Expr) => [...parts(side, given)].some((part) => amounts.has(part) && part.op !== "SLOAD");
  // An amount that is fixed shows in no comparison; then one of the supply is meant.
  const bounds = amounts.size > 0 ? about(small) : isSupply(small, view);
  if (!bounds || about(large)) return undefined;
  if (effect.keys.includes(small)) return undefined;
  if (isConst(large)) return large.value > 1n && large.value < NO_CAP ? `0x${large.value.toString(16)}` : undefined;
  const field = readOf(large);
  const fixed =
    field !== undefined &&
    !view.token.ordinary.has(field.name) &&
    !view.ownerWrites.some((write) => sameBits(write.field, field) && !usesUp(write.value));
  if (fixed && !field.keys.some((key) => key.op !== "CALLER" && !isConst(key))) return field.name;
  return readsIn(large).length === 0 && (large.marks & mark.time) === 0 ? undefined : rest(view, large);
}

const isSupply = (expr: Expr, { token }: View) =>
  readsIn(expr).some(({ name }) => token.supply.has(name)) && !isConst(expr);

/** A store that each mint takes from. */
function usesUp(value: Expr): boolean {
  const [a] = value.args;
  return value.op === "SUB" && a !== undefined && readOf(a) !== undefined;
}

/** A limit less what there is already. */
function rest(view: View, large: Expr): string | undefined {
  const [a, b] = large.args;
  if (large.op !== "SUB" || !a || !b || !isSupply(b, view)) return undefined;
  if (isConst(a)) return a.value < NO_CAP ? `0x${a.value.toString(16)}` : undefined;
  const field = readOf(a);
  if (!field || view.token.ordinary.has(field.name)) return undefined;
  return view.ownerWrites.some((write) => sameBits(write.field, field)) ? undefined : field.name;
}
