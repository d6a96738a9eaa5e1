import { codeLength, instructions, jumpTargets, opcode } from "../../src/evm-analysis/machine/code.ts";

const PUSH2 = opcode.push0 + 2;

/** Bytes to insert before the instruction at an offset of the original code. */
export interface Insertion {
  readonly before: number;
  readonly bytes: readonly number[];
}

/**
 * Code with inserted bytes, and with every jump redirected to the new position of its target. Compilers push jump
 * targets with two bytes in code longer than 255. So such a number is a target when a JUMPDEST is at that position.
 */
export function withInserted(code: Uint8Array, insertions: readonly Insertion[]): Uint8Array {
  const end = codeLength(code);
  const targets = jumpTargets(code);
  const moved = (place: number) =>
    insertions.reduce((to, { before, bytes }) => (before <= place ? to + bytes.length : to), place);
  const out: number[] = [];
  for (const [at, op] of instructions(code, end)) {
    for (const { before, bytes } of insertions) if (before === at) out.push(...bytes);
    const size = op > opcode.push0 && op <= opcode.push32 ? op - opcode.push0 : 0;
    const carried = [...code.subarray(at + 1, at + 1 + size)];
    const place = (carried[0] ?? 0) * 256 + (carried[1] ?? 0);
    if (op === PUSH2 && targets.has(place)) out.push(op, moved(place) >> 8, moved(place) & 0xff);
    else out.push(op, ...carried);
  }
  return Uint8Array.from([...out, ...code.subarray(end)]);
}

/**
 * Offsets of JUMPDESTs. Inserted code that leaves the stack alone does not change a path that falls through to a
 * JUMPDEST.
 */
export const landings = (code: Uint8Array): readonly number[] => {
  const end = codeLength(code);
  return [...jumpTargets(code)].filter((place) => place < end);
};

/** More bytes than any PUSH carries, so that the following code is read from its first byte. */
const GAP = new Uint8Array(32);

/**
 * Code without its metadata that first compares the called function with `selector`. On a match it runs the code of
 * `body` for its position, behind a JUMPDEST.
 */
export function withFunction(
  code: Uint8Array,
  selector: string,
  body: (place: number) => readonly number[],
): Uint8Array {
  const own = code.subarray(0, codeLength(code));
  const head = (place: number) => {
    const name = Buffer.from(selector, "hex");
    // PUSH1 0, CALLDATALOAD, PUSH1 224, SHR, PUSH4 selector, EQ, PUSH2 place, JUMPI
    return [0x60, 0, 0x35, 0x60, 224, 0x1c, 0x63, ...name, 0x14, 0x61, place >> 8, place & 0xff, 0x57];
  };
  const place = own.length + head(0).length + GAP.length;
  return Uint8Array.from([
    ...withInserted(own, [{ before: 0, bytes: head(place) }]),
    ...GAP,
    opcode.jumpdest,
    ...body(place),
  ]);
}
