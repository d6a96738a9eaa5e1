import { type Expr, isConst, mark, parts } from "./expr.ts";
import type { Step } from "./path.ts";
import { type Field, readOf, readsIn } from "./slot.ts";

/** Who a path lets through. */
export type Guard =
  /** The caller is the address in a storage field. */
  | { readonly kind: "slot"; readonly field: Field; readonly pc: number }
  /** The caller is an address written into the code. */
  | { readonly kind: "constant"; readonly address: bigint; readonly pc: number }
  /** Storage holds something for the caller: a role, a list of minters. */
  | { readonly kind: "role"; readonly field: Field; readonly pc: number }
  /** Another contract, asked about the caller, said yes. */
  | { readonly kind: "asked"; readonly pc: number }
  /** A signature by an address that the contract knows. */
  | { readonly kind: "signature"; readonly pc: number };

export const isCaller = (expr: Expr) => expr.op === "CALLER" || expr.op === "ORIGIN";

/** The precompile that recovers the signer of a hash, and the question that contracts answer instead (ERC-1271). */
const RECOVER = 1n;
const IS_VALID_SIGNATURE = 0x1626ba7e;

export const isRecovery = (step: Step): boolean =>
  step.kind === "call" && ((isConst(step.to) && step.to.value === RECOVER) || step.selector === IS_VALID_SIGNATURE);

/** The other side of an equation of which one side is the caller. */
function equalToCaller(tested: Expr): Expr | undefined {
  const [a, b] = tested.args;
  if (tested.op !== "EQ" || !a || !b) return undefined;
  if (isCaller(a)) return b;
  return isCaller(b) ? a : undefined;
}

/**
 * Checks of the caller that a path passed, each of them enough to say that not everybody may go there. `ordinary` holds
 * the names of balances and allowances: having tokens is no privilege.
 */
export function guardsOf(steps: readonly Step[], ordinary: ReadonlySet<string>): readonly Guard[] {
  const guards: Guard[] = [];
  const recovers = steps.some(isRecovery);
  for (const step of steps) {
    if (step.kind !== "branch") continue;
    const { tested, truth, pc } = step;
    const other = equalToCaller(tested);
    if (other) {
      if (truth) guards.push(...identity(other, pc));
      continue;
    }
    if (recovers && truth && signedByKnown(tested)) guards.push({ kind: "signature", pc });
    if ((tested.marks & mark.caller) === 0) continue;
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
  return other.marks & mark.call ? [{ kind: "asked", pc }] : [];
}

/** What was recovered equals what is stored or written in the code; not the one who signs for what is his. */
function signedByKnown(tested: Expr): boolean {
  const [a, b] = tested.args;
  if (tested.op !== "EQ" || !a || !b) return false;
  const known = (side: Expr) => isConst(side) || readOf(side) !== undefined;
  return (a.op === "RET" && known(b)) || (b.op === "RET" && known(a));
}

/** A yes, and not the absence of a no: what is stored for the caller is not zero, or equals something. */
function grants(tested: Expr, truth: boolean): boolean {
  if (tested.op === "SLOAD" || tested.op === "FIELD" || tested.op === "AND") return truth;
  if (tested.op === "EQ") return truth && tested.args.some((arg) => !isConst(arg) || arg.value !== 0n);
  return false;
}

/** Calls that tokens answer: taking tokens from the caller is payment, not a question whether it may. */
const ofTokens: ReadonlySet<number | undefined> = new Set([0x23b872dd, 0xa9059cbb, 0x70a08231, 0xdd62ed3e, 0xd505accf]);

function asksAboutCaller(tested: Expr, truth: boolean, steps: readonly Step[]): boolean {
  if (!truth || tested.op === "LT") return false;
  const answers = new Set([...parts(tested)].flatMap((part) => (part.op === "RET" ? part.args : [])));
  return steps.some(
    (step) =>
      step.kind === "call" &&
      answers.has(step.result) &&
      !ofTokens.has(step.selector) &&
      step.input.some((word) => isCaller(word)),
  );
}
