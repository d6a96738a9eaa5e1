import { explore } from "../paths/explore.ts";
import { noRetests } from "../paths/path.ts";
import { programOf } from "../paths/state.ts";
import { instructions, jumpTargets, opcode } from "./code.ts";

/** A constructor does little before it returns the code. */
const bounds = { steps: 20_000, endings: 20, visits: 16 };
/** A constructor with unknown arguments has more paths, and most of them refuse the arguments. */
const openBounds = { steps: 100_000, endings: 20, visits: 16 };

/**
 * The runtime code in `bytes`. Creation code copies the runtime code into memory and returns it. The analysis finds the
 * copy by following the creation code without input.
 * Constructor arguments after the code are not part of the result. When they are missing, as in a compiler's output,
 * arbitrary arguments are assumed. Immutables are zero, as in the compiler's output.
 */
export function runtimeOf(bytes: Uint8Array): { readonly code: Uint8Array; readonly creation: boolean } {
  const code = copiedBy(bytes, false) ?? (asksForItsSize(bytes) ? copiedBy(bytes, true) : undefined);
  return code === undefined ? { code: bytes, creation: false } : { code, creation: true };
}

/** Constructors use this instruction to find the number of arguments that follow. Runtime code has no use for it. */
function asksForItsSize(bytes: Uint8Array): boolean {
  for (const [, op] of instructions(bytes)) if (op === opcode.codesize) return true;
  return false;
}

/** The part of `bytes` that their execution returns as a copy. */
function copiedBy(bytes: Uint8Array, argumentsFollow: boolean): Uint8Array | undefined {
  const program = programOf(bytes, jumpTargets(bytes));
  const entry = {
    selector: undefined,
    inputSize: 0,
    callerMatters: false,
    exact: true,
    answers: false,
    repeated: noRetests,
    mustAct: false,
    argumentsFollow,
  };
  const { endings } = explore(program, entry, argumentsFollow ? openBounds : bounds, () => true);
  for (const { copied } of endings) {
    if (copied && copied.size > 0 && copied.from + copied.size <= bytes.length) {
      return bytes.subarray(copied.from, copied.from + copied.size);
    }
  }
  return undefined;
}
