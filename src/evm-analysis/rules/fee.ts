import { selectors } from "../contract.ts";
import { effectsOf } from "../findings/effect.ts";
import type { Sign } from "../findings/finding.ts";
import { readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, parts } from "../machine/expr.ts";
import { movers, type OwnerWrite, type View } from "../paths/view.ts";

/** Variables that an amount is multiplied with: fee rates. */
function ratesOf(view: View): readonly StorageField[] {
  const rates: StorageField[] = [];
  for (const { selector, values } of computed(view)) {
    const amount = selector === selectors.transfer ? 1n : 2n;
    const isAmount = (expr: Expr) => expr.op === "ARG" && expr.value === amount;
    for (const part of values.flatMap((value) => [...parts(value)])) {
      if (part.op !== "MUL") continue;
      const [a, b] = part.args;
      if (!a || !b) continue;
      const of = (side: Expr) => [...parts(side)].some(isAmount);
      const rate = of(a) ? b : of(b) ? a : undefined;
      if (rate) rates.push(...readsIn(rate).filter(({ name }) => !view.token.ordinary.has(name)));
    }
  }
  return rates;
}

/** The values that transfers compute: additions to balances, and tested values such as overflow checks of products. */
function computed(view: View): readonly { readonly selector: string; readonly values: readonly Expr[] }[] {
  const added = view.paths.flatMap(({ selector, steps }) => {
    if (!movers.has(selector)) return [];
    const effects = effectsOf(steps, view.token.balanceLayout);
    return [{ selector, values: effects.flatMap(({ added, removed }) => [...added, ...removed]) }];
  });
  const tested = new Map<Expr, { readonly selector: string; readonly values: readonly Expr[] }>();
  for (const { selector, fork } of view.forks) tested.set(fork.tested, { selector, values: [fork.tested] });
  return [...added, ...tested.values()];
}

/** Fees that an owner can change, and fees without an upper bound. */
export function feeSigns(view: View): readonly Sign[] {
  const rates = ratesOf(view);
  const signs: Sign[] = [];
  for (const write of view.ownerWrites) {
    if (movers.has(write.selector) || !rates.some((rate) => sameBits(rate, write.field))) continue;
    const bound = boundOf(write);
    const base = { selector: write.selector, slot: write.field.name, offset: write.pc };
    const note = bound === undefined ? "no bound" : `bound ${bound}`;
    signs.push({ name: "fee_modifiable", confidence: 0.85, ...base, note });
    const free = [...parts(write.value)].some(({ op }) => op === "ARG" || op === "CALLDATA");
    if (bound === undefined && free) signs.push({ name: "fee_unbounded", confidence: 0.8, ...base, note });
  }
  return signs;
}

/**
 * Rates are parts of 100, 1,000, 10,000 or a similar number. A comparison with a larger constant concerns another
 * value.
 */
const LARGEST_RATE = 1n << 64n;

/** The constant that bounds the new rate, or a sum with it, on the path to the write. */
function boundOf(write: OwnerWrite): bigint | undefined {
  const given = new Set([...parts(write.value)].filter(({ op }) => op === "ARG"));
  for (const step of write.path.steps) {
    if (step.kind !== "branch" || step.tested.op !== "LT") continue;
    const [a, b] = step.tested.args;
    if (!a || !b) continue;
    const [small, large] = step.truth ? [a, b] : [b, a];
    const about = [...parts(small)].some((part) => given.has(part));
    if (about && isConst(large) && large.value < LARGEST_RATE) return large.value;
  }
  return undefined;
}
