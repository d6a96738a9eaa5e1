import { jumpTargets } from "./code.ts";
import { explore } from "./explore.ts";
import { createPool } from "./expr.ts";
import { noRetests } from "./path.ts";

/** A constructor does little before it returns the code. */
const bounds = { steps: 20_000, endings: 20, visits: 16 };

/**
 * The runtime code in `bytes`. Creation code copies it into memory and returns it; that is found by following the code
 * without input. Constructor arguments after it stay out. Immutables are zero there, as in the compiler's output.
 */
export function runtimeOf(bytes: Uint8Array): { readonly code: Uint8Array; readonly creation: boolean } {
  const program = { pool: createPool(), code: bytes, targets: jumpTargets(bytes) };
  const entry = {
    selector: undefined,
    inputSize: 0,
    callerMatters: false,
    exact: true,
    repeated: noRetests,
    mustAct: false,
  };
  const { endings } = explore(program, entry, bounds, () => true);
  for (const { copied } of endings) {
    if (copied && copied.size > 0 && copied.from + copied.size <= bytes.length) {
      return { code: bytes.subarray(copied.from, copied.from + copied.size), creation: true };
    }
  }
  return { code: bytes, creation: false };
}
