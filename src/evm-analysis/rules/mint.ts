import { type Effect, effectsOf } from "../findings/effect.ts";
import type { Sign } from "../findings/finding.ts";
import { isOnce, NO_CAP } from "../findings/once.ts";
import { fieldsWritten, isTransient, readOf, readsIn, type StorageField, sameBits, slotOf } from "../findings/slot.ts";
import type { Token } from "../findings/token.ts";
import { type Expr, isConst, mark, parts } from "../machine/expr.ts";
import type { Branch, Step } from "../paths/path.ts";
import { movers, type PathView, type View } from "../paths/view.ts";

const TRANSFER_FROM = 0x23b872dd;

/** Paths that create tokens: balances grow by more than other balances shrink. */
export function mintSigns(view: View): readonly Sign[] {
  const signs: Sign[] = [];
  for (const path of view.paths) {
    const effects = effectsOf(path.steps, view.token.balanceLayout);
    if (effects.length === 0 || !isPossible(path)) continue;
    signs.push(...effects.flatMap((effect) => wrapSigns(path, effect)));
    const made = madeBy(view, path, effects);
    const privileged = path.guards.some(({ kind }) => kind !== "asked" || !movers.has(path.selector));
    if (made.length === 0 || (!privileged && isPaidFor(path, made))) continue;
    signs.push(...made.flatMap((effect) => signsOf(view, path, effect, privileged)));
  }
  return signs;
}

/** No call comes from the address zero, which some internal functions treat as a mint. */
const isPossible = ({ steps }: PathView) =>
  !steps.some((step) => step.kind === "branch" && !step.truth && step.tested.op === "CALLER");

/**
 * The effects that create tokens: entries that grow on their own, when all effects together gain more than they lose.
 * Reflection tokens write a second mapping for some holders. That mapping counts only when the first one is not
 * written.
 */
function madeBy(view: View, path: PathView, effects: readonly Effect[]): readonly Effect[] {
  const { token, sampler } = view;
  const first = effects.filter(({ name }) => token.primary.has(name));
  const all = first.length > 0 ? first : effects;
  const own = effects.filter((effect) => makes(effect, token));
  const converted = all.filter((effect) => isConversion(effect, token));
  if (own.length === 0 || converted.length === all.length) return [];
  const counted = all.filter((effect) => !converted.includes(effect));
  const isFresh = !all.some(isScaled);
  const gains = sampler.changes(counted, isFresh, "rates");
  if (gains.length === 0) return movers.has(path.selector) || effects.some(shrinks) ? [] : own;
  if (movers.has(path.selector)) return gains.every((gain) => gain > LITTLE) ? own : [];
  const most = [...gains, ...sampler.changes(counted, isFresh, "amounts")];
  return most.some((gain) => gain > LITTLE) && gains.every((gain) => gain >= 0n) ? own : [];
}

/** A number of smallest units without value, such as a remainder that keeps a balance above zero. */
const LITTLE = 1000n;

const shrinks = (effect: Effect) => effect.kind === "less" || effect.kind === "cleared" || effect.kind === "mixed";

/** Whether an entry grows on its own. */
const makes = (effect: Effect, token: Token): boolean =>
  effect.kind === "more" || effect.kind === "mixed" || (effect.kind === "set" && !isConversion(effect, token));

/** An entry that only moves between two mappings of one holder creates nothing. */
const isConversion = ({ kind, name, holder, added }: Effect, { balances }: Token): boolean =>
  kind === "set" &&
  added.some((value) =>
    readsIn(value).some((read) => balances.has(read.name) && read.name !== name && read.keys[0] === holder),
  );

/** Whether a new value is computed from the old one by more than an addition. */
const isScaled = ({ kind, name, keys, added }: Effect): boolean =>
  kind === "set" &&
  added.some((value) =>
    readsIn(value).some((read) => read.name === name && read.keys.every((key, at) => key === keys[at])),
  );

/** Values from the caller. The search does not look inside stored values. */
const given: ReadonlySet<string> = new Set(["ARG", "CALLDATA", "MLOAD", "SLOAD"]);

/** Whether the caller chooses the amount: an argument that is not the address itself. */
function chosen(effect: Effect): boolean {
  return effect.added.some((value) =>
    [...parts(value, given)].some((part) => !effect.keys.includes(part) && given.has(part.op) && part.op !== "SLOAD"),
  );
}

function signsOf(view: View, path: PathView, effect: Effect, privileged: boolean): readonly Sign[] {
  const { selector } = path;
  const base = { selector, slot: effect.name, offset: effect.pc };
  const free = chosen(effect);
  const appointed = path.guards.some(({ kind }) => kind === "slot" || kind === "constant" || kind === "signature");
  // In a transfer, a stored entry for the caller is no office. It may record that the caller received a share before.
  if ((!privileged || (movers.has(selector) && !appointed)) && isOnce(path.steps, effect)) return [];
  // Rewards and interest are computed for every holder. A fixed amount can be created again and again.
  if (!free && !privileged && !isPlain(effect)) return [];
  if (!free && effect.added.every((value) => value.marks & (mark.time | mark.value))) return [];
  const cap = capOf(view, path.steps, effect);
  const note = cap ? `capped by ${cap}` : free ? "amount chosen by the caller" : "amount set in the contract";
  const signs: Sign[] = [{ name: "mintable", confidence: privileged ? 0.95 : 0.8, ...base, note }];
  if (cap === undefined) signs.push({ name: "unlimited_mint", confidence: free ? 0.9 : 0.6, ...base, note });
  return signs;
}

const NEGATIVE = 1n << 255n;

/**
 * An amount that is equal for every caller: a constant, a variable of the contract, or a value computed from these
 * alone.
 */
const isPlain = ({ added }: Effect): boolean =>
  added.every((value) => [...parts(value)].every((part) => plain.has(part.op) && isUnkeyed(part)));

const plain: ReadonlySet<string> = new Set(["CONST", "SLOAD", "FIELD", "MUL", "DIV", "EXP", "ADD"]);
const isUnkeyed = (expr: Expr) => readOf(expr) === undefined || readOf(expr)?.keys.length === 0;

/**
 * A balance that is reduced by more than it holds, without a comparison. The result wraps around to nearly the largest
 * number. Checked arithmetic compares the two values.
 */
function wrapSigns({ selector, steps }: PathView, effect: Effect): readonly Sign[] {
  const { kind, key, removed, name, pc, keys } = effect;
  const isGiven = (value: Expr) => [...parts(value, given)].some(({ op }) => op === "ARG" || op === "CALLDATA");
  if (kind !== "less" || !removed.some((value) => isGiven(value) && !keys.includes(value))) return [];
  const isOwn = (part: Expr) => part.op === "SLOAD" && part.args[0] === key;
  const compared = steps.some((step) => {
    if (step.kind !== "branch" || ![...parts(step.tested)].some(isOwn)) return false;
    const [a, b] = step.tested.args;
    if (step.tested.op !== "LT" || !a || !b) return step.tested.op !== "SLOAD" && step.tested.op !== "FIELD";
    const [small, large] = step.truth ? [a, b] : [b, a];
    // For a packed balance, the difference is compared with the capacity of its bits.
    if (isConst(large)) return large.value < NEGATIVE && [...parts(small)].some(({ op }) => op === "SUB");
    return !isConst(small) && [...parts(large)].some(isOwn);
  });
  if (compared) return [];
  const base = {
    confidence: 0.7,
    selector,
    slot: name,
    offset: pc,
    note: "more is taken than is there, and wraps round",
  };
  return [
    { name: "mintable", ...base },
    { name: "unlimited_mint", ...base },
  ];
}

/**
 * Tokens in exchange for a payment: ether, another token from the caller, a stake, or a place in a published Merkle
 * tree.
 */
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
  if (isTransient(step.key)) return false;
  const { keys } = slotOf(step.key);
  const own = keys.some((key) => key.op === "CALLER" || made.some(({ holder }) => holder === key));
  if (!own) return false;
  const isOld = (part: Expr) => placeOf(part) === step.key;
  const isLeft = ({ op, args: [from] }: Expr) =>
    op === "SUB" && from !== undefined && [...parts(from, given)].some(isOld);
  const spent = [...parts(step.value, given)].some(isLeft);
  return spent || (isConst(step.value) && !made.some(({ name }) => name === slotOf(step.key).name));
}

/** The storage key of a read word, or of the word of a field. */
function placeOf(expr: Expr): Expr | undefined {
  const word = expr.op === "FIELD" ? expr.args[0] : expr;
  return word?.op === "SLOAD" ? word.args[0] : undefined;
}

function provesMembership(step: Step): boolean {
  if (step.kind !== "branch" || !step.truth || step.tested.op !== "EQ") return false;
  const [a, b] = step.tested.args;
  const isRoot = (expr: Expr | undefined) => expr !== undefined && (expr.op === "SLOAD" || isConst(expr));
  return (isRoot(a) && b?.op === "KECCAK") || (isRoot(b) && a?.op === "KECCAK");
}

/** The cap that keeps the amount, or the supply after it, below a value that no owner can raise. */
function capOf(view: View, steps: readonly Step[], effect: Effect): string | undefined {
  const amounts = new Set(effect.added.flatMap((value) => [...parts(value, given)]).filter(({ op }) => given.has(op)));
  for (const step of steps) {
    if (step.kind !== "branch" || step.tested.op !== "LT") continue;
    const cap = capIn(view, step, amounts, effect);
    if (cap) return cap;
  }
  return undefined;
}

/** The cap in a comparison. One side is the amount, or the total after it, and the other side is a limit. */
function capIn(view: View, { tested, truth }: Branch, amounts: ReadonlySet<Expr>, effect: Effect): string | undefined {
  const [a, b] = tested.args;
  if (!a || !b) return undefined;
  // When a < b holds, a is below b. Otherwise b is at most a.
  const [small, large] = truth ? [a, b] : [b, a];
  const about = (side: Expr) => [...parts(side, given)].some((part) => amounts.has(part) && part.op !== "SLOAD");
  // A fixed amount appears in no comparison, so a comparison of the supply is searched.
  const bounds = amounts.size > 0 ? about(small) : isSupply(small, view);
  if (!bounds || about(large)) return undefined;
  if (effect.keys.includes(small)) return undefined;
  if (isConst(large)) return large.value > 1n && large.value < NO_CAP ? `0x${large.value.toString(16)}` : undefined;
  const field = readOf(large);
  const fixed =
    field !== undefined &&
    (!view.token.ordinary.has(field.name) || isNeverWritten(view, field)) &&
    !view.ownerWrites.some((write) => sameBits(write.field, field) && !usesUp(write.value));
  if (fixed && !field.keys.some((key) => key.op !== "CALLER" && !isConst(key))) return field.name;
  return readsIn(large).length === 0 && (large.marks & mark.time) === 0 ? undefined : rest(view, large);
}

/** A supply that was created at once, and from which parts are handed out. */
const isNeverWritten = ({ paths, token }: View, field: StorageField) =>
  token.supply.has(field.name) &&
  !paths.some(({ steps }) =>
    steps.some(
      (step) => step.kind === "write" && fieldsWritten(step.key, step.value).some((one) => sameBits(one, field)),
    ),
  );

const isSupply = (expr: Expr, { token }: View) =>
  readsIn(expr).some(({ name }) => token.supply.has(name)) && !isConst(expr);

/** Whether each mint takes from a stored reserve. */
function usesUp(value: Expr): boolean {
  const [a] = value.args;
  return value.op === "SUB" && a !== undefined && readOf(a) !== undefined;
}

/** A limit less the existing amount. */
function rest(view: View, large: Expr): string | undefined {
  const [a, b] = large.args;
  if (large.op !== "SUB" || !a || !b || !isSupply(b, view)) return undefined;
  if (isConst(a)) return a.value < NO_CAP ? `0x${a.value.toString(16)}` : undefined;
  const field = readOf(a);
  if (!field || view.token.ordinary.has(field.name)) return undefined;
  return view.ownerWrites.some((write) => sameBits(write.field, field)) ? undefined : field.name;
}
