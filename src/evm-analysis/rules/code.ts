import type { Contract } from "../contract.ts";
import type { Sign } from "../findings/finding.ts";
import { readOf } from "../findings/slot.ts";
import { type Expr, isConst } from "../machine/expr.ts";
import { type ContractCall, type Exploration, newStepsOf, type PathTrace, stepsOf } from "../paths/path.ts";

/** The location of the code that a proxy runs. */
export interface ProxyTarget {
  readonly kind: "slot" | "constant" | "asked" | "unknown";
  /** Name of the slot, or the address in the code. */
  readonly at: string | undefined;
}

/** Delegate calls that a call of an unknown function makes. */
function delegations(contract: Contract): readonly ContractCall[] {
  return contract.fallback
    .flatMap(({ endings, forks }) => [...endings.map(({ trace }) => trace), ...forks.map(({ trace }) => trace)])
    .flatMap((trace) => stepsOf(trace))
    .filter((step): step is ContractCall => step.kind === "call" && step.op === "DELEGATECALL");
}

/** Offsets of delegate calls, with the function that makes them. */
function delegatedAt(contract: Contract): ReadonlyMap<number, string | undefined> {
  const found = new Map<number, string | undefined>();
  for (const { pc } of delegations(contract)) found.set(pc, undefined);
  const seen = new Set<PathTrace>();
  for (const { selector, exploration } of contract.functions.values()) {
    for (const { trace } of [...exploration.endings, ...exploration.forks]) {
      for (const call of newStepsOf(trace, seen)) {
        if (call.kind === "call" && (call.op === "DELEGATECALL" || call.op === "CALLCODE"))
          found.set(call.pc, selector);
      }
    }
  }
  return found;
}

/** The code that runs in place of the contract's own code when the called function is unknown. */
export function proxyOf(contract: Contract): ProxyTarget | undefined {
  const [call] = delegations(contract);
  return call && { ...target(call.to) };
}

function target(to: Expr): ProxyTarget {
  const field = readOf(to);
  if (field) return { kind: "slot", at: field.name };
  if (isConst(to)) return { kind: "constant", at: `0x${to.value.toString(16).padStart(40, "0")}` };
  return { kind: to.op === "RET" ? "asked" : "unknown", at: undefined };
}

const nameless = ({ endings }: Exploration) => endings.map((ending) => ({ ...ending, selector: undefined }));

/** Powers of any code: it can destroy itself, or run other code as its own. */
export function codeSigns(contract: Contract): readonly Sign[] {
  const signs: Sign[] = [];
  const reached = new Set<number>();
  const ends = [...contract.functions.values()].flatMap(({ selector, exploration }) =>
    exploration.endings.map((ending) => ({ ...ending, selector })),
  );
  for (const { how, pc, selector } of [...ends, ...contract.fallback.flatMap(nameless)]) {
    if (how !== "selfdestruct" || reached.has(pc)) continue;
    reached.add(pc);
    signs.push({ name: "self_destruct", confidence: 1, ...(selector ? { selector } : {}), offset: pc });
  }
  for (const [offset, selector] of delegatedAt(contract)) {
    signs.push({ name: "delegatecall", confidence: 0.95, offset, ...(selector ? { selector } : {}) });
  }
  // An unreached instruction is often data, unless a bound stopped the exploration.
  if (contract.truncated) {
    const note = "not seen to be reached";
    for (const offset of contract.offsets.selfdestruct) {
      if (!reached.has(offset)) signs.push({ name: "self_destruct", confidence: 0.5, offset, note });
    }
    const seen = delegatedAt(contract);
    for (const offset of contract.offsets.delegatecall) {
      if (!seen.has(offset)) signs.push({ name: "delegatecall", confidence: 0.5, offset, note });
    }
  }
  const proxy = proxyOf(contract);
  if (proxy) signs.push({ name: "proxy", confidence: 0.95, ...(proxy.at ? { slot: proxy.at } : {}), note: proxy.kind });
  return signs;
}
