import { type Expr, fieldShift, fieldWidth, isConst, mark } from "../machine/expr.ts";
import type { Branch, Step, Write } from "../paths/path.ts";
import type { Effect } from "./effect.ts";
import { fieldsWritten, isTransient, readOf, readsIn, type StorageField, sameBits } from "./slot.ts";

/** Constants from here on are no limit of a number of tokens: with 18 decimals it is 3.4e20. Typical are checks of overflow. */
export const NO_CAP = 1n << 128n;

/**
 * Whether a path closes behind itself: what it found in a variable, of the contract or of who calls or gets the tokens, is
 * not what it leaves there, so that it cannot be gone again; or it counts towards a number that it compares with. A lock
 * against reentrance ends as it began, and does not count.
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

/** Of nobody, or of the one it is about. */
const isOwn = ({ keys }: StorageField, { holder }: Effect) =>
  keys.every((key) => key === holder || key.op === "CALLER" || key.op === "ORIGIN");

/** Whether `value` in `field` makes the test come out otherwise the next time. */
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
  // What grows is below something that is no argument, and no check of overflow.
  const counts = (expr: Expr) => readsIn(expr).some((read) => sameBits(read, field));
  const grows = value.op === "ADD" && value.args.some(counts);
  return grows && counts(small) && !counts(large) && isLimit(large);
}

const isLimit = (large: Expr) => (isConst(large) ? large.value < NO_CAP : (large.marks & mark.calldata) === 0);

/** The bits of a field in a word that is written, when they are known. */
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
  // Bits that a field does not reach are zero.
  if (word.op === "FIELD" && fieldShift(word) === 0 && mask >> BigInt(fieldWidth(word)) === mask) return undefined;
  if (word.op === "FIELD" && (mask & ((1n << BigInt(fieldWidth(word))) - 1n)) === 0n) return 0n;
  return undefined;
}
