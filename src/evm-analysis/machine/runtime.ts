import { explore } from "../paths/explore.ts";
import { noRetests } from "../paths/path.ts";
import { programOf } from "../paths/state.ts";
import { instructions, jumpTargets, opcode } from "./code.ts";

/** A constructor does little before it returns the code. */
const bounds = { steps: 20_000, endings: 20, visits: 16 };
/** One whose arguments are not known has more ways, most of which refuse them. */
const openBounds = { steps: 100_000, endings: 20, visits: 16 };

/**
 * The runtime code in `bytes`. Creation code copies it into memory and returns it; that is found by following the code
 * without input. Constructor arguments after it stay out; where they are not there, as in a compiler's output, any are
 * supposed. Immutables are zero there, as in the compiler's output.
 */
export function runtimeOf(bytes: Uint8Array): { readonly code: Uint8Array; readonly creation: boolean } {
  const code = copiedBy(bytes, false) ?? (asksForItsSize(bytes) ? copiedBy(bytes, true) : undefined);
  return code === undefined ? { code: bytes, creation: false } : { code, creation: true };
}

/** How constructors find out how many arguments follow. Runtime code has no use for it. */
function asksForItsSize(bytes: Uint8Array): boolean {
  for (const [, op] of instructions(bytes)) if (op === opcode.codesize) return true;
  return false;
}

/** The part of `bytes` that they return a copy of when they run. */
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
