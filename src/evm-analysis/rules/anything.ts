import type { Sign } from "../findings/finding.ts";
import { fieldsWritten, readOf, sameBits } from "../findings/slot.ts";
import { isConst, mark } from "../machine/expr.ts";
import type { ContractCall, Step } from "../paths/path.ts";
import type { PathView, View } from "../paths/view.ts";

/** What any code, or any write, on the contract's own storage comes to. */
const powers = ["mintable", "unlimited_mint", "moves_others_tokens"] as const;

/** Where upgradeable contracts keep their implementation: running its set-up is part of an upgrade. Source: ERC-1967. */
const IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;

/** Paths on which somebody chooses what is written to storage, whatever it is: by its place, or by code that is run on it. */
export function anythingSigns(view: View): readonly Sign[] {
  return view.paths.flatMap((path) => {
    const found = path.steps.flatMap((step) => signOf(view, path, step));
    const [first] = found;
    return first ? powers.map((name) => ({ name, selector: path.selector, ...first })) : [];
  });
}

function signOf(view: View, path: PathView, step: Step): readonly Pick<Sign, "confidence" | "offset" | "note">[] {
  if (step.kind === "write") {
    const given = step.key.op === "ARG" || step.key.op === "CALLDATA";
    return given ? [{ confidence: 0.8, offset: step.pc, note: "writes to any place in storage" }] : [];
  }
  if (step.kind !== "call" || !runsHere(step) || path.selector === "fallback" || isUpgrade(path)) return [];
  if (!isChosen(view, step)) return [];
  return [{ confidence: 0.6, offset: step.pc, note: "runs code of anybody's choice on the contract's own storage" }];
}

const runsHere = ({ op }: ContractCall) => op === "DELEGATECALL" || op === "CALLCODE";

const isUpgrade = ({ steps }: PathView) =>
  steps.some((step) => step.kind === "write" && isConst(step.key) && step.key.value === IMPLEMENTATION);

/** Whose code it is: given by the caller, or named by a call before. */
function isChosen({ paths }: View, { to }: ContractCall): boolean {
  if (to.op === "ADDRESS" || isConst(to)) return false;
  const field = readOf(to);
  if (field === undefined) return (to.marks & mark.calldata) !== 0;
  return paths.some(({ steps }) =>
    steps.some((step) => {
      const given = step.kind === "write" && (step.value.marks & mark.calldata) !== 0;
      return given && fieldsWritten(step.key, step.value).some((written) => sameBits(written, field));
    }),
  );
}
