import { type Expr, isConst, mark, parts } from "../machine/expr.ts";
import type { Step } from "../paths/path.ts";
import { readOf, readsIn, type StorageField, slotOf } from "./slot.ts";

/** A check that restricts the callers of a path. */
export type Guard =
  /** The caller is the address in a storage field. */
  | { readonly kind: "slot"; readonly field: StorageField; readonly pc: number }
  /** The caller is an address written into the code. */
  | { readonly kind: "constant"; readonly address: bigint; readonly pc: number }
  /** Storage holds a value for the caller: a role, or an entry in a list of minters. */
  | { readonly kind: "role"; readonly field: StorageField; readonly pc: number }
  /** Another contract confirms the caller. */
  | { readonly kind: "asked"; readonly pc: number }
  /** The contract calls itself. */
  | { readonly kind: "self"; readonly pc: number }
  /** A signature of an address that the contract knows. */
  | { readonly kind: "signature"; readonly pc: number };

export const isCaller = (expr: Expr) => expr.op === "CALLER" || expr.op === "ORIGIN";

/** The precompile that recovers the signer of a hash, and the question that contracts answer instead (ERC-1271). */
const RECOVER = 1n;
const IS_VALID_SIGNATURE = 0x1626ba7e;

export const isRecovery = (step: Step): boolean =>
  step.kind === "call" && ((isConst(step.to) && step.to.value === RECOVER) || step.selector === IS_VALID_SIGNATURE);

/** The other side of an equation with the caller on one side. */
function equalToCaller(tested: Expr): Expr | undefined {
  const [a, b] = tested.args;
  if (tested.op !== "EQ" || !a || !b) return undefined;
  if (isCaller(a)) return b;
  return isCaller(b) ? a : undefined;
}

/** A value that is stored for the caller is not the caller's identity. */
const stored: ReadonlySet<string> = new Set(["SLOAD", "FIELD"]);

/**
 * Whether a value stands for the caller: its address, masked, shifted, combined with a number, or hashed. A hash of the
 * caller with arguments of the call does not count; leaves of published Merkle trees have that form.
 */
const isDisguise = (side: Expr) =>
  (side.marks & mark.caller) !== 0 &&
  (side.marks & (mark.calldata | mark.call | mark.time)) === 0 &&
  parts(side, stored).some(isCaller);

/** The value that the caller is compared with, openly or disguised, where `tested` being `truth` admits few callers. */
function identityIn(tested: Expr, truth: boolean): Expr | undefined {
  const [a, b] = tested.args;
  if (!a || !b) return undefined;
  if (tested.op === "EQ" && truth) {
    if (isCaller(a) || isCaller(b)) return isCaller(a) ? b : a;
    if (isDisguise(a)) return isDisguise(b) ? undefined : b;
    return isDisguise(b) ? a : undefined;
  }
  // An address below a bound, or a distance from an address.
  const [small, large] = truth ? [a, b] : [b, a];
  return tested.op === "LT" && isDisguise(small) && isConst(large) ? large : undefined;
}

/**
 * Checks of the caller on a path. Each check alone restricts the callers. `ordinary` holds the names of balances and
 * allowances: holding tokens is no privilege.
 */
export function guardsOf(steps: readonly Step[], ordinary: ReadonlySet<string>): readonly Guard[] {
  const guards: Guard[] = [];
  const recovers = steps.some(isRecovery);
  // A value that is written for the signer belongs to the signer, for example a nonce or a vote delegate.
  const written = new Set(steps.flatMap((step) => (step.kind === "write" ? [slotOf(step.key).name] : [])));
  for (const step of steps) {
    if (step.kind !== "branch") continue;
    const { tested, truth, pc } = step;
    const other = identityIn(tested, truth);
    if (other) {
      guards.push(...identity(other, pc));
      continue;
    }
    if (recovers && signedByKnown(tested, truth, (name) => ordinary.has(name) || written.has(name)))
      guards.push({ kind: "signature", pc });
    if ((tested.marks & mark.caller) === 0 || equalToCaller(tested)) continue;
    const field = readsIn(tested).find((read) => read.keys.some(isCaller) && !ordinary.has(read.name));
    if (field && grants(tested, truth)) guards.push({ kind: "role", field, pc });
    else if (!field && asksAboutCaller(tested, truth, steps)) guards.push({ kind: "asked", pc });
  }
  return guards;
}

function identity(other: Expr, pc: number): readonly Guard[] {
  const field = readOf(other);
  if (field) return [{ kind: "slot", field, pc }];
  if (isConst(other)) return [{ kind: "constant", address: other.value, pc }];
  const [read] = readsIn(other);
  if (read) return [{ kind: "slot", field: read, pc }];
  if (other.op === "ADDRESS") return [{ kind: "self", pc }];
  return other.marks & mark.call ? [{ kind: "asked", pc }] : [];
}

/**
 * The recovered signer is stored, written in the code, or on a list. Signers that act on their own tokens do not count.
 */
function signedByKnown(tested: Expr, truth: boolean, isUsual: (name: string) => boolean): boolean {
  const [a, b] = tested.args;
  if (tested.op === "EQ" && a && b) {
    const known = (side: Expr) => isConst(side) || readOf(side) !== undefined;
    return truth && ((a.op === "RET" && known(b)) || (b.op === "RET" && known(a)));
  }
  const listed = readsIn(tested).some(({ name, keys }) => keys.some(({ op }) => op === "RET") && !isUsual(name));
  return listed && grants(tested, truth);
}

/**
 * Whether the test grants permission explicitly: the value stored for the caller is not zero, equals a value, or is
 * high enough.
 */
function grants(tested: Expr, truth: boolean): boolean {
  const [a, b] = tested.args;
  if (tested.op === "EQ") return truth && tested.args.some((arg) => !isConst(arg) || arg.value !== 0n);
  // An OR, as in the check of a product that is zero or exact, grants only when each side would.
  if (tested.op === "OR") return truth && tested.args.every((arg) => grants(arg, truth));
  if (tested.op !== "LT") return truth && tested.op !== "ISZERO";
  if (!a || !b) return false;
  // A rank that is at least a number in the code or a variable. Amounts given by the caller and times do not count.
  const [small, large] = truth ? [a, b] : [b, a];
  const ranked = readOf(large)?.keys.some(isCaller) === true;
  return ranked && (isConst(small) || readOf(small) !== undefined);
}

/** Functions of tokens. Taking tokens from the caller is a payment, not a permission check. */
const ofTokens: ReadonlySet<number | undefined> = new Set([0x23b872dd, 0xa9059cbb, 0x70a08231, 0xdd62ed3e, 0xd505accf]);

function asksAboutCaller(tested: Expr, truth: boolean, steps: readonly Step[]): boolean {
  const [a, b] = tested.args;
  // A rank that another contract knows must reach a minimum.
  if (tested.op === "LT") {
    const [small, large] = truth ? [a, b] : [b, a];
    if (!small || !isConst(small) || large?.op !== "RET") return false;
  } else if (!truth) return false;
  const answers = new Set([...parts(tested)].flatMap((part) => (part.op === "RET" ? part.args : [])));
  return steps.some(
    (step) =>
      step.kind === "call" &&
      answers.has(step.result) &&
      !ofTokens.has(step.selector) &&
      step.input.some((word) => isCaller(word)),
  );
}
