import { hasConsent } from "../findings/consent.ts";
import { type Effect, effectsOf } from "../findings/effect.ts";
import type { Sign } from "../findings/finding.ts";
import { isOnce } from "../findings/once.ts";
import { fieldsWritten, readOf, readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, mark, parts } from "../machine/expr.ts";
import type { Step } from "../paths/path.ts";
import type { Samples } from "../paths/sample.ts";
import type { PathView, View } from "../paths/view.ts";

/** Paths that reduce a holder's balance, or increase an allowance over it, without the holder's consent. */
export function leakSigns(view: View): readonly Sign[] {
  const { token } = view;
  const people = peopleOf(view);
  const signs: Sign[] = [];
  for (const path of view.paths) {
    for (const effect of effectsOf(path.steps, token.balanceLayout)) {
      const sign = taken(view, people, path, effect);
      if (sign === undefined) continue;
      signs.push(sign);
      if (path.guards.length > 0) signs.push({ ...sign, name: "owner_changes_balance" });
    }
    for (const effect of effectsOf(path.steps, token.allowanceLayout)) {
      const sign = approved(path, effect);
      if (sign) signs.push(sign);
    }
  }
  return signs;
}

/** Fields of the contract that hold an address. */
interface People {
  /** Fields that are written with a value from the caller. */
  readonly named: readonly StorageField[];
  /** Fields that are compared with the caller. Such a field is an office, and its holder accepted it. */
  readonly offices: readonly StorageField[];
}

function peopleOf({ paths }: View): People {
  const named = paths.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      const given = step.kind === "write" && (step.value.marks & mark.calldata) !== 0;
      return given ? fieldsWritten(step.key, step.value).filter(({ keys }) => keys.length === 0) : [];
    }),
  );
  const offices = paths.flatMap(({ guards }) =>
    guards.flatMap((guard) => (guard.kind === "slot" ? [guard.field] : [])),
  );
  return { named, offices };
}

/** How a path knows the holder. Undefined for the caller, the contract itself, and a fixed address. */
function known(holder: Expr, { named, offices }: People, { steps }: PathView): string | undefined {
  if ((holder.marks & (mark.calldata | mark.call)) !== 0) return "an address given by the caller";
  if (holder.op === "MLOAD") return "addresses out of a list";
  const field = readOf(holder);
  if (field && (field.keys.length > 0 || field.name.includes("{}"))) return "addresses out of a list";
  if (steps.some((step) => isSync(step, holder)))
    return "the pair, which is told to take its new balance for its price";
  const isNamed = field && named.some((one) => sameBits(one, field)) && !offices.some((one) => sameBits(one, field));
  return isNamed ? "an address that was stored before" : undefined;
}

/** The path tells the pair to accept its current balances: `sync()`. */
const isSync = (step: Step, holder: Expr) => step.kind === "call" && step.selector === 0xfff6cae9 && step.to === holder;

const ways: Readonly<Partial<Record<Effect["kind"], string>>> = { cleared: "cleared for", set: "rewritten for" };

function taken(view: View, people: People, path: PathView, effect: Effect): Sign | undefined {
  if (!view.token.primary.has(effect.name) || !loses(view, path, effect)) return undefined;
  const who = known(effect.holder, people, path);
  if (who === undefined || hasConsent(path.steps, effect.holder)) return undefined;
  return {
    name: "moves_others_tokens",
    confidence: (effect.holder.marks & mark.calldata) !== 0 ? 0.9 : 0.75,
    selector: path.selector,
    slot: effect.name,
    offset: effect.pc,
    note: `${ways[effect.kind] ?? "taken from"} ${who}${path.guards.length > 0 ? ", by one who must be privileged" : ""}`,
  };
}

/** Whether an entry can decrease. */
function loses(view: View, path: PathView, effect: Effect): boolean {
  if (effect.kind === "less") return !effect.removed.every((value) => isZeroOn(path, value));
  if (effect.kind === "cleared") return true;
  if (effect.kind === "set") return isRewritten(view, path, effect);
  return effect.kind !== "same" && isLess(view.sampler.changes([effect], false));
}

/** Whether the path is taken only where a value is zero. */
const isZeroOn = ({ steps }: PathView, value: Expr) =>
  steps.some((step) => step.kind === "branch" && !step.truth && step.tested === value);

const isLess = (changes: Samples) => changes.length > 0 && changes.every((change) => change < 0n);

/** Whether a new value ignores the old one. */
function isRewritten(view: View, path: PathView, effect: Effect): boolean {
  const { name, holder, added, removed } = effect;
  const values = [...added, ...removed];
  if (added.every(({ op }) => op === "KECCAK")) return false;
  if (isFirst(path.steps, effect) || (path.guards.length === 0 && isOnce(path.steps, effect))) return false;
  const sources = values.flatMap(readsIn);
  const own = sources.filter((read) => view.token.balances.has(read.name) && read.keys[0] === holder);
  // The value is computed from another entry of the same holder. Reflection tokens convert balances like this.
  if (own.some((read) => read.name !== name)) return false;
  if (own.length === 0) return true;
  const scaled = values.filter((value) => readsIn(value).some((read) => read.name === name && read.keys[0] === holder));
  if (scaled.some((value) => namesAmount(value, effect))) return true;
  const rates = sources.filter((read) => !view.token.ordinary.has(read.name));
  if (rates.length === 0) return isLess(view.sampler.changes([effect], false));
  // Interest that is computed for each holder also writes the time or index of the computation.
  const booked = path.steps.some(
    (step) =>
      step.kind === "write" && fieldsWritten(step.key, step.value)[0]?.keys[0] === holder && step.key !== effect.key,
  );
  return !booked && rates.some((rate) => view.ownerWrites.some((write) => sameBits(write.field, rate)));
}

/** Whether a value contains an argument of the caller other than the holder. */
const namesAmount = (value: Expr, { keys }: Effect) =>
  [...parts(value, new Set(["SLOAD"]))].some(
    (part) => (part.op === "ARG" || part.op === "CALLDATA") && !keys.includes(part),
  );

/** Whether the path is taken only while the holder has nothing, or only the first time. */
function isFirst(steps: readonly Step[], { holder, key }: Effect): boolean {
  return steps.some((step) => {
    if (step.kind !== "branch" || step.truth) return false;
    const field = readOf(step.tested);
    if (field?.keys[0] !== holder) return false;
    const place = step.tested.op === "SLOAD" ? step.tested.args[0] : step.tested.args[0]?.args[0];
    return place === key || steps.some((other) => other.kind === "write" && other.key === place);
  });
}

/**
 * An allowance over the tokens of another holder. A permit has a signature, and approve concerns the caller's own
 * tokens.
 */
function approved(path: PathView, effect: Effect): Sign | undefined {
  const grows = effect.kind === "more" || effect.kind === "set";
  const field = readOf(effect.holder);
  const listed = field !== undefined && (field.keys.length > 0 || field.name.includes("{}"));
  const given = (effect.holder.marks & (mark.calldata | mark.call)) !== 0 || effect.holder.op === "MLOAD" || listed;
  const fixed = field !== undefined || isConst(effect.holder);
  if (!grows || (!given && !fixed)) return undefined;
  if (hasConsent(path.steps, effect.holder)) return undefined;
  return {
    name: "moves_others_tokens",
    confidence: given ? 0.85 : 0.6,
    selector: path.selector,
    slot: effect.name,
    offset: effect.pc,
    note: given ? "allowance over anybody's tokens" : "allowance over the tokens of a fixed address",
  };
}
