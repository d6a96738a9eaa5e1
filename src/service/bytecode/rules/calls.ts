import { selectors } from "../contract.ts";
import { isConst, parts } from "../expr.ts";
import type { Sign } from "../finding.ts";
import { type Call, type Node, stepsOf } from "../path.ts";
import { readOf } from "../slot.ts";
import { movers, type View } from "../view.ts";

/** Addresses up to here are the machine's own. */
const LAST_PRECOMPILE = 0x1ffn;
/** The registry of ERC-1820, the same address on every chain, which ERC-777 asks about both sides of a transfer. */
const REGISTRY = 0x1820a4b7618bde71dce8cdc73aab6c95905fad24n;

const isForeign = (call: Call) => !isConst(call.to) || (call.to.value > LAST_PRECOMPILE && call.to.value !== REGISTRY);

/** Calls out of a transfer, and those of them that can stop it. */
export function callSigns(view: View): readonly Sign[] {
  const signs: Sign[] = [];
  for (const path of view.paths) {
    if (!movers.has(path.selector)) continue;
    for (const step of path.steps) {
      if (step.kind !== "call" || !isForeign(step)) continue;
      const slot = readOf(step.to)?.name;
      signs.push({
        name: "external_call_on_transfer",
        confidence: 0.9,
        selector: path.selector,
        offset: step.pc,
        ...(slot ? { slot } : {}),
      });
    }
  }
  return [...signs, ...gates(view)];
}

/** Who takes part in a transfer, as its calls may be told. */
const taker = (selector: string) => (op: string, value: bigint) =>
  op === "CALLER" || (op === "ARG" && value < (selector === selectors.transfer ? 1n : 2n));

/**
 * Calls that are told who sends or receives and whose answer, or failure, fails the transfer. The callee is fixed by the
 * contract or its owner; a callback to the receiver itself, as ERC-223, 677 and 777 make, is no gate.
 */
function gates(view: View): readonly Sign[] {
  const found: Sign[] = [];
  for (const { selector, fork } of view.forks) {
    if (fork.whenTrue.live === fork.whenFalse.live) continue;
    const isTaker = taker(selector);
    for (const call of callsBefore(fork)) {
      const field = readOf(call.to);
      const told = call.input.some((word) => [...parts(word)].some(({ op, value }) => isTaker(op, value)));
      const answers = [...parts(fork.tested)].includes(call.result);
      if (!answers || !told || !isForeign(call) || (!field && !isConst(call.to))) continue;
      const slot = field?.name;
      const note = "another contract, told who sends or receives, can stop the transfer";
      const base = { selector, offset: call.pc, note, ...(slot ? { slot } : {}) };
      found.push({ name: "external_gate_on_transfer", confidence: 0.7, ...base });
    }
  }
  return found;
}

function callsBefore(fork: {
  readonly trace: Parameters<typeof stepsOf>[0];
  readonly whenTrue: Node;
}): readonly Call[] {
  return stepsOf(fork.trace).filter((step): step is Call => step.kind === "call");
}
