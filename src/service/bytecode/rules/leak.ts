import { hasConsent } from "../consent.ts";
import { comesFrom, type Effect, effectsOf } from "../effect.ts";
import { type Expr, isConst, mark } from "../expr.ts";
import type { Sign } from "../finding.ts";
import { readOf } from "../slot.ts";
import type { PathView, View } from "../view.ts";

/** Paths on which somebody's balance shrinks, or an allowance over it grows, without that one's consent. */
export function leakSigns(view: View): readonly Sign[] {
  const { token } = view;
  const signs: Sign[] = [];
  for (const path of view.paths) {
    for (const effect of effectsOf(path.steps, token.balances)) {
      const name = path.guards.length > 0 ? "owner_changes_balance" : "moves_others_tokens";
      const sign = taken(view, path, effect);
      if (sign === undefined) continue;
      signs.push({ ...sign, name: "moves_others_tokens" });
      if (name === "owner_changes_balance") signs.push({ ...sign, name });
    }
    for (const effect of effectsOf(path.steps, token.allowances, token.holderKey)) {
      const sign = approved(path, effect);
      if (sign) signs.push(sign);
    }
  }
  return signs;
}

/** Somebody: an address that the caller gives, or one out of a list; not one that the contract fixes. */
const isSomebody = (holder: Expr) => (holder.marks & (mark.calldata | mark.call)) !== 0 || isFromList(holder);

/** An element of an array or mapping in storage, read with an index that the caller gives or a loop counts. */
function isFromList(holder: Expr): boolean {
  const field = readOf(holder);
  return holder.op === "MLOAD" || field?.name.includes("{}") === true;
}

function taken(view: View, path: PathView, effect: Effect): Sign | undefined {
  const { token } = view;
  const loses = effect.kind === "less" || effect.kind === "cleared" || effect.kind === "set";
  if (!loses || !token.primary.has(effect.name) || !isSomebody(effect.holder)) return undefined;
  // A new value computed from the same holder's other entry, or from the old one, is a conversion.
  if (effect.kind === "set" && effect.added.some((value) => comesFrom(value, token.balances))) return undefined;
  if (effect.kind === "set" && effect.added.every((value) => value.op === "KECCAK")) return undefined;
  if (hasConsent(path.steps, effect.holder)) return undefined;
  const what = { less: "taken from", cleared: "cleared for", set: "rewritten for" }[effect.kind];
  return {
    name: "moves_others_tokens",
    confidence: 0.9,
    selector: path.selector,
    slot: effect.name,
    offset: effect.pc,
    note: `${what} an address given by the caller${path.guards.length > 0 ? ", who must be privileged" : ""}`,
  };
}

/** An allowance over another's tokens: permit has a signature, approve the caller's own. */
function approved(path: PathView, effect: Effect): Sign | undefined {
  const grows = effect.kind === "more" || effect.kind === "set";
  const fixed = readOf(effect.holder) !== undefined || isConst(effect.holder);
  if (!grows || (!isSomebody(effect.holder) && !fixed)) return undefined;
  if (hasConsent(path.steps, effect.holder)) return undefined;
  return {
    name: "moves_others_tokens",
    confidence: fixed ? 0.6 : 0.85,
    selector: path.selector,
    slot: effect.name,
    offset: effect.pc,
    note: fixed ? "allowance over the tokens of a fixed address" : "allowance over anybody's tokens",
  };
}
