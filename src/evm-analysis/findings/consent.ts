import { type Expr, isConst, parts } from "../machine/expr.ts";
import type { Branch, ContractCall, Step } from "../paths/path.ts";
import { isCaller, isRecovery } from "./permission.ts";
import { readOf, readsIn, type StorageField } from "./slot.ts";

/** What a path knows of who calls. */
interface Facts {
  readonly steps: readonly Step[];
  readonly branches: readonly Branch[];
  /** Expressions that are the caller on this path: what it was compared with. */
  readonly callers: ReadonlySet<Expr>;
  readonly holder: Expr;
}

/**
 * Whether a path may move what belongs to `holder`: it is the caller or the contract itself, or the path goes on only since
 * something stored for the pair of them says so (an allowance, an operator), or since the holder signed. That such a thing is
 * read is not enough: it counts on the way of a branch on which it says yes.
 */
export function hasConsent(steps: readonly Step[], holder: Expr): boolean {
  if (isCaller(holder) || holder.op === "ADDRESS") return true;
  const branches = steps.filter((step) => step.kind === "branch");
  const callers = new Set(branches.flatMap(calledBy));
  if (callers.has(holder)) return true;
  const facts: Facts = { steps, branches, callers, holder };
  return (
    branches.some((branch) => permits(branch.tested, branch.truth, (field) => agreed(facts, field))) ||
    notRevoked(facts) ||
    approvedItem(facts) ||
    // Whoever is stored for the holder: who granted it what may be taken back, its agent.
    [...callers].some((caller) => readOf(caller)?.keys.includes(holder) === true) ||
    isForwarded(facts) ||
    hasSigned(facts)
  );
}

/** What a branch found equal to the caller. */
function calledBy({ tested, truth }: Branch): readonly Expr[] {
  const [a, b] = tested.args;
  if (!truth || tested.op !== "EQ" || !a || !b) return [];
  if (isCaller(a)) return [b];
  return isCaller(b) ? [a] : [];
}

const isOneOf = ({ callers }: Facts, key: Expr) => isCaller(key) || callers.has(key);

/** Stored for the holder and who acts: the caller, or the contract itself, which holders approve to be paid by. */
const agreed = (facts: Facts, { keys }: StorageField) =>
  keys.includes(facts.holder) &&
  keys.some((key) => key !== facts.holder && (isOneOf(facts, key) || key.op === "ADDRESS"));

/** Whether a test that came out as `truth` says that what `of` accepts is there, or is large enough. */
function permits(tested: Expr, truth: boolean, of: (field: StorageField) => boolean): boolean {
  const [a, b] = tested.args;
  const about = (side: Expr) => readsIn(side).some(of);
  if (!about(tested)) return false;
  if (tested.op === "LT" && a && b) {
    // a < b holds: b is the larger one. It does not: a is at least b.
    const [small, large] = truth ? [a, b] : [b, a];
    return about(large) && !about(small);
  }
  if (tested.op === "EQ" && a && b) return truth && ![a, b].some((side) => isConst(side) && side.value === 0n);
  if (tested.op === "OR" && a && b) {
    const each = [permits(a, truth, of), permits(b, truth, of)];
    return truth ? each.every(Boolean) : each.some(Boolean);
  }
  // Nothing left when every bit is turned, or a number added: it is the one that stands for all.
  if (tested.op === "NOT" || (tested.op === "ADD" && b && isConst(b))) return !truth;
  return truth;
}

/**
 * Operators by default, as ERC-777 has them: whoever is in their list may act unless the holder has revoked it. Both are
 * asked, and the answer for the pair is no.
 */
function notRevoked(facts: Facts): boolean {
  const isFlag = (tested: Expr) => readOf(tested) !== undefined;
  const revocable = facts.branches.some(({ tested, truth }) => {
    const field = isFlag(tested) ? readOf(tested) : undefined;
    return !truth && field !== undefined && field.keys[0] === facts.holder && agreed(facts, field);
  });
  const listed = ({ keys }: StorageField) => keys.length === 1 && keys[0] !== undefined && isOneOf(facts, keys[0]);
  return (
    revocable && facts.branches.some(({ tested, truth }) => truth && isFlag(tested) && permits(tested, truth, listed))
  );
}

/** One thing of the holder's, and whoever is stored as allowed to move it: two entries of one key. */
function approvedItem({ branches, callers, holder }: Facts): boolean {
  const keysOf = (expr: Expr) => {
    const keys = readOf(expr)?.keys ?? [];
    return keys.length === 1 ? keys : [];
  };
  const owned = branches.flatMap(({ tested, truth }) => {
    const [a, b] = tested.args;
    if (!truth || tested.op !== "EQ" || !a || !b) return [];
    if (a === holder) return keysOf(b);
    return b === holder ? keysOf(a) : [];
  });
  const items = new Set([...owned, ...keysOf(holder)]);
  return [...callers].some((caller) => keysOf(caller).some((key) => items.has(key)));
}

/** A forwarder that the contract knows appends whom it speaks for, in twenty bytes. Source: ERC-2771. */
function isForwarded({ callers, holder }: Facts): boolean {
  const [by, word] = holder.args;
  const [mask, inner] = word?.op === "AND" ? word.args : [undefined, word];
  const cut = holder.op === "SHR" && by?.value === 96n && (mask === undefined || isConst(mask));
  if (!cut || inner?.op !== "CALLDATA") return false;
  return [...callers].some((caller) => isConst(caller) || caller.op === "ADDRESS" || readOf(caller) !== undefined);
}

/** Who was recovered from a signature is the holder, or stored for it; or the holder, asked, or another contract about it, said yes. */
function hasSigned({ steps, branches, holder }: Facts): boolean {
  const calls = steps.filter((step) => step.kind === "call");
  const recoveries = new Set(
    calls.filter((call) => isRecovery(call) || call.op === "DELEGATECALL").map(({ result }) => result),
  );
  if (recoveries.size === 0) return false;
  const isSigner = (expr: Expr) => expr.op === "RET" && expr.args.some((arg) => recoveries.has(arg));
  if (isSigner(holder)) return true;
  const isOf = (expr: Expr) => expr === holder || readOf(expr)?.keys.includes(holder) === true;
  const compared = branches.some(({ tested, truth }) => {
    const [a, b] = tested.args;
    if (!truth || tested.op !== "EQ" || !a || !b) return false;
    return (isSigner(a) && isOf(b)) || (isSigner(b) && isOf(a));
  });
  return compared || calls.some((call) => isAsked(call, holder) && saidYes(call, branches));
}

/** The holder is a contract, and asked whether it signed. */
const isAsked = (call: ContractCall, holder: Expr) => isRecovery(call) && call.to === holder;

function saidYes({ result }: ContractCall, branches: readonly Branch[]): boolean {
  const isAnswer = (part: Expr) => part.op === "RET" && part.args.includes(result);
  return branches.some(({ tested, truth }) => truth && [...parts(tested)].some(isAnswer));
}
