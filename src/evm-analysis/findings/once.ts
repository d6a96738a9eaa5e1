import { type Expr, fieldShift, fieldWidth, isConst, mark } from "../machine/expr.ts";
import type { Branch, Step, Write } from "../paths/path.ts";
import type { Effect } from "./effect.ts";
import { fieldsWritten, isTransient, readOf, readsIn, type StorageField, sameBits } from "./slot.ts";

/**
 * Constants of this size or more do not limit a supply: with 18 decimals it is 3.4e20 tokens. Such constants typically
 * check for overflow.
 */
export const NO_CAP = 1n << 128n;

/**
 * Whether a path can run only a limited number of times.
 * Either it tests a variable and changes it, so that the test fails the next time. The variable belongs to the
 * contract, the caller or the receiver. Or it increases a number that it compares with a limit.
 * A reentrancy lock has the same value at the end as at the beginning, so it does not count.
 */
export function isOnce(steps: readonly Step[], effect: Effect): boolean {
  const last = new Map<Expr, Write>();
  for (const step of steps) if (isKept(step) && step.key !== effect.key) last.set(step.key, step);
  const branches = steps.filter((step) => step.kind === "branch");
  return [...last.values()].some((write) =>
    fieldsWritten(write.key, write.value).some(
      (field) => isOwn(field, effect) && branches.some((branch) => closes(branch, field, write.value)),
    ),
  );
}

const isKept = (step: Step): step is Write => step.kind === "write" && !isTransient(step.key);

/** Whether the field has no key, or only the holder or the caller as keys. */
const isOwn = ({ keys }: StorageField, { holder }: Effect) =>
  keys.every((key) => key === holder || key.op === "CALLER" || key.op === "ORIGIN");

/** Whether `value` in `field` changes the outcome of the test the next time. */
function closes({ tested, truth }: Branch, field: StorageField, value: Expr): boolean {
  const [a, b] = tested.args;
  const reads = (expr: Expr | undefined) => {
    const read = expr && readOf(expr);
    return read !== undefined && read.keys.length === field.keys.length && sameBits(read, field);
  };
  const left = bitsOf(value, field);
  if (reads(tested)) return left !== undefined && (left !== 0n) !== truth;
  if (tested.op === "EQ" && a && b && isConst(a) && reads(b)) return left !== undefined && (left === a.value) !== truth;
  if (tested.op !== "LT" || !a || !b) return false;
  const [small, large] = truth ? [a, b] : [b, a];
  if (left !== undefined && isConst(large)) return reads(small) && left > large.value;
  // The growing value is compared with a limit that is no argument and no overflow check.
  const counts = (expr: Expr) => readsIn(expr).some((read) => sameBits(read, field));
  const grows = value.op === "ADD" && value.args.some(counts);
  return grows && counts(small) && !counts(large) && isLimit(large);
}

const isLimit = (large: Expr) => (isConst(large) ? large.value < NO_CAP : (large.marks & mark.calldata) === 0);

/** The bits of a field in a written word, when they are known. */
function bitsOf(word: Expr, field: StorageField): bigint | undefined {
  const whole = constantIn(word, ((1n << BigInt(field.width)) - 1n) << BigInt(field.shift));
  return whole === undefined ? undefined : whole >> BigInt(field.shift);
}

function constantIn(word: Expr, mask: bigint): bigint | undefined {
  const [a, b] = word.args;
  if (mask === 0n) return 0n;
  if (isConst(word)) return word.value & mask;
  if (word.op === "AND" && a && b && isConst(a)) return constantIn(b, mask & a.value);
  if (word.op === "OR" && a && b) {
    const [left, right] = [constantIn(a, mask), constantIn(b, mask)];
    return left === undefined || right === undefined ? undefined : left | right;
  }
  if (word.op === "SHL" && a && b && isConst(a)) {
    const inner = constantIn(b, mask >> a.value);
    return inner === undefined ? undefined : inner << a.value;
  }
  // Bits beyond the width of a field are zero.
  if (word.op === "FIELD" && fieldShift(word) === 0 && mask >> BigInt(fieldWidth(word)) === mask) return undefined;
  if (word.op === "FIELD" && (mask & ((1n << BigInt(fieldWidth(word))) - 1n)) === 0n) return 0n;
  return undefined;
}
