import { type Expr, isConst, parts } from "../machine/expr.ts";
import type { Branch, ContractCall, Step } from "../paths/path.ts";
import { isCaller, isRecovery } from "./permission.ts";
import { readOf, readsIn, type StorageField } from "./slot.ts";

/** Facts about the caller that hold on a path. */
interface Facts {
  readonly steps: readonly Step[];
  readonly branches: readonly Branch[];
  /** Expressions that equal the caller on this path, by a comparison. */
  readonly callers: ReadonlySet<Expr>;
  readonly holder: Expr;
}

/**
 * Whether a path may move the tokens of `holder`. It may in these cases:
 * - The holder is the caller or the contract itself.
 * - The path depends on a stored value for the pair of holder and caller (an allowance, an operator).
 * - The holder signed.
 *
 * A read of such a value is not enough: a branch of the path must depend on it and find it granted.
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
    // The caller is stored for the holder: as the account that granted a revocable balance, or as an agent.
    [...callers].some((caller) => readOf(caller)?.keys.includes(holder) === true) ||
    isForwarded(facts) ||
    hasSigned(facts)
  );
}

/** The expressions that a branch found equal to the caller. */
function calledBy({ tested, truth }: Branch): readonly Expr[] {
  const [a, b] = tested.args;
  if (!truth || tested.op !== "EQ" || !a || !b) return [];
  if (isCaller(a)) return [b];
  return isCaller(b) ? [a] : [];
}

const isOneOf = ({ callers }: Facts, key: Expr) => isCaller(key) || callers.has(key);

/**
 * A value that is stored for the holder and the acting address. The acting address is the caller, or the contract
 * itself, which holders approve for payments.
 */
const agreed = (facts: Facts, { keys }: StorageField) =>
  keys.includes(facts.holder) &&
  keys.some((key) => key !== facts.holder && (isOneOf(facts, key) || key.op === "ADDRESS"));

/** Whether a test with the result `truth` says that a field accepted by `of` is set or is large enough. */
function permits(tested: Expr, truth: boolean, of: (field: StorageField) => boolean): boolean {
  const [a, b] = tested.args;
  const about = (side: Expr) => readsIn(side).some(of);
  if (!about(tested)) return false;
  if (tested.op === "LT" && a && b) {
    // When a < b holds, b is the larger one. Otherwise a is at least b.
    const [small, large] = truth ? [a, b] : [b, a];
    return about(large) && !about(small);
  }
  if (tested.op === "EQ" && a && b) return truth && ![a, b].some((side) => isConst(side) && side.value === 0n);
  if (tested.op === "OR" && a && b) {
    const each = [permits(a, truth, of), permits(b, truth, of)];
    return truth ? each.every(Boolean) : each.some(Boolean);
  }
  // `~x` and `x + c` are zero only for one value of x, which stands for an unlimited allowance.
  if (tested.op === "NOT" || (tested.op === "ADD" && b && isConst(b))) return !truth;
  return truth;
}

/**
 * Default operators of ERC-777: an operator in the list may act unless the holder revoked it. The path reads both, and
 * the revocation of the pair is not set.
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

/** An item of the holder, and the address that is stored as approved for the item: two entries with one key. */
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

/** A trusted forwarder appends the address of the real sender in twenty bytes. Source: ERC-2771. */
function isForwarded({ callers, holder }: Facts): boolean {
  const [by, word] = holder.args;
  const [mask, inner] = word?.op === "AND" ? word.args : [undefined, word];
  const cut = holder.op === "SHR" && by?.value === 96n && (mask === undefined || isConst(mask));
  if (!cut || inner?.op !== "CALLDATA") return false;
  return [...callers].some((caller) => isConst(caller) || caller.op === "ADDRESS" || readOf(caller) !== undefined);
}

/**
 * Whether the holder signed. The recovered signer is the holder or is stored for the holder. Or the holder, or another
 * contract about the holder, confirmed the signature.
 */
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

/** The holder is a contract and is called to confirm its signature. */
const isAsked = (call: ContractCall, holder: Expr) => isRecovery(call) && call.to === holder;

function saidYes({ result }: ContractCall, branches: readonly Branch[]): boolean {
  const isAnswer = (part: Expr) => part.op === "RET" && part.args.includes(result);
  return branches.some(({ tested, truth }) => truth && [...parts(tested)].some(isAnswer));
}
