import { arrayAt } from "../../chains/evm/evm-storage.ts";
import { type Expr, fieldShift, fieldWidth, isConst, parts } from "../machine/expr.ts";
import { remembered } from "../paths/memo.ts";

/**
 * A variable in storage. `name` is equal for all elements of one mapping. It begins with the number of the declared
 * slot. Each key adds `[]`, the nth word of a struct adds `.n`, and an element of an array adds `{}`. Vyper hashes the
 * slot before the key. Source: Solidity documentation, "Layout of State Variables in Storage".
 */
export interface Slot {
  readonly name: string;
  /** The keys of the mappings, outermost first. */
  readonly keys: readonly Expr[];
}

/** Bits of a slot: `width` bits from bit `shift`, counted from the lowest bit. */
export interface StorageField extends Slot {
  readonly shift: number;
  readonly width: number;
}

/** Larger slot numbers are hashes. They are written in full, like the namespaces of ERC-7201. */
const nameOf = (slot: bigint) => `0x${slot.toString(16)}`;

/** Whether a word is transient: it is cleared at the end of the transaction. */
export const isTransient = (key: Expr): boolean => key.op === "TRANSIENT";

/** The variable that contains the word at `key`. */
export const slotOf = remembered(findSlot);

function findSlot(key: Expr): Slot {
  const [a, b] = key.args;
  if (isConst(key)) return { name: constantName(key.value), keys: [] };
  if (isTransient(key) && a) {
    const { name, keys } = slotOf(a);
    return { name: `transient:${name}`, keys };
  }
  if (key.op === "ADD" && a && b) {
    const list = [a, b].find(isList);
    if (list) return slotOf(list);
    if (isConst(b)) {
      const { name, keys } = slotOf(a);
      return { name: `${name}.${b.value > 1n << 64n ? "?" : b.value}`, keys };
    }
    const { name, keys } = slotOf(isHash(a) || !isHash(b) ? a : b);
    return { name: `${name}{}`, keys };
  }
  if (key.op === "KECCAK") return hashed(key);
  const inner = key.args.find(isHash);
  if (inner) return slotOf(inner);
  return { name: `?${key.op}`, keys: [key] };
}

/** Optimizers compute the hash of an array's slot beforehand. */
function constantName(slot: bigint): string {
  const array = arrayAt(slot);
  return array === undefined ? nameOf(slot) : `${nameOf(array)}{}`;
}

/** The first slot of an array's elements. The index of an element does not distinguish variables. */
const isList = (expr: Expr): boolean =>
  isConst(expr)
    ? arrayAt(expr.value) !== undefined
    : expr.op === "KECCAK" && expr.args.length === 1 && !hasPieces(expr);
const hasPieces = (expr: Expr) => expr.args.some((word) => word.op === "JOIN");

const isHash = (expr: Expr): boolean => expr.op === "KECCAK" || (expr.op === "ADD" && expr.args.some(isHash));
const isPlace = (expr: Expr): boolean => isConst(expr) || isHash(expr);

function hashed(key: Expr): Slot {
  const [a, b] = key.args;
  if (hasPieces(key)) return joined(key);
  if (a && !b) {
    const { name, keys } = slotOf(a);
    return { name: `${name}{}`, keys };
  }
  if (a && b && key.args.length === 2) {
    const [place, index] = isPlace(b) || !isPlace(a) ? [b, a] : [a, b];
    const { name, keys } = slotOf(place);
    return { name: `${name}[]`, keys: [...keys, index] };
  }
  const index = key.args.slice(0, -1).filter((word) => !isConst(word));
  return { name: `${key.args.at(-1) ? nameOf(key.args.at(-1)?.value ?? 0n) : "?"}[*]`, keys: index };
}

/**
 * A hash over pieces that are packed side by side. Constant pieces name the mapping, and the other pieces are its keys.
 */
function joined(key: Expr): Slot {
  const words = key.args.flatMap((word) => (word.op === "JOIN" ? word.args : [word]));
  const seeds = [...new Set(words.filter(isConst).map((word) => word.value))].filter((value) => value !== 0n);
  const keys = [...new Set(words.filter((word) => !isConst(word)))];
  return { name: `packed(${seeds.map(nameOf).join()})${"[]".repeat(keys.length)}`, keys };
}

/** The bits that an SLOAD, or a FIELD of an SLOAD, reads. Undefined for other expressions. */
export const readOf = (expr: Expr): StorageField | undefined =>
  expr.op === "SLOAD" || expr.op === "FIELD" ? findRead(expr) : undefined;

const findRead = remembered((expr): StorageField | undefined => {
  const [inner] = expr.args;
  if (expr.op === "SLOAD" && inner) return { ...slotOf(inner), shift: 0, width: 256 };
  const [key] = inner?.args ?? [];
  if (expr.op !== "FIELD" || inner?.op !== "SLOAD" || !key) return undefined;
  return { ...slotOf(key), shift: fieldShift(expr), width: fieldWidth(expr) };
});

/**
 * Answers of other contracts. They say nothing about the storage that was read to make the call, and the other
 * contract's storage is separate.
 */
export const outside: ReadonlySet<string> = new Set([
  "CALL",
  "CALLCODE",
  "STATICCALL",
  "DELEGATECALL",
  "RET",
  "EXTCODESIZE",
  "EXTCODEHASH",
]);
const opaque: ReadonlySet<string> = new Set([...outside, "FIELD"]);

/** Every storage read that a value depends on, without the answers of other contracts. */
export const readsIn = remembered(findReads);

function findReads(expr: Expr): readonly StorageField[] {
  const found: StorageField[] = [];
  for (const part of parts(expr, opaque)) {
    const field = readOf(part);
    if (field) found.push(field);
    const key = part.op === "FIELD" ? part.args[0]?.args[0] : undefined;
    if (key) found.push(...readsIn(key));
  }
  return found;
}

export const sameBits = (a: StorageField, b: StorageField): boolean =>
  a.name === b.name && a.shift < b.shift + b.width && b.shift < a.shift + a.width;

const ALL = (1n << 256n) - 1n;

/** The bits of the old word at `key` that `value` keeps. `before` is the value that the path wrote there earlier. */
function kept(value: Expr, key: Expr, before: Expr | undefined): bigint {
  const [a, b] = value.args;
  if (value === before) return ALL;
  if (value.op === "SLOAD") return a === key ? ALL : 0n;
  if (value.op === "FIELD") {
    const same = a?.op === "SLOAD" && a.args[0] === key && fieldShift(value) === 0;
    return same ? (1n << BigInt(fieldWidth(value))) - 1n : 0n;
  }
  if (value.op === "AND" && a && b && isConst(a)) return a.value & kept(b, key, before);
  if (value.op === "OR" && a && b) return kept(a, key, before) | kept(b, key, before);
  if (value.op === "SHL" && a && b && isConst(a) && b.op === "FIELD" && b.args[0]?.args[0] === key) {
    if (BigInt(fieldShift(b)) === a.value) return ((1n << BigInt(fieldWidth(b))) - 1n) << a.value;
  }
  return 0n;
}

/**
 * The runs of bits that a write changes. Bits copied from the old word, or from the earlier value `before`, do not
 * count as changed.
 */
export function fieldsWritten(key: Expr, value: Expr, before?: Expr): readonly StorageField[] {
  const slot = slotOf(key);
  const mask = kept(value, key, before);
  if (mask === 0n) return [{ ...slot, shift: 0, width: 256 }];
  // Bits from the highest down; a run of zeros is a field.
  const bits = mask.toString(2).padStart(256, "0");
  const fields: StorageField[] = [];
  for (const { 0: run, index } of bits.matchAll(/0+/g)) {
    fields.unshift({ ...slot, shift: 256 - index - run.length, width: run.length });
  }
  return fields;
}
