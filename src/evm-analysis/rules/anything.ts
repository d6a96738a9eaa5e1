import type { Sign } from "../findings/finding.ts";
import { fieldsWritten, readOf, sameBits } from "../findings/slot.ts";
import { isConst, mark } from "../machine/expr.ts";
import type { ContractCall, Step } from "../paths/path.ts";
import type { PathView, View } from "../paths/view.ts";

/** The powers that arbitrary code, or arbitrary writes, on the contract's storage amount to. */
const powers = ["mintable", "unlimited_mint", "moves_others_tokens"] as const;

/**
 * The slot in which upgradeable contracts keep their implementation. Running its set-up code is part of an upgrade.
 * Source: ERC-1967.
 */
const IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;

/** Paths on which a caller chooses a write to arbitrary storage: by its key, or by code that runs on the storage. */
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

/** Whether the caller gives the code, or an earlier call names it. */
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
